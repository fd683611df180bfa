"""Tests that play a file twice: in plain Python, and in its module."""

from __future__ import annotations

from collections.abc import Sequence

from potluck import Played
from potluck._language import reference

from ..support import ProgramTest
from .compiler import compiled
from .module import Module
from .sandbox import Sandbox


class TwinTest(ProgramTest):
    """A test whose files must have the same tally and the same readings both ways."""

    def played(
        self, text: str, trials: int, name: str = "work.py", parameters: Sequence[int] = ()
    ) -> tuple[Played, list[list[int]]]:
        """Plays a file, and returns what came of it and each reading's counts or words."""
        path = self.folder / name
        path.write_text(text)
        played: Played = reference._made(reference._class(text, name), {}).play(seed=7, trials=trials)
        with Module(Sandbox(), compiled(path, name, self.folder / "module.wasm")) as module:
            module.configure(parameters)
            slots = module.run(1, 7, 0, 1, trials).slots
            got, bins = module.read(trials, slots), module.bins(trials, slots)
        self.assertEqual(slots, played.slots)
        for ours, theirs in zip(played.readings.values(), got):
            self.assertEqual([ours.value, ours.low, ours.high, ours.exact], theirs, ours.name)
        self.assertEqual(len(got), len(played.readings))
        return played, bins
