"""`potluck join ADDRESS`: this machine computes for a session."""

from __future__ import annotations

import sys
from typing import Callable

from .. import _platform
from . import machine
from .arguments import Command, invalid
from .guest import Ending
from .lend import MOST_CORES
from .place import Place, command
from .report import Report, count
from .worker import Offer, Worker

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
    return command(COMMAND, arguments, _prepare)


def _prepare(options: dict[str, str]) -> Callable[[Place, Report], Ending]:
    offer = _offer(options)
    return lambda place, report: Worker(place.address, offer, report, place.again).run()


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
