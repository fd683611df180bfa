"""The parameters that a file has without a user, as slots of a module."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from potluck._language import reference


def standard(path: Path) -> list[int]:
    """Returns the slots of a file's standard parameters."""
    work: Any = reference._class(path.read_text(encoding="utf-8"), path.name)()
    return [slot(parameter, vars(work)[name]) for name, parameter in work._parameters.items()]


def slot(parameter: Any, value: Any) -> int:
    """Returns a parameter's value as a module gets it (docs/PLUGINS.md)."""
    if parameter.kind == "real":
        return int(struct.unpack("<Q", struct.pack("<d", value))[0])
    if parameter.kind == "choice":
        return int(parameter.names.index(value))
    if parameter.kind == "several":
        return sum(1 << parameter.names.index(name) for name in value)
    return int(value) % 2**64
