"""Messages of a gateway, whose every field is checked: who sends them is not trusted."""

from __future__ import annotations

import base64
import json
from typing import Any, Optional, TypeVar

#: The largest whole number that JSON has on every system.
MOST = (1 << 53) - 1
#: No time, share, rate or reading is larger.
MOST_REAL = 1e300


Value = TypeVar("Value")


class BrokenRule(Exception):
    """A message has another form than the protocol says."""


class Message:
    """An object of JSON."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    @staticmethod
    def read(octets: bytes) -> Message:
        try:
            return Message.of(json.loads(octets, parse_constant=_no_constant))
        except (ValueError, RecursionError) as error:
            raise BrokenRule("a message that is no JSON") from error

    @staticmethod
    def of(value: Any) -> Message:
        if not isinstance(value, dict):
            raise BrokenRule("something other than an object")
        return Message(value)

    def has(self, key: str) -> bool:
        return self.values.get(key) is not None

    def text(self, key: str) -> str:
        return _need(key, self.values.get(key), str)

    def flag(self, key: str) -> bool:
        return _need(key, self.values.get(key), bool)

    def count(self, key: str, most: int = MOST) -> int:
        return _count(key, self.values.get(key), most)

    def real(self, key: str) -> float:
        value = self.values.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= MOST_REAL:
            raise BrokenRule(f"{key} that is no number")
        return float(value)

    def big(self, key: str) -> int:
        return big(self.values.get(key))

    def items(self, key: str) -> list[Any]:
        return _need(key, self.values.get(key), list)

    def object(self, key: str) -> Message:
        return Message.of(self.values.get(key))

    def objects(self, key: str) -> list[Message]:
        return [Message.of(value) for value in self.items(key)]

    def octets(self, key: str) -> bytes:
        try:
            return base64.b64decode(self.text(key), validate=True)
        except ValueError as error:
            raise BrokenRule(f"{key} that is no base64") from error

    def digits(self, key: str, count: int) -> str:
        """Returns so many hexadecimal digits."""
        text = self.text(key)
        if len(text) != count or not all(digit in "0123456789abcdef" for digit in text):
            raise BrokenRule(f"{key} that is no number of {count} digits")
        return text

    def optional(self, key: str) -> Optional[Message]:
        return self.object(key) if self.has(key) else None


def big(value: Any) -> int:
    """Returns a number of 64 bits, which is a decimal text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20 and int(value) < 1 << 64:
        return int(value)
    raise BrokenRule("something other than a number of 64 bits")


def count(value: Any, most: int = MOST) -> int:
    return _count("a count", value, most)


def _count(key: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise BrokenRule(f"{key} that is no number from 0 to {most}")
    return value


def _need(key: str, value: Any, kind: type[Value]) -> Value:
    if not isinstance(value, kind):
        raise BrokenRule(f"{key} that is no {kind.__name__}")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(name)
