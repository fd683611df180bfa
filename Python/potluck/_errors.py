"""What can go wrong."""

from __future__ import annotations


class PotluckError(Exception):
    """A run or a question that failed. The text is the program's own line.

    `details` is everything that the program printed to stderr, such as a compiler's messages, and `code` is its exit
    code; None if it did not start or end.
    """

    def __init__(self, message: str, *, details: str = "", code: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
        self.code = code


class UsageError(PotluckError):
    """An argument that the program does not know or accept."""


class ProgramNotFound(PotluckError):
    """There is no program `potluck` to talk to."""


class PotluckWarning(UserWarning):
    """A remark of the program about a run that succeeded."""
