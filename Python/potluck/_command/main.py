"""The command `potluck`: finds the command and runs it."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Callable, Optional, Sequence

from . import absent, bundle, canvas, spelling
from .arguments import Arguments, Command, HelpWanted, VersionWanted, laid_out, parse, sentence
from .failures import FAILURE, SUCCESS, USAGE, Failure, UsageError

SUMMARY = "run simulations on one machine or on all laptops in a room"
#: Words of other programs, with the commands that they may mean here.
_SYNONYMS = {
    "list": "simulations", "ls": "simulations", "status": "watch", "ps": "watch", "top": "watch", "start": "run",
    "connect": "join"}
#: What the commands `join` and `watch` do. They read their own arguments.
_WORKER = {"join": "join a session", "watch": "watch the jobs of a session"}

Run = Callable[[Arguments], int]


def commands() -> dict[str, tuple[Command, Run]]:
    """The commands, in the order of the help. Only those of a session are not among them."""
    from . import check, doctor, new, run, simulations

    found = [
        (simulations.COMMAND, simulations.run), (run.COMMAND, run.run), (new.COMMAND, new.run),
        (check.COMMAND, check.run), (doctor.COMMAND, doctor.run)]
    return {command.name: (command, run) for command, run in found}


def main(words: Optional[Sequence[str]] = None) -> int:
    """Runs a command line, and returns the exit code."""
    canvas.prepare()
    try:
        return _run(list(sys.argv[1:] if words is None else words))
    except UsageError as error:
        from . import hints

        return _complain((hints.of(error.stray) if error.stray else None) or error.message, USAGE)
    except Failure as error:
        return _complain(str(error), FAILURE)
    except BrokenPipeError:
        # Nobody reads the rest. Python would complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except KeyboardInterrupt:
        return 130


def _run(words: list[str]) -> int:
    if not words or words[0] in ("--help", "-h") or words == ["help"] or words[0] == "help" and words[1].startswith("-"):
        return _print(_help())
    if words[0] in ("--version", "-V") or words == ["version"]:
        return _print([f"potluck {bundle.version()}"])
    name, line = words[0], words[1:]
    if name == "help":
        name, line = words[1], ["--help"]
    if name.startswith("-"):
        raise _misplaced(name)
    if name in _WORKER:
        return _worker(name, line)
    command, run = _named(name)
    try:
        arguments = parse(command, line, os.environ)
    except HelpWanted as wanted:
        return _print(wanted.command.help(canvas.Canvas.of(sys.stdout).columns))
    except VersionWanted:
        return _print([f"potluck {bundle.version()}"])
    return run(arguments)


def _worker(name: str, line: list[str]) -> int:
    # A run needs nothing of it.
    main: Callable[[list[str]], int] = importlib.import_module(f"potluck._worker.{name}").main
    return main(line)


def _named(name: str) -> tuple[Command, Run]:
    known = commands()
    if name in known:
        return known[name]
    if name in absent.COMMANDS:
        raise Failure(absent.command(name))
    if name.lower() in _SYNONYMS:
        raise UsageError(
            f"unknown command {spelling.quoted(name)}; did you mean 'potluck {_SYNONYMS[name.lower()]}'?")
    names = [*known, *_WORKER]
    found = spelling.hint(name, [*names, *absent.COMMANDS]) or f"; commands: {', '.join(names)}"
    raise UsageError(f"unknown command {spelling.quoted(name)}{found}")


def _misplaced(word: str) -> UsageError:
    """The error for an option before the command."""
    name = word.lstrip("-").partition("=")[0]
    for command, _ in commands().values():
        if any(name in (option.name, option.short) for option in command.options):
            return UsageError(f"options follow the command: potluck {command.name} {spelling.quoted(word)}")
    return UsageError(f"unknown option {spelling.quoted(word)}; see 'potluck --help'")


def _help() -> list[str]:
    rows = [(command.name, command.summary) for command, _ in commands().values()] + list(_WORKER.items())
    return laid_out(
        ["Usage: potluck COMMAND [OPTIONS]", sentence(SUMMARY), ("Commands:", rows),
         ("In the program for Linux:", list(absent.COMMANDS.items())),
         "See 'potluck COMMAND --help' for a command and 'potluck --version' for the version.",
         f"This is the command in Python. The program for Linux has more: {absent.WHERE}."],
        canvas.Canvas.of(sys.stdout).columns)


def _print(lines: Sequence[str]) -> int:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return SUCCESS


def _complain(line: str, code: int) -> int:
    from .run import complain

    sys.stdout.flush()
    complain(line)
    return code
