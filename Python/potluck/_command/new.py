"""`potluck new`: creates a simulation to start from."""

from __future__ import annotations

import os
import re
import sys

from . import spelling, texts
from .arguments import Arguments, Command, Option
from .failures import SUCCESS, Failure, UsageError

_LONGEST = 40
#: Names of classes that mean something else in the file or in Python.
_TAKEN = ("Count", "Empirical", "False", "Moments", "None", "Parameter", "Quantiles", "Series", "Table", "True")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

PYTHON = Option("python", "create a simulation in Python, as is usual here", "What to compute")
DATA = Option("data", "begin with numbers from a file", "What to compute")
SERIES = Option("series", "begin with a curve over time", "What to compute")
#: The file of numbers of a kind.
_NUMBERS_OF = {"data": "heights.csv"}

COMMAND = Command(
    "new", "create a simulation to start from",
    (("NAME", "its name: lower-case letters, digits and hyphens"),), (PYTHON, DATA, SERIES),
    ("This creates the folder NAME with a file, which runs as it is.",), ("new doublets", "new --data tallest"))


def run(arguments: Arguments) -> int:
    name = arguments.words[0]
    if not re.fullmatch(r"[a-z](?:[a-z0-9-]*[a-z0-9])?", name) or len(name) > _LONGEST:
        raise UsageError(
            f"invalid name {spelling.quoted(name)}: use lower-case letters, digits and hyphens, beginning with a letter, at "
            f"most {_LONGEST} in all")
    if arguments.has(DATA) and arguments.has(SERIES):
        raise UsageError("--data and --series cannot be used together; create two simulations")
    kind = "data" if arguments.has(DATA) else "series" if arguments.has(SERIES) else "dice"
    try:
        os.mkdir(name)
    except FileExistsError:
        raise Failure(f"{name} already exists; choose another name") from None
    except OSError as error:
        raise Failure(f"cannot create the folder {name}: {error.strerror}") from None
    path = f"{name}/{name}.py"
    _write(path, template(name, kind))
    words = path
    if kind in _NUMBERS_OF:
        numbers = f"{name}/{_NUMBERS_OF[kind]}"
        _write(numbers, texts.read(_NUMBERS_OF[kind]))
        words += f" --input people={numbers}"
    sys.stdout.write(
        f"Created {path}. Edit it, then:\n\n"
        f"    potluck run {words}      run it on this machine\n"
        f"    potluck check {words}    check the rules that make results exact\n")
    return SUCCESS


def _write(path: str, text: str) -> None:
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from None


def template(name: str, kind: str) -> str:
    """The file: a small, complete simulation with comments on each decision of the author."""
    type = "".join(part[:1].upper() + part[1:] for part in name.split("-"))
    return (
        texts.read(f"{kind}.py.txt").replace("ExampleName", f"{type}Simulation" if type in _TAKEN else type)
        .replace("example-name", name).replace("Parameter(2, ", f"Parameter({_dice(name)}, "))


def _dice(name: str) -> int:
    """The number of dice: 3 for `three-dice`, and 2 for a name without a number."""
    for word in name.split("-"):
        if word in _NUMBERS:
            return _NUMBERS.index(word) + 2
        if word.isdigit() and 2 <= int(word) <= 10:
            return int(word)
    return 2
