"""`potluck check`: checks a simulation against the rules that make results exact (LawCheck.swift)."""

from __future__ import annotations

import sys
import time
from typing import NamedTuple, Optional

from .._sandbox import Chunk, Shape, TrialError
from . import plan
from .arguments import Arguments, Command, Option
from .canvas import Canvas
from .chosen import OPTIONS, Chosen, choose, parameters
from .failures import SUCCESS, Failure
from .lanes_check import LanesCheck, unseen
from .plan import Files
from .python_check import PythonCheck
from .reading_check import BROKEN, KEPT, REMARK, Finding, checked, validity
from .result import spoilt
from .texts import text

QUICK = Option("quick", "compute only four blocks for each rule", "Limits")

COMMAND = Command(
    "check", "check a simulation against the rules that make results exact",
    (("FILE", "a simulation in Python, a module, or a built-in simulation's name"),),
    (plan.PARAMETER, plan.INPUT, QUICK, *OPTIONS),
    ("A check computes many blocks, in several orders and splits. It takes some seconds. The first blocks of a file in "
     "Python are computed by Python, too.",), ("check doublets/doublets.py",))

#: The blocks of a quick check, and the most of any. Each may need an instance of its own.
_QUICK, _MOST = 4, 1024
#: The time for the blocks of one split, in seconds. A deep check has about eight.
_SPLIT = 0.4
#: The seed of the blocks, and the number of a block that a long job reaches. It has more than 32 bits.
SEED, _FAR = 2010, 1 << 33
#: The longest time that a block should take, in seconds.
_LONGEST = 0.05
_SMALLEST = 16


def run(arguments: Arguments) -> int:
    chosen = choose(arguments)
    files = Files.of(chosen, arguments)
    slots = parameters(chosen, arguments.all(plan.PARAMETER))
    chunk = chosen.chunk(slots, files.payload)
    if chosen.is_search:
        raise Failure(f"{chosen.label} is a search, which only the program for Linux checks")
    check = _LawCheck(chosen, chunk, is_quick=arguments.has(QUICK))
    outer = chosen.module.outer
    if not chosen.is_built_in and chosen.description.shape == Shape.TALLY and outer is not None and not check.has_failed:
        single = Chunk(
            chosen.module.without_lanes(), slots, files.payload, memory=chosen.memory, seconds=chosen.seconds)
        check.compare(LanesCheck(chunk, single, SEED, 0 if arguments.has(QUICK) else _SPLIT))
    check.end()
    if chosen.typed.endswith(".py"):
        check.findings += PythonCheck(chosen, chunk, slots, files.payload, SEED).findings(check.stop, arguments.has(QUICK))
    marks = {KEPT: "ok      ", BROKEN: "BROKEN  ", REMARK: "note    "}
    sys.stdout.write(Canvas.of(sys.stdout).text([marks[grade] + said for grade, said in check.findings]))
    if any(grade == BROKEN for grade, _ in check.findings):
        raise Failure(f"{chosen.name} breaks the rules marked BROKEN above")
    return SUCCESS


class _Reply(NamedTuple):
    """What some blocks gave, or why they failed."""

    tally: bytes
    outputs: tuple[bytes, ...]
    failure: Optional[str] = None
    #: The block that failed, if it is known.
    block: Optional[int] = None


