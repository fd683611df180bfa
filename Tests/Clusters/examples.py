"""Reads the examples: their commands are the lines of their first comment that are indented."""
import os
import re
import shutil
import signal
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../../Examples/Clusters")
# An example must fit on a screen.
MOST_LINES = 30
# The bound on an example in seconds. A quiet machine needs up to 20, most of them for starting the engine.
SECONDS = 240
# Enough that each of eight tasks has many blocks, and a second of work for a debug build.
TRIALS = "1e9"


class Failed(Exception):
    """An example does not do what it should."""


class Workplace:
    """A folder where examples run, with `potluck` and the engines of .build/clusters in the path."""

    def __init__(self, folder, program):
        self.folder = folder
        programs = os.path.join(folder, "bin")
        os.mkdir(programs)
        os.symlink(program, os.path.join(programs, "potluck"))
        self.python = os.path.join(HERE, "../../.build/clusters/bin")
        self.variables = dict(
            os.environ, TRIALS=TRIALS, HOME=folder, POTLUCK_STATE=os.path.join(folder, "state"),
            TMPDIR=folder, XDG_CACHE_HOME=os.path.join(folder, "cache"),
            PATH=os.pathsep.join([programs, os.path.abspath(self.python), os.environ["PATH"]]),
            # The examples use as many cores as there are, also as root.
            OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_btl="self,vader,tcp", OMPI_MCA_oob_tcp_if_include="lo",
            # Ray reports to its makers unless told otherwise, and puts its files in /tmp. A socket's path is short.
            RAY_USAGE_STATS_ENABLED="0", RAY_TMPDIR=folder, RAY_AUTH_MODE="disabled")
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
            # The example is no part of the make that runs this test.
            self.variables.pop(name, None)

    def has(self, name):
        return shutil.which(name, path=self.variables["PATH"]) is not None

    def make(self, name):
        """Returns a new folder with copies of the examples."""
        folder = os.path.join(self.folder, name)
        shutil.copytree(EXAMPLES, folder)
        return folder

    def run(self, command, folder, check=True, **variables):
        """Runs a shell command in a session of its own, which ends with it. Returns its result."""
        with subprocess.Popen(["/bin/sh", "-c", command], cwd=folder, env=dict(self.variables, **variables),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              start_new_session=True) as process:
            try:
                said, errors = process.communicate(timeout=SECONDS)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        if check and process.returncode:
            raise Failed(f"'{command}' ended with {process.returncode}: {(errors or said).strip()[-400:]}")
        return subprocess.CompletedProcess(command, process.returncode, said, errors)

    def example(self, file, **variables):
        """Runs the commands of an example in a folder of its own. Returns the digest in result.txt."""
        folder = self.make(file.replace(".", "-"))
        self.run("\n".join(["set -e", *commands(file)]), folder, **variables)
        with open(os.path.join(folder, "result.txt"), encoding="utf-8") as result:
            return digest(result.read())


def commands(file):
    """Returns the commands in the first comment of an example."""
    found = []
    for line in text(file).splitlines():
        match = re.match(r"(?:#     |#         |    )(\S.*)", line)
        if match and not line.startswith("#!"):
            found.append(match[1])
        elif not re.match(r'#|"""|$', line) and (found or not file.endswith(".py")):
            break
    return found


def text(file):
    with open(os.path.join(EXAMPLES, file), encoding="utf-8") as lines:
        return lines.read()


def digest(said):
    """Returns the digest that `potluck` printed."""
    found = re.findall(r'digest[":\s]+([0-9a-f]{64})\b', said)
    if len(found) != 1:
        raise Failed(f"{len(found)} digests instead of one in: {said.strip()[-400:]}")
    return found[0]
