"""The history of runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Iterator, Mapping, Optional, Sequence, Union, overload

from . import _page, _table, _values
from ._ask import objects
from ._columns import Columns
from ._json import Members, unexpected
from ._measured import Repeatable, asked, counted
from ._reading import Readings
from ._tally import Node, nodes
from ._values import File


@dataclass(frozen=True)
class Run(Repeatable):
    """A recorded run."""

    id: int
    simulation: str
    parameters: Mapping[str, Any]
    #: None for a search, as are the trials and the rate.
    seed: int | None
    trials: int | None
    searched: float | None
    readings: Readings
    digest: str
    #: "trials", "precision", "time", "stopped" or "proven".
    ended: str
    started: datetime
    #: Seconds.
    elapsed: float
    rate: float | None
    cores: int
    nodes: tuple[Node, ...]
    notes: tuple[str, ...]
    #: The session that computed it, and who submitted it there; None for a run on one machine.
    session: str | None
    submitter: str | None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Run:
        members = Members(value)
        return cls(
            **counted(members), **asked(members), id=members.whole("id"), ended=members.text("ended"),
            started=_moment(members.number("started")), nodes=nodes(members),
            notes=tuple(Members(note).text("text") for note in members.list("notes")),
            session=members.optional(members.text, "session"),
            submitter=members.optional(members.text, "submitter"))

    def to_row(self, columns: Optional[Columns] = None) -> dict[str, Any]:
        """Returns one flat row, with the names of the columns of 'potluck history --csv'. `columns` are those of rows
        that it stands with."""
        return {
            "id": self.id, "simulation": self.simulation, "started": self.started, "trials": self.trials,
            "elapsed": self.elapsed, "rate": self.rate, "cores": self.cores, "nodes": len(self.nodes),
            "seed": self.seed, "ended": self.ended, "digest": self.digest, "session": self.session,
            "submitter": self.submitter, **self._cells(columns), "notes": "; ".join(self.notes)}


def _moment(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, timezone.utc)
    except (ValueError, OverflowError, OSError) as error:
        raise unexpected(f"the time {seconds}") from error


class History(Sequence[Run]):
    """Recorded runs, in the order that was asked for."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = tuple(runs)

    @overload
    def __getitem__(self, index: int) -> Run: ...

    @overload
    def __getitem__(self, index: slice) -> History: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Run, History]:
        return History(self._runs[index]) if isinstance(index, slice) else self._runs[index]

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __repr__(self) -> str:
        return f"<{len(self)} {'run' if len(self) == 1 else 'runs'}>"

    def _repr_html_(self) -> str:
        return _page.history(self._runs)

    def to_pandas(self) -> Any:
        """Returns a DataFrame with a row for each run. Needs pandas."""
        columns = Columns(self._runs)
        return _table.frame([run.to_row(columns) for run in self._runs])


def history(
    simulation: Optional[str] = None, *, where: Optional[str] = None, since: Optional[str] = None,
    before: Optional[str] = None, sort: Optional[str] = None, reverse: bool = False, limit: Optional[int] = None,
    state: Optional[File] = None,
) -> History:
    """Returns recorded runs, the newest first: `history(where="doors>3 and trials>=1e9", sort="rate", limit=10)`.

    The arguments are the options of 'potluck history'.
    """
    given = {
        "simulation": simulation, "where": where, "since": since, "before": before, "sort": sort,
        "limit": None if limit is None else str(limit), "state": None if state is None else _values.path(state)}
    words = [f"--{name}={value}" for name, value in given.items() if value is not None]
    return History([Run.of(value) for value in objects(
        ["history", "--json", *words, *(["--reverse"] if reverse else [])])])
