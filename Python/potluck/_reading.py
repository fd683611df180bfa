"""A number computed from a tally."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Sequence

from ._json import Members, unexpected


@dataclass(frozen=True)
class HistogramCounts:
    """How many numbers fell into each of the bins of equal width between two bounds, below them and above them."""

    start: float
    end: float
    below: int
    bins: tuple[int, ...]
    above: int

    @classmethod
    def of(cls, value: Any) -> HistogramCounts:
        members = Members(value)
        bins = tuple(members.list("bins"))
        if not all(isinstance(count, int) for count in bins):
            raise unexpected("a histogram of something else than counts")
        return cls(
            members.number("from"), members.number("to"), members.whole("below"), bins, members.whole("above"))


@dataclass(frozen=True)
class CellCounts:
    """How many pairs of numbers fell into each cell of a rectangle, and outside of it."""

    #: The ends of both ranges.
    x: tuple[float, float]
    y: tuple[float, float]
    outside: int
    #: The counts of the cells, in rows from the lowest y.
    rows: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, value: Any) -> CellCounts:
        members = Members(value)
        x, y = (Members(members.raw.get(name)) for name in ("x", "y"))
        given = members.list("rows")
        if not all(isinstance(row, list) and row and len(row) == len(given[0]) for row in given):
            raise unexpected("a histogram of rows that differ")
        if not given or not all(isinstance(count, int) for row in given for count in row):
            raise unexpected("a histogram of something else than counts")
        return cls(
            (x.number("from"), x.number("to")), (y.number("from"), y.number("to")), members.whole("outside"),
            tuple(map(tuple, given)))

    @property
    def most(self) -> int:
        """The largest count of a cell."""
        return max(count for row in self.rows for count in row)


@dataclass(frozen=True)
class SeriesMeans:
    """The mean at each time of a series, and the ends of its interval; None where there is none yet."""

    means: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]

    @classmethod
    def of(cls, value: Any) -> SeriesMeans:
        members = Members(value)
        columns = [tuple(members.list(name)) for name in ("means", "low", "high")]
        for column in columns:
            if not all(number is None or isinstance(number, (int, float)) for number in column):
                raise unexpected("a series of something else than numbers")
        return cls(*columns)

    def points(self) -> list[tuple[int, float, float | None, float | None]]:
        """Returns the times that have a mean, with the mean and the ends of its interval."""
        return [
            (time, mean, low, high) for time, (mean, low, high) in enumerate(zip(self.means, self.low, self.high))
            if mean is not None]


@dataclass(frozen=True)
class Reading:
    """A number with its interval and, if the simulation knows it, the exact answer."""

    name: str
    #: None if there were too few trials to tell.
    value: float | None
    #: The ends of the interval; None if there is no interval.
    low: float | None
    high: float | None
    #: The part of such intervals that contain the truth: 0.95.
    confidence: float | None
    exact: float | None
    histogram: HistogramCounts | None = None
    #: Of a reading of a series; None for other readings.
    series: SeriesMeans | None = None
    #: Of a reading of a histogram in two dimensions; None for other readings.
    cells: CellCounts | None = None
    #: Whether it is the part that a category has of all.
    is_category: bool = False
    #: The member of the program's JSON.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Reading:
        members = Members(value)
        number, drawn, curve = members.number, members.raw.get("histogram"), members.raw.get("series")
        cells = members.raw.get("histogram2d")
        return cls(
            members.text("name"), members.optional(number, "value"), members.optional(number, "low"),
            members.optional(number, "high"), members.optional(number, "confidence"),
            members.optional(number, "exact"), None if drawn is None else HistogramCounts.of(drawn),
            None if curve is None else SeriesMeans.of(curve), None if cells is None else CellCounts.of(cells),
            members.raw.get("category") is True, members.raw)

    @property
    def is_number(self) -> bool:
        """Whether it is one number, and no picture of many."""
        return self.histogram is None and self.series is None and self.cells is None

    @property
    def half_width(self) -> float | None:
        """Half the interval's width; None if there is no interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        """Returns the reading as the program's JSON has it."""
        return dict(self.raw)


class Readings(Mapping[str, Reading]):
    """The readings of a result, by name and in the simulation's order."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._readings = {reading.name: reading for reading in readings}

    @classmethod
    def of(cls, values: Sequence[Any]) -> Readings:
        return cls([Reading.of(value) for value in values])

    def __getitem__(self, name: str) -> Reading:
        try:
            return self._readings[name]
        except KeyError:
            names = ", ".join(self._readings) or "none"
            raise KeyError(f"no reading {name!r}; readings: {names}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._readings)

    def __len__(self) -> int:
        return len(self._readings)

    def __repr__(self) -> str:
        return f"Readings({list(self._readings.values())!r})"
