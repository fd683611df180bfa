"""What can be run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Union

from . import _cell
from ._ask import ask, objects
from ._cell import Subject
from ._json import Members


@dataclass(frozen=True)
class ParameterDescription:
    """A parameter of a simulation."""

    name: str
    help: str
    #: "integer", "real", "choice", "flag" or "several".
    kind: str
    default: Any
    #: The bounds of a number, or of how many names there may be; None for a choice and a flag.
    minimum: Union[int, float, None]
    maximum: Union[int, float, None]
    #: The names to choose from.
    choices: tuple[str, ...]

    @classmethod
    def of(cls, value: Any) -> ParameterDescription:
        members = Members(value)
        choices = members.optional(members.list, "choices") or ()
        return cls(
            members.text("name"), members.text("help"), members.text("kind"), members.raw.get("default"),
            members.raw.get("minimum"), members.raw.get("maximum"), tuple(map(str, choices)))


@dataclass(frozen=True)
class SimulationDescription:
    """A simulation that `run` takes by its name."""

    name: str
    summary: str
    parameters: tuple[ParameterDescription, ...]
    #: The names of its readings. Searches and lists may have none.
    readings: tuple[str, ...]
    #: SHA-256 of its source.
    source: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> SimulationDescription:
        members = Members(value)
        readings = tuple(Members(reading).text("name") for reading in members.list("readings"))
        return cls(
            members.text("name"), members.text("summary"),
            tuple(map(ParameterDescription.of, members.list("parameters"))), readings, members.text("source"),
            members.raw)

    def to_dict(self) -> dict[str, Any]:
        """Returns the declaration as the program's JSON has it."""
        return dict(self.raw)


def simulations() -> list[SimulationDescription]:
    """Returns the built-in simulations."""
    return [SimulationDescription.of(value) for value in objects(["simulations", "--json"])]


def simulation(name: Subject) -> SimulationDescription:
    """Returns one simulation, by its name, its .py, .swift or .wasm file, or its class."""
    source = _cell.of(name)
    return SimulationDescription.of(ask(["simulations", "--json", "--", source.path], source.translate))
