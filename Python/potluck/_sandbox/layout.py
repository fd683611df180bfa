"""The tally of a module: which slots its fields have, and how tallies merge."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, Optional, Sequence

from .records import numbers, signed


class FieldKind(IntEnum):
    """What a field adds up, by its number in a description."""

    COUNT = 1
    SUM = 2
    MINIMUM = 3
    MAXIMUM = 4
    HISTOGRAM = 5
    MOMENTS = 6
    BEST = 8
    COMOMENTS = 9
    QUANTILES = 10
    COUNTS = 11
    SERIES = 12


#: The slots of a number, of a sum, of a best, and of quantiles.
_ONE, _SUM, _BEST, _QUANTILES = 1, 5, 2, 4100
#: Those of moments: a count and two sums.
MOMENTS = 1 + 2 * _SUM
_LONG = (1 << 64) - 1
#: The keys of no number, and of nothing found.
GREATEST, LEAST = (1 << 63) - 1, 1 << 63
#: Bits of the sum itself, before its flags.
_WIDE = 256
#: A count below this and another one have a sum of 64 bits.
_TOP = 0x80


class Field(NamedTuple):
    """A field of a tally."""

    name: str
    kind: FieldKind
    #: The ends of a histogram's bins; None for other fields.
    range: Optional[tuple[float, float]]
    #: The bins of a histogram, the numbers of comoments, the categories of counts, or the times of a series.
    bins: int = 0

    @property
    def slots(self) -> int:
        if self.kind == FieldKind.HISTOGRAM:
            return self.bins + 2
        if self.kind == FieldKind.COUNTS:
            return self.bins
        if self.kind == FieldKind.SERIES:
            return self.bins * MOMENTS
        if self.kind == FieldKind.COMOMENTS:
            return 1 + _SUM * (self.bins + self.bins * (self.bins + 1) // 2)
        return {
            FieldKind.SUM: _SUM, FieldKind.MOMENTS: MOMENTS, FieldKind.BEST: _BEST,
            FieldKind.QUANTILES: _QUANTILES}.get(self.kind, _ONE)

    def is_spoilt(self, own: Sequence[int]) -> bool:
        """Whether these slots say that a trial added a number that the field cannot hold, or filled a count."""
        if self.kind == FieldKind.MINIMUM:
            return own[0] == LEAST
        if self.kind == FieldKind.MAXIMUM:
            return own[0] == GREATEST
        if self.kind == FieldKind.SUM:
            return own[_SUM - 1] != 0
        if self.kind in (FieldKind.MOMENTS, FieldKind.COMOMENTS):
            return any(own[_SUM::_SUM])
        if self.kind == FieldKind.SERIES:
            return any(any(own[at + _SUM:at + MOMENTS:_SUM]) for at in range(0, len(own), MOMENTS))
        # A count stays at the largest number that it can hold.
        return self.kind != FieldKind.BEST and _LONG in own


class Layout:
    """The fields of a tally in their order. A tally is bytes, with eight for each slot."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = tuple(fields)
        self.slots = sum(field.slots for field in self.fields)
        #: The tally of no trials.
        self.empty = b"".join(_empty(field) for field in self.fields)

    def places(self) -> list[tuple[Field, int]]:
        """Returns each field with the place of its first slot."""
        found, at = [], 0
        for field in self.fields:
            found.append((field, at))
            at += field.slots
        return found

    def merged(self, one: bytes, other: bytes) -> bytes:
        """Returns the tally of the trials of both."""
        parts, at = [], 0
        for field in self.fields:
            end = at + 8 * field.slots
            parts.append(_merged(field.kind, one[at:end], other[at:end]))
            at = end
        return b"".join(parts)


def _empty(field: Field) -> bytes:
    if field.kind == FieldKind.MINIMUM:
        return numbers(GREATEST)
    if field.kind == FieldKind.MAXIMUM:
        return numbers(LEAST)
    if field.kind == FieldKind.BEST:
        return numbers(GREATEST, _LONG)
    return bytes(8 * field.slots)


def _merged(kind: FieldKind, one: bytes, other: bytes) -> bytes:
    if kind == FieldKind.SUM:
        return _sums(one, other)
    if kind in (FieldKind.MOMENTS, FieldKind.COMOMENTS):
        sums = (_sums(one[at:at + 8 * _SUM], other[at:at + 8 * _SUM]) for at in range(8, len(one), 8 * _SUM))
        return _counts(one[:8], other[:8]) + b"".join(sums)
    if kind == FieldKind.SERIES:
        return b"".join(
            _merged(FieldKind.MOMENTS, one[at:at + 8 * MOMENTS], other[at:at + 8 * MOMENTS])
            for at in range(0, len(one), 8 * MOMENTS))
    if kind == FieldKind.BEST:
        return min(one, other, key=lambda best: (_key(best), int.from_bytes(best[8:], "little")))
    if kind == FieldKind.MINIMUM:
        return min(one, other, key=_key)
    if kind == FieldKind.MAXIMUM:
        return max(one, other, key=_key)
    return _counts(one, other)


def _key(slot: bytes) -> int:
    return signed(int.from_bytes(slot[:8], "little"))


def _counts(one: bytes, other: bytes) -> bytes:
    """Adds counts, which stay at the greatest number of 64 bits."""
    if max(one[7::8], default=0) < _TOP and max(other[7::8], default=0) < _TOP:
        # No sum has more than 64 bits, so all are added as one number.
        return (int.from_bytes(one, "little") + int.from_bytes(other, "little")).to_bytes(len(one), "little")
    pairs = ((int.from_bytes(one[at:at + 8], "little"), int.from_bytes(other[at:at + 8], "little"))
             for at in range(0, len(one), 8))
    return numbers(*(min(a + b, _LONG) for a, b in pairs))


def _sums(one: bytes, other: bytes) -> bytes:
    """Adds 256 bits, and combines the flags."""
    total = int.from_bytes(one[:32], "little") + int.from_bytes(other[:32], "little")
    flags = int.from_bytes(one[32:], "little") | int.from_bytes(other[32:], "little")
    return (total & (1 << _WIDE) - 1).to_bytes(32, "little") + numbers(flags)
