"""One simulation with many sets of parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Sequence, Union, overload

from . import _page, _table
from ._columns import Columns
from ._json import Members
from ._measured import Repeatable, asked, counted
from ._reading import Readings


@dataclass(frozen=True)
class Point(Repeatable):
    """What one set of parameters gave."""

    #: Its place in the sweep, from 0.
    index: int
    simulation: str
    parameters: Mapping[str, Any]
    #: A single run with this seed repeats the point. None for a search, as are the trials and the rate.
    seed: int | None
    trials: int | None
    #: The part of its tree that a search has searched, from 0 to 1; None for others.
    searched: float | None
    #: What the trials counted, by name.
    tally: Mapping[str, Any]
    readings: Readings
    digest: str
    #: "trials", "precision", "time" or "proven"; "stopped" for what a point of a stopped sweep has so far.
    ended: str
    #: Seconds.
    elapsed: float
    rate: float | None
    cores: int
    #: The sweep's number in the history: `history(where="sweep=8ab2be2e05beef99")`.
    sweep: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Point:
        members = Members(value)
        return cls(
            **counted(members), **asked(members), index=members.whole("point"), tally=members.object("counts"),
            ended=members.text("ended"), sweep=members.text("sweep"))

    def to_row(self, columns: Optional[Columns] = None) -> dict[str, Any]:
        """Returns one flat row, with the names of the columns of 'potluck history --csv'. `columns` are those of rows
        that it stands with."""
        return {
            "simulation": self.simulation, "trials": self.trials, "elapsed": self.elapsed, "rate": self.rate,
            "cores": self.cores, "seed": self.seed, "ended": self.ended, "digest": self.digest,
            **self._cells(columns)}

    def __repr__(self) -> str:
        return f"<{self.simulation}, {_page.values(self.parameters)}: {_page.summary(self.readings) or 'no readings'}>"


class Sweep(Sequence[Point]):
    """The points of a sweep, in order."""

    def __init__(
        self, simulation: str, points: Sequence[Point], *, complete: bool, missing: Sequence[int] = ()
    ) -> None:
        self._points = tuple(points)
        self.simulation = simulation
        #: False if the sweep was stopped before its last point, or somebody cancelled one.
        self.complete = complete
        #: The places of the points that somebody cancelled in the session.
        self.missing = tuple(missing)

    @overload
    def __getitem__(self, index: int) -> Point: ...

    @overload
    def __getitem__(self, index: slice) -> Sweep: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Point, Sweep]:
        if isinstance(index, slice):
            return Sweep(self.simulation, self._points[index], complete=self.complete, missing=self.missing)
        return self._points[index]

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self._points)

    @property
    def varied(self) -> tuple[str, ...]:
        """The names of the parameters that differ between points."""
        return _table.varied([point.parameters for point in self])

    def to_dict(self) -> dict[str, Any]:
        """Returns the simulation, the names of `varied`, and the points as the program's JSON has them."""
        return {
            "simulation": self.simulation, "varied": list(self.varied), "complete": self.complete,
            "missing": list(self.missing), "points": [point.to_dict() for point in self]}

    def to_rows(self) -> list[dict[str, Any]]:
        """Returns a flat row for each point, with the names of the columns of 'potluck history --csv'."""
        columns = Columns(self)
        return [point.to_row(columns) for point in self]

    def to_pandas(self) -> Any:
        """Returns a DataFrame with a row for each point. Needs pandas."""
        return _table.frame(self.to_rows())

    def __repr__(self) -> str:
        return f"<{self.simulation}: {_page.points(self)}>"

    def _repr_html_(self) -> str:
        return _page.sweep(self)
