"""`potluck run`: computes a simulation on this machine."""

from __future__ import annotations

import secrets
import signal
import sys
import time
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

from .. import _platform
from .._sandbox import Reading
from . import figures, plan, quantities, readings_json, result_check, sweep
from .arguments import Arguments, Command, Option
from .canvas import Canvas
from .chosen import OPTIONS as LIMITS
from .chosen import choose
from .crew import BlocksFailed, Crew, Order, Settled
from .experiment import checkpoint, checkpoint_after, half_width
from .failures import INTERRUPTED, SUCCESS, Failure, UsageError
from .plan import Files, Plan
from .result import Result, interval_remarks
from .search import search
from .spelling import shell
from .values import text as value_text
from .written import FORCE, OUTPUT, Written

#: The priority of a run whose user waits for the result.
_PRIORITY = "normal"
#: Seconds between two lines about the progress: often enough to show that the run goes on, seldom enough for a log of a night.
_LINES = 5.0
#: Seconds between two tallies for other programs.
_TALLIES = 0.1


PRIORITY = Option(
    "priority", "interactive, normal, utility or background", "Where", "LEVEL", standard=_PRIORITY,
    read=quantities.priority)
JSON = Option("json", "print JSON", "Output")
PROGRESS = Option("progress-json", "with --json, also print each tally while it is computed", "Output")
QUIET = Option("quiet", "print only results and errors", "Messages", short="q")
EPHEMERAL = Option("ephemeral", "keep nothing on disk; this command keeps nothing anyway", "Messages")

COMMAND = Command(
    "run", "run a simulation on this machine",
    (("NAME", "a simulation (see 'potluck simulations') or its file"),),
    (plan.PARAMETER, plan.INPUT, plan.SEED, sweep.FILE, sweep.COMMON_SEED, plan.TRIALS, plan.UNTIL, plan.FOR, plan.CORES,
     PRIORITY, *LIMITS, JSON, PROGRESS, OUTPUT, FORCE, QUIET, EPHEMERAL),
    ("A run stops at the first limit that it reaches, or at Ctrl-C. It then shows its result; a second Ctrl-C stops it "
     "without one.",
     "The same simulation, parameters, seed and trials give the same digest on every machine and in every session.",
     "To write your own simulation, begin with 'potluck new'.",
     "A parameter may have several values: 3..10, 0.1..0.5:0.05 or 3,5,10. Potluck then runs every combination and prints a "
     "table. The seed of each is derived from --seed and its parameters."),
    ("run monty-hall --trials 1e9 --seed 1", "run pi --until 0.0001", "run primes -p limit=1e6 -p list=yes --output -",
     "run monty-hall -p doors=3..10 --trials 1e8"))


class Interrupts:
    """Counts Ctrl-C, and the signal that asks to end. The second one ends the command at once."""

    def __init__(self) -> None:
        self.code = 0

    def __bool__(self) -> bool:
        return self.code != 0

    @contextmanager
    def watched(self) -> Iterator[Interrupts]:
        before = {number: signal.signal(number, self._asked) for number in _platform.interrupts()}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _asked(self, number: int, _: object) -> None:
        if self.code:
            raise KeyboardInterrupt
        self.code = INTERRUPTED if _platform.is_interrupt(number) else 128 + number


def complain(line: str) -> None:
    """Writes a line about the command to stderr."""
    sys.stderr.write(Canvas.of(sys.stderr)._replace(columns=1 << 20).text([f"potluck: {line}"]))
    sys.stderr.flush()


