"""The job of a chaos test: its command line, sized to last as long as the faults, and its result on one machine."""
import filecmp
import json
import os
import subprocess

from laptops import PATIENCE, POTLUCK

# The trials of a job that is cancelled, too many to compute.
ENDLESS = "1e15"
# A job with an end of its own should last this many times as long as its faults, plus some seconds. If it were over too
# early, later faults would not be played, and the speed of a busy machine changes.
LONGER = 1.3
REST = 2.0
LONGEST_ALONE = 600
# The limit of the list that measures this machine. Trial division of all numbers below N takes time proportional to
# N^1.5.
MEASURED_LIMIT = 1e7
LIST = ("-p", "method=trial", "-p", "list=yes")


class Job:
    """The job. Its `words` follow `potluck run`, or a node's `--run`."""

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
        """Returns the option for as many cores as all nodes use together."""
        return "--cores", str(self.cores)

    def output(self, name):
        """Returns the options that write the job's output to a file; none if it has no output."""
        return ("--output", self.path(name)) if self.kind == "list" else ()

    def path(self, name):
        return os.path.join(self.folder, name)

    def truth(self, trials):
        """Returns one machine's result; for a cancelled job, that of `trials` trials."""
        if self.kind == "cancelled":
            return alone(self.simulation, "--trials", str(trials), *self.seed)
        return alone(*self.words, *self.output("alone"))

    def has_same_file(self):
        """Returns whether both files exist and are equal, byte for byte; true if the job has no output."""
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
    """Returns half the width of the widest interval."""
    return max((row["high"] - row["low"]) / 2 for row in result["readings"] if row["low"] is not None)


def rounded(number):
    """Returns the number as text, rounded down to two digits."""
    size = 10 ** max(0, len(str(int(number))) - 2)
    return str(int(number // size * size))
