"""The names of streams, once for the compiler and for plain Python."""

from __future__ import annotations


def key(name: str) -> int:
    """The name's part of a stream's key: its hash by FNV-1a, with 64 bits."""
    found = 0xCBF2_9CE4_8422_2325
    for octet in name.encode():
        found = (found ^ octet) * 0x100_0000_01B3 & 0xFFFF_FFFF_FFFF_FFFF
    return found
