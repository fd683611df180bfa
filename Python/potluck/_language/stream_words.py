"""The code of the generator: its words are locals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .types import I32

if TYPE_CHECKING:
    from .emit import Emitter


class Words:
    """xoshiro128++ with its state in four locals."""

    def __init__(self, e: Emitter, words: tuple[int, int, int, int]) -> None:
        self.a, self.b, self.c, self.d = words
        self.shifted = e.new(I32)

    def word(self, e: Emitter) -> None:
        """Leaves the next word on the stack."""
        a, b, c, d = self.a, self.b, self.c, self.d
        e.get(a)
        e.get(d)
        e.op("i32.add")
        e.i32(7)
        e.op("i32.rotl")
        e.get(a)
        e.op("i32.add")
        e.get(b)
        e.i32(9)
        e.op("i32.shl")
        e.set(self.shifted)
        for target, other in ((c, a), (d, b), (b, c), (a, d), (c, self.shifted)):
            e.get(target)
            e.get(other)
            e.op("i32.xor")
            e.set(target)
        e.get(d)
        e.i32(11)
        e.op("i32.rotl")
        e.set(d)

    def keep(self, e: Emitter) -> None:
        """Puts the words where the kit finds them."""
        place = e.take(I32)
        e.runtime("rt_words")
        e.set(place)
        for offset, local in enumerate((self.a, self.b, self.c, self.d)):
            e.get(place)
            e.get(local)
            e.memory("i32.store", 4 * offset)
        e.give(place)

    def restore(self, e: Emitter) -> None:
        place = e.take(I32)
        e.runtime("rt_words")
        e.set(place)
        for offset, local in enumerate((self.a, self.b, self.c, self.d)):
            e.get(place)
            e.memory("i32.load", 4 * offset)
            e.set(local)
        e.give(place)
