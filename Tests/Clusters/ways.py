"""The ways to compute one job, and the list of all shows."""
import glob
import json
import os
import shlex
import signal
import subprocess

import examples
import faults
import manifests
from examples import SECONDS, TRIALS, Failed, digest
from slurm import CORES, FEW_CORES, Slurm

PRECISION = "2e-5"
JOB = f"monty-hall --trials {TRIALS} --seed 1"


def cores(place, count):
    return digest(place.run(f"potluck run {JOB} --cores {count} --ephemeral --json", place.folder).stdout)


def session(place):
    """A session of two nodes on loopback, which find each other as in a room."""
    name = f"Clusters-{os.getpid()}"
    variables = dict(place.variables, POTLUCK_INTERFACE="lo", POTLUCK_NO_MDNS="1",
                     POTLUCK_BEACON_PORT=str(20000 + os.getpid() % 10000))
    nodes = []
    try:
        for number, verb in enumerate(("serve", "join")):
            # Each node is a machine with a state of its own.
            state = os.path.join(place.folder, f"node-{number}")
            nodes.append(subprocess.Popen(
                ["potluck", verb, name, "--open", "--name", f"node-{number}", "--cores", "1", "--json"],
                env=dict(variables, POTLUCK_STATE=state), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, cwd=place.folder))
            if json.loads(nodes[-1].stdout.readline() or "{}").get("event") != "started":
                raise Failed(f"'potluck {verb}' does not start")
        command = f"potluck run {JOB} --session {name} --open --wait-for 2 --json --quiet"
        variables["POTLUCK_STATE"] = os.path.join(place.folder, "node-0")
        done = subprocess.run(shlex.split(command), env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=SECONDS, check=False, cwd=place.folder)
        if done.returncode:
            raise Failed(f"'{command}' ended with {done.returncode}: {done.stderr.strip()[-400:]}")
        return digest(done.stdout)
    finally:
        for node in nodes:
            node.send_signal(signal.SIGTERM)
        for node in nodes:
            node.communicate(timeout=SECONDS)


def slurm(place, file, cores=CORES):
    with Slurm(place.folder, cores) as variables:
        return place.example(file, **variables)


def reached(found, place):
    """Checks the digest of a campaign: a precision is reached with the same trials as on one machine."""
    alone = place.run(f"potluck run monty-hall --until {PRECISION} --seed 1 --ephemeral --json", place.folder)
    if found != digest(alone.stdout):
        raise Failed("the campaign and the run with --until have different digests")
    return "the digest of --until"


def campaign(place):
    said = place.run(f"potluck campaign monty-hall --until {PRECISION} --seed 1 --shards 8 --folder rounds "
                     "--submit \"xargs -P 2 -I '%' sh -c '%' <{}\" --json", place.folder)
    return reached(digest(said.stdout), place)


def slurm_campaign(place):
    with Slurm(place.folder) as variables:
        return reached(place.example("slurm-campaign.sh", PRECISION=PRECISION, **variables), place)


def kubernetes(place):
    """Plays what Kubernetes does with the manifests: starts the merge, and each pod with its index."""
    shards, merge = manifests.checked()
    folder = place.make("kubernetes")
    parts = os.path.join(folder, "parts", "")
    os.mkdir(parts)

    def command(job):
        words = job["spec"]["template"]["spec"]["containers"][0]["args"]
        return ["potluck", *(parts if word == "/parts/" else word.replace("1e9", TRIALS) for word in words)]

    with subprocess.Popen(command(merge), env=place.variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as merging:
        try:
            for index in range(shards["spec"]["completions"]):
                place.run(shlex.join(command(shards)), folder, JOB_COMPLETION_INDEX=str(index))
            said, errors = merging.communicate(timeout=SECONDS)
        finally:
            merging.kill()
    if merging.returncode:
        raise Failed(f"the merge ended with {merging.returncode}: {errors.strip()[-400:]}")
    if len(glob.glob(parts + "*.part")) != shards["spec"]["completions"]:
        raise Failed("there is not one part for each pod")
    return digest(said)


def check_files():
    """Every example is short, names its commands and is in the table."""
    for file in sorted(os.listdir(examples.EXAMPLES)):
        if file == "README.md":
            continue
        lines = len(examples.text(file).splitlines())
        if lines >= examples.MOST_LINES:
            raise Failed(f"{file} has {lines} lines; fewer than {examples.MOST_LINES} fit on a screen")
        if not examples.commands(file):
            raise Failed(f"{file} does not say which command runs it")
        if f"]({file})" not in examples.text("README.md"):
            raise Failed(f"{file} is not in the table of README.md")
    return "short, with their commands"


def module(name, package):
    def lack(place):
        python = os.path.join(place.python, "python3")
        if os.path.exists(python) and subprocess.run([python, "-c", f"import {name}"], check=False).returncode == 0:
            return None
        return f"{package} is not in .build/clusters"
    return lack


def command(name):
    return lambda place: None if place.has(name) else f"{name} is not installed"


def shown(file):
    return lambda place: place.example(file)


def no_lack(place):
    return None


class Show:
    """A way to compute the job, or a check of something else. `lack` says why it cannot run on this machine. `run`
    returns the digest of the job or, if this is a check, what was found."""

    def __init__(self, name, run, lack=no_lack, quick=True, is_job=True):
        self.name, self.run, self.lack, self.quick, self.is_job = name, run, lack, quick, is_job


SHOWS = [
    Show("one core", lambda place: cores(place, 1)),
    Show("two cores", lambda place: cores(place, 2)),
    Show("session", session),
    Show("xargs", shown("xargs.sh"), command("xargs")),
    Show("make", shown("Makefile"), command("make")),
    Show("parallel", shown("parallel.sh"), command("parallel")),
    Show("mpirun", shown("mpirun.sh"), command("mpirun")),
    Show("kubernetes", kubernetes, manifests.lack),
    Show("slurm-array", lambda place: slurm(place, "slurm-array.sh"), Slurm.lack, quick=False),
    Show("slurm-step", lambda place: slurm(place, "slurm-step.sh"), Slurm.lack, quick=False),
    Show("slurm-step-two", lambda place: slurm(place, "slurm-step.sh", FEW_CORES), Slurm.lack, quick=False),
    Show("snakemake", shown("Snakefile"), command("snakemake"), quick=False),
    Show("dask", shown("dask_tasks.py"), module("dask.distributed", "dask[distributed]"), quick=False),
    Show("ray", shown("ray_tasks.py"), module("ray", "ray"), quick=False),
    Show("campaign", campaign, is_job=False),
    Show("slurm-campaign", slurm_campaign, Slurm.lack, quick=False, is_job=False),
    Show("files", lambda place: check_files(), is_job=False),
    Show("image", lambda place: manifests.check_image(), is_job=False),
    Show("wrong-files", faults.wrong_files, is_job=False),
    Show("killed-tasks", faults.killed_tasks, is_job=False),
    Show("killed-writer", faults.killed_writer, is_job=False),
    Show("many-parts", faults.many_parts, quick=False, is_job=False),
]
