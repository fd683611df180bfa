"""Compares the lanes of a module with its plain trials, and finds where they differ (LanesCheck.swift)."""

from __future__ import annotations

import time
from typing import Optional

from .._sandbox import Chunk, TrialError
from .texts import text

#: Blocks of which each is computed in several lengths. The last one has a number of more than 32 bits.
_BLOCKS = (0, 1, 2, 1 << 33)
#: Lengths with whole rounds of sixteen trials, and with each kind of rest.
_LENGTHS = (16, 17, 31, 48, 160, 175)


def unseen(trials: int) -> str:
    """The words for events that so many trials may lack: one of the probability 3/n occurs within n trials in 95 of 100
    cases."""
    return text("unseen", trials=trials // 3)


class LanesCheck:
    """`difference` is None if every tally was the same. After the lengths, whole blocks are compared for some seconds."""

    def __init__(self, lanes: Chunk, plain: Chunk, seed: int, seconds: float) -> None:
        self._lanes, self._plain, self._seed = lanes, plain, seed
        self.trials = 0
        self.difference: Optional[str] = None
        size = plain.ready.block_size
        if lanes.ready.block_size != size:
            self.difference = text("lanesSize")
            return
        try:
            for block in _BLOCKS:
                # The shortest first, so that the first difference is in few trials.
                for length in (*(each for each in _LENGTHS if each < size), size):
                    if self.difference is None:
                        self.difference = self._compared(block, length)
                        self.trials += length
            self._many(time.thread_time() + seconds)
        except TrialError as error:
            self.difference = error.sentence

    def _many(self, end: float) -> None:
        """Compares more and more blocks at once."""
        following, count, size = _BLOCKS[2] + 1, 1, self._plain.ready.block_size
        while self.difference is None and time.thread_time() < end:
            last = following + count
            ours, theirs = (each.run(self._seed, following, last, lambda: False)[1] for each in (self._lanes, self._plain))
            if ours != theirs:
                found = (self._compared(block, size) for block in range(following, last))
                self.difference = next(
                    (each for each in found if each),
                    text("lanesBlocks", blocks=text("together", first=following, last=last - 1), seed=self._seed))
            self.trials += count * size
            following, count = last, count * 2

    def _tallies(self, block: int, length: int) -> tuple[bytes, bytes]:
        """Runs the first trials of a block both ways."""
        trials = block * self._plain.ready.block_size + length
        ours, theirs = (
            each.run(self._seed, block, block + 1, lambda: False, trials)[1] for each in (self._lanes, self._plain))
        return ours, theirs

    def _differs(self, block: int, length: int) -> bool:
        ours, theirs = self._tallies(block, length)
        return ours != theirs

    def _compared(self, block: int, length: int) -> Optional[str]:
        if not self._differs(block, length):
            return None
        # Rounds of sixteen trials. Between 0, where nothing differs, and all, where something does, there is a first one
        # after which something differs.
        same, different = 0, length // 16
        while different - same > 1:
            middle = (same + different) // 2
            same, different = (same, middle) if self._differs(block, middle * 16) else (middle, different)
        rounds = different if different and self._differs(block, different * 16) else 0
        fields = self._fields(block, rounds * 16 if rounds else length)
        place = text("lanesRest", length=length)
        if rounds:
            place = text("lanesRound", first=(rounds - 1) * 16, last=rounds * 16 - 1, number=rounds - 1)
        return text("lanesPlace", fields=fields, place=place, block=block, seed=self._seed)

    def _fields(self, block: int, length: int) -> str:
        """Returns the names of the fields that differ after this many trials."""
        ours, theirs = self._tallies(block, length)
        names = [field.name for field, at in self._plain.layout.places()
                 if ours[8 * at:8 * (at + field.slots)] != theirs[8 * at:8 * (at + field.slots)]]
        return f"{names[0]} differs" if len(names) == 1 else f"{', '.join(names)} differ"
