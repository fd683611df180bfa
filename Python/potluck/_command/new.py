"""`potluck new`: creates a simulation to start from."""

from __future__ import annotations

import os
import re
import sys

from . import spelling
from .arguments import Arguments, Command, Option
from .failures import SUCCESS, Failure, UsageError

_LONGEST = 40
#: Names of classes that mean something else in the file or in Python.
_TAKEN = ("Count", "False", "None", "Parameter", "True")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

PYTHON = Option("python", "create a simulation in Python, as is usual here", "What to compute")

COMMAND = Command(
    "new", "create a simulation to start from",
    (("NAME", "its name: lower-case letters, digits and hyphens"),), (PYTHON,),
    ("This creates the folder NAME with one file, which runs as it is.",), ("new --python doublets",))


def run(arguments: Arguments) -> int:
    name = arguments.words[0]
    if not re.fullmatch(r"[a-z](?:[a-z0-9-]*[a-z0-9])?", name) or len(name) > _LONGEST:
        raise UsageError(
            f"invalid name {spelling.quoted(name)}: use lower-case letters, digits and hyphens, beginning with a letter, at "
            f"most {_LONGEST} in all")
    try:
        os.mkdir(name)
    except FileExistsError:
        raise Failure(f"{name} already exists; choose another name") from None
    except OSError as error:
        raise Failure(f"cannot create the folder {name}: {error.strerror}") from None
    path = f"{name}/{name}.py"
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(template(name))
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from None
    sys.stdout.write(
        f"Created {path}. Edit it, then:\n\n"
        f"    potluck run {path}      run it on this machine\n"
        f"    potluck check {path}    check the rules that make results exact\n")
    return SUCCESS


def template(name: str) -> str:
    """The file: a small, complete simulation with comments on each decision of the author."""
    type = "".join(part[:1].upper() + part[1:] for part in name.split("-"))
    return _TEXT.format(type=f"{type}Simulation" if type in _TAKEN else type, name=name, dice=_dice(name))


def _dice(name: str) -> int:
    """The number of dice: 3 for `three-dice`, and 2 for a name without a number."""
    for word in name.split("-"):
        if word in _NUMBERS:
            return _NUMBERS.index(word) + 2
        if word.isdigit() and 2 <= int(word) <= 10:
            return int(word)
    return 2


_TEXT = '''\
import potluck
from potluck import Count, Parameter, proportion


class {type}(potluck.Simulation):
    """How often do all dice show the same number?

    The line above says what the simulation computes. Replace it with your own question.
    """

    # The name for `potluck run`.
    name = "{name}"

    # Parameters, set with: `potluck run {name}.py -p sides=20`.
    dice = Parameter({dice}, "how many dice", 2, 10)
    sides = Parameter(6, "sides of each die", 2, 100)

    # What the trials count. There are also ExactSum, Moments, Minimum, Maximum and Histogram. All merge exactly, so
    # the result is the same on one laptop and on twenty.
    same = Count()

    # One trial. Take random numbers only from `random`. Nothing but the tally outlives a trial.
    def trial(self, random):
        first = random.below(self.sides)
        is_same = True
        for _ in range(1, self.dice):
            number = random.below(self.sides)
            self.note(f"{{first}} and {{number}}")  # shown by `potluck replay`; costs nothing otherwise
            if number != first:
                is_same = False
        self.same.add(is_same)

    # The numbers to show, with the exact answer if you know it.
    readings = [proportion("same", same, exact=lambda self: (1 / self.sides) ** (self.dice - 1))]
'''
