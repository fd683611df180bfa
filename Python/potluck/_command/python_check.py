"""Compares a module made of a file in Python with Python itself, where the author can look into it with a debugger
(PythonCheck.swift)."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple, Optional, Sequence

from .. import _platform
from .._kit.output import Print
from .._sandbox import Chunk, Shape, TrialError
from .._sandbox.records import numbers, slots
from . import spelling, tables, values
from .chosen import Chosen
from .failures import Failure
from .reading_check import BROKEN, KEPT, REMARK, Finding
from .texts import text

#: The trials of a quick check: ten of each lane.
_QUICK = 160
#: The trials of the second block. A short last block has its own way through the lanes.
_REST = 5
#: Seconds of CPU time for the trials, and of the clock. A check takes some seconds, and Python a hundred times as long as a
#: module.
_PROCESSOR, _PATIENCE = 60, 300
#: Bytes of memory. A module has at most as many.
_MEMORY = 4 << 30
#: Starts the reference with the whole package, within the limits.
_CALL = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from potluck import _platform; "
    "_platform.limit(int(sys.argv.pop(1)), int(sys.argv.pop(1))); "
    "from potluck._language.command import main; main(sys.argv[1:])")
_FILE = "author.py"


class _NotCompared(Exception):
    """Why Python itself gives no answer."""


class _Answer(NamedTuple):
    """What Python itself computes of blocks."""

    slots: tuple[int, ...]
    #: Why it stops: the line and a sentence.
    failure: Optional[str]
    #: Why a reading has no value, by its name.
    unread: dict[str, str]


class PythonCheck:
    def __init__(self, chosen: Chosen, chunk: Chunk, parameters: Sequence[int], payload: bytes, seed: int) -> None:
        self._chosen, self._chunk, self._seed = chosen, chunk, seed
        declared = chosen.description.parameters
        self._words = [f"{each.name}={values.text(each, slot)}" for each, slot in zip(declared, parameters)]
        self._tables = _tables(payload, [input.name for input in chosen.description.inputs])

    def findings(self, failure: Optional[tuple[str, int]], is_quick: bool) -> list[Finding]:
        """Compares the first blocks.

        failure: the sentence and the block with which the module stopped before; then that block is compared
        """
        size, units = self._chunk.ready.block_size, self._chunk.ready.units
        most = units if units is not None else 1 << 64
        try:
            if failure is not None:
                sentence, block = failure
                return [self._stop(sentence, block, min(most, (block + 1) * size))]
            return self._compare(min(most, min(size, _QUICK) if is_quick else size + _REST))
        except _NotCompared as why:
            return [Finding(REMARK, text("notCompared", why=why))]

    def _compare(self, trials: int) -> list[Finding]:
        """Compares the tallies of the first trials."""
        end = -(-trials // self._chunk.ready.block_size)
        difference, unread = self._differences(0, end, trials)
        if difference is None:
            kept = Finding(KEPT, text("pythonAgrees", trials=trials))
            return [kept, *(
                Finding(REMARK, text("noValueBecause", name=name, trials=trials, why=why)) for name, why in sorted(unread.items()))]
        # The first block that differs. Where only both together do, the author is told so.
        for block in range(end):
            found, _ = self._differences(block, block + 1, trials)
            if found is not None:
                return [self._broken(found, f"block {block}")]
        return [self._broken("the tally", text("together", first=0, last=end - 1))]

    def _stop(self, sentence: str, block: int, trials: int) -> Finding:
        """Compares the end of a run in a block."""
        if not re.search("(?:^|: )line [0-9]+: ", sentence):
            raise _NotCompared(text("noLine"))
        difference, _ = self._differences(block, block + 1, trials)
        if difference is not None:
            return self._broken(difference, f"block {block}")
        return Finding(KEPT, text("pythonStops"))

    def _broken(self, what: str, place: str) -> Finding:
        return Finding(
            BROKEN, text("pythonDiffers", place=place, seed=self._seed, what=what))

    def _differences(self, first: int, end: int, trials: int) -> tuple[Optional[str], dict[str, str]]:
        """Says what differs in blocks, None if nothing does, and which readings have no value and why. `trials` are those of
        the blocks before `end`."""
        size = self._chunk.ready.block_size
        own: tuple[int, ...] = ()
        failure: Optional[str] = None
        try:
            own = self._own(first, end, trials)
        except TrialError as error:
            place = "" if error.block is None else f", block {error.block}"
            failure = f"{self._chosen.label}, seed {self._seed}{place}: {error.sentence}"
        answer = self._play(first, end, min(trials, end * size) - first * size)
        if answer.failure is not None:
            is_same = failure is not None and failure.endswith(f": {answer.failure}")
            return None if is_same else text("stopsWith", sentence=answer.failure), {}
        if failure is not None:
            return text("doesNotStop", failure=failure), {}
        if len(answer.slots) != len(own):
            return text("otherLength", count=len(answer.slots)), {}
        names = [name for name, begin, after in self._fields() if answer.slots[begin:after] != own[begin:after]]
        if names:
            return f"{', '.join(names)} {'differs' if len(names) == 1 else 'differ'}", {}
        return None, answer.unread

    def _own(self, first: int, end: int, trials: int) -> tuple[int, ...]:
        """The tally of the module, with the print of what it wrote."""
        tally, written, at = self._chunk.layout.empty, Print(), first
        while at < end:
            begin = at
            at, part = self._chunk.run(self._seed, begin, end, lambda: False, trials)
            tally = self._chunk.layout.merged(tally, part)
            for place, output in enumerate(self._chunk.outputs):
                written.add(begin + place, output)
        printed = numbers(*written.slots()) if self._chosen.description.shape == Shape.COLLECT else b""
        return slots(tally + printed)

    def _fields(self) -> list[tuple[str, int, int]]:
        """The fields of the tally with their slots. The print comes last."""
        found, at = [], 0
        for field in self._chunk.layout.fields:
            found.append((field.name, at, at + field.slots))
            at += field.slots
        return [*found, ("output", at, at + len(Print().slots()))]

    def _play(self, first: int, end: int, trials: int) -> _Answer:
        """Lets Python compute blocks that have so many trials in all, in a process of its own that may do nothing else."""
        try:
            source = tables.octets(self._chosen.typed)
        except Failure as error:
            raise _NotCompared(str(error)) from None
        label = spelling.path(self._chosen.typed)
        # The author may have saved the file since.
        if hashlib.sha256(source).hexdigest() != self._chosen.description.source:
            raise _NotCompared(f"{label} has changed meanwhile")
        words = list(self._words)
        with tempfile.TemporaryDirectory(prefix="potluck-") as name:
            folder = Path(name)
            (folder / _FILE).write_bytes(source)
            for table, columns, octets in self._tables:
                (folder / f"{table}.table").write_bytes(octets)
                words.append(f"{table}={columns}")
            done = _ran(name, trials, [
                "reference", _FILE, "--label", label, "--seed", str(self._seed), "--first", str(first), "--blocks",
                str(end - first), "--trials", str(trials), *(part for word in words for part in ("-p", word))])
        if _platform.ended_by_time(done.returncode):
            raise _NotCompared(f"Python takes more than {_PROCESSOR} s of CPU time for {trials} trials")
        return _answer(done)


def _ran(folder: str, trials: int, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    root = Path(__file__).resolve().parent.parent.parent
    # Neither the user's variables nor other packages matter there.
    own = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _CALL, str(root), str(_PROCESSOR), str(_MEMORY)]
    try:
        return subprocess.run(
            [*own, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            cwd=folder, timeout=_PATIENCE, encoding="utf-8", errors="replace")
    except subprocess.TimeoutExpired:
        raise _NotCompared(f"Python takes longer than {_PATIENCE // 60} minutes for {trials} trials") from None
    except OSError as error:
        raise _NotCompared(f"cannot start Python: {error.strerror}") from None


def _answer(done: "subprocess.CompletedProcess[str]") -> _Answer:
    last = next((line for line in reversed(done.stdout.splitlines()) if line), "nothing")
    try:
        reply: Any = json.loads(last) if done.returncode == 0 else None
        found = tuple(int(slot) for slot in reply["slots"])
        failure = reply["failure"] if reply["failure"] is not None else reply["conflict"]
        return _Answer(found, failure, dict(reply["unread"]))
    except (ValueError, TypeError, KeyError):
        raise _NotCompared(f"Python says: {spelling.escaped(last)}") from None


def _tables(payload: bytes, names: Sequence[str]) -> list[tuple[str, int, bytes]]:
    """The tables that are given: how many numbers a row has, and the numbers, of eight bytes each."""
    found, at = [], 0
    for name in names if payload else ():
        rows, columns = slots(payload[at:at + 16])
        end = at + 16 + 8 * rows * columns
        if end > at + 16:
            found.append((name, columns, payload[at + 16:end]))
        at = end
    return found
