"""Why a module cannot be loaded or run, in the sentences of the program for Linux (SandboxError.swift)."""

from __future__ import annotations

import re
import unicodedata
from typing import Optional

from . import limits

VERSION = "50.0.1"

#: What most traps are: the instruction with which a language stops at a violated condition.
CRASH = (
    "it crashed: for example an index out of range, an overflow (Int has 32 bits in a plugin) or a failed precondition")
KEEPING = "it keeps something from one trial to the next, in a variable or an object that outlives them"
KEEPS_STATE = "but only after other blocks; the simulation keeps state between blocks"
#: The words for a wrong answer of a function. Authors never see a function of the interface.
_SUBJECTS = {
    "potluck_describe": "it declares something wrong",
    "potluck_configure": "its answer to the parameters is wrong",
    "potluck_run": "its result of a block is wrong",
    "potluck_read": "its readings are wrong",
}


class ModuleError(Exception):
    """A module cannot be loaded or run. The text is the end of a sentence that begins with its name and a colon."""


class Keeps(ModuleError):
    """Its trials depend on earlier ones."""

    def __init__(self) -> None:
        super().__init__(f"{KEEPING}; count in the tally, and let each trial start from nothing")


class Trap(ModuleError):
    """It did something that WebAssembly forbids. `places` are offsets in the module: of the trap, and of the calls that
    led there."""

    def __init__(self, text: str, places: tuple[int, ...] = ()) -> None:
        self.text, self.places = text, places
        super().__init__(_trap(text))


class Misuse(ModuleError):
    """It made a call that the kit cannot take: a sentence of the kit."""

    def __init__(self, why: str, places: tuple[int, ...] = ()) -> None:
        self.why, self.places = why, places
        super().__init__(why if re.match(r"line [0-9]+: ", why) else f"it crashed: {why}")


class OutOfTime(ModuleError):
    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"one call took longer than {duration(seconds)}; it hangs, or its blocks are too long: write "
            "blockSize, or in Python steps")


class ParameterError(Exception):
    """The module refuses its parameters or tables. `place` is the parameter that is out of range, if one is."""

    def __init__(self, why: str, place: Optional[int] = None) -> None:
        self.place = place
        super().__init__(why)


class TrialError(Exception):
    """Blocks failed. `block` is the one that did; None if no single one is at fault. The text is a sentence as in
    `ModuleError`."""

    def __init__(self, block: Optional[int], sentence: str) -> None:
        self.block, self.sentence = block, sentence
        super().__init__(sentence)


def out_of_memory(most: int) -> ModuleError:
    return ModuleError(f"it needs more than {most >> 20} MiB of memory; allow more with --plugin-memory")


def too_deep() -> ModuleError:
    return ModuleError(
        "its calls within calls are too many for the stack of a plugin, which is the same everywhere; let the function call "
        "itself less deeply, or keep a list of what is left to do")


def randomness() -> ModuleError:
    return ModuleError(
        "it asked for random numbers of the system, which are the same in every run; use those of the trial's random, "
        "for example random.below(6)")


def wrong_answer(function: str, why: str) -> ModuleError:
    return ModuleError(f"{_SUBJECTS.get(function, f'{function} returned a wrong answer')}: {why}")


def lacks(why: str) -> ModuleError:
    return ModuleError(f"the module lacks a part of the interface: {why}")


def undescribed(error: ModuleError) -> ModuleError:
    """Returns the error to report if this one occurred while the module described itself."""
    if isinstance(error, Misuse):
        return ModuleError(f"it crashed while describing itself: {error.why}")
    if isinstance(error, Trap) and "unreachable" in error.text:
        return ModuleError(
            "it crashed while describing itself; check that each parameter's default is inside its range or list, and "
            "that a list has 1 to 64 different names without commas or blanks")
    return error


def duration(seconds: float) -> str:
    """Returns a time as Swift writes a Duration: `2.0 seconds`."""
    return f"{float(seconds)!r} seconds"


#: A stack frame reaches below the memory by less than the largest memory of a module's usual size.
_FARTHEST_BELOW = (1 << 32) - 1 - limits.MEMORY


def _trap(text: str) -> str:
    if "unreachable" in text:
        return CRASH
    if _is_below_memory(text):
        return (
            "it crashed outside its memory, as a Swift plugin does when its stack of 128 KiB is full; use fewer bins (4000 "
            "in all the histograms of a tally fit), smaller values, or fewer calls within calls")
    if "call stack exhausted" in text:
        return "it crashed: its calls within calls are too many; a function probably calls itself without end"
    return f"it crashed: {text}"


def _is_below_memory(text: str) -> bool:
    if "out of bounds memory access" in text:
        return True
    found = re.search(r"memory fault at wasm address 0x([0-9a-f]+)", text)
    return found is not None and _FARTHEST_BELOW <= int(found.group(1), 16) < 1 << 32


def useful(message: str) -> str:
    """Returns the useful line of a message of wasmtime. Its other lines are about wasmtime's internals."""
    lines = [line.strip() for line in message.splitlines() if line]
    causes = [at for at, line in enumerate(lines) if line.startswith("Caused by:")]
    rest = lines[causes[0] + 1:] if causes else lines
    first = "".join(c for c in on_screen(rest[0] if rest else "no reason given") if c.isascii())
    first = re.sub(r"^[0-9]+: *", "", first)
    for prefix in ("wasm trap: ", "error while executing at wasm backtrace:"):
        if first.startswith(prefix):
            first = first[len(prefix):]
    return first


#: Characters that could control a terminal or turn the direction of text.
_UNFIT = ("Cc", "Zl", "Zp", "Cs", "Cn")
#: The joiners that emoji and Indic scripts need.
_JOINERS = "\u200c\u200d"


def is_fit(character: str) -> bool:
    """Whether a character from somebody else may be shown on a terminal."""
    kind = unicodedata.category(character)
    return character in _JOINERS if kind == "Cf" else kind not in _UNFIT


def on_screen(text: str) -> str:
    """Returns a text with an escape like `\\u{1b}` for each character that is not fit for a screen."""
    return "".join(c if is_fit(c) else f"\\u{{{ord(c):x}}}" for c in text)