def run(arguments: Arguments) -> int:
    if arguments.has(PROGRESS) and not arguments.has(JSON):
        raise UsageError("--progress-json is used with --json")
    chosen = choose(arguments)
    cores = arguments.value(plan.CORES)
    if cores is not None and cores > plan.machine():
        what = "core" if plan.machine() == 1 else "cores"
        complain(f"this machine has {plan.machine()} {what}, so --cores {cores} does not make it faster")
    swept = sweep.of(chosen, arguments)
    if swept is not None:
        return swept.run(arguments)
    files = Files.of(chosen, arguments)
    own = plan.of(chosen, arguments, arguments.all(plan.PARAMETER), files, plan.draw_seed())
    written = Written.of(chosen, own.chunk.ready.writes, arguments)
    if written is not None and written.remark:
        complain(f"{chosen.name} {written.remark}")
    with Interrupts().watched() as interrupts:
        try:
            result = compute(own, written, interrupts, _progress(own, arguments), arguments)
        except KeyboardInterrupt:
            return interrupts.code or INTERRUPTED
    to = sys.stderr if written is not None and written.is_stdout else sys.stdout
    if written is not None:
        written.write(result.trials)
    warnings = result_check.warnings(result, own.chunk, is_shown=not arguments.has(JSON))
    if arguments.has(JSON):
        to.write(readings_json.text(result.members(warnings)) + "\n")
    else:
        canvas = Canvas.of(to)
        to.write(canvas.text(result.lines(canvas)))
    to.flush()
    for remark in [f"warning: {warning}" for warning in warnings] + result.remarks():
        complain(remark)
    if result.ended == "stopped":
        complain("this run cannot be resumed, because only the program for Linux keeps runs; the same command starts over")
    result.check()
    return interrupts.code if result.ended == "stopped" else SUCCESS


Progress = Callable[[Any, float], None]


def compute(
    own: Plan, written: Optional[Written], interrupts: Interrupts, progress: Progress, arguments: Arguments
) -> Result:
    """Computes a run. Raises an error for the user if blocks fail."""
    nice = _platform.PRIORITIES[arguments.value(PRIORITY) or _PRIORITY]
    order = Order(own.chosen.module, own.parameters, own.files.payload, own.chosen.memory, own.chosen.seconds, nice)
    begun = time.monotonic()
    if own.chosen.is_search:
        return search(own, order, interrupts, progress, begun)
    # A short run needs few processes.
    with Crew(order, max(1, min(own.cores, own.last))) as crew:
        return attend(crew, own, written, interrupts, progress, begun)


def attend(
    crew: Crew, own: Plan, written: Optional[Written], interrupts: Interrupts, progress: Progress, begun: float,
    configuration: Optional[tuple[int, ...]] = None,
) -> Result:
    """Lets a crew compute a run, and returns its result."""
    goal, ended = own.goal, ["trials"]

    def trials(blocks: int) -> int:
        return own.chunk.trials(0, blocks, goal.trials)

    def readings(settled: Settled) -> list[Reading]:
        return own.chunk.read(settled.tally, trials(settled.blocks))

    def judged(block: int) -> int:
        return checkpoint(checkpoint_after(block)) if goal.precision is not None else own.last

    def take(settled: Settled, outputs: list[tuple[int, bytes]]) -> bool:
        if written is not None:
            for block, octets in outputs:
                written.add(block, octets)
        progress(lambda: (trials(settled.blocks), readings(settled)), time.monotonic() - begun)
        is_checkpoint = settled.blocks == checkpoint(checkpoint_after(settled.blocks - 1)) and settled.blocks < own.last
        if goal.precision is None or not is_checkpoint or not goal.precision.is_reached(readings(settled)):
            return False
        ended[0] = "precision"
        return True

    def is_over() -> bool:
        is_late = goal.seconds is not None and time.monotonic() - begun >= goal.seconds
        if interrupts or is_late:
            ended[0] = "stopped" if interrupts else "time"
            return True
        return False

    try:
        settled = crew.run(own.seed, own.last, goal.trials, judged, take, is_over, configuration)
    except BlocksFailed as failure:
        raise Failure(explained(own, failure)) from None
    if ended[0] in ("time", "stopped") and settled.blocks == own.last:
        ended[0] = "trials"
    elapsed = time.monotonic() - begun
    return Result(
        own.chosen, own.parameters, own.files.hash, own.files.inputs, own.seed, own.block_size, trials(settled.blocks),
        settled.tally, None if written is None else written.print, tuple(readings(settled)), ended[0], elapsed, own.cores)


def explained(own: Plan, failure: BlocksFailed) -> str:
    """Returns the error of blocks that failed, with the command that finds the trial."""
    chosen, place = own.chosen, f"{own.chosen.label}, seed {own.seed}"
    if failure.block is None:
        return f"{place}: {failure}{_advice(own)}"
    line = f"{place}, block {failure.block}: {failure}{_advice(own)}"
    if chosen.is_built_in or "keeps something" in str(failure):
        return line
    words = [f"potluck replay {shell(chosen.typed)}"]
    words += [f"-p {parameter.name}={value_text(parameter, slot)}"
              for parameter, slot in zip(chosen.description.parameters, own.parameters) if slot != parameter.standard]
    words += [*(input.option for input in own.files.inputs), *chosen.limits, f"--seed {own.seed} --block {failure.block}"]
    return f"{line}; to find the trial: {' '.join(words)}"


