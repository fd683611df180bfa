"""Judges a chaos test by the output of its nodes, its files and its histories.

All functions are pure. A judge returns one line for each thing that is wrong. Moments are nanoseconds of one clock.
"""
from dataclasses import dataclass, field

from chaos_schedule import LONGEST_AWAY

SECOND = 1_000_000_000
# The longest time in seconds that a quiet machine may show no further trials, while a node that can compute is
# connected.
LONGEST_PAUSE = 8.0
# A node that disconnected is shown at most this many seconds: three until its link is lost, and ten while its place is
# kept.
KEPT_PLACE = 14.0
ORDER = {"waiting": 0, "running": 1, "paused": 1, "stopping": 2, "done": 3, "failed": 3}
# The states of rows whose node is no longer in the session.
NOT_THERE = ("gone", "shut out")


@dataclass
class Watcher:
    """A node and the lines that it wrote. `ended` is None if it ran until the job was over everywhere."""

    name: str
    host: int
    begun: int
    ended: int = None
    lines: list = field(default_factory=list)
    died: str = ""  # why, if neither a fault nor the test ended it

    def results(self):
        return [line for line in self.lines if line["event"] == "result"]

    def pictures(self):
        return [line for line in self.lines if line["event"] == "job"]


@dataclass
class Order:
    """The outcome of `potluck run --session`: its exit code, what it printed, and its errors."""

    status: int
    results: list
    errors: str = ""


@dataclass
class Evening:
    """Everything that is judged. `away` maps a host to the spells during which a fault disconnected it."""

    form: str
    kind: str
    began: int  # when the first tally was shown
    watchers: list
    away: dict
    histories: dict  # by host: the runs that it recorded
    truth: dict  # the result of the same job on one machine
    orderer: int = 1
    order: Order = None
    has_same_file: bool = True
    patience: float = 1.0


# --- time --------------------------------------------------------------------


def uncovered(begin, end, covers):
    """Returns the longest part of a time that no cover touches. A cover without length splits the time."""
    longest, free = 0, begin
    for cover_begin, cover_end in sorted(covers):
        if cover_end < begin or cover_begin > end:
            continue
        longest = max(longest, cover_begin - free)
        free = max(free, cover_end)
    return max(longest, end - free)


def explained(evening, watcher):
    """Returns the times when faults explain that a watcher shows no progress: its own and its server's. Among peers
    each loss may cause a take-over, which splits a pause."""
    own = list(evening.away.get(watcher.host, ()))
    if evening.form != "peers":
        return own + list(evening.away.get(1, ()))
    return own + [(begin, begin) for spells in evening.away.values() for begin, _ in spells]


def growths(watcher):
    """Returns the moments at which the watcher showed more trials than before."""
    moments, before = [], 0
    for line in watcher.pictures():
        if line["trials"] > before:
            moments.append(line["at"])
        before = line["trials"]
    return moments


def longest_pause(evening):
    """Returns the longest unexplained time in seconds without progress on a screen, and the watcher's name."""
    longest = (0.0, "nobody")
    over = min((line["at"] for watcher in evening.watchers for line in watcher.results()), default=None)
    for watcher in evening.watchers:
        start = max(watcher.begun, evening.began)
        own = [line["at"] for line in watcher.results()]
        end = own[0] if own else min((moment for moment in (watcher.ended, over) if moment is not None), default=start)
        if end <= start:
            continue
        moments = [start] + [moment for moment in growths(watcher) if start < moment < end] + [end]
        covers = explained(evening, watcher)
        for here, there in zip(moments, moments[1:]):
            longest = max(longest, (uncovered(here, there, covers) / SECOND, watcher.name))
    return longest


def judge_pause(evening):
    pause, name = longest_pause(evening)
    if pause <= LONGEST_PAUSE * evening.patience:
        return []
    return [f"{name} saw no further trial for {pause:.1f} s"]


# --- results ----------------------------------------------------------------


def judge_results(evening):
    """Every remaining node that knew the job has its result, and no node has a different one."""
    wrong = []
    for watcher in evening.watchers:
        for line in watcher.results():
            if line["result"]["digest"] != evening.truth["digest"]:
                wrong.append(f"{watcher.name} has the digest {line['result']['digest']}, not {evening.truth['digest']}")
            elif line["result"]["trials"] != evening.truth["trials"]:
                wrong.append(f"{watcher.name} has {line['result']['trials']} trials, not {evening.truth['trials']}")
        if watcher.ended is None and watcher.pictures() and not watcher.results():
            wrong.append(f"{watcher.name} saw the job but has no result")
    if not any(watcher.results() for watcher in evening.watchers):
        wrong.append("no node has a result")
    if not evening.has_same_file:
        wrong.append("the file differs from that of one machine")
    return wrong


