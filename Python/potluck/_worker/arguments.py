"""The words of a command line, with the errors of the native program."""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence


class UsageError(Exception):
    """The command line is wrong. The message is one line."""


class Command(NamedTuple):
    """A command with at most one argument."""

    name: str
    argument: str
    #: The options with a value, and what stands for it.
    options: dict[str, str]
    flags: Sequence[str]
    help: str

    @property
    def usage(self) -> str:
        return f"usage: potluck {self.name} {self.argument} [OPTIONS]"

    def parse(self, words: Sequence[str]) -> tuple[Optional[str], dict[str, str]]:
        """Returns the argument, and the options by name. A flag has the value `yes`."""
        rest, given, argument = list(words), dict[str, str](), None
        while rest:
            word = rest.pop(0)
            if not word.startswith("-") or word == "-":
                if argument is not None:
                    raise UsageError(f"unexpected argument '{word}'; {self.usage}")
                argument = word
                continue
            name, has_value, value = word[2:].partition("=") if word.startswith("--") else (word, "", "")
            if name in given:
                raise UsageError(f"--{name} is given twice")
            if name in self.flags:
                if has_value:
                    raise UsageError(f"--{name} takes no value")
                value = "yes"
            elif name not in self.options:
                raise UsageError(f"unknown option '{word}'; see 'potluck {self.name} --help'")
            elif not has_value:
                if not rest or rest[0].startswith("--"):
                    raise UsageError(f"--{name} needs a value; usage: --{name} {self.options[name]}")
                value = rest.pop(0)
            given[name] = value
        return argument, given


def invalid(value: str, name: str, reason: str) -> UsageError:
    return UsageError(f"invalid value '{value}' for --{name}: {reason}")
