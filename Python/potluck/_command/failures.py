"""How the command fails: with one line on stderr, and an exit code."""

from __future__ import annotations

from typing import NamedTuple, Optional

#: The exit codes: for success, a failure, wrong usage, and a run that Ctrl-C stopped.
SUCCESS, FAILURE, USAGE, INTERRUPTED = 0, 1, 2, 130


class Failure(Exception):
    """The command cannot do what it was asked for. The text is a line without the program's name."""


class Stray(NamedTuple):
    """An unknown word of a command line: `--name value`, `--name=value` or `name=value`."""

    name: str
    value: Optional[str]
    #: All words after the command's name.
    line: tuple[str, ...]


class UsageError(Exception):
    """A command line is wrong. `stray` is the unknown word, if that is the error."""

    def __init__(self, message: str, stray: Optional[Stray] = None) -> None:
        super().__init__(message)
        self.message, self.stray = message, stray


class ValueIsWrong(Exception):
    """Why a value is invalid: the end of a sentence."""


def of_value(text: str, name: str, why: object) -> UsageError:
    from . import spelling

    return UsageError(f"invalid value {spelling.quoted(text)} for {name}: {why}")
