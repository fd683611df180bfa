"""Judges an evening by what its nodes wrote, by the files and by the histories.

All of it is pure, and each judge gives one line for each thing that is wrong. Moments are nanoseconds of one clock.
"""
from dataclasses import dataclass, field

from chaos_schedule import LONGEST_AWAY

SECOND = 1_000_000_000
# Seconds without another trial that a quiet machine may show, while somebody able and connected could compute.
LONGEST_PAUSE = 8.0
# A node that has gone is shown no longer than this: its place is kept ten seconds, and the link is lost three before that.
KEPT_PLACE = 14.0
ORDER = {"waiting": 0, "running": 1, "paused": 1, "stopping": 2, "done": 3, "failed": 3}
# The states of rows that are no node of the session any more.
NOT_THERE = ("gone", "shut out")


@dataclass
class Watcher:
    """A node, and each line that it wrote; `ended` is None where it lived until its job was over everywhere."""

    name: str
    host: int
    begun: int
    ended: int = None
    lines: list = field(default_factory=list)
    died: str = ""  # why, where neither a fault nor we ended it

    def results(self):
        return [line for line in self.lines if line["event"] == "result"]

    def pictures(self):
        return [line for line in self.lines if line["event"] == "job"]


@dataclass
class Order:
    """What a `potluck run --session` came to: its exit code, what it printed, and what it complained of."""

    status: int
    results: list
    errors: str = ""


@dataclass
class Evening:
    """All that is judged. `away` has, of each host, when it was out of the session by a fault."""

    form: str
    kind: str
    began: int  # the first tally
    watchers: list
    away: dict
    histories: dict  # host: the runs that it recorded
    truth: dict  # one machine's result
    orderer: int = 1
    order: Order = None
    has_same_file: bool = True
    patience: float = 1.0


# --- time --------------------------------------------------------------------


def uncovered(begin, end, covers):
    """The longest stretch of a time that none of the covers touches; a cover of no length parts it in two."""
    longest, free = 0, begin
    for cover_begin, cover_end in sorted(covers):
        if cover_end < begin or cover_begin > end:
            continue
        longest = max(longest, cover_begin - free)
        free = max(free, cover_end)
    return max(longest, end - free)


def explained(evening, watcher):
    """When faults keep a watcher's screen still: its own, and its server's. Among peers another takes over, and each loss may
    cost a take-over."""
    own = list(evening.away.get(watcher.host, ()))
    if evening.form != "peers":
        return own + list(evening.away.get(1, ()))
    return own + [(begin, begin) for spells in evening.away.values() for begin, _ in spells]


def growths(watcher):
    """When it showed more trials than just before."""
    moments, before = [], 0
    for line in watcher.pictures():
        if line["trials"] > before:
            moments.append(line["at"])
        before = line["trials"]
    return moments


def longest_pause(evening):
    """The longest time in seconds for which a screen stood still without a reason, and whose it was."""
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


# --- what it came to ---------------------------------------------------------


def judge_results(evening):
    """Each who is there and knew the job has its result, and nobody has another."""
    wrong = []
    for watcher in evening.watchers:
        for line in watcher.results():
            if line["result"]["digest"] != evening.truth["digest"]:
                wrong.append(f"{watcher.name} has the digest {line['result']['digest']}, not {evening.truth['digest']}")
            elif line["result"]["trials"] != evening.truth["trials"]:
                wrong.append(f"{watcher.name} has {line['result']['trials']} trials, not {evening.truth['trials']}")
        if watcher.ended is None and watcher.pictures() and not watcher.results():
            wrong.append(f"{watcher.name} saw the job and has no result")
    if not any(watcher.results() for watcher in evening.watchers):
        wrong.append("nobody has a result")
    if not evening.has_same_file:
        wrong.append("the file is not one machine's")
    return wrong


def judge_ends(evening):
    """One job, that ends once for each and is recorded once by whoever keeps it."""
    wrong = []
    jobs = {line["job"] for watcher in evening.watchers for line in watcher.lines if line["event"] in ("job", "result")}
    if len(jobs) != 1:
        wrong.append(f"one job was ordered, and there were {len(jobs)}: {', '.join(sorted(jobs))}")
    for watcher in evening.watchers:
        if watcher.died:
            wrong.append(f"{watcher.name} {watcher.died}")
        if len(watcher.results()) > 1:
            wrong.append(f"{watcher.name} was told {len(watcher.results())} results")
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


# --- what is shown -----------------------------------------------------------


def judge_screens(evening):
    """No screen takes back what it showed, or shows nodes that do not exist."""
    return [word for watcher in evening.watchers
            for word in taken_back(evening, watcher) + nodes_too_many(evening, watcher)]


def taken_back(evening, watcher):
    """Only another coordinator may know less than the one before it."""
    wrong, shown, is_new = [], {}, False
    for line in watcher.lines:
        if line["event"] == "goesOn":
            is_new = True
        if line["event"] not in ("job", "result"):
            continue
        before = shown.get(line["job"])
        if line["event"] == "result":
            # A result is an end, whether a picture of the end was shown or not.
            line = {**line, "state": "done", "trials": line["result"]["trials"]}
        shown[line["job"]] = line
        if before is None:
            continue
        is_over = ORDER[before["state"]] == ORDER["done"]
        may_know_less = is_new and not is_over
        if ORDER[line["state"]] < ORDER[before["state"]] and not may_know_less:
            wrong.append(f"{watcher.name} showed {before['state']}, then {line['state']}")
        # What lies beyond the end of a job that is stopped is dropped, once.
        ends = evening.kind in ("cancelled", "until") and ORDER[line["state"]] > ORDER["running"] and not is_over
        if line["trials"] < before["trials"] and not ends and not may_know_less:
            wrong.append(f"{watcher.name} showed {before['trials']} trials, then {line['trials']} ({line['state']})")
        is_new = False
    return wrong


def nodes_too_many(evening, watcher):
    begun = sorted(other.begun for other in evening.watchers)
    grace = (KEPT_PLACE * evening.patience + LONGEST_AWAY) * SECOND
    for line in watcher.pictures():
        # Earlier coordinators' work is one row, of nobody.
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
    """All that is wrong, one line each."""
    return (judge_results(evening) + judge_ends(evening) + judge_screens(evening) + judge_pause(evening))
