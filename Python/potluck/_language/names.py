"""The names that users type, made from those of Python."""

from __future__ import annotations

import re

#: Between a small letter or a digit and a capital, and before the last capital of several: MontyHall, UrnABC2Run.
_NEW_WORD = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def of_class(name: str) -> str:
    """Returns the name of a simulation whose class has none: MontyHall is monty-hall."""
    return _NEW_WORD.sub("-", name).replace("_", "-").lower().strip("-")


def of_attribute(name: str) -> str:
    """Returns the word of a parameter: a dash for each underscore, and nothing for one at the end, which a name needs
    that is a word of Python's own."""
    return name.rstrip("_").replace("_", "-")
