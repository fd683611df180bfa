"""By how much the readings of several settings differ, when all meet the same random numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Sequence, Union, overload

from . import _page, _table
from ._json import Members

#: The columns of a row after the parameters.
COLUMNS = ("reading", "value", "difference", "low", "high", "exact", "unpaired_half_width", "gain")


@dataclass(frozen=True)
class PairedReading:
    """A reading of a setting, and by how much it differs from that of the first setting."""

    reading: str
    #: The reading of this setting; None if it has no value.
    value: float | None
    #: By how much it is more than that of the first setting; None for the first setting itself.
    difference: float | None
    #: The ends of the 95 % interval of the difference.
    low: float | None
    high: float | None
    #: The exact difference, if the simulation knows it.
    exact: float | None
    #: Half the width of the interval that two runs with other random numbers would have.
    unpaired_half_width: float | None
    #: By how much the variance is divided because both settings meet the same random numbers.
    gain: float | None

    @property
    def half_width(self) -> float | None:
        """Half the interval's width; None if there is no interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @classmethod
    def of(cls, reading: Members, difference: Members) -> PairedReading:
        found = (difference.optional(difference.number, key) for key in (
            "value", "low", "high", "exact", "unpairedHalfWidth", "gain"))
        return cls(reading.text("name"), reading.optional(reading.number, "value"), *found)


@dataclass(frozen=True)
class Setting:
    """One of the settings that were compared."""

    parameters: Mapping[str, Any]
    readings: Mapping[str, PairedReading]

    def __getitem__(self, name: str) -> PairedReading:
        return self.readings[name]

    @classmethod
    def of(cls, value: Any) -> Setting:
        members = Members(value)
        differences = {each.text("name"): each for each in map(Members, members.list("differences"))}
        readings = [
            PairedReading.of(each, differences.get(each.text("name"), Members({})))
            for each in map(Members, members.list("readings"))]
        return cls(members.object("parameters"), {each.reading: each for each in readings})


@dataclass(frozen=True)
class Difference(Sequence[Setting]):
    """The settings in the order in which they were given. The first one is what the others are compared with."""

    simulation: str
    seed: int
    #: The trials of each setting.
    trials: int
    settings: tuple[Setting, ...]
    #: Whether the differences are as precise as was asked for; None if no precision was.
    reached: bool | None
    #: SHA-256 of what was asked and counted.
    digest: str
    #: The command that computes the same again.
    command: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Difference:
        members = Members(value)
        return cls(
            members.text("simulation"), members.whole("seed"), members.whole("trials"),
            tuple(map(Setting.of, members.list("settings"))), members.optional(members.flag, "reached"),
            members.text("digest"), members.text("command"), members.raw)

    @overload
    def __getitem__(self, index: int) -> Setting: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Setting, ...]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Setting, tuple[Setting, ...]]:
        return self.settings[index]

    def __len__(self) -> int:
        return len(self.settings)

    def __iter__(self) -> Iterator[Setting]:
        return iter(self.settings)

    @property
    def varied(self) -> tuple[str, ...]:
        """The names of the parameters that differ between the settings."""
        return _table.varied([setting.parameters for setting in self])

    def to_dict(self) -> dict[str, Any]:
        """Returns this as the program's JSON has it."""
        return dict(self.raw)

    def to_rows(self) -> list[dict[str, Any]]:
        """Returns a flat row for each reading of each setting."""
        heads = {name: f"parameter.{name}" if name in COLUMNS else name for name in self.varied}
        return [
            {**{heads[name]: setting.parameters.get(name) for name in heads}, **vars(reading)}
            for setting in self for reading in setting.readings.values()]

    def to_pandas(self) -> Any:
        """Returns a DataFrame with a row for each reading of each setting. Needs pandas."""
        return _table.frame(self.to_rows())

    def __repr__(self) -> str:
        return f"<{self.simulation}: {len(self)} settings by {', '.join(self.varied)}; digest {self.digest[:16]}…>"

    def _repr_html_(self) -> str:
        return _page.table(self.simulation, self.to_rows(), f"{self.trials} trials of each setting, seed {self.seed}")
