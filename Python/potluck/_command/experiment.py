"""What decides a result: the simulation, its parameters, its seed and its goal; and the digest of the result."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Optional, Sequence

from .._sandbox import Reading
from .._sandbox.records import numbers

#: 2^(k/4)·2⁶² rounded, for k = 0…3.
_ROOTS = (0x4000_0000_0000_0000, 0x4C1B_F828_C6DC_54B8, 0x5A82_7999_FCEF_3242, 0x6BA2_7E65_6B4E_B57A)
#: The version of the kit's random streams.
STREAMS = 1


class Limit(NamedTuple):
    """The most that half the width of a reading's 95 % interval may be."""

    width: float
    #: Whether it is relative to the reading's value: 0.0001 is 0.01 %.
    is_relative: bool

    def is_reached(self, reading: Reading) -> bool:
        half = half_width(reading)
        if not reading.varies or half is None or reading.value is None:
            return False
        return half <= (self.width * abs(reading.value) if self.is_relative else self.width)


class Precision(NamedTuple):
    """The precision at which a run stops: of every reading that has an interval, or of the named ones only."""

    every: Optional[Limit] = None
    #: The names of the readings that are judged, with their limits; empty if all have the same one.
    named: tuple[tuple[str, Limit], ...] = ()

    def is_reached(self, readings: Sequence[Reading]) -> bool:
        if self.every is None:
            found = {reading.name: reading for reading in readings}
            return all(name in found and limit.is_reached(found[name]) for name, limit in self.named)
        judged = [reading for reading in readings if half_width(reading) is not None]
        return bool(judged) and all(self.every.is_reached(reading) for reading in judged)


def half_width(reading: Reading) -> Optional[float]:
    """Half the width of a reading's interval."""
    return None if reading.interval is None else (reading.interval[1] - reading.interval[0]) / 2


class Goal(NamedTuple):
    """When a run is done. A goal without all of these runs until it is stopped."""

    trials: Optional[int] = None
    precision: Optional[Precision] = None
    seconds: Optional[float] = None


def checkpoint(k: int) -> int:
    """Returns the number of blocks before checkpoint k, where a precision is judged: ⌈16·2^(k/4)⌉."""
    shift, root = 58 - k // 4, _ROOTS[k % 4]
    return (root >> shift) + (root & (1 << shift) - 1 != 0)


def checkpoint_after(block: int) -> int:
    """Returns the first checkpoint with more than `block` blocks before it."""
    k = 0 if block < 16 else 4 * (block.bit_length() - 5)
    while checkpoint(k) <= block:
        k += 1
    return k


def digest(
    name: str, source: str, parameters: Sequence[int], seed: int, block_size: int, trials: int, tally: bytes
) -> str:
    """Returns the digest of a result (docs/RANDOM.md)."""
    octets = b"potluck result 1\n" + _text(name) + _text(source) + numbers(STREAMS)
    octets += numbers(len(parameters), *parameters, seed, block_size, trials, len(tally) // 8) + tally
    return hashlib.sha256(octets).hexdigest()


def _text(text: str) -> bytes:
    return numbers(len(text.encode())) + text.encode()
