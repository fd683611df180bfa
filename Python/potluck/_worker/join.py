"""`potluck join ADDRESS`: this machine computes for a session."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn, Optional

from .. import _platform
from .._sandbox import ModuleError
from . import machine
from .arguments import Command, UsageError, invalid
from .lend import MOST_CORES
from .report import Report, count
from .ticket import Address, AddressError, address, server, ticket
from .worker import Ending, Offer, Worker

#: How often to look for a file that does not exist yet, in seconds.
_LOOK = 0.5
#: Bytes of a file with an address.
_LONGEST_FILE = 4096

COMMAND = Command(
    "join", "ADDRESS", {
        "connect-file": "FILE", "cores": "N", "name": "NAME", "on-battery": "pause|run", "priority": "LEVEL"},
    ("json", "help"), """Usage: potluck join ADDRESS [OPTIONS]

Compute for a session, as a browser with its page does.

  ADDRESS                 the address that the host shows, or 'potluck web'
                          prints: http://ana.local:7077/#…; without its end
                          potluck asks for the ticket. A session's name shows
                          which sessions are near

Where:
  --cores N               compute on N cores (default: all cores)
  --priority LEVEL        interactive, normal, utility or background (default:
                          background)
  --on-battery pause|run  whether to compute on battery (default: pause)

Session:
  --name NAME             this node's name (default: the machine's name)

Output:
  --json                  print events as JSON, one object per line

Network:
  --connect-file FILE     wait for this file, and use the address in it

  -h, --help              show this help

You can start this before the session starts. After a lost network, a closed lid
or a server crash, the node reconnects automatically. Ctrl-C leaves at once.
""")


def main(arguments: list[str]) -> int:
    """Runs the command with the words after its name. Returns the exit code."""
    try:
        if "--help" in arguments or "-h" in arguments:
            print(COMMAND.help, end="")
            return 0
        signal.signal(signal.SIGTERM, _terminate)
        ending = _join(arguments)
    except (UsageError, AddressError) as error:
        ending = Ending(2, str(error))
    except ModuleError as error:
        ending = Ending(1, str(error))
    except KeyboardInterrupt:
        return 130
    except _Terminated:
        return 143
    print(f"potluck: {ending.why}", file=sys.stderr)
    return ending.code


class _Terminated(BaseException):
    """SIGTERM came."""


def _terminate(number: int, frame: Optional[FrameType]) -> NoReturn:
    raise _Terminated


def _join(arguments: list[str]) -> Ending:
    typed, options = COMMAND.parse(arguments)
    offer = _offer(options)
    report = Report("json" in options)
    file = options.get("connect-file")
    if file is not None:
        if typed is not None:
            raise UsageError("ADDRESS and --connect-file cannot be used together")
        path = Path(file)
        where = _wait(path)
        worker = Worker(where, offer, report, lambda: _written(path))
    elif typed is None:
        raise UsageError(f"missing argument ADDRESS; {COMMAND.usage}")
    else:
        worker = Worker(_asked(typed), offer, report)
    try:
        ending = worker.run()
    finally:
        report.clear()
    report.event("ended", why=ending.why)
    return ending


def _offer(options: dict[str, str]) -> Offer:
    cores = min(_platform.cores(), MOST_CORES)
    if "cores" in options:
        text, most = options["cores"], MOST_CORES
        if not (text.isascii() and text.isdigit()):
            raise invalid(text, "cores", "not a whole number")
        if not 1 <= int(text) <= most:
            raise invalid(text, "cores", f"must be from 1 to {most}")
        if int(text) > cores:
            print(f"potluck: this machine has {count(cores, 'core')}, so --cores {text} does not make it faster",
                  file=sys.stderr)
        cores = int(text)
    name = options.get("name", machine.name())
    if not (name.isprintable() and name.strip() and len(name.encode()) <= 63):
        raise invalid(name, "name", "not a name of 1 to 63 bytes of printable text")
    priority = options.get("priority", "background")
    if priority not in machine.PRIORITIES:
        raise invalid(priority, "priority", f"must be one of {', '.join(machine.PRIORITIES)}")
    battery = options.get("on-battery", "pause")
    if battery not in ("pause", "run"):
        raise invalid(battery, "on-battery", "must be pause or run")
    return Offer(name, cores, priority, battery == "run")


def _asked(typed: str) -> Address:
    """Returns the address that was typed. Asks for its ticket if that is missing and somebody can answer."""
    if "#" in typed or not sys.stdin.isatty():
        return address(typed)
    place = server(typed)
    while True:
        text = input("The 20 characters behind # in the address that the host shows: ")
        found = ticket(text)
        if found is not None:
            return Address(*place, found)
        print("potluck: that is no ticket; large and small letters differ", file=sys.stderr)


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
