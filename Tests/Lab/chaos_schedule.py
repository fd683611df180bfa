"""Draws the schedule of one chaos test from a seed: the nodes, the job, and the times of the faults.

All functions are pure. A schedule only has faults that Potluck promises to survive: `broken_promise` checks this.
"""
import random
from dataclasses import dataclass

# Who submits the job: the server, a peer, a host that only visits the session, or one that is a guest already.
FORMS = ("served", "peers", "visit", "guest")
# How a job ends: cancelled after the faults, after its trials, at a precision, or when a list of primes is in its file.
KINDS = ("cancelled", "trials", "until", "list")
SIMULATIONS = ("monty-hall", "pi", "buffon", "birthday", "gamblers-ruin", "coupon-collector")
# A list causes the most messages, so it is drawn twice as often.
WEIGHTED_KINDS = ("cancelled", "trials", "until", "list", "list")

# Faults that disconnect a host from the session while they last.
AWAY = ("kill", "restart", "stop", "asleep", "cut", "silent", "split", "crash", "reboot")
# Faults that are never undone.
FOR_GOOD = ("kill", "crash")
# Faults that end the node's process. The host of a submitter must not have them in the forms `visit` and `guest`.
DEADLY = ("kill", "restart", "crash", "reboot")
TROUBLES = (*AWAY, "slow")
KINDS_OF_FAULT = (*TROUBLES, "newcomer")

# Among peers, a host counts as away for this many seconds after its return: until it has a replica again and the others
# know.
RECOVERY = 6.0
# The most peers that may be away at once, because a job has two replicas besides its coordinator.
MOST_PEERS_AWAY = 2
# The least seconds between two faults of one host, so that the first is over when the second begins.
APART = 2.0
# The least seconds between the first tally and a fault. By then every peer knows the job, and replicas exist.
FIRST = 2.5
# The longest that a fault disconnects a host, in seconds. A job counts as lost twenty seconds after its coordinator
# left.
LONGEST_AWAY = 8.0
# The most newcomers. More would only make the machine slower.
MOST_NEWCOMERS = 2
# The chance that a fault hits host 1, which coordinates until another takes over: such faults reveal the most.
COORDINATOR = 0.3
# How many faults are drawn, at most, to fill a schedule.
ATTEMPTS = 60
FOREVER = float("inf")


@dataclass(frozen=True)
class Fault:
    """One fault; times are in seconds. `lasting` is `FOREVER` for faults that are never undone, and for a newcomer."""

    kind: str
    hosts: tuple
    at: float
    lasting: float
    delay: int = 0  # of a slow link, milliseconds
    loss: int = 0  # percent

    @property
    def end(self):
        return self.at + self.lasting

    def words(self):
        lasts = "" if self.lasting == FOREVER else f"{self.lasting:.1f} s"
        link = f"  {self.delay} ms, {self.loss} % lost" if self.kind == "slow" else ""
        return f"{self.at:5.1f} s  {lasts:>6}  host {', '.join(map(str, self.hosts))}  {self.kind}{link}"


@dataclass(frozen=True)
class Schedule:
    """A schedule. Hosts 1 to `hosts` have nodes from the start; visitors, watchers and newcomers are on later ones."""

    seed: int
    form: str
    hosts: int
    kind: str
    simulation: str
    job_seed: int
    server_computes: bool
    is_watched: bool  # whether `potluck watch` runs on a host without a node
    faults: tuple

    @property
    def orderer(self):
        """The host on which the job is submitted."""
        return {"visit": self.hosts + 1, "guest": 2}.get(self.form, 1)

    @property
    def looker(self):
        """The host of `potluck watch`; None if nobody watches."""
        return max(self.hosts, self.orderer) + 1 if self.is_watched else None

    @property
    def last_host(self):
        """The last host that is used from the start."""
        return self.looker or max(self.hosts, self.orderer)

    @property
    def highest_host(self):
        return max([self.last_host] + [host for fault in self.faults for host in fault.hosts])

    @property
    def able(self):
        """The hosts that compute from the start."""
        return tuple(range(1 if self.server_computes else 2, self.hosts + 1))

    @property
    def span(self):
        """Seconds from the first tally until the last fault has ended."""
        return max((fault.at if fault.lasting == FOREVER else fault.end for fault in self.faults), default=0.0)

    def table(self):
        server = "" if self.server_computes else ", the server computes nothing"
        watch = f", watched on host {self.looker}" if self.is_watched else ""
        head = (f"seed {self.seed}: {self.form}, {self.hosts} hosts{server}, {self.simulation} ({self.kind}), "
                f"ordered on host {self.orderer}{watch}")
        return "\n".join([head, "       at   lasts"] + ["  " + fault.words() for fault in self.faults])


def overlaps(one, other, margin):
    return one.at < other.end + margin and other.at < one.end + margin


def away_at(faults, moment, recovery=0.0):
    return {host for fault in faults if fault.kind in AWAY and fault.at <= moment < fault.end + recovery
            for host in fault.hosts}


