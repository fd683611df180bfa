"""How much of the variance of each reading each parameter explains."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping

from . import _page, _table
from ._json import Members


@dataclass(frozen=True)
class SobolIndices:
    """The part of a reading's variance that a parameter explains: alone, and also together with others."""

    #: None for a reading that does not vary.
    first: float | None
    #: Half the width of its 95 % interval.
    first_half_width: float | None
    total: float | None
    total_half_width: float | None

    @classmethod
    def of(cls, members: Members) -> SobolIndices:
        return cls(*(
            members.optional(members.number, name) for name in ("first", "firstHalfWidth", "total", "totalHalfWidth")))


@dataclass(frozen=True)
class Sensitivity(Mapping[str, Mapping[str, SobolIndices]]):
    """The indices of each parameter, by the name of the reading: `found["wait"]["tills"].total`."""

    simulation: str
    seed: int
    rows: int
    points: int
    #: The trials of each point.
    trials: int
    readings: Mapping[str, Mapping[str, SobolIndices]]
    #: The command that computes the same again.
    command: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Sensitivity:
        members = Members(value)
        readings = {
            reading.text("name"): {
                each.text("name"): SobolIndices.of(each) for each in map(Members, reading.list("parameters"))}
            for reading in map(Members, members.list("readings"))}
        return cls(
            members.text("simulation"), members.whole("seed"), members.whole("rows"), members.whole("points"),
            members.whole("trials"), readings, members.text("command"), members.raw)

    def __getitem__(self, name: str) -> Mapping[str, SobolIndices]:
        return self.readings[name]

    def __len__(self) -> int:
        return len(self.readings)

    def __iter__(self) -> Iterator[str]:
        return iter(self.readings)

    def to_dict(self) -> dict[str, Any]:
        """Returns this as the program's JSON has it."""
        return dict(self.raw)

    def to_rows(self) -> list[dict[str, Any]]:
        """Returns a flat row for each parameter of each reading."""
        return [
            {"reading": reading, "parameter": name, **vars(indices)}
            for reading, parameters in self.readings.items() for name, indices in parameters.items()]

    def to_pandas(self) -> Any:
        """Returns a DataFrame with a row for each parameter of each reading. Needs pandas."""
        return _table.frame(self.to_rows())

    def __repr__(self) -> str:
        names = list(next(iter(self.readings.values()), {}))
        return f"<{self.simulation}: how {', '.join(self)} depend on {', '.join(names)}, from {self.points} points>"

    def _repr_html_(self) -> str:
        return _page.table(
            self.simulation, self.to_rows(), f"{self.points} points of {self.trials} trials each, seed {self.seed}")
