"""What a run computed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional

from . import _page
from ._columns import Columns
from ._json import Members
from ._measured import Repeatable, asked, counted
from ._reading import Readings
from ._tally import Node, nodes


@dataclass(frozen=True)
class Result(Repeatable):
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
    #: What is doubtful about the numbers, in sentences. Each is a PotluckWarning, too.
    warnings: tuple[str, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Result:
        members = Members(value)
        return cls(
            **counted(members), **asked(members), tally=members.object("tally"), complete=members.flag("complete"),
            solution=members.optional(members.text, "solution"), nodes=nodes(members),
            warnings=tuple(str(text) for text in members.optional(members.list, "warnings") or ()))

    def to_row(self, columns: Optional[Columns] = None) -> dict[str, Any]:
        """Returns one flat row, with the names of the columns of 'potluck history --csv'. `columns` are those of rows
        that it stands with."""
        return {
            "simulation": self.simulation, "trials": self.trials, "elapsed": self.elapsed, "rate": self.rate,
            "cores": self.cores, "seed": self.seed, "digest": self.digest,
            **self._cells(columns)}

    def __repr__(self) -> str:
        shown = _page.summary(self.readings)
        return f"<{self.simulation}: {shown or 'no readings'}; {_page.amount(self)}; digest {self.digest[:16]}…>"

    def _repr_html_(self) -> str:
        return _page.result(self)
