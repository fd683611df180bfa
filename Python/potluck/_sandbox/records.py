"""Records: what a module is asked, and what it answers (docs/PLUGINS.md). Every answer is read as if it were a lie."""

from __future__ import annotations

import math
import struct
import unicodedata
from typing import Iterable

from .errors import ModuleError, wrong_answer

#: Bytes of a word, which people type.
_LONGEST_WORD = 64
#: What a shell gives a meaning to.
_SPECIAL = frozenset(" \"'\\$`|&;<>(){}*?!#~=")
#: Characters that could control a terminal, or that nobody sees.
_UNPRINTABLE = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")


def numbers(*values: int) -> bytes:
    """Returns slots with these numbers, of at most 64 bits each."""
    return struct.pack(f"<{len(values)}Q", *(value & (1 << 64) - 1 for value in values))


def octets(payload: bytes) -> bytes:
    """Returns bytes with their length before them, padded to whole slots."""
    return numbers(len(payload)) + payload + bytes(-len(payload) % 8)


def slots(record: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(record) // 8}Q", record)


def real(slot: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", slot))[0])


def bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def signed(slot: int) -> int:
    return slot - (1 << 64) if slot >> 63 else slot


class Record:
    """Reads the fields of an answer in their order."""

    def __init__(self, function: str, answer: bytes) -> None:
        self._function, self._rest, self._at = function, answer, 0

    def wrong(self, why: str) -> ModuleError:
        return wrong_answer(self._function, why)

    def _take(self, count: int) -> bytes:
        if self._at + count > len(self._rest):
            raise self.wrong("it is too short")
        self._at += count
        return self._rest[self._at - count:self._at]

    def number(self) -> int:
        return int.from_bytes(self._take(8), "little")

    def finite(self, what: str) -> float:
        value = real(self.number())
        if not math.isfinite(value):
            raise self.wrong(f"{what} is not a number")
        return value

    def range(self, what: str) -> tuple[float, float]:
        low, high = self.finite(what), self.finite(what)
        if low > high:
            raise self.wrong(f"{what} ends before it begins")
        return low, high

    def count(self, what: str, most: int) -> int:
        """Reads the number of elements that follow."""
        count = self.number()
        if count > most:
            raise self.wrong(f"{count} {what}, more than the limit of {most}")
        return count

    def slots(self, count: int) -> bytes:
        return self._take(8 * count)

    def octets(self, most: int) -> bytes:
        count = self.count("bytes", most)
        return self._take((count + 7) // 8 * 8)[:count]

    def line(self, what: str, most: int) -> str:
        """Reads a text for people, which an author chose."""
        count = self.number()
        if count > most:
            raise self.wrong(f"{what} is too long: {count} bytes, and {most} are the most")
        try:
            text = self._take((count + 7) // 8 * 8)[:count].decode()
        except UnicodeDecodeError:
            raise self.wrong(f"{what} is not UTF-8") from None
        if any(unicodedata.category(character) in _UNPRINTABLE for character in text):
            raise self.wrong(f"{what} has unprintable characters; use one line of plain text")
        return text

    def word(self, what: str) -> str:
        """Reads a name that users type."""
        text = self.line(what, _LONGEST_WORD)
        if not text:
            raise self.wrong(f"{what} is empty")
        if text.startswith("-") or not _SPECIAL.isdisjoint(text):
            raise self.wrong(f'{what} is "{text}"; it must be one word of letters, digits and hyphens')
        return text

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._rest)

    def end(self) -> None:
        if self._at != len(self._rest):
            raise self.wrong("it is too long")


def repeated(names: Iterable[str]) -> str:
    """Returns the first name that occurs twice; empty if none does."""
    known: set[str] = set()
    for name in names:
        if name in known:
            return name
        known.add(name)
    return ""
