"""Holds the readings of a simulation against their exact answers, and their intervals against how much the readings of parts
of the trials differ (ReadingCheck.swift)."""

from __future__ import annotations

import math
from typing import Callable, NamedTuple, Optional, Sequence

from .._kit.estimates import FEW_TRIALS, STANDARD_ERRORS
from .._sandbox import Chunk, Reading
from . import figures
from .experiment import half_width
from .texts import text

KEPT, BROKEN, REMARK = "kept", "broken", "remark"

#: Errors beyond this many standard errors occur by chance once in two million times.
_MOST = 5.0
#: Fewer parts say too little about how much they differ, and more take longer to read than they are worth.
_FEWEST_PARTS, _MOST_PARTS = 32, 256
#: Readings without an interval may differ by this part of the exact answer: the last digits depend on the order of computing.
_ROUNDING = 1e-9
#: Parts with so few events that some have none and one has several say nothing about an interval.
_MOST_KURTOSIS = 6.0
#: The largest relative variance of a mean's variance with which its interval is to be trusted, as MCNP and OpenMC have it.
_MOST_VARIANCE = 0.1


class Finding(NamedTuple):
    """A law that is kept or broken, or a remark."""

    grade: str
    text: str


class _Spread:
    """How much the values of parts differ."""

    def __init__(self, values: Sequence[float]) -> None:
        self.count = float(len(values))
        # From the first value, so that large numbers that differ little keep their digits.
        self.mean = values[0] + sum(value - values[0] for value in values) / self.count
        squares = [(value - self.mean) * (value - self.mean) for value in values]
        second, fourth = sum(squares), sum(square * square for square in squares)
        self.variance = second / (self.count - 1)
        self.kurtosis = self.count * fourth / (second * second) if second > 0 else 0.0


def validity(readings: Sequence[Reading], trials: int) -> list[Finding]:
    """Returns the faults of readings that have no value."""
    found = []
    for reading in readings:
        if reading.is_spoilt:
            found.append(Finding(BROKEN, text("tooMany" if reading.kind == "proportion" else "invalid", name=reading.name)))
        elif reading.value is None and reading.is_number:
            found.append(Finding(
                REMARK, text("noValue", name=reading.name, trials=trials)))
    return found


def checked(
    chunk: Chunk, blocks: Sequence[bytes], size: int, readings: Sequence[Reading], trials: int,
    ignores_seed: Callable[[], bool],
) -> list[Finding]:
    """Returns what the readings of all trials are worth. `blocks` are tallies of `size` trials each."""
    is_sampled = chunk.ready.units is None
    # A unit of a gathering is computed once in a run, so its blocks are no samples.
    each = max(len(blocks) // _MOST_PARTS, max(1, FEW_TRIALS // size)) if is_sampled else len(blocks) + 1
    count = len(blocks) // each
    parts = []
    for part in range(count if count >= _FEWEST_PARTS else 0):
        tally = chunk.layout.empty
        for block in blocks[part * each:(part + 1) * each]:
            tally = chunk.layout.merged(tally, block)
        parts.append(chunk.read(tally, each * size))
    found: list[Finding] = []
    for place, reading in enumerate(readings):
        values = [part[place].value for part in parts]
        known = [value for value in values if value is not None]
        spread = _Spread(known) if parts and len(known) == len(values) else None
        found += _trust(reading, spread, each * size * len(values) / trials)
        narrow, finding = _width(reading, spread, trials / (each * size))
        found += [finding] if finding is not None else []
        if is_sampled or trials >= (chunk.ready.units or 0):
            exact = _exactness(reading, spread, narrow, trials / (each * size), is_sampled, bool(parts), ignores_seed)
            found += [exact] if exact is not None else []
    return found


def _trust(reading: Reading, spread: Optional[_Spread], sampled: float) -> list[Finding]:
    """Warns of a mean that a few trials decide. `sampled` is the part of all trials that is in the parts."""
    if spread is None or reading.kind != "mean" or spread.variance <= 0:
        return []
    variance = (spread.kurtosis - 3) / spread.count * min(1.0, sampled)
    if variance <= _MOST_VARIANCE:
        return []
    return [Finding(
        REMARK, f"the interval of {reading.name} cannot be trusted, because a few trials decide the mean: the variance of its "
        f"variance is {_brief(variance)}, more than {_MOST_VARIANCE}; compute more trials, or make the rare ones frequent and "
        "weigh them")]


def _width(reading: Reading, spread: Optional[_Spread], parts: float) -> tuple[float, Optional[Finding]]:
    """Compares the variance of the parts with the one that the interval tells. Returns how many times it is too narrow, or
    1."""
    half = half_width(reading)
    if spread is None or half is None or half <= 0 or spread.variance <= 0 or spread.kurtosis >= _MOST_KURTOSIS:
        return 1.0, None
    error = half / STANDARD_ERRORS
    ratio = spread.variance / (error * error * parts)
    # Wilson and Hilferty's approximation of the distribution of a variance.
    scale = 2 / (9 * (spread.count - 1))
    limit = math.pow(1 - scale + _MOST * math.sqrt(scale), 3)
    if ratio <= limit:
        return 1.0, Finding(
            KEPT, text("wide", name=reading.name, times=_brief(math.sqrt(limit))))
    return math.sqrt(ratio), Finding(
        BROKEN, text("narrow", name=reading.name, times=_brief(math.sqrt(ratio))))


def _exactness(
    reading: Reading, spread: Optional[_Spread], narrow: float, parts: float, is_sampled: bool, has_parts: bool,
    ignores_seed: Callable[[], bool],
) -> Optional[Finding]:
    """Compares a reading with its exact answer."""
    value, exact, half = reading.value, reading.exact, half_width(reading)
    if value is None or exact is None:
        return None
    rounding = _ROUNDING * max(abs(exact), abs(value))
    error = narrow * half / STANDARD_ERRORS if half is not None else 0.0
    if error == 0 and spread is not None:
        # The value of all trials is the mean of the parts', unless it is a sum that grows with the trials.
        if abs(spread.mean * parts - value) < abs(spread.mean - value):
            return Finding(
                REMARK, text("grows", name=reading.name))
        error = math.sqrt(spread.variance / parts)
    off = abs(value - exact)
    # Without parts nobody knows how much a reading without an interval may be off, unless the seed does not matter.
    if error == 0 and not has_parts and reading.interval is None:
        if is_sampled or off > rounding and not ignores_seed():
            return None
    if off <= _MOST * error + rounding:
        is_visible = error != 0 and exact != 0
        visible = text("visible", error=_percent(_MOST * error / abs(exact))) if is_visible else ""
        return Finding(KEPT, text("agrees", name=reading.name, visible=visible))
    distance = text("errors", count=int(min(off / error, 1e6))) if error > 0 else "not"
    return Finding(
        BROKEN, text(
            "off", name=reading.name, value=figures.number(value), distance=distance, exact=figures.number(exact)))


def _brief(ratio: float) -> str:
    return f"{math.floor(ratio * 10 + 0.5) / 10}" if ratio < 10 else f"{int(min(ratio, 1e6))}"


def _percent(share: float) -> str:
    """A share with one digit that counts, rounded up."""
    percent, zeros = share * 100, ""
    if percent >= 1:
        return f"{int(min(math.ceil(percent), 1e6))} %"
    while percent < 0.1 and len(zeros) < 12:
        percent, zeros = percent * 10, f"{zeros}0"
    return f"0.{zeros}{math.ceil(percent * 10)} %"
