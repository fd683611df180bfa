"""The library of the lab's tests: hosts, their nodes, and what these report.

Every report has the time of its writing in nanoseconds of CLOCK_BOOTTIME, which is the same clock on all hosts.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
POTLUCK = os.path.abspath(os.environ.get("POTLUCK") or os.path.join(HERE, "../../.build/release/potluck"))
ROGUE = os.path.join(os.path.dirname(POTLUCK), "PotluckRogue")
LAB = os.path.join(HERE, "lab")
# The join code. No capture of network traffic may contain any of these words.
CODE = "abacus-abbey-ability-about-acorn"
# The factor for all bounds and limits compared with a quiet machine. A busy machine still shows whether everything
# works, but not how fast.
PATIENCE = max(1.0, float(os.environ.get("POTLUCK_LAB_PATIENCE") or 1))
# The bound on one command of the lab in seconds. Its own waits have shorter ones, and report what they waited for.
LAB_COMMAND_SECONDS = 120
# How long a process on a busy machine may wait for a core, by unit.
TURN = {"ms": 1000, "s": 1}
# How often a wait without notifications checks its condition, in seconds.
GLANCE = 0.1


def now():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def milliseconds(nanoseconds):
    return nanoseconds / 1e6


def until(condition, seconds):
    """Waits for a condition that no process reports. Returns whether it came true in time."""
    end = time.monotonic() + PATIENCE * seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(GLANCE)
    return True


class Lab:
    """A lab in a directory of its own, which the `with` block removes at its end."""

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="potluck-lab-")
        self.environment = dict(os.environ, POTLUCK_LAB=os.path.join(self.scratch.name, "lab"))
        self.running = []
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.end(signal.SIGKILL)
        self("down")
        self.scratch.cleanup()

    def __call__(self, *words):
        """Runs a command of the lab, as in `lab("cut", 3)`. Returns its output."""
        # Let the command end even if a signal interrupts this process: `down` would miss what the command is about to
        # start.
        with subprocess.Popen([LAB, *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as done:
            try:
                said, errors = done.communicate(timeout=PATIENCE * LAB_COMMAND_SECONDS)
            except subprocess.TimeoutExpired:
                done.kill()
                raise
        if done.returncode:
            raise RuntimeError(f"lab {' '.join(map(str, words))}: {errors.strip()}")
        return said

    def command(self, host, *words):
        return [LAB, "exec", str(host), *map(str, words)]


class Process:
    """A program on a host that prints JSON, one object per line."""

    parse = staticmethod(json.loads)
    stdin = subprocess.DEVNULL

    def __init__(self, lab, host, *words):
        self.lab, self.host = lab, host
        self.lines, self.errors = [], []
        self.changed = threading.Condition()
        self.popen = subprocess.Popen(
            lab.command(host, *words), env=lab.environment, stdin=self.stdin, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        lab.running.append(self)
        self.readers = [threading.Thread(target=self._read, daemon=True),
                        threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def _read(self):
        for text in self.popen.stdout:
            try:
                line = self.parse(text)
            except ValueError:
                check(f"host {self.host} prints one JSON object per line", False, repr(text))
                continue
            with self.changed:
                self.lines.append(line)
                self.take(line)
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def _read_errors(self):
        for text in self.popen.stderr:
            self.errors.append(text.rstrip())

    def take(self, line):
        """Called for each line, with the lock held."""

    def wait(self, condition, seconds):
        """Returns whether `condition()` came true in time. Checks it after every line and at short intervals."""
        end = time.monotonic() + PATIENCE * seconds
        with self.changed:
            while not condition():
                rest = end - time.monotonic()
                if rest <= 0:
                    return False
                self.changed.wait(min(rest, GLANCE))
            return True

    def end(self, how=signal.SIGTERM):
        """Ends the process. Returns how many seconds that took."""
        if self in self.lab.running:
            self.lab.running.remove(self)
        before = time.monotonic()
        if self.popen.poll() is None:
            self.popen.send_signal(how)
        try:
            self.popen.wait(PATIENCE * 10)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        took = time.monotonic() - before
        self.join()
        return took

    def join(self):
        """Waits until all output of the ended process is read."""
        for reader in self.readers:
            reader.join(PATIENCE * 5)

    def lose(self):
        """Kills the process, because its host has crashed."""
        self.end(signal.SIGKILL)

    def cpu(self):
        """Returns the CPU time of all running threads in nanoseconds."""
        total = 0
        for thread in os.listdir(f"/proc/{self.popen.pid}/task"):
            with open(f"/proc/{self.popen.pid}/task/{thread}/schedstat") as file:
                total += int(file.read().split()[0])
        return total


class Watcher(Process):
    """A process that reports nearby nodes: `potluck browse`, or the lab's own `announce`."""

    def __init__(self, lab, host, *words):
        self.around = {}  # by node ID: its last report
        self.node = None  # its own node ID; None for `browse`
        self.since = None  # when it began to announce
        super().__init__(lab, host, ROGUE if words[0] == "announce" else POTLUCK, *words)

    def take(self, line):
        if line["event"] == "announcing":
            self.node, self.since = line["node"], line["at"]
        elif line["event"] in ("appeared", "changed"):
            self.around[line["node"]] = line
        elif line["event"] == "disappeared":
            self.around.pop(line["node"], None)

    def history(self, event, node=None):
        with self.changed:
            return [line for line in self.lines if line["event"] == event and node in (None, line.get("node"))]

    def sees(self, nodes, seconds):
        return self.wait(lambda: all(node in self.around for node in nodes), seconds)

    def misses(self, node, seconds):
        return self.wait(lambda: node not in self.around, seconds)


