"""The digest of what was played in Python, as docs/RANDOM.md has it."""

from __future__ import annotations

import hashlib
import struct
from typing import Any, Sequence

import potluck

LONG = (1 << 64) - 1


def parameter_slots(work: Any) -> list[int]:
    """Returns the slots of an instance's parameters."""
    slots = []
    for name, parameter in type(work)._parameters.items():
        value = getattr(work, name)
        if parameter.kind == "real":
            slots.append(struct.unpack("<Q", struct.pack("<d", value))[0])
        elif parameter.kind == "choice":
            slots.append(parameter.names.index(value))
        elif parameter.kind == "several":
            slots.append(sum(1 << parameter.names.index(each) for each in value))
        else:
            slots.append(int(value) & LONG)
    return slots


def digest(work: Any, played: potluck.Played, name: str, source: str) -> str:
    """Returns the digest of a run whose simulation has this name and source."""
    octets = b"potluck result 1\n"
    for text in (name, source):
        octets += struct.pack("<Q", len(text.encode())) + text.encode()

    def numbers(values: Sequence[int]) -> bytes:
        return struct.pack("<Q", len(values)) + b"".join(struct.pack("<Q", value) for value in values)

    octets += struct.pack("<Q", 1) + numbers(parameter_slots(work))
    octets += struct.pack("<QQQ", played.seed, work.trials_in_block, played.trials) + numbers(played.slots)
    return hashlib.sha256(octets).hexdigest()
