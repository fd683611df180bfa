"""Parses what users type for numbers of trials, times, precisions, seeds, cores and sizes."""

from __future__ import annotations

import math
import re
from typing import Optional

from .._platform import PRIORITIES
from .._sandbox import limits
from .experiment import Limit, Precision
from .failures import ValueIsWrong
from .spelling import hint, quoted

_SUFFIXES = {"k": 3, "K": 3, "M": 6, "G": 9, "T": 12}
#: Longer than any run that a user waits for, in seconds.
_LONGEST = 366 * 24 * 3600
#: In rising order: in `1h30m` each unit is smaller than the one before it.
_UNITS = (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0))
#: More than any machine has.
_MOST_CORES = 1024
_MOST_SEED = (1 << 64) - 1
_DIGITS = r"[0-9](?:[0-9_]*[0-9])?"


def trials(text: str) -> int:
    """Parses `1000000`, `1_000_000`, `1e6`, `2.5k`, `10M`. Raises if that is not a whole number."""
    found = re.fullmatch(rf"({_DIGITS})(?:\.({_DIGITS}))?(?:([kKMGT])|[eE]\+?({_DIGITS}))?", text)
    if found is None:
        raise ValueIsWrong("not a number of trials; use a number like 1000000, 1e6 or 1M")
    whole, fraction, suffix, exponent = (part.replace("_", "") if part else "" for part in found.groups())
    power = _SUFFIXES[suffix] if suffix else int(exponent or 0)
    fraction = fraction.rstrip("0")
    if len(fraction) > power:
        raise ValueIsWrong("not a whole number of trials")
    significant = (whole + fraction).lstrip("0")
    if not significant:
        raise ValueIsWrong("must be at least 1")
    zeros = power - len(fraction)
    # 20 digits never fit, so an exponent of a million needs no memory either.
    if zeros > 20 or int(significant + "0" * zeros) > limits.MOST_TRIALS:
        raise ValueIsWrong("must be at most 1e18")
    return int(significant + "0" * zeros)


def duration(text: str) -> float:
    """Parses `10s`, `500ms`, `2m`, `1h30m`, as seconds. A number without a unit means seconds."""
    bare = _decimal(text)
    seconds, last, rest = bare or 0.0, len(_UNITS), "" if bare is not None else text
    while rest or bare is None and last == len(_UNITS) and seconds == 0:
        found = re.match(r"([0-9.]*)([A-Za-z]*)", rest)
        number, unit = found.groups() if found else ("", "")
        value = _decimal(number)
        place = next((place for place, (name, _) in enumerate(_UNITS) if name == unit), last)
        if value is None or place >= last:
            raise ValueIsWrong("not a time; use a time like 10s, 500ms, 2m or 1h30m")
        seconds, last, rest = seconds + value * _UNITS[place][1], place, rest[len(number) + len(unit):]
    if seconds <= 0:
        raise ValueIsWrong("must be more than 0")
    if seconds > _LONGEST:
        raise ValueIsWrong("must be at most 366 days")
    return seconds


def precision(text: str) -> Precision:
    """Parses a limit for all readings, or one for each of several: `wait<1% and p99<0.5`."""
    if "<" not in text:
        return Precision(_limit(text))
    named: list[tuple[str, Limit]] = []
    name = ""
    for clause in text.split(" and "):
        start, sign, rest = clause.rpartition("<")
        # The name of a reading may have an "and", too.
        if not sign:
            name += f"{clause} and "
            continue
        name = (name + start).strip()
        if not name:
            break
        if "<" in name and (" or " in name or "," in name):
            raise ValueIsWrong("join the readings with 'and': each of them is judged, as in 'wait<1% and p99<0.5'")
        if any(name == known for known, _ in named):
            raise ValueIsWrong(f"{quoted(name)} occurs twice")
        named.append((name, _limit(rest.strip())))
        name = ""
    else:
        if not name:
            return Precision(named=tuple(named))
    raise ValueIsWrong("each part is a reading and its precision, as in 'wait<1% and p99<0.5'")


def _limit(text: str) -> Limit:
    """Parses `0.0001`, or `0.01%` of the value."""
    is_relative = text.endswith("%")
    # Screens say `1 %`, so people type it.
    value = _decimal(text[:-1].rstrip() if is_relative else text)
    if value is None:
        raise ValueIsWrong(
            "not a precision; use a number like 0.0001, 0.01% of the value, or readings with theirs: 'wait<1% and p99<0.5'")
    if value <= 0:
        raise ValueIsWrong("must be more than 0")
    return Limit(value / 100 if is_relative else value, is_relative)


def seed(text: str) -> int:
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
        value = int(text, 16)
    else:
        value = int(text.replace("_", "")) if re.fullmatch(_DIGITS, text) else _MOST_SEED + 1
    if value > _MOST_SEED:
        raise ValueIsWrong(f"not a seed; use a whole number from 0 to {_MOST_SEED}")
    return value


def cores(text: str) -> int:
    if not re.fullmatch(r"[-+]?[0-9]+", text):
        raise ValueIsWrong("not a whole number")
    if not 1 <= int(text) <= _MOST_CORES:
        raise ValueIsWrong(f"must be from 1 to {_MOST_CORES}")
    return int(text)


def memory(text: str) -> int:
    found = re.fullmatch(r"([0-9]+)([kKmMgG]?)", text)
    if found is None:
        raise ValueIsWrong("not a size; use a size like 64M or 1G")
    octets = int(found.group(1)) << {"": 0, "k": 10, "m": 20, "g": 30}[found.group(2).lower()]
    if not limits.LEAST_MEMORY <= octets <= limits.MOST_MEMORY:
        raise ValueIsWrong("must be from 1M to 4G")
    return octets


def plugin_seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", text):
        raise ValueIsWrong("not a number of seconds")
    if not 0.1 <= float(text) <= 3600:
        raise ValueIsWrong("must be from 0.1 to 3600")
    return int(float(text) * 1000) / 1000


def _decimal(text: str) -> Optional[float]:
    if not re.fullmatch(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def priority(text: str) -> str:
    """Takes the name of a priority."""
    if text not in PRIORITIES:
        raise ValueIsWrong(f"must be one of {', '.join(PRIORITIES)}{hint(text, PRIORITIES)}")
    return text
