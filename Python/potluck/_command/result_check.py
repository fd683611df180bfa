"""Checks the result of a run of an author's simulation at small cost (ResultCheck.swift, ResultWarnings.swift)."""

from __future__ import annotations

import time

from .._kit.estimates import FEW_TRIALS
from .._sandbox import Chunk, TrialError
from .reading_check import KEPT, checked
from .result import Result, undecided
from .texts import text

#: So many parts show an interval that is a third too narrow, nearly always.
_MOST_PARTS = 256
#: Seconds that may be spent on parts, which nobody notices at the end of a run, and the part of a longer run's time.
_ALLOWANCE, _SHARE = 0.1, 0.02


def warnings(result: Result, chunk: Chunk, *, is_shown: bool) -> list[str]:
    """Sentences about what is wrong or doubtful. `is_shown` means that the text of the result has the remarks on intervals."""
    if result.chosen.is_built_in or result.chosen.is_search:
        return []
    remarks = [] if is_shown else [
        remark for reading in result.readings if (remark := undecided(reading, result.trials))]
    if result.trials == 0 or any(reading.is_spoilt for reading in result.readings):
        return remarks
    parts = _Parts(chunk, max(_ALLOWANCE, result.elapsed * _SHARE))
    is_sampled = chunk.ready.units is None
    tallies = parts.run(result.seed, min(_MOST_PARTS, result.trials // FEW_TRIALS)) if is_sampled else []

    def ignores_seed() -> bool:
        return parts.first(result.seed) == parts.first(result.seed + 1)

    findings = checked(chunk, tallies, FEW_TRIALS, result.readings, result.trials, ignores_seed)
    found = [finding.text for finding in findings if finding.grade != KEPT]
    # What happens seldom is in no part, with any seed.
    is_constant = tallies and tallies[0] != chunk.layout.empty and all(each == tallies[0] for each in tallies)
    if is_constant and not any(reading.varies and reading.interval is not None for reading in result.readings):
        if all(each == tallies[0] for each in parts.run(result.seed + 1, len(tallies))):
            found.append(text("ignoresSeed"))
    return found + remarks


class _Parts:
    """Computes parts of the trials: the first ones of a block each, or several small blocks."""

    def __init__(self, chunk: Chunk, seconds: float) -> None:
        self._chunk, self._seconds = chunk, seconds

    def run(self, seed: int, count: int) -> list[bytes]:
        """Returns so many tallies, or fewer if they take too long; none if a trial fails."""
        end, size = time.thread_time() + self._seconds, self._chunk.ready.block_size
        each = max(1, FEW_TRIALS // size)
        found: list[bytes] = []
        for first in range(0, count * each, each):
            if time.thread_time() >= end:
                break
            try:
                found.append(self._tally(seed, first, first + each, first * size + FEW_TRIALS))
            except TrialError:
                return []
        return found

    def first(self, seed: int) -> tuple[bytes, bytes]:
        """The tally and the output of the first block of work that is computed once in a run."""
        try:
            tally = self._tally(seed, 0, 1, self._chunk.ready.units)
        except TrialError:
            return b"", b""
        return tally, b"".join(self._chunk.outputs)

    def _tally(self, seed: int, first: int, end: int, trials: int | None) -> bytes:
        tally = self._chunk.layout.empty
        while first < end:
            first, part = self._chunk.run(seed & (1 << 64) - 1, first, end, lambda: False, trials)
            tally = self._chunk.layout.merged(tally, part)
        return tally
