"""The code of draws: the generator's words are locals, and no draw is a call, except rare ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Callable

from . import sentences
from .nodes import Const, Draw, GetSlot, Node
from .operations import bounds
from .stream_words import Words
from .types import F64, I32, I64

if TYPE_CHECKING:
    from .emit import Emitter

WORD = 1 << 32
LOW = WORD - 1
PAIR = 1 << 16
ROUNDING = 1e-9


class Stream(Words):
    """The draws of a trial."""

    def begin(self, e: Emitter) -> None:
        """Computes what draws of the whole lane share."""
        for slot, local in self.shares.items():
            e.get_global(slot.variable)
            e.f64(2.0**53)
            e.op("f64.mul", "f64.ceil")
            e.saturate()
            e.set(local)

    def below(self, e: Emitter, node: Draw) -> None:
        limit = node.args[0]
        if isinstance(limit, Const) and 0 < limit.value <= WORD:
            self.below_constant(e, int(limit.value))
            return
        n = e.take(I64)
        e.node(limit)
        e.set(n)
        self.below_local(e, n, bounds(limit), node.line)
        e.give(n)

    def below_constant(self, e: Emitter, n: int) -> None:
        """A draw below a number that is known: no division, and none that is drawn again for a power of two."""
        if n & (n - 1) == 0:
            bits = n.bit_length() - 1
            self.word(e)
            if bits == 0:
                e.op("drop")
                e.i64(0)
                return
            if bits < 32:
                e.i32(32 - bits)
                e.op("i32.shr_u")
            e.op("i64.extend_u")
            return
        product = e.take(I64)
        self.product(e, product, lambda: e.i64(n))
        self.again(e, product, lambda: e.i64(WORD % n), lambda: e.i64(n), None)
        e.get(product)
        e.i64(32)
        e.op("i64.shr_u")
        e.give(product)

    def product(self, e: Emitter, product: int, n: Callable[[], None]) -> None:
        self.word(e)
        e.op("i64.extend_u")
        n()
        e.op("i64.mul")
        e.set(product)

    def again(
        self,
        e: Emitter,
        product: int,
        least: Callable[[], None],
        n: Callable[[], None],
        usual: Callable[[], None] | None,
    ) -> None:
        """Draws again while the product would favour some numbers. `usual` is a test that lets most draws pass."""
        self.low(e, product)
        (usual or least)()
        e.op("i64.lt_u")
        e.begin_if()
        done = e.block()
        top = e.loop()
        self.low(e, product)
        least()
        e.op("i64.ge_u")
        e.jump_if(done)
        self.product(e, product, n)
        e.jump(top)
        e.end()
        e.end()
        e.end()

    def low(self, e: Emitter, product: int) -> None:
        e.get(product)
        e.i64(LOW)
        e.op("i64.and")

    def below_local(self, e: Emitter, n: int, limits: tuple[int, int], line: int) -> None:
        """A draw below the number in a local."""
        low, high = limits
        if low <= 0:
            e.get(n)
            e.i64(1)
            e.op("i64.lt_s")
            e.stop_if(line, sentences.BELOW)
        product = e.take(I64)
        if high <= WORD:
            self.product(e, product, lambda: e.get(n))

            def rest() -> None:
                e.i64(WORD)
                e.get(n)
                e.op("i64.rem_u")

            self.again(e, product, rest, lambda: e.get(n), lambda: e.get(n))
            e.get(product)
            e.i64(32)
            e.op("i64.shr_u")
            e.give(product)
            return
        self.wide(e, n, product)
        e.give(product)

    def wide(self, e: Emitter, n: int, product: int) -> None:
        """A draw below a number that may need two words; 0 means 2⁶⁴."""
        word, result = e.take(I32), e.take(I64)
        self.word(e)
        e.tee(word)
        e.op("i64.extend_u")
        e.get(n)
        e.op("i64.mul")
        e.tee(product)
        e.i64(32)
        e.op("i64.shr_u")
        e.set(result)
        self.low(e, product)
        e.get(n)
        e.i64(1)
        e.op("i64.sub", "i64.le_u")
        e.begin_if()
        self.keep(e)
        e.get(n)
        e.get(word)
        e.runtime("rt_below_rest")
        e.set(result)
        self.restore(e)
        e.end()
        e.get(result)
        e.give(word, result)

    def integer(self, e: Emitter, node: Draw) -> None:
        first, last = node.args
        if isinstance(first, Const) and isinstance(last, Const) and 0 <= last.value - first.value < WORD:
            self.below_constant(e, int(last.value) - int(first.value) + 1)
            e.i64(int(first.value))
            e.op("i64.add")
            return
        low, n = e.take(I64), e.take(I64)
        e.node(first)
        e.set(low)
        e.node(last)
        e.set(n)
        (a, b), (c, d) = bounds(first), bounds(last)
        if b > c:
            e.get(n)
            e.get(low)
            e.op("i64.lt_s")
            e.stop_if(node.line, sentences.INTEGER)
        e.get(n)
        e.get(low)
        e.op("i64.sub")
        e.i64(1)
        e.op("i64.add")
        e.set(n)
        if d - a + 1 <= WORD:
            self.below_local(e, n, (1, d - a + 1), node.line)
        else:
            product = e.take(I64)
            self.wide(e, n, product)
            e.give(product)
        e.get(low)
        e.op("i64.add")
        e.give(low, n)

    def pair(self, e: Emitter, node: Draw) -> None:
        m, n = e.take(I32), e.take(I32)
        wide = e.take(I64)
        for arg, local in zip(node.args, (m, n)):
            low, high = bounds(arg)
            e.node(arg)
            if low < 1 or high > PAIR:
                e.tee(wide)
                e.i64(1)
                e.op("i64.sub")
                e.i64(PAIR)
                e.op("i64.ge_u")
                e.stop_if(node.line, sentences.PAIR)
                e.get(wide)
            e.op("i32.wrap")
            e.set(local)
        first, second, word = e.take(I32), e.take(I32), e.take(I32)

        def products() -> None:
            self.word(e)
            e.tee(word)
            e.i32(16)
            e.op("i32.shr_u")
            e.get(m)
            e.op("i32.mul")
            e.set(first)
            e.get(word)
            e.i32(PAIR - 1)
            e.op("i32.and")
            e.get(n)
            e.op("i32.mul")
            e.set(second)

        def favours(exactly: bool) -> None:
            for place, (product, limit) in enumerate(((first, m), (second, n))):
                e.get(product)
                e.i32(PAIR - 1)
                e.op("i32.and")
                if exactly:
                    e.i32(PAIR)
                    e.get(limit)
                    e.op("i32.rem_u")
                else:
                    e.get(limit)
                e.op("i32.lt_u")
                if place:
                    e.op("i32.or")

        products()
        favours(False)
        e.begin_if()
        done = e.block()
        top = e.loop()
        favours(True)
        e.op("i32.eqz")
        e.jump_if(done)
        products()
        e.jump(top)
        e.end()
        e.end()
        e.end()
        for product in (first, second):
            e.get(product)
            e.i32(16)
            e.op("i32.shr_u", "i64.extend_u")
        e.give(m, n, wide, first, second, word)

    def coin(self, e: Emitter, node: Draw) -> None:
        self.word(e)
        e.i32(31)
        e.op("i32.shr_u")

    def next(self, e: Emitter, node: Draw) -> None:
        self.word(e)
        e.op("i64.extend_u")

    def bits(self, e: Emitter) -> None:
        """53 random bits, as a whole number."""
        self.word(e)
        e.i32(5)
        e.op("i32.shr_u", "i64.extend_u")
        e.i64(26)
        e.op("i64.shl")
        self.word(e)
        e.i32(6)
        e.op("i32.shr_u", "i64.extend_u", "i64.or")

    def unit(self, e: Emitter, node: Draw) -> None:
        self.bits(e)
        e.op("f64.convert_s")
        e.f64(2.0**-53)
        e.op("f64.mul")

    def chance(self, e: Emitter, node: Draw) -> None:
        p = node.args[0]
        if isinstance(p, Const) and 0 <= p.value <= 1 or is_share(p):
            # Whole numbers compare as the real ones do: 2⁵³ · p is exact, and so is the next whole number.
            self.bits(e)
            if isinstance(p, GetSlot):
                if p.slot not in self.shares:
                    self.shares[p.slot] = e.new(I64)
                e.get(self.shares[p.slot])
            else:
                assert isinstance(p, Const)
                e.i64(math.ceil(p.value * 2.0**53))
            e.op("i64.lt_s")
            return
        x = e.take(F64)
        e.node(p)
        e.tee(x)
        e.f64(-ROUNDING)
        e.op("f64.ge")
        e.get(x)
        e.f64(1 + ROUNDING)
        e.op("f64.le", "i32.and", "i32.eqz")
        e.stop_if(node.line, sentences.CHANCE)
        self.bits(e)
        e.op("f64.convert_s")
        e.get(x)
        e.f64(2.0**53)
        e.op("f64.mul", "f64.lt")
        e.give(x)

    def normal(self, e: Emitter, node: Draw) -> None:
        """A standard normal number."""
        x, y, square = e.take(F64), e.take(F64), e.take(F64)
        top = e.loop()
        for local in (x, y):
            self.bits(e)
            e.op("f64.convert_s")
            e.f64(2.0**-52)
            e.op("f64.mul")
            e.f64(1.0)
            e.op("f64.sub")
            e.set(local)
        e.get(x)
        e.get(x)
        e.op("f64.mul")
        e.get(y)
        e.get(y)
        e.op("f64.mul", "f64.add")
        e.tee(square)
        e.f64(1.0)
        e.op("f64.lt")
        e.get(square)
        e.f64(0.0)
        e.op("f64.gt", "i32.and", "i32.eqz")
        e.jump_if(top)
        e.end()
        e.get(x)
        e.f64(-2.0)
        e.get(square)
        e.runtime("rt_log")
        e.op("f64.mul")
        e.get(square)
        e.op("f64.div", "f64.sqrt", "f64.mul")
        e.give(x, y, square)

    def weighted(self, e: Emitter, node: Draw) -> None:
        table, column, n = e.take(I32), e.take(I64), e.take(I64)
        e.node(node.args[0])
        e.tee(table)
        e.memory("i64.load")
        e.set(n)
        self.below_local(e, n, (1, WORD), node.line)
        e.tee(column)
        # The column, or its alias behind all the others.
        e.get(table)
        e.get(n)
        e.op("i32.wrap")
        e.i32(3)
        e.op("i32.shl", "i32.add")
        e.get(column)
        e.op("i32.wrap")
        e.i32(2)
        e.op("i32.shl", "i32.add")
        e.memory("i64.load32_u", 8)
        self.word(e)
        e.op("i64.extend_u")
        e.get(table)
        e.get(column)
        e.op("i32.wrap")
        e.i32(3)
        e.op("i32.shl", "i32.add")
        e.memory("i64.load", 8)
        e.op("i64.lt_u", "select")
        e.give(table, column, n)


def is_share(node: Node) -> bool:
    """Whether a parameter is a number from 0 to 1 in any case."""
    return isinstance(node, GetSlot) and node.slot.share
