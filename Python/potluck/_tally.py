"""What a running job has counted so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from ._json import Members
from ._measured import Measured, counted
from ._reading import Readings


@dataclass(frozen=True)
class Node:
    """A laptop that computes a job of a session, and its share."""

    name: str
    cores: int
    #: None in a search, as is the rate.
    trials: int | None
    rate: float | None
    #: One word, such as "computing"; None in the history.
    state: str | None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any) -> Node:
        members = Members(value)
        return cls(
            members.text("name"), members.whole("cores"), members.optional(members.whole, "trials"),
            members.optional(members.number, "rate"), members.optional(members.text, "state"), members.raw)


@dataclass(frozen=True)
class Tally(Measured):
    """A moment of a run: its trials and readings by then. The last one of a run has the result's."""

    simulation: str
    #: "waiting", "running", "paused", "stopping", "done" or "stopped".
    state: str
    #: None for a search.
    trials: int | None
    #: The part of its tree that a search has searched, from 0 to 1; None for others.
    searched: float | None
    readings: Readings
    #: Seconds.
    elapsed: float
    #: Trials per second; None for a search, and until it is known.
    rate: float | None
    #: The best solution of a search so far.
    solution: str | None = None
    nodes: tuple[Node, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, value: Any, state: str | None = None) -> Tally:
        """Reads a `job` event, or a result with the state that it ended in."""
        members = Members(value)
        return cls(
            **counted(members), state=state or members.text("state"),
            solution=members.optional(members.text, "solution"), nodes=nodes(members))


def nodes(members: Members) -> tuple[Node, ...]:
    """Reads the nodes of a job; a run on one machine has none."""
    return tuple(Node.of(value) for value in members.optional(members.list, "nodes") or ())
