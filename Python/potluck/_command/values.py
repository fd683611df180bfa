"""The values of parameters, as people read and type them (ParameterText.swift and SeveralText.swift)."""

from __future__ import annotations

import math
import re
from typing import Any, Optional, Sequence

from .._sandbox import Parameter
from .._sandbox.records import bits, real, signed
from . import figures, spelling
from .failures import ValueIsWrong

#: The most bytes of a value in a title.
_LONGEST = 100
#: As many names as fit on a line.
_FEW = 12


_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def decimal(word: str) -> Optional[float]:
    """Reads a number of a file; None for another word. `float` alone would also take "nan" and "1_000"."""
    number = float(word) if _DECIMAL.fullmatch(word) else math.inf
    return number if math.isfinite(number) else None


def text(parameter: Parameter, slot: int) -> str:
    """Returns a value as users read and type it."""
    if not parameter.allows(slot):
        return "?"
    if parameter.kind == "integer":
        return str(signed(slot))
    if parameter.kind == "real":
        return _short(real(slot))
    if parameter.kind == "choice":
        return parameter.names[slot]
    if parameter.kind == "flag":
        return "yes" if slot else "no"
    if slot == 0:
        return "none"
    chosen = [name for place, name in enumerate(parameter.names) if slot >> place & 1]
    return "all" if len(chosen) == len(parameter.names) > 1 else ",".join(chosen)


def brief(parameter: Parameter, slot: int) -> str:
    """The same, but a long list of names is the slot's number."""
    shown = text(parameter, slot)
    return shown if len(shown.encode()) <= _LONGEST else f"0x{slot:x}"


def plain(parameter: Parameter, slot: int) -> Any:
    """A value in the matching type of JSON."""
    if parameter.kind == "integer":
        return signed(slot)
    if parameter.kind == "real":
        return real(slot)
    if parameter.kind == "flag":
        return slot != 0
    if parameter.kind == "several":
        return [name for place, name in enumerate(parameter.names) if slot >> place & 1]
    return text(parameter, slot)


def domain(parameter: Parameter) -> str:
    """The permitted values: `3 to 100`, `call or put`, `yes or no`, `1 to 2 of ham, olives, rocket`."""
    if parameter.kind == "integer":
        return f"{_typed(str(parameter.low))} to {_typed(str(parameter.high))}"
    if parameter.kind == "real":
        return f"{_typed(_short(parameter.low))} to {_typed(_short(parameter.high))}"
    if parameter.kind == "flag":
        return "yes or no"
    names = parameter.names
    if parameter.kind == "choice":
        return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} or {names[-1]}"
    is_any = (parameter.low, parameter.high) == (0, len(names))
    return f"{'any' if is_any else _wanted(parameter)} of {', '.join(names)}"


def _wanted(parameter: Parameter) -> str:
    """How many names are permitted."""
    low, high = parameter.low, parameter.high
    if low == high:
        return str(low)
    if low == 0:
        return f"up to {high}"
    return f"{low} or more" if high == len(parameter.names) else f"{low} to {high}"


def slot(parameter: Parameter, typed: str) -> int:
    """Parses a typed value. The error completes a sentence that begins with the parameter's name."""
    wrong = ValueIsWrong(f"must be {domain(parameter)}")
    if parameter.kind == "integer":
        whole = _whole(typed)
        if whole is None and _is_number(typed):
            raise ValueIsWrong(f"must be a whole number, {domain(parameter)}")
        if whole is None or not parameter.low <= whole <= parameter.high:
            raise wrong
        return whole & (1 << 64) - 1
    if parameter.kind == "real":
        if not _is_number(typed) or not parameter.low <= float(typed) <= parameter.high:
            raise wrong
        # "-0" would be a different experiment from "0" with the same meaning.
        return bits(float(typed) or 0.0)
    if parameter.kind == "choice":
        if typed not in parameter.names:
            raise ValueIsWrong(f"must be {domain(parameter)}{spelling.hint(typed, parameter.names)}")
        return parameter.names.index(typed)
    if parameter.kind == "flag":
        if typed.lower() not in (*_YES, *_NO):
            raise wrong
        return int(typed.lower() in _YES)
    chosen = _several(parameter.names, typed.strip())
    count = bin(chosen).count("1")
    if not parameter.low <= count <= parameter.high:
        raise ValueIsWrong(f"must be {_wanted(parameter)} of {len(parameter.names)} names, not {count}")
    return chosen


_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def _several(names: Sequence[str], typed: str) -> int:
    wrong = ValueIsWrong(f"must be names with commas between them, such as {','.join(names[:2])}")
    if typed in ("none", "all"):
        return (1 << len(names)) - 1 if typed == "all" else 0
    if typed.startswith("0x"):
        if not re.fullmatch("0x[0-9a-fA-F]+", typed) or int(typed, 16) >> len(names):
            raise wrong
        return int(typed, 16)
    chosen = 0
    for name in (part.strip() for part in typed.split(",")):
        if not name or name in ("none", "all") or name.startswith("0x") or re.search(r"\s", name):
            raise wrong
        if name not in names:
            few = ", ".join(names[:_FEW]) + (", …" if len(names) > _FEW else "")
            found = spelling.hint(name, [*names, "all", "none"]) or f"; use {few}"
            raise ValueIsWrong(f"unknown name {spelling.quoted(name)}{found}")
        if chosen >> names.index(name) & 1:
            raise ValueIsWrong(f"'{name}' is given twice")
        chosen |= 1 << names.index(name)
    return chosen


def _is_number(typed: str) -> bool:
    return re.fullmatch(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", typed) is not None and math.isfinite(
        float(typed))


def _whole(typed: str) -> Optional[int]:
    """Parses `1000`, `1_000` and `1e3`."""
    if re.fullmatch(r"[-+]?[0-9]+", typed.replace("_", "")):
        value = int(typed.replace("_", ""))
    else:
        found = re.fullmatch(r"([-+]?[0-9]+)e\+?([0-9]{1,3})", typed)
        if found is None or int(found.group(2)) > 18:
            return None
        value = int(found.group(1)) * 10 ** int(found.group(2))
    return value if -(1 << 63) <= value < 1 << 63 else None


def _typed(number: str) -> str:
    """Shortens a bound with many zeros: `1e12`."""
    zeros = len(number) - len(number.rstrip("0"))
    return f"{number[:-zeros]}e{zeros}" if zeros >= 9 and re.fullmatch("[-0-9]+", number) else number


def _short(value: float) -> str:
    """Returns `0.2` and `100`, not `100.0`."""
    shown = figures.number(value)
    return shown[:-2] if shown.endswith(".0") else shown
