"""`potluck join ADDRESS`: this machine computes for a session."""

from __future__ import annotations

import sys
from typing import Callable

from .. import _platform
from .._command import quantities
from .._command.arguments import Arguments, Command, Option
from .._command.failures import ValueIsWrong
from . import machine
from .place import ADDRESS, CONNECT_FILE, JSON, Place, command
from .report import Report, count
from .worker import Offer, Worker

#: The protocol allows no more cores of one worker.
MOST_CORES = 64
#: Bytes of a name in a beacon.
_LONGEST_NAME = 63


def _cores(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueIsWrong("not a whole number")
    if not 1 <= int(text) <= MOST_CORES:
        raise ValueIsWrong(f"must be from 1 to {MOST_CORES}")
    return int(text)


def _on_battery(text: str) -> bool:
    if text not in ("pause", "run"):
        raise ValueIsWrong("must be pause or run")
    return text == "run"


def _name(text: str) -> str:
    if not (text.isprintable() and text.strip() and len(text.encode()) <= _LONGEST_NAME):
        raise ValueIsWrong("not a name of 1 to 63 bytes of printable text")
    return text


CORES = Option("cores", "compute on N cores", "Where", "N", standard="all cores", read=_cores)
PRIORITY = Option(
    "priority", "interactive, normal, utility or background", "Where", "LEVEL", standard="background",
    read=quantities.priority)
ON_BATTERY = Option(
    "on-battery", "whether to compute on battery", "Where", "pause|run", standard="pause", read=_on_battery)
NAME = Option("name", "this node's name", "Session", "NAME", standard="the machine's name", read=_name)

COMMAND = Command(
    "join", "join a session", (ADDRESS,), (CORES, PRIORITY, ON_BATTERY, NAME, JSON, CONNECT_FILE),
    ("This machine computes for the session as a browser with its page does. You can start this before the session "
     "starts. After a lost network, a closed lid or a server crash, the node reconnects automatically. Ctrl-C leaves at "
     "once.",),
    ("join http://ana.local:7077/#…", "join --connect-file address --cores 2", "join Monty"))


def main(words: list[str]) -> int:
    """Runs the command with the words after its name. Returns the exit code."""
    return command(COMMAND, words, _prepare)


def _prepare(given: Arguments) -> Callable[[Place, Report], Worker]:
    has, wanted = min(_platform.cores(), MOST_CORES), given.value(CORES)
    if wanted is not None and wanted > has:
        remark = f"this machine has {count(has, 'core')}, so --cores {wanted} does not make it faster"
        print(f"potluck: {remark}", file=sys.stderr)
    offer = Offer(
        given.value(NAME) or machine.name(), wanted or has, given.value(PRIORITY) or "background",
        bool(given.value(ON_BATTERY)))
    return lambda place, report: Worker(place.address, offer, report, place.again)
