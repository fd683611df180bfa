"""The ways to compute one job. Each function computes it and returns the digest."""
import glob
import json
import os
import shlex
import signal
import subprocess

import examples
from examples import SECONDS, TRIALS, Failed, digest
from slurm import Slurm

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


def slurm(place, file):
    with Slurm(place.folder) as variables:
        return place.example(file, **variables)


def campaign(place):
    """A precision is reached with the same trials as on one machine, so the digest is another one."""
    precision = {"PRECISION": "2e-5"}
    with Slurm(place.folder) as variables:
        found = place.example("slurm-campaign.sh", **variables, **precision)
    alone = place.run("potluck run monty-hall --until 2e-5 --seed 1 --ephemeral --json", place.folder)
    if found != digest(alone.stdout):
        raise Failed("the campaign and the run with --until have different digests")
    return digest(place.run(f"potluck run {JOB} --ephemeral --json", place.folder).stdout)


def kubernetes(place):
    """Plays what Kubernetes does with the manifests: starts the merge, and each pod with its index."""
    import kubernetes as manifests

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


def module(place, name):
    python = os.path.join(place.python, "python3")
    if not os.path.exists(python):
        return False
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


class Way:
    """A way to compute the job: its name, what computes it, and what it lacks on this machine."""

    def __init__(self, name, compute, lack=lambda place: None, quick=True):
        self.name, self.compute, self.lack, self.quick = name, compute, lack, quick


def command(name):
    return lambda place: None if place.has(name) else f"{name} is not installed"


def library(name, where):
    return lambda place: None if module(place, name) else f"{where} is not installed"


def shown(file):
    return lambda place: place.example(file)


WAYS = [
    Way("one core", lambda place: cores(place, 1)),
    Way("two cores", lambda place: cores(place, 2)),
    Way("session", session),
    Way("xargs", shown("xargs.sh"), command("xargs")),
    Way("make", shown("Makefile"), command("make")),
    Way("parallel", shown("parallel.sh"), command("parallel")),
    Way("mpirun", shown("mpirun.sh"), command("mpirun")),
    Way("kubernetes", kubernetes, lambda place: library_of_this("yaml")),
    Way("slurm-array", lambda place: slurm(place, "slurm-array.sh"), lambda place: Slurm.lack(), quick=False),
    Way("slurm-step", lambda place: slurm(place, "slurm-step.sh"), lambda place: Slurm.lack(), quick=False),
    Way("slurm-campaign", campaign, lambda place: Slurm.lack(), quick=False),
    Way("snakemake", shown("Snakefile"), command("snakemake"), quick=False),
    Way("dask", shown("dask_tasks.py"), library("dask.distributed", "dask[distributed]"), quick=False),
    Way("ray", shown("ray_tasks.py"), library("ray", "ray"), quick=False),
]


def library_of_this(name):
    try:
        __import__(name)
    except ImportError:
        return f"Python's {name} is not installed"
    return None


# The files that no way above runs.
UNPLAYED = {"Containerfile", "README.md", "kubernetes-merge.yaml", "kubernetes.yaml"}


def check_files():
    """Every example is short, names its commands and is played."""
    for file in sorted(os.listdir(examples.EXAMPLES)):
        lines = len(examples.text(file).splitlines())
        if file != "README.md" and lines >= examples.MOST_LINES:
            raise Failed(f"{file} has {lines} lines; fewer than {examples.MOST_LINES} fit on a screen")
        if file != "README.md" and not examples.commands(file):
            raise Failed(f"{file} does not say which command runs it")
        if f"]({file})" not in examples.text("README.md") and file != "README.md":
            raise Failed(f"{file} is not in the table of README.md")