def judge_ends(evening):
    """There is one job. It ends once on each node, and no host records it twice."""
    wrong = []
    jobs = {line["job"] for watcher in evening.watchers for line in watcher.lines if line["event"] in ("job", "result")}
    if len(jobs) != 1:
        wrong.append(f"one job was ordered, but there were {len(jobs)}: {', '.join(sorted(jobs))}")
    for watcher in evening.watchers:
        if watcher.died:
            wrong.append(f"{watcher.name} {watcher.died}")
        if len(watcher.results()) > 1:
            wrong.append(f"{watcher.name} got {len(watcher.results())} results")
        for line in watcher.lines:
            if line["event"] in ("lost", "failed", "liar", "unable", "setAside", "stranded", "journalStuck"):
                wrong.append(f"{watcher.name} was told: {line['event']} {line.get('why', '')}".rstrip())
    return wrong + judge_order(evening) + judge_histories(evening)


def judge_order(evening):
    order = evening.order
    if order is None:
        return []
    if order.status != 0 or len(order.results) != 1:
        return [f"potluck run ended with {order.status} and {len(order.results)} results: {order.errors}".rstrip(": ")]
    if order.results[0]["digest"] != evening.truth["digest"]:
        return [f"potluck run printed the digest {order.results[0]['digest']}, not {evening.truth['digest']}"]
    return []


def judge_histories(evening):
    wrong = []
    for host, runs in sorted(evening.histories.items()):
        if len(runs) > 1:
            wrong.append(f"host {host} recorded the job {len(runs)} times")
        wrong += [f"host {host} recorded the digest {run['digest']}" for run in runs
                  if run["digest"] != evening.truth["digest"]]
    keepers = {evening.orderer, 1} if evening.form != "peers" else set()
    wrong += [f"host {host} recorded no run" for host in sorted(keepers) if not evening.histories.get(host)]
    if not any(evening.histories.values()):
        wrong.append("no host recorded the run")
    return wrong


# --- screens -----------------------------------------------------------------


def judge_screens(evening):
    """No screen goes back to an earlier state, or shows nodes that do not exist."""
    return [word for watcher in evening.watchers
            for word in taken_back(evening, watcher) + nodes_too_many(evening, watcher)]


def taken_back(evening, watcher):
    """Progress may only decrease when another coordinator continues the job, because it may know less."""
    wrong, shown, is_new = [], {}, False
    for line in watcher.lines:
        if line["event"] == "goesOn":
            is_new = True
        if line["event"] not in ("job", "result"):
            continue
        before = shown.get(line["job"])
        if line["event"] == "result":
            # A result ends the job, even if no snapshot showed the end.
            line = {**line, "state": "done", "trials": line["result"]["trials"]}
        shown[line["job"]] = line
        if before is None:
            continue
        is_over = ORDER[before["state"]] == ORDER["done"]
        may_know_less = is_new and not is_over
        if ORDER[line["state"]] < ORDER[before["state"]] and not may_know_less:
            wrong.append(f"{watcher.name} showed {before['state']}, then {line['state']}")
        # A job that stops early drops the trials beyond its end, once.
        ends = evening.kind in ("cancelled", "until") and ORDER[line["state"]] > ORDER["running"] and not is_over
        if line["trials"] < before["trials"] and not ends and not may_know_less:
            wrong.append(f"{watcher.name} showed {before['trials']} trials, then {line['trials']} ({line['state']})")
        is_new = False
    return wrong


def nodes_too_many(evening, watcher):
    begun = sorted(other.begun for other in evening.watchers)
    grace = (KEPT_PLACE * evening.patience + LONGEST_AWAY) * SECOND
    for line in watcher.pictures():
        # The work of earlier coordinators is one row without a node.
        rows = [row for row in line["nodes"] if row["name"] != "before"]
        started = sum(moment <= line["at"] for moment in begun)
        there = sum(other.begun <= line["at"] and (other.ended is None or other.ended + grace > line["at"])
                    for other in evening.watchers)
        shown = sum(row["state"] not in NOT_THERE for row in rows)
        if len({row["node"] for row in rows}) != len(rows):
            return [f"{watcher.name} showed one node twice"]
        if len(rows) > started:
            return [f"{watcher.name} showed {len(rows)} nodes when {started} had ever been started"]
        if shown > there:
            return [f"{watcher.name} showed {shown} nodes as there, of {there}"]
    return []


def judge(evening):
    """Returns everything that is wrong, one line each."""
    return (judge_results(evening) + judge_ends(evening) + judge_screens(evening) + judge_pause(evening))
