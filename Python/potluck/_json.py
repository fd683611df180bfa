"""Reads the program's JSON and checks the types of what it takes."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Mapping, TypeVar, cast

from ._errors import PotluckError

T = TypeVar("T")


class UnexpectedOutput(PotluckError):
    """Output that is not the program's. Who prints this may not heed a polite signal, either."""


def unexpected(what: str) -> UnexpectedOutput:
    """Returns the error for output that is not the program's."""
    return UnexpectedOutput(f"the program printed something unexpected: {what}; is it another version of potluck?")


def parse(text: str | bytes) -> Any:
    """Parses one JSON value."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise unexpected(f"not JSON ({_short(text)})") from error


def _short(text: str | bytes) -> str:
    """The beginning of a text, for a message."""
    most = 60
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return repr(shown if len(shown) <= most else shown[:most] + "…")


class Members:
    """The members of a JSON object, with their types checked as they are taken."""

    def __init__(self, value: Any) -> None:
        if not isinstance(value, dict):
            raise unexpected(f"{_short(json.dumps(value))} in the place of an object")
        self.raw: Mapping[str, Any] = cast(Dict[str, Any], value)

    def text(self, name: str) -> str:
        return self._take(name, str)

    def flag(self, name: str) -> bool:
        return self._take(name, bool)

    def whole(self, name: str) -> int:
        value = self._take(name, int)
        if isinstance(value, bool):
            raise unexpected(f"true or false as {name}")
        return value

    def number(self, name: str) -> float:
        value = self.raw.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise unexpected(f"no number {name}")
        try:
            return float(value)
        except OverflowError as error:
            raise unexpected(f"a number {name} that is too large") from error

    def object(self, name: str) -> dict[str, Any]:
        return dict(self._take(name, dict))

    def list(self, name: str) -> List[Any]:
        return list(self._take(name, list))

    def optional(self, take: Callable[[str], T], name: str) -> T | None:
        """Takes a member that may be absent or null: `members.optional(members.number, "exact")`."""
        return None if self.raw.get(name) is None else take(name)

    def _take(self, name: str, kind: type[T]) -> T:
        value = self.raw.get(name)
        if not isinstance(value, kind):
            raise unexpected(f"no {name}")
        return value