class Node(Watcher):
    """A node that announces itself on a host."""

    def __init__(self, lab, host, *options, session="Monty"):
        super().__init__(lab, host, "announce", session, "--name", f"on host {host}", *options)
        if not self.wait(lambda: self.node, 20):
            raise RuntimeError(f"no node on host {host}: {' '.join(self.errors) or 'it says nothing'}")


class Member(Process):
    """A node of a session, as its own output describes it."""

    def __init__(self, lab, host, command, *options, code=CODE, session="Monty", program=POTLUCK):
        self.peers = {}  # by node ID: its last report
        self.begun = now()
        self.ended = None
        super().__init__(lab, host, "env", f"POTLUCK_CODE={code}", program, command, session, "--name",
                         f"on host {host}", "--json", *options)

    def take(self, line):
        if line["event"] == "peer":
            self.peers[line["node"]] = line
        elif line["event"] == "ended":
            self.ended = line["why"]

    def connected(self):
        return sum(peer["state"] == "connected" for peer in self.peers.values())

    def links(self, count, seconds):
        return self.wait(lambda: self.connected() >= count, seconds)

    def last_connected(self):
        with self.changed:
            moments = [line["at"] for line in self.lines if line["event"] == "peer" and line["state"] == "connected"]
        return max(moments, default=None)

    def since(self, moment):
        """Returns the milliseconds from a moment to the next connection; None if there was none."""
        with self.changed:
            moments = [line["at"] for line in self.lines
                       if line["event"] == "peer" and line["state"] == "connected" and line["at"] > moment]
        return milliseconds(min(moments) - moment) if moments else None

    def history(self, event):
        with self.changed:
            return [line for line in self.lines if line["event"] == event]

    def heard(self, text, seconds):
        return self.wait(lambda: any(line["event"] == "said" and line["text"] == text for line in self.lines), seconds)


failures = []


def check(what, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'}  {what}{': ' if detail else ''}{detail}", flush=True)
    if not holds:
        failures.append(what)


def at_most(what, figure, limit, unit):
    """Checks a figure against its limit; None fails. With patience the limit is extended by a turn and multiplied."""
    shown = "never" if figure is None else f"{figure:.0f} {unit}" if figure >= 100 else f"{figure:.2g} {unit}"
    patient = limit if PATIENCE == 1 else PATIENCE * (limit + TURN.get(unit, 0))
    holds = figure is not None and figure <= patient
    late = f", with patience {patient:.0f} {unit}" if figure is None or figure > limit else ""
    check(what, holds, f"{shown} (at most {limit} {unit}{late})")


def leave(*_):
    """Ends the lab on a signal. Ignores further signals, because daemons would remain if this was interrupted."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(1)


def play(name, alone=(), busy=(), idle=()):
    """The main program of a file of shows. Runs the shows that are named, or all, and exits.

    `all` runs several shows at once. One that is `alone` measures and needs a quiet machine; of those that are `busy`,
    because they compute, only one runs at a time; those that are `idle` mostly wait.
    """
    kinds = {show: kind for kind, shows in (("alone", alone), ("busy", busy), ("idle", idle)) for show in shows}
    names = sys.argv[1:]
    if names == ["list"]:
        for show, kind in kinds.items():
            print(f"{show.__name__:10} {kind:5} {show.__doc__}")
        sys.exit()
    if unknown := set(names) - {show.__name__ for show in kinds}:
        sys.exit(f"{name}: unknown show {', '.join(sorted(unknown))}; `{name} list` lists them")
    lab = subprocess.run([LAB, "check"], capture_output=True, text=True)
    if lab.returncode:
        print("skipped: the lab cannot run here\n" + lab.stdout, end="")
        sys.exit()
    if not os.access(POTLUCK, os.X_OK):
        sys.exit(f"{name}: {POTLUCK} is missing; run `make build`, or set POTLUCK to a program")
    signal.signal(signal.SIGTERM, leave)
    wanted = [show for show in kinds if not names or show.__name__ in names]
    for show in wanted:
        print(f"\n{show.__doc__}", flush=True)
        began = time.monotonic()
        show()
        print(f"      {show.__name__} took {time.monotonic() - began:.0f} s", flush=True)
    if len(wanted) > 1 or failures:
        print(f"\n{len(failures)} failed" if failures else "\nall passed")
    sys.exit(1 if failures else 0)