def broken_promise(schedule):
    """Returns why Potluck need not survive this schedule; None if it must."""
    faults = schedule.faults
    for index, one in enumerate(faults):
        for other in faults[index + 1:]:
            if set(one.hosts) & set(other.hosts) and overlaps(one, other, APART):
                return "two faults of one host at once"
            # Both move hosts between the two switches, so undoing one would undo the other.
            if {one.kind, other.kind} <= {"split", "silent"} and overlaps(one, other, APART):
                return "two faults of the switch at once"
        if one.kind in AWAY and one.lasting != FOREVER and one.lasting > LONGEST_AWAY:
            return "away for longer than nodes wait for a job"
        if one.kind in DEADLY and schedule.orderer in one.hosts and schedule.form in ("visit", "guest"):
            return "the node that ordered the job is killed"
    if schedule.form == "peers":
        return broken_among_peers(schedule)
    if any(fault.kind in FOR_GOOD and 1 in fault.hosts for fault in faults):
        return "the server never reconnects"
    if any(not set(schedule.able) - away_at(faults, fault.at) - {1} for fault in faults) and not schedule.server_computes:
        return "no node is left to compute"
    if any(fault.kind == "split" and 1 in fault.hosts for fault in faults):
        return "the server is on the smaller side of a split"
    return None


def broken_among_peers(schedule):
    faults = schedule.faults
    for fault in faults:
        away = len(away_at(faults, fault.at, RECOVERY))
        if away > MOST_PEERS_AWAY or 2 * away >= schedule.hosts:
            return "too many peers are away to know which are cut off"
        if fault.kind in FOR_GOOD and 1 in fault.hosts and schedule.kind == "list":
            return "the node that wants the file never reconnects"
    return None


class Dice:
    """Draws from a seed with `random()` alone, which gives the same numbers in every version of Python."""

    def __init__(self, seed):
        self.generator = random.Random(seed)

    def number(self, low, high):
        """Draws a whole number from `low` to `high`, both included."""
        return low + int(self.generator.random() * (high - low + 1))

    def tenths(self, low, high):
        return self.number(round(low * 10), round(high * 10)) / 10

    def one_of(self, values):
        return values[self.number(0, len(values) - 1)]

    def holds(self, chance):
        return self.generator.random() < chance

    def some_of(self, values, count):
        rest = list(values)
        return tuple(sorted(rest.pop(self.number(0, len(rest) - 1)) for _ in range(min(count, len(rest)))))


def drawn_fault(dice, schedule, latest, newcomers):
    kind = dice.one_of(KINDS_OF_FAULT if newcomers < MOST_NEWCOMERS else TROUBLES)
    at = dice.tenths(FIRST, latest)
    if kind == "newcomer":
        return Fault(kind, (schedule.last_host + 1 + newcomers,), at, FOREVER)
    hosts = range(1, schedule.last_host + 1)
    if kind == "split":
        count = 1 if schedule.hosts < 5 else dice.number(1, 2)
        return Fault(kind, dice.some_of(hosts, count), at, dice.tenths(1, latest / 2))
    host = (1 if dice.holds(COORDINATOR) else dice.one_of(list(hosts)),)
    if kind in FOR_GOOD:
        return Fault(kind, host, at, FOREVER)
    if kind == "slow":
        return Fault(kind, host, at, dice.tenths(2, latest / 2), delay=dice.number(5, 150), loss=dice.number(0, 4))
    if kind in ("restart", "reboot"):
        return Fault(kind, host, at, dice.tenths(0.3, min(4, latest / 2)))
    return Fault(kind, host, at, dice.tenths(0.5, latest / 2))


def draw(seed, short=False):
    """Returns the schedule of this seed. With `short` it is a different, shorter schedule, for use in quick tests."""
    dice = Dice(seed * 2 + short)
    form = dice.one_of(FORMS)
    hosts = dice.number(3, 4 if short else 6)
    schedule = Schedule(
        seed, form, hosts, kind=dice.one_of(WEIGHTED_KINDS), simulation=dice.one_of(SIMULATIONS),
        job_seed=dice.number(1, 999_999), server_computes=form == "peers" or dice.holds(0.75),
        is_watched=form != "peers" and dice.holds(0.5), faults=())
    if schedule.kind == "list":
        schedule = changed(schedule, simulation="primes", job_seed=0)
    wanted = dice.number(2, 3) if short else dice.number(3, 8)
    latest = 5.0 if short else dice.tenths(8, 14)
    for _ in range(ATTEMPTS):
        if len(schedule.faults) == wanted:
            break
        newcomers = sum(fault.kind == "newcomer" for fault in schedule.faults)
        fault = drawn_fault(dice, schedule, latest, newcomers)
        longer = changed(schedule, faults=(*schedule.faults, fault))
        if broken_promise(longer) is None:
            schedule = longer
    return changed(schedule, faults=tuple(sorted(schedule.faults, key=lambda fault: (fault.at, fault.hosts))))


def changed(schedule, **members):
    return Schedule(**{**schedule.__dict__, **members})
