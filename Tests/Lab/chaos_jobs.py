"""The job of an evening: its command line, as long as its troubles on this machine, and what it comes to on one machine."""
import filecmp
import json
import os
import subprocess

from laptops import PATIENCE, POTLUCK

# What nobody computes to its end: such a job is cancelled.
ENDLESS = "1e15"
# A job with an end of its own lasts so many times as long as its troubles, and some seconds: an evening in which they come too
# late shows little, and how busy a machine is changes.
LONGER = 1.3
REST = 2.0
LONGEST_ALONE = 600
# The list that is measured. Trial division of the numbers below N costs about N to the power of 3/2.
MEASURED_LIMIT = 1e7
LIST = ("-p", "method=trial", "-p", "list=yes")


class Job:
    """What is ordered: `words` follow `potluck run`, or `--run` of a node."""

    def __init__(self, schedule, folder):
        self.kind, self.folder = schedule.kind, folder
        self.simulation = schedule.simulation
        self.cores = min(os.cpu_count(), len(schedule.able))
        seconds = schedule.span * LONGER + REST
        self.seed = ("--seed", str(schedule.job_seed))
        if self.kind == "list":
            self.seed = ()
            self.words = (self.simulation, "-p", f"limit={rounded(self.limit(seconds))}", *LIST)
        else:
            self.words = (self.simulation, *self.goal(seconds), *self.seed)

    def goal(self, seconds):
        if self.kind == "cancelled":
            return "--trials", ENDLESS
        measured = alone(self.simulation, "--for", "1s", "--seed", "1", *self.power())
        trials = measured["trials"] / measured["elapsed"] * seconds
        if self.kind == "trials":
            return "--trials", rounded(trials)
        return "--until", f"{widest(measured) * (measured['trials'] / trials) ** 0.5:.3g}"

    def limit(self, seconds):
        measured = alone("primes", "-p", f"limit={MEASURED_LIMIT:.0f}", *LIST, *self.power())
        return MEASURED_LIMIT * (seconds / measured["elapsed"]) ** (2 / 3)

    def power(self):
        """As many cores as the nodes have together, on this machine."""
        return "--cores", str(self.cores)

    def output(self, name):
        """The options that have it write its file, where it has one."""
        return ("--output", self.path(name)) if self.kind == "list" else ()

    def path(self, name):
        return os.path.join(self.folder, name)

    def truth(self, trials):
        """What one machine has: of a job that was cancelled after so many trials, of as many."""
        if self.kind == "cancelled":
            return alone(self.simulation, "--trials", str(trials), *self.seed)
        return alone(*self.words, *self.output("alone"))

    def has_same_file(self):
        """Whether both files are there and the same to the octet; true where none is written."""
        if self.kind != "list":
            return True
        paths = self.path("alone"), self.path("together")
        return all(map(os.path.exists, paths)) and filecmp.cmp(*paths, shallow=False)


def alone(*words):
    done = subprocess.run([POTLUCK, "run", *words, "--json", "--ephemeral", "--priority", "normal"], capture_output=True,
                          text=True, timeout=PATIENCE * LONGEST_ALONE)
    if done.returncode:
        raise RuntimeError(f"potluck run {' '.join(words)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def widest(result):
    """Half of the widest interval."""
    return max((row["high"] - row["low"]) / 2 for row in result["readings"] if row["low"] is not None)


def rounded(number):
    """With two digits, as people write it."""
    size = 10 ** max(0, len(str(int(number))) - 2)
    return str(int(number // size * size))
