"""What a run computed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from . import _page
from ._json import Members
from ._reading import Reading, Readings
from ._tally import Node, nodes


@dataclass(frozen=True)
class Result:
    """The result of a run: the same for everyone who runs the same simulation, parameters, seed and trials, except
    for the time that it took."""

    simulation: str
    parameters: Mapping[str, Any]
    #: None for a search, as are the trials and the rate.
    seed: int | None
    trials: int | None
    #: The part of its tree that a search has searched, from 0 to 1; None for others.
    searched: float | None
    #: The simulation's fields, by name.
    tally: Mapping[str, Any]
    readings: Readings
    #: SHA-256 of what was asked and counted.
    digest: str
    #: False if the run was stopped before it reached a limit.
    complete: bool
    #: Seconds.
    elapsed: float
    #: Trials per second.
    rate: float | None
    cores: int
    #: The best solution of a search.
    solution: str | None = None
    #: The laptops that computed a job of a session.
    nodes: tuple[Node, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Result:
        members = Members(value)
        return cls(
            simulation=members.text("simulation"), parameters=members.object("parameters"),
            seed=members.optional(members.whole, "seed"), trials=members.optional(members.whole, "trials"),
            searched=members.optional(members.number, "searched"), tally=members.object("tally"),
            readings=Readings.of(members.list("readings")), digest=members.text("digest"),
            complete=members.flag("complete"), elapsed=members.number("elapsed"),
            rate=members.optional(members.number, "rate"), cores=members.whole("cores"),
            solution=members.optional(members.text, "solution"), nodes=nodes(members), raw=members.raw)

    def __getitem__(self, name: str) -> Reading:
        return self.readings[name]

    def to_dict(self) -> dict[str, Any]:
        """Returns the result as the program's JSON has it."""
        return dict(self.raw)

    def to_row(self) -> dict[str, Any]:
        """Returns one flat row, with the names of the columns of 'potluck history --csv'."""
        return {
            "simulation": self.simulation, "trials": self.trials, "elapsed": self.elapsed, "rate": self.rate,
            "cores": self.cores, "seed": self.seed, "digest": self.digest,
            **({} if self.searched is None else {"searched": self.searched}), **self.parameters,
            **columns(self.readings)}

    def __repr__(self) -> str:
        shown = _page.summary(self.readings)
        return f"<{self.simulation}: {shown or 'no readings'}; {_page.amount(self)}; digest {self.digest[:16]}…>"

    def _repr_html_(self) -> str:
        return _page.result(self)


def columns(readings: Readings) -> dict[str, float | None]:
    """Returns the cells of the readings in a row."""
    cells: dict[str, float | None] = {}
    for name, reading in readings.items():
        if reading.histogram is None:
            cells.update({
                name: reading.value, f"{name}.low": reading.low, f"{name}.high": reading.high,
                f"{name}.exact": reading.exact})
    return cells