def _advice(own: Plan) -> str:
    """A simulation may do without its files. If it fails, their lack is a likely cause."""
    given = [input.name for input in own.files.inputs]
    lacking = [f"--input {input.name}=FILE" for input in own.chosen.description.inputs if input.name not in given]
    return f"; no file was given, so try {' '.join(lacking)}" if lacking else ""


def _progress(own: Plan, arguments: Arguments) -> Progress:
    """Returns what tells the progress: to programs, or in lines on stderr."""
    if arguments.has(PROGRESS):
        return _Tallies(own).tell
    return (lambda look, elapsed: None) if arguments.has(QUIET) else _Lines(own).tell


class _Tallies:
    """Prints tallies as JSON, about ten in a second."""

    def __init__(self, own: Plan) -> None:
        self._own, self._job, self._last = own, f"{secrets.randbits(64):016x}", -_TALLIES

    def tell(self, look: Any, elapsed: float) -> None:
        if elapsed - self._last < _TALLIES:
            return
        self._last = elapsed
        trials, readings = look()
        own = self._own
        is_search = own.chosen.is_search
        rate = trials / elapsed if elapsed > 0 and not is_search else None
        members: dict[str, Any] = {
            "event": "job", "at": time.monotonic_ns(), "job": self._job, "simulation": own.chosen.name, "submitter": "",
            "plugin": not own.chosen.is_built_in, "module": None if own.chosen.is_built_in else own.chosen.module.hash,
            "state": "running", "waitsFor": None}
        members.update({"searched": trials / figures.POINTS} if is_search else {"trials": trials})
        members.update(readings=[readings_json.reading(reading) for reading in readings], elapsed=elapsed)
        if not is_search:
            members["rate"] = rate
        members["nodes"] = []
        sys.stdout.write(readings_json.text(members) + "\n")
        sys.stdout.flush()


class _Lines:
    """Writes a line about the progress now and then."""

    def __init__(self, own: Plan) -> None:
        self._own, self._last = own, 0.0

    def tell(self, look: Any, elapsed: float) -> None:
        if elapsed - self._last < _LINES:
            return
        own, goal = self._own, self._own.goal
        seed = [f"seed {own.seed}"] * (self._last == 0.0 and not own.chosen.is_search)
        self._last = elapsed
        trials, readings = look()
        words, parts = [], []
        if own.chosen.is_search:
            words.append(f"{figures.percent(trials)} of the tree")
            parts.append(trials / figures.POINTS)
        elif goal.trials is not None:
            words.append(f"{figures.grouped(trials)} of {figures.grouped(goal.trials)} {own.chosen.unit}s")
            parts.append(trials / goal.trials)
        else:
            words.append(figures.done(trials, own.chosen.unit))
        if goal.seconds is not None:
            parts.append(elapsed / goal.seconds)
            words.append(f"{figures.time(elapsed)} of {figures.time(goal.seconds)}")
        else:
            words.append(figures.time(elapsed))
        if not own.chosen.is_search:
            words.append(figures.rate(trials / elapsed))
        if parts:
            words.append(f"{min(99, int(max(parts) * 100))} %")
        shown = [_shown(reading) for reading in readings if reading.is_number and reading.value is not None]
        remarks = [remark[:-1] for remark in interval_remarks(readings, trials)] if goal.precision is not None else []
        line = "; ".join([f"{own.chosen.name}: {', '.join(words)}", *shown, *remarks, *seed])
        sys.stderr.write(Canvas.of(sys.stderr)._replace(columns=1 << 20).text([line]))
        sys.stderr.flush()


def _shown(reading: Reading) -> str:
    formatted, half = figures.ReadingFigures(reading), half_width(reading)
    value = formatted.text(reading.value or 0.0)
    if readings_json.shown_interval(reading) is None or half is None:
        return f"{reading.name} {value}"
    return f"{reading.name} {value} ± {formatted.text(half)}"