class _LawCheck:
    def __init__(self, chosen: Chosen, chunk: Chunk, *, is_quick: bool) -> None:
        self._chosen, self._chunk, self._is_quick = chosen, chunk, is_quick
        self._layout, self._size, units = chunk.layout, chunk.ready.block_size, chunk.ready.units
        self.findings: list[Finding] = []
        self.has_failed = False
        #: The sentence and the block with which the module stopped, if it is a block's.
        self.stop: Optional[tuple[str, int]] = None
        all = -(-units // self._size) if units is not None else 1 << 60
        begun = time.thread_time()
        first = self._run(0, 1)
        self._time = time.thread_time() - begun
        most = _QUICK if is_quick else min(_MOST, max(_QUICK, int(_SPLIT / max(1e-9, self._time))))
        self._blocks = min(most, all)
        whole = self._run(0, self._blocks) if first.failure is None else first
        if whole.failure is not None:
            self.has_failed = True
            self.stop = None if whole.block is None else (whole.failure, whole.block)
            self.note(BROKEN, whole.failure)
            return
        self._repeats(whole)
        pieces = self._splits(whole)
        if not is_quick:
            self._regroups(whole)
        self._cuts()
        field = spoilt(whole.tally, self._layout)
        self._hold(field is None, text("sums"), text("spoilt", field=field))
        self._answers(whole, pieces)

    def end(self) -> None:
        """Says how rare an event the check could see, and how long a block takes."""
        if self.has_failed:
            return
        if self._chunk.ready.units is None:
            trials = self._size * self._blocks
            self.note(KEPT, text("played", trials=trials, unseen=unseen(trials)))
        self._judge()

    def note(self, grade: str, said: str) -> None:
        self.findings.append(Finding(grade, said))

    def _hold(self, is_kept: bool, law: str, breach: str) -> None:
        self.note(KEPT if is_kept else BROKEN, law if is_kept else breach)

    def compare(self, check: LanesCheck) -> None:
        self._hold(
            check.difference is None,
            text("lanesAgree", subject="the lanes give", trials=check.trials, unseen=unseen(check.trials)),
            text("lanesDiffer", subject="the lanes give", difference=check.difference))

    def _run(self, first: int, end: int, trials: Optional[int] = None, seed: int = SEED) -> _Reply:
        """Runs all blocks, in several calls if a simulation writes so much that it stops before the end."""
        tally, outputs, at = self._layout.empty, [], first
        while at < end:
            try:
                at, part = self._chunk.run(seed, at, end, lambda: False, trials)
            except TrialError as error:
                place = "" if error.block is None else f", block {error.block}"
                return _Reply(b"", (), f"{self._chosen.label}, seed {seed}{place}: {error.sentence}", error.block)
            tally = self._layout.merged(tally, part)
            outputs += self._chunk.outputs
        return _Reply(tally, tuple(outputs))

    def _merged(self, replies: list[_Reply]) -> bytes:
        tally = self._layout.empty
        for reply in replies:
            tally = self._layout.merged(tally, reply.tally) if reply.tally or not self._layout.slots else b""
        return tally

    @property
    def _is_sampled(self) -> bool:
        return self._chunk.ready.units is None

    def _repeats(self, whole: _Reply) -> None:
        self._hold(self._run(0, self._blocks) == whole, text("repeats"), text("differs"))
        if self._is_sampled and self._run(0, self._blocks, seed=SEED + 1).tally == whole.tally:
            self.note(REMARK, text("ignoresSeed"))

    def _splits(self, whole: _Reply) -> list[bytes]:
        """Compares blocks that run in one instance with blocks that each run in their own, in reverse order."""
        pieces = [self._run(block, block + 1) for block in reversed(range(self._blocks))][::-1]
        outputs = tuple(output for piece in pieces for output in piece.outputs)
        self._hold(
            self._merged(pieces) == whole.tally and outputs == whole.outputs,
            text("apart"), text("notApart"))
        return [piece.tally for piece in pieces]

    def _regroups(self, whole: _Reply) -> None:
        """Compares further splits: runs of different lengths, and the same blocks after others."""
        is_same, blocks = True, self._blocks
        for step in (2, 3, 7, 64):
            if step >= blocks:
                continue
            starts = list(range(0, blocks, step))
            # From both ends, so that no piece follows its neighbour.
            order = [starts[i // 2] if i % 2 == 0 else starts[-1 - i // 2] for i in range(len(starts))]
            pieces = sorted((start, self._run(start, min(start + step, blocks))) for start in order)
            replies = [reply for _, reply in pieces]
            outputs = tuple(output for reply in replies for output in reply.outputs)
            is_same = is_same and self._merged(replies) == whole.tally and outputs == whole.outputs
        # Far away, as in a job that lasts for days.
        if self._is_sampled:
            singly = [self._run(block, block + 1) for block in reversed(range(_FAR, _FAR + blocks))]
            is_same = is_same and self._merged(singly) == self._run(_FAR, _FAR + blocks).tally
        places = text("everywhere") if self._is_sampled else ""
        self._hold(is_same, text("grouped", blocks=blocks, places=places), text("notGrouped"))

    def _cuts(self) -> None:
        """Checks that a short last block is the beginning of a long one, and that no blocks give an empty tally."""
        trials = self._size + 5
        short = self._run(0, 2, trials)
        pieces = [self._run(0, 1), self._run(1, 2, trials)]
        is_kept = short.failure is None and self._merged(pieces) == short.tally
        self._hold(
            is_kept and self._run(0, 0).tally == self._layout.empty, text("short"), text("notShort"))

    def _answers(self, whole: _Reply, pieces: list[bytes]) -> None:
        """Checks the readings' intervals, and that they agree with exact answers."""
        units = self._chunk.ready.units
        trials = min(self._size * self._blocks, units if units is not None else 1 << 62)
        readings = self._chunk.read(whole.tally, trials)
        self.findings += validity(readings, trials)

        def ignores_seed() -> bool:
            return self._run(0, self._blocks, seed=SEED + 1).tally == whole.tally

        self.findings += checked(self._chunk, pieces, self._size, readings, trials, ignores_seed)

    def _judge(self) -> None:
        """Judges the time of a block."""
        tenths = int(self._time * 10_000)
        taken = text("noTime") if tenths == 0 else f"{tenths // 10}.{tenths % 10} ms"
        said = text("blockTime", trials=self._size, time=taken)
        if self._time <= _LONGEST:
            self.note(KEPT, said)
        elif self._size > (_SMALLEST if self._is_sampled else 1):
            self.note(BROKEN, text("tooLong", text=said))
        else:
            self.note(REMARK, text("longTrials", text=said))
