"""What happens in one evening of chaos, drawn from a seed: who takes part, what they compute, and which faults come when.

All of it is pure. A schedule keeps what Potluck's promises need: `broken_promise` says which one it would break.
"""
import random
from dataclasses import dataclass

# Who orders the job: the server, a peer, a laptop that only comes for it, or one that is a guest already.
FORMS = ("served", "peers", "visit", "guest")
# How a job ends: cancelled after the faults, after its trials, at a precision, or with a list of primes in a file.
KINDS = ("cancelled", "trials", "until", "list")
SIMULATIONS = ("monty-hall", "pi", "buffon", "birthday", "gamblers-ruin", "coupon-collector")
# A list makes the most messages, and so it is drawn more often than its share.
WEIGHTED_KINDS = ("cancelled", "trials", "until", "list", "list")

# Faults that nobody else shares: their host is out of the session while they last.
AWAY = ("kill", "restart", "stop", "asleep", "cut", "silent", "split", "crash", "reboot")
# What is never undone.
FOR_GOOD = ("kill", "crash")
# What ends the node's process; a laptop that ordered a job keeps its own.
DEADLY = ("kill", "restart", "crash", "reboot")
TROUBLES = (*AWAY, "slow")
KINDS_OF_FAULT = (*TROUBLES, "newcomer")

# Among peers, a host that is back counts as away for so long: until it has a replica again and the others know it.
RECOVERY = 6.0
# At most so many peers are away at once: a job has two replicas besides its coordinator.
MOST_PEERS_AWAY = 2
# Two faults of one host are this far apart, so that the first is over when the second begins.
APART = 2.0
# No fault comes sooner after the first tally: every peer has heard of the job, and replicas are there.
FIRST = 2.5
# A server that was away for so long still finds its jobs awaited: those are given up after twenty seconds.
LONGEST_AWAY = 8.0
# More of them only make the machine slower.
MOST_NEWCOMERS = 2
# What befalls whoever coordinates shows most; it is on host 1, at least until another takes over.
COORDINATOR = 0.3
# How many drawn faults are looked at before a schedule is what it is.
ATTEMPTS = 60
FOREVER = float("inf")


@dataclass(frozen=True)
class Fault:
    """One trouble. `lasting` is `FOREVER` for what is never undone, and a newcomer."""

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
    """An evening: hosts 1 to `hosts` are nodes from the start, and all others are on those after them."""

    seed: int
    form: str
    hosts: int
    kind: str
    simulation: str
    job_seed: int
    server_computes: bool
    is_watched: bool  # whether somebody runs `potluck watch` on a host without a node
    faults: tuple

    @property
    def orderer(self):
        """The host on which the job is ordered."""
        return {"visit": self.hosts + 1, "guest": 2}.get(self.form, 1)

    @property
    def looker(self):
        """The host of `potluck watch`; None where nobody looks on."""
        return max(self.hosts, self.orderer) + 1 if self.is_watched else None

    @property
    def last_host(self):
        """The last of those that are there from the start."""
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
    """Why Potluck need not bear this; None where it has to."""
    faults = schedule.faults
    for index, one in enumerate(faults):
        for other in faults[index + 1:]:
            if set(one.hosts) & set(other.hosts) and overlaps(one, other, APART):
                return "two faults of one host at once"
            # Both move hosts between the two switches, and to undo the one would undo the other.
            if {one.kind, other.kind} <= {"split", "silent"} and overlaps(one, other, APART):
                return "two faults of the switch at once"
        if one.kind in AWAY and one.lasting != FOREVER and one.lasting > LONGEST_AWAY:
            return "away for longer than a job is awaited"
        if one.kind in DEADLY and schedule.orderer in one.hosts and schedule.form in ("visit", "guest"):
            return "whoever ordered the job is killed"
    if schedule.form == "peers":
        return broken_among_peers(schedule)
    if any(fault.kind in FOR_GOOD and 1 in fault.hosts for fault in faults):
        return "the server never comes back"
    if any(not set(schedule.able) - away_at(faults, fault.at) - {1} for fault in faults) and not schedule.server_computes:
        return "nobody is left to compute"
    if any(fault.kind == "split" and 1 in fault.hosts for fault in faults):
        return "the server is on the smaller side of a split"
    return None


def broken_among_peers(schedule):
    faults = schedule.faults
    for fault in faults:
        away = len(away_at(faults, fault.at, RECOVERY))
        if away > MOST_PEERS_AWAY or 2 * away >= schedule.hosts:
            return "too many peers are away to know who is cut off"
        if fault.kind in FOR_GOOD and 1 in fault.hosts and schedule.kind == "list":
            return "whoever wants the file never comes back"
    return None


class Dice:
    """Draws from a seed by `random()` alone, which every version of Python draws alike."""

    def __init__(self, seed):
        self.generator = random.Random(seed)

    def number(self, low, high):
        """A whole number, both ends included."""
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
    """The schedule of this seed. A short one is another one, for where seconds count."""
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
