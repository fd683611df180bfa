"""Where the page of a session is: what `join` and `watch` have in common as commands."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Callable, NamedTuple, NoReturn, Optional

from .._command import bundle
from .._command.arguments import Arguments, Command, HelpWanted, Option, VersionWanted, parse
from .._command.canvas import Canvas
from .._command.failures import SUCCESS, Failure, UsageError
from .._sandbox import ModuleError
from . import near
from .guest import Ending, Guest
from .near import NoneNear
from .report import Report
from .ticket import Address, AddressError, address, server, ticket

ADDRESS = (
    "[ADDRESS]", "the address that the host shows, or 'potluck web' prints: http://ana.local:7077/#…; without its end "
    "potluck asks for the ticket. A session's name shows where it is")
JSON = Option("json", "print events as JSON, one object per line", "Output")
CONNECT_FILE = Option("connect-file", "wait for this file, and use the address in it", "Network", "FILE")

#: The exit code after SIGTERM.
_TERMINATED = 143
#: How often to look for a file that does not exist yet, in seconds.
_LOOK = 0.5
#: Bytes of a file with an address.
_LONGEST_FILE = 4096


class Place(NamedTuple):
    address: Address
    #: Returns the address that is the right one by now; None if it stays.
    again: Optional[Callable[[], Optional[Address]]]


class _Terminated(BaseException):
    """SIGTERM came."""


def _terminate(number: int, frame: Optional[FrameType]) -> NoReturn:
    raise _Terminated


def command(
    declared: Command, words: list[str], prepare: Callable[[Arguments], Callable[[Place, Report], Guest]]
) -> int:
    """Runs a command with the words after its name. `prepare` reads its options, and returns what makes the guest.

    Returns the exit code. Ctrl-C, errors of usage and failures are for the caller.
    """
    try:
        given = parse(declared, words, os.environ)
    except HelpWanted as wanted:
        print("\n".join(wanted.command.help(Canvas.of(sys.stdout).columns)))
        return SUCCESS
    except VersionWanted:
        print(f"potluck {bundle.version()}")
        return SUCCESS
    signal.signal(signal.SIGTERM, _terminate)
    try:
        make = prepare(given)
        report = Report(given.has(JSON))
        place = _place(declared, given)
        try:
            raise Failure(run(make(place, report)).why)
        finally:
            report.clear()
    except (ModuleError, NoneNear) as error:
        raise Failure(str(error)) from None
    except AddressError as error:
        raise UsageError(str(error)) from None
    except _Terminated:
        return _TERMINATED


def run(guest: Guest) -> Ending:
    """Runs a guest. Ctrl-C raises KeyboardInterrupt out of here, and SIGTERM what its handler raises.

    The first signal waits for the event in hand: an exception in the middle of it could get lost, or leave a lock behind
    for which the guest waits when it ends its processes. A second one does not wait.
    """
    handlers = {
        int(number): handler for number in (signal.SIGINT, signal.SIGTERM)
        if callable(handler := signal.getsignal(number))}

    def ask(number: int, frame: Optional[FrameType]) -> None:
        signal.signal(number, handlers[number])
        guest.inbox.put(partial(handlers[number], number, None))

    for number in handlers:
        signal.signal(number, ask)
    try:
        return guest.run()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _place(declared: Command, given: Arguments) -> Place:
    file, typed = given.value(CONNECT_FILE), given.words[0] if given.words else None
    if file is None:
        if not typed:
            raise UsageError(
                "an address is missing: type the one that the host's screen shows, in quotes, or a session's name, such as "
                f"potluck {declared.name} Monty")
        return Place(_asked(declared.name, typed), None)
    if typed is not None:
        raise UsageError("ADDRESS and --connect-file cannot be used together")
    path = Path(file)
    return Place(_wait(path), lambda: _written(path))


def _asked(name: str, typed: str) -> Address:
    """Returns the address that was typed. Asks for its ticket if that is missing and somebody can answer."""
    if "://" not in typed:
        place = _near(name, typed)
    elif "#" in typed or not sys.stdin.isatty():
        return address(typed)
    else:
        place = server(typed)
    while True:
        try:
            found = ticket(input("The six groups of four behind # in the address that the host shows: "))
        except EOFError:
            raise UsageError("no ticket was typed; it is the end of the address that 'potluck web' prints") from None
        if found is not None:
            return Address(*place, found)
        print("potluck: that is no ticket; it has six groups of four digits and letters", file=sys.stderr)


def _near(name: str, session: str) -> tuple[str, int]:
    """Returns where the page of a session is, which its host announces in this network."""
    print(f"Looking for {session}.", file=sys.stderr, flush=True)
    nodes = near.listen()
    found = near.find(session, nodes, near.with_pages(nodes))
    if sys.stdin.isatty():
        print(f"{found.name} serves {found.session} at {found.address}")
        return found.host, found.port
    raise NoneNear(
        f"{found.name} serves {found.session}; type 'potluck {name} {found.address}#…' with the end of the address "
        f"that 'potluck web {found.session}' prints there")


def _wait(path: Path) -> Address:
    """Waits for a file with an address."""
    if not path.exists():
        print(f"potluck: waiting for '{path}', which should get the address that 'potluck web' prints", file=sys.stderr)
    while not path.exists():
        time.sleep(_LOOK)
    found = _written(path)
    if found is None:
        raise AddressError(f"'{path}' holds no address of a page; it must be one like http://10.0.0.1:7077/#…")
    return found


def _written(path: Path) -> Optional[Address]:
    """Returns the address in a file; None if it holds none."""
    try:
        with path.open("rb") as file:
            return address(file.read(_LONGEST_FILE).decode("utf-8", "replace"))
    except (OSError, AddressError):
        return None
