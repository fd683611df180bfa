"""Hints for a parameter that was written as an option or an argument, such as `--limit 1000` or `limit=1000`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Optional

from .. import _sandbox
from .._sandbox.errors import is_fit
from . import chosen, spelling
from .failures import Stray

#: How many bytes of a source file are searched. Parameters are declared near the top.
_LARGEST = 1 << 18


def of(stray: Stray) -> Optional[str]:
    """Returns the right spelling; None if no simulation on the command line has such a parameter."""
    for word in stray.line:
        names = _names(word)
        name = stray.name if stray.name in names else spelling.nearest(stray.name, names)
        if name is None:
            continue
        # In `run --list primes` the word after the option is the simulation, not a value.
        is_value = stray.value is not None and stray.value != word and all(map(is_fit, stray.value))
        value = stray.value if is_value else "VALUE"
        return f"'{name}' is a parameter of {spelling.path(word)}; use -p {spelling.shell(f'{name}={value}')}"
    return None


def _names(word: str) -> list[str]:
    if word.endswith(".py"):
        try:
            text = Path(word).read_bytes()[:_LARGEST].decode("utf-8", "replace")
        except OSError:
            return []
        return [name.replace("_", "-") for name in re.findall(r"^ *(\w+) = (?:potluck\.)?Parameter\(", text, re.M)]
    octets = chosen.found(word)
    if octets is None:
        return []
    try:
        return [parameter.name for parameter in _sandbox.Module(octets).description.parameters]
    except _sandbox.ModuleError:
        return []
