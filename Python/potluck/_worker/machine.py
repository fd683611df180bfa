"""What a worker asks its machine: the power, a name."""

from __future__ import annotations

import socket
from enum import Enum
from pathlib import Path
from typing import Optional

POWER_SUPPLIES = Path("/sys/class/power_supply")
#: Bytes of a word in there. The longest that the system writes has twelve.
_LONGEST_WORD = 64


def name() -> str:
    """The machine's name, if it can be shown."""
    own = socket.gethostname()
    return own if own.isprintable() and own.strip() else "potluck"


class Power(Enum):
    MAINS = "mains"
    BATTERY = "battery"
    #: The system tells nothing, as on a desktop, and this worker asks only Linux.
    UNKNOWN = "unknown"


def power(folder: Path = POWER_SUPPLIES) -> Power:
    """Reads the present source of power, by the native program's rules (PowerSupply.swift)."""
    has_mains = is_plugged = has_battery = is_discharging = is_charging = False
    try:
        supplies = sorted(folder.iterdir())
    except OSError:
        return Power.UNKNOWN
    for supply in supplies:
        kind = _word(supply / "type")
        # The battery of a mouse or another device says nothing about the machine.
        if kind is None or _word(supply / "scope") == "device":
            continue
        if kind in ("battery", "ups"):
            if _word(supply / "present") != "0":
                has_battery = True
                status = _word(supply / "status")
                is_discharging |= status == "discharging"
                is_charging |= status in ("charging", "full", "not charging")
        else:
            # Mains and all kinds of USB and wireless chargers report whether they supply power.
            online = _word(supply / "online")
            has_mains |= online is not None and online.isdigit()
            is_plugged |= online is not None and online.isdigit() and online != "0"
    if is_plugged:
        return Power.MAINS
    if not has_battery:
        return Power.UNKNOWN
    if is_discharging:
        return Power.BATTERY
    return Power.BATTERY if has_mains and not is_charging else Power.MAINS if is_charging else Power.UNKNOWN


def _word(path: Path) -> Optional[str]:
    """Returns the first line of a file in lower case; None if there is none."""
    try:
        with path.open("rb") as file:
            line = file.read(_LONGEST_WORD).split(b"\n")[0].split(b"\0")[0]
    except OSError:
        return None
    return line.decode("utf-8", "replace").lower() or None
