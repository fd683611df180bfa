"""What results, recorded runs, points of a sweep and moments of a run have in common."""

from __future__ import annotations

from typing import AbstractSet, Any, Mapping, Optional, TypedDict

from ._columns import Columns
from ._json import Members
from ._reading import Reading, Readings


class Measured:
    """Has readings. It is no dataclass, so that the classes below it keep the order of their fields."""

    readings: Readings
    raw: Mapping[str, Any]

    def __getitem__(self, name: str) -> Reading:
        return self.readings[name]

    def to_dict(self) -> dict[str, Any]:
        """Returns this as the program's JSON has it."""
        return dict(self.raw)


class Repeatable(Measured):
    """Also has the parameters that it was computed with."""

    parameters: Mapping[str, Any]
    searched: float | None

    @property
    def merit(self) -> Mapping[str, float]:
        """The figures of merit of the readings that have one, by name: 1 / (relative variance × seconds of a core)."""
        return dict(self.raw.get("merit") or {})

    @property
    def columns(self) -> AbstractSet[str]:
        """The readings that have columns: all that are numbers."""
        return {name for name, reading in self.readings.items() if reading.is_number}

    def _cells(self, columns: Optional[Columns]) -> dict[str, Any]:
        """Returns the cells of a row that depend on the simulation: the parameters and the readings. `columns` are
        those of all rows that it stands with; None if it stands alone."""
        columns = columns or Columns([self])
        cells: dict[str, Any] = {} if self.searched is None else {"searched": self.searched}
        cells.update({columns.parameter(name): value for name, value in self.parameters.items()})
        for name, reading in self.readings.items():
            if reading.is_number:
                name = columns.reading(name)
                cells.update({
                    name: reading.value, f"{name}.low": reading.low, f"{name}.high": reading.high,
                    f"{name}.exact": reading.exact})
        return cells


class Counted(TypedDict):
    """The fields of everything that is measured."""

    simulation: str
    trials: int | None
    searched: float | None
    readings: Readings
    elapsed: float
    rate: float | None
    raw: Mapping[str, Any]


class Asked(TypedDict):
    """The other fields of everything that is repeatable."""

    parameters: Mapping[str, Any]
    seed: int | None
    digest: str
    cores: int


def counted(members: Members) -> Counted:
    return {
        "simulation": members.text("simulation"), "trials": members.optional(members.whole, "trials"),
        "searched": members.optional(members.number, "searched"), "readings": Readings.of(members.list("readings")),
        "elapsed": members.number("elapsed"), "rate": members.optional(members.number, "rate"), "raw": members.raw}


def asked(members: Members) -> Asked:
    return {
        "parameters": members.object("parameters"), "seed": members.optional(members.whole, "seed"),
        "digest": members.text("digest"), "cores": members.whole("cores")}
