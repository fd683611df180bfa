"""What the columns of parameters and readings are called."""

from __future__ import annotations

from typing import AbstractSet, Iterable, Mapping, Protocol

#: The columns of 'potluck history --csv' that do not depend on the simulation.
FIELDS = frozenset({
    "id", "simulation", "started", "trials", "elapsed", "rate", "cores", "nodes", "seed", "ended", "digest", "session",
    "submitter", "searched", "notes"})


class Row(Protocol):
    """What is a row."""

    @property
    def parameters(self) -> Mapping[str, object]: ...

    @property
    def columns(self) -> AbstractSet[str]:
        """The readings that have columns."""
        ...


class Columns:
    """The names of columns in rows that stand together. One that another column has, too, gets a prefix, with which
    'potluck history --where' takes it."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._parameters: set[str] = set()
        self._readings: set[str] = set()
        for row in rows:
            self._parameters.update(row.parameters)
            self._readings.update(row.columns)

    def parameter(self, name: str) -> str:
        return f"parameter.{name}" if name in FIELDS or name in self._readings else name

    def reading(self, name: str) -> str:
        return f"reading.{name}" if name in FIELDS or name in self._parameters else name
