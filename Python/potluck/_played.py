"""Plays blocks in plain Python, as the engine does, and holds what they gave."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Callable, Mapping, Sequence

from . import _page
from ._kit import estimates
from ._kit.cells import Histogram2D
from ._kit.output import Output, Print
from ._kit.random import LANES, Random
from ._kit.readings import ReadingRule, estimate, number
from ._kit.series import Series
from ._kit.tally import Field
from ._kit.tally import Histogram as HistogramField
from ._reading import CellCounts, HistogramCounts, Reading, Readings, SeriesMeans


@dataclass(frozen=True)
class Played:
    """What trials gave that were played in plain Python."""

    simulation: str
    parameters: Mapping[str, Any]
    seed: int
    trials: int
    #: The fields, by name: `played.tally["won"].value`.
    tally: Mapping[str, Field]
    readings: Readings
    #: What a gathering wrote.
    output: bytes = field(default=b"", repr=False)

    @classmethod
    def of(
        cls, work: Any, tally: Mapping[str, Field], rules: Sequence[ReadingRule], seed: int, trials: int, *,
        of_trials: bool, output: bytes = b"",
    ) -> Played:
        parameters = {parameter.word: vars(work)[name] for name, parameter in work._parameters.items()}
        fields = SimpleNamespace(**tally)
        readings = [_reading(rule, work, fields, trials, of_trials) for rule in rules]
        return cls(work.name, parameters, seed, trials, dict(tally), Readings(readings), output)

    @property
    def slots(self) -> list[int]:
        """The tally as slots of 64 bits, as docs/RANDOM.md has them."""
        return [slot for each in self.tally.values() for slot in each.slots()]

    def __getitem__(self, name: str) -> Reading:
        """Returns a reading."""
        return self.readings[name]

    def __repr__(self) -> str:
        shown = _page.summary(self.readings)
        return f"<{self.simulation}: {shown or 'no readings'}; {self.trials} trials in Python, seed {self.seed}>"


def _reading(rule: ReadingRule, work: Any, tally: Any, trials: int, of_trials: bool) -> Reading:
    found = estimate(rule, work, tally, trials, of_trials=of_trials)
    has_width = found.varies or found.low != found.high
    low, high = (found.low, found.high) if has_width else (None, None)
    drawn = None if rule.field is None else getattr(tally, rule.field.attribute or "")
    counts = curve = cells = None
    if isinstance(drawn, HistogramField):
        below, *bins, above = drawn.slots()
        counts = HistogramCounts(drawn.low, drawn.high, below, tuple(bins), above)
    if isinstance(drawn, Histogram2D):
        cells = CellCounts(drawn.x, drawn.y, drawn.outside, tuple(map(tuple, drawn.counts)))
    if isinstance(drawn, Series):
        means, lows, highs = zip(*estimates.curve(drawn))
        curve = SeriesMeans(means, lows, highs)
    return Reading(
        rule.name, found.value, low, high, None if low is None else estimates.CONFIDENCE, number(rule.exact, work),
        counts, curve, cells, rule.kind == "category")


def play_lanes(trial: Callable[[Random], object], seed: int, trials: int, size: int, first: int) -> None:
    """Plays trials in blocks of this size. Lane l of a block runs every sixteenth trial, and the lanes run in order."""
    block, left = first, trials
    while left > 0:
        count = min(left, size)
        for lane in range(min(LANES, count)):
            random = Random(seed, block, lane)
            for number in range(block * size + lane, block * size + count, LANES):
                random._trial = number
                trial(random)
        block, left = block + 1, left - count


def play_blocks(
    compute: Callable[[range, Random, Output], object], seed: int, units: int, size: int, first: int, *, writes: bool
) -> tuple[bytes, Print]:
    """Computes a gathering's blocks, up to this number of units. Returns what they wrote, and its print."""
    octets, total, block = bytearray(), Print(), first
    while block * size < units:
        output = Output()
        random = Random(seed, block, 0)
        random._trial = block * size
        compute(range(block * size, min(units, (block + 1) * size)), random, output)
        if writes:
            octets += output.octets
            total.add(block, bytes(output.octets))
        block += 1
    return bytes(octets), total
