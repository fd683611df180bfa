"""What a gathering writes, and the print of it in the tally."""

from __future__ import annotations

import hashlib
import math
import struct
from typing import Sequence, Union

from .tally import Count, ExactSum, Field

#: Numbers above this are written with an exponent. Python itself begins at 1e16.
_MOST_PLAIN = 2.0**53
#: The sums of hashes in a print.
_SUMS = 4


class Output:
    """Takes what a block of a gathering writes. The outputs of all blocks are joined in order."""

    def __init__(self) -> None:
        #: The bytes written so far.
        self.octets = bytearray()

    def write(self, value: Union[str, int, float]) -> None:
        """Appends text, a whole number in decimal digits, or a real number as the shortest text that reads the same."""
        self.octets += text(value).encode()

    def line(self, value: Union[str, int, float] = "") -> None:
        """Appends the same as `write`, and a line feed."""
        self.write(value)
        self.octets += b"\n"

    def put(self, number: float) -> None:
        """Appends a real number of a row as its eight bytes."""
        self.octets += struct.pack("<d", math.nan if math.isnan(number) else number)


def text(value: Union[str, int, float]) -> str:
    """Returns a value as a gathering writes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(int(value))
    shortest = repr(value)
    if not _MOST_PLAIN < abs(value) < 1e16:
        return shortest
    sign, digits = "-" * (value < 0), shortest.lstrip("-").split(".")[0]
    return f"{sign}{digits[0]}.{digits[1:].rstrip('0')}e+{len(digits) - 1}"


class Print(Field):
    """The print of an output: the number of its bytes, and four sums of hashes of its blocks."""

    def __init__(self) -> None:
        self._octets = Count()
        self._sums = [ExactSum() for _ in range(_SUMS)]

    def add(self, block: int, octets: bytes) -> None:
        """Adds the bytes of a block."""
        self._octets.add(len(octets))
        own = hashlib.sha256(octets).digest()
        for k, total in enumerate(self._sums):
            hashed = hashlib.sha256(own + struct.pack("<QQ", block, k)).digest()
            total.merge([*struct.unpack("<4Q", hashed), 0])

    def slots(self) -> list[int]:
        return [*self._octets.slots(), *(slot for total in self._sums for slot in total.slots())]

    def merge(self, slots: Sequence[int]) -> None:
        self._octets.merge(slots[:1])
        for k, total in enumerate(self._sums):
            total.merge(slots[1 + 5 * k:6 + 5 * k])
