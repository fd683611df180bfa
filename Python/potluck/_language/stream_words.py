"""The code of the generator: its words are locals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .types import I32

if TYPE_CHECKING:
    from .emit import Emitter
    from .nodes import Begun, Draw, Slot


class Words:
    """xoshiro128++ with its state in four locals."""

    #: The local with the number of trials that are left; None in a gathering.
    left: int | None = None

    def __init__(self, e: Emitter, words: tuple[int, int, int, int], is_mirrored: bool = False) -> None:
        self.a, self.b, self.c, self.d = words
        self.shifted = e.new(I32)
        self.is_mirrored = is_mirrored
        # For parameters that are probabilities: the least whole number of 53 bits that is no hit.
        self.shares: dict[Slot, int] = {}
        # The streams of a trial; None is the one that it is given.
        self.streams: dict[Begun | None, Words] = {None: self}

    def of(self, e: Emitter, source: Begun | None) -> Words:
        """The stream that a draw is from."""
        if source not in self.streams:
            assert source is not None
            a, b, c, d = (e.new(I32) for _ in range(4))
            other = self.streams[source] = type(self)(e, (a, b, c, d), source.is_mirrored)
            other.shares, other.streams, other.left = self.shares, self.streams, self.left
        return self.streams[source]

    def draw(self, e: Emitter, node: Draw) -> None:
        getattr(self, node.kind)(e, node)

    def named(self, e: Emitter, node: Draw) -> None:
        """Begins a named stream."""
        e.node(node.args[0])
        if self.left is None:
            e.i32(0)
        else:
            e.get(self.left)
        e.runtime("rt_stream")
        self.restore(e)

    def mirror(self, e: Emitter, node: Draw) -> None:
        """Begins the mirror of another stream, where that one is."""
        assert node.stream is not None
        other = self.of(e, node.stream.of)
        for target, local in zip((self.a, self.b, self.c, self.d), (other.a, other.b, other.c, other.d)):
            e.get(local)
            e.set(target)

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
        if self.is_mirrored:
            e.i32(-1)
            e.op("i32.xor")
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
        e.get(place)
        e.i32(-1 if self.is_mirrored else 0)
        e.memory("i32.store", 16)
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
