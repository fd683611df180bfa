"""Words of 64 bits and the real numbers that they stand for."""

from __future__ import annotations

import struct

LONG = 0xFFFF_FFFF_FFFF_FFFF

_real = struct.Struct("<d")
_word = struct.Struct("<Q")
_pack_real, _unpack_real = _real.pack, _real.unpack
_pack_word, _unpack_word = _word.pack, _word.unpack


def bits(x: float) -> int:
    """Returns a real number's 64 bits as a whole number."""
    word: int = _unpack_word(_pack_real(x))[0]
    return word


def real(word: int) -> float:
    """Returns the real number with these bits, of which the lowest 64 count."""
    x: float = _unpack_real(_pack_word(word & LONG))[0]
    return x


def signed(word: int) -> int:
    """Returns the lowest 64 bits as a number in two's complement."""
    word &= LONG
    return word - (1 << 64) if word >> 63 else word


def upper(x: float) -> float:
    """Returns the first 26 bits of the significand. The rest has 27, so products of such halves are nearly exact."""
    return real(bits(x) & 0xFFFF_FFFF_F800_0000)
