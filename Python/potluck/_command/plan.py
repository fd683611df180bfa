"""The arguments of `run`, checked."""

from __future__ import annotations

import math
import secrets
from typing import NamedTuple, Optional, Sequence

from .. import _platform
from .._sandbox import Chunk, Parameter, Shape, limits
from . import named_rows, quantities, spelling, tables, values
from .arguments import Arguments, Option
from .chosen import Chosen, parameters
from .experiment import Goal, Precision, checkpoint, checkpoint_after, half_width
from .failures import UsageError, ValueIsWrong
from .figures import POINTS, word
from .result import Input


def _parameter(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name:
        raise ValueIsWrong("use NAME=VALUE")
    return name, value


def _input(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not name or not value:
        raise ValueIsWrong("use NAME=FILE")
    return name, value


PARAMETER = Option(
    "parameter", "set a parameter to a value or to several: 3..10 or 3,5,10", "What to compute", "NAME=VALUE", "p",
    repeats=True, read=_parameter)
INPUT = Option(
    "input", "read a table of numbers from a file, one row per line", "What to compute", "NAME=FILE", repeats=True,
    read=_input)
SEED = Option(
    "seed", "seed of the random numbers", "What to compute", "S", standard="random", read=quantities.seed)
TRIALS = Option(
    "trials", "stop after N trials: 1000000, 1_000_000, 1e6, 1M", "Limits", "N", read=quantities.trials)
UNTIL = Option(
    "until", "stop when each 95 % interval is within ± PRECISION: 0.0001, or 0.01% of the value; 'wait<1% and p99<0.5' "
    "judges only these readings", "Limits", "PRECISION", read=quantities.precision)
FOR = Option("for", "stop after a time: 10s, 500ms, 2m, 1h30m", "Limits", "TIME", read=quantities.duration)
CORES = Option("cores", "compute on N cores", "Where", "N", standard="all cores", read=quantities.cores)

#: Seeds that are drawn have so many bits, so that every program holds them exactly.
_SEED_BITS = 53
#: The largest number of checkpoints' blocks that is a real number.
_MOST_BLOCKS = 2.0**52


def draw_seed() -> int:
    return secrets.randbits(_SEED_BITS)


class Files(NamedTuple):
    """The tables that a simulation reads."""

    payload: bytes
    inputs: tuple[Input, ...]

    @classmethod
    def of(cls, chosen: Chosen, arguments: Arguments) -> Files:
        given, declared = arguments.all(INPUT), chosen.description.inputs
        found = tables.of_inputs(given, declared, chosen.name)
        paths = dict(given)
        inputs = tuple(
            Input(
                input.name, paths[input.name], table.rows,
                named_rows.own_columns(table) if input.has_row_names else table.columns)
            for input, table in zip(declared, found) if table is not None)
        return cls(tables.payload(found), inputs)

    @property
    def hash(self) -> tuple[int, ...]:
        return tables.hash_slots(self.payload)


#: A derived reading shows only in its value whether it has an interval. It is looked for in so many trials, of which the
#: 99th percentile needs 400.
_ENOUGH = 1024
#: The kinds of readings that have an interval.
_WITH_INTERVAL = frozenset(("proportion", "category", "mean"))


class Plan(NamedTuple):
    """A run that can be computed."""

    chosen: Chosen
    parameters: tuple[int, ...]
    files: Files
    seed: int
    goal: Goal
    cores: int
    chunk: Chunk

    @property
    def block_size(self) -> int:
        return self.chunk.ready.block_size

    @property
    def last(self) -> int:
        """The number of blocks that it may have."""
        trials = self.goal.trials if self.goal.trials is not None else limits.MOST_TRIALS
        return -(-trials // self.block_size)


def machine() -> int:
    """The cores of this machine that this process may use."""
    return _platform.cores()


def cores_of(arguments: Arguments) -> int:
    found: Optional[int] = arguments.value(CORES)
    return machine() if found is None else found


def of(
    chosen: Chosen, arguments: Arguments, given: Sequence[tuple[str, str]], files: Files, drawn: int
) -> Plan:
    """Returns the plan with these parameters."""
    wanted: Optional[int] = arguments.value(TRIALS)
    seed = arguments.value(SEED)
    # Most gatherings draw no random numbers. With a fixed default seed, everybody gets the same digest.
    seed = (drawn if chosen.description.shape == Shape.TALLY else 0) if seed is None else seed
    precision, seconds = arguments.value(UNTIL), arguments.value(FOR)
    slots = parameters(chosen, given)
    chunk = chosen.chunk(slots, files.payload)
    trials = wanted
    if chosen.is_search:
        _refuse_stray(arguments, chosen, files)
        trials = POINTS
    elif chunk.ready.units is not None:
        if wanted is not None and wanted > chunk.ready.units:
            raise UsageError(
                f"{chosen.name} has only {chunk.ready.units} {word(chunk.ready.units, chosen.unit)} with these "
                "parameters; leave out --trials or use fewer")
        trials = chunk.ready.units if wanted is None else wanted
    if trials is None and precision is not None:
        trials = _cap(precision, chosen, chunk.ready.block_size)
    if precision is not None and precision.named:
        has_other_end = trials is not None or seconds is not None
        _refuse_unjudged([name for name, _ in precision.named], chosen, chunk, has_other_end)
    elif precision is not None and not _has_interval(chosen, chunk):
        raise UsageError(
            f"{chosen.name} has no reading with an interval, so --until would never stop it; use --trials or --for")
    return Plan(chosen, tuple(slots), files, seed, Goal(trials, precision, seconds), cores_of(arguments), chunk)


def _refuse_stray(arguments: Arguments, chosen: Chosen, files: Files) -> None:
    """Raises if an option has no effect on a search."""
    for option in (TRIALS, UNTIL):
        if arguments.has(option):
            raise UsageError(
                f"{chosen.name} is a search, which ends when the best is proven; leave out --{option.name}, or use --for")
    seed = arguments.value(SEED)
    if seed is None:
        return
    advice = "leave out --seed"
    # `draw` names a search's parameter for the numbers that it draws before it begins.
    draw = next((each for each in chosen.description.parameters if each.name == "draw"), None)
    if draw is not None and not files.payload:
        advice += f", or use -p draw={_drawn(draw, seed)} for other random inputs"
    raise UsageError(f"{chosen.name} is a search, which takes no seed; {advice}")


def _drawn(draw: Parameter, seed: int) -> str:
    try:
        values.slot(draw, str(seed))
        return str(seed)
    except ValueIsWrong:
        return "NUMBER"


def _cap(precision: Precision, chosen: Chosen, block_size: int) -> Optional[int]:
    """The number of trials after which `--until` ends a run in any case: then the interval of any proportion is narrow
    enough. None if there is none."""
    wanted = [precision.every] if precision.every is not None else [limit for _, limit in precision.named]
    names = [name for name, _ in precision.named]
    kinds = [kind for name, kind in chosen.description.readings if not names or name in names]
    if any(limit.is_relative for limit in wanted) or "proportion" not in kinds:
        return None
    if any(kind not in ("proportion", "variance", "histogram", "series", "histogram2d") for kind in kinds):
        return None
    # The interval is widest for one half, where half its width is below 0.98/√n.
    width = min(limit.width for limit in wanted)
    blocks = math.ceil(0.9604 / (width * width) / block_size) if width * width > 0 else math.inf
    if blocks >= _MOST_BLOCKS:
        return None
    # One checkpoint later, because a run stops at checkpoints.
    end = checkpoint(checkpoint_after(int(blocks)) + 1) * block_size
    return end if end <= limits.MOST_TRIALS else None


def _has_interval(chosen: Chosen, chunk: Chunk) -> bool:
    """Whether the simulation has a reading with an interval. A derived one shows that only when it is computed."""
    kinds = [kind for _, kind in chosen.description.readings]
    if not _WITH_INTERVAL.isdisjoint(kinds):
        return True
    if "derived" not in kinds:
        return False
    return bool(_judged(chunk, 1))


def _judged(chunk: Chunk, blocks: int) -> set[str]:
    """The names of the readings that have an interval after so many blocks."""
    _, tally = chunk.run(0, 0, blocks, lambda: False)
    readings = chunk.read(tally, blocks * chunk.ready.block_size)
    return {reading.name for reading in readings if half_width(reading) is not None}


def _refuse_unjudged(names: Sequence[str], chosen: Chosen, chunk: Chunk, has_other_end: bool) -> None:
    """Raises if one of the readings does not exist, or cannot end the run."""
    kinds = {name: kind for name, kind in chosen.description.readings if kind == "derived" or kind in _WITH_INTERVAL}
    for name in names:
        if name not in kinds:
            listed = f"; readings: {', '.join(kinds)}" if kinds else "; it has none"
            raise UsageError(
                f"{chosen.name} has no reading {spelling.quoted(name)} with an interval"
                + (spelling.hint(name, list(kinds)) or listed))
    unseen = [name for name in names if kinds[name] not in _WITH_INTERVAL]
    blocks = 1
    while unseen and not has_other_end:
        judged = _judged(chunk, blocks)
        unseen = [name for name in unseen if name not in judged]
        trials = blocks * chunk.ready.block_size
        if unseen and trials >= _ENOUGH:
            raise UsageError(
                f"{spelling.quoted(unseen[0])} has no interval after {trials} trials, so --until may never stop "
                f"{chosen.name}; add --trials or --for")
        blocks *= 2
