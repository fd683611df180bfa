"""The code that adds to the tally. What a lane adds is kept in locals and joined to the fields at its end, where it can be.

The places of an accumulator's parts are those of Sources/Kit/Tally.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sentences
from .comoment_code import add_number
from .declaration import Field
from .fit_code import fits, fits_int, is_number, not_negative
from .histogram_code import add_histogram, add_pair
from .nodes import Tally
from .operations import bounds
from .series_code import add_category, add_time
from .sum_code import PendingSums
from .types import F64, I64

if TYPE_CHECKING:
    from .emit import Emitter

# A number up to this can be added 2⁴³ times before 64 bits are full. A call ends long before that.
SMALL = 1 << 20
# The square of a number up to this, likewise.
SMALL_ROOT = 1 << 10
# How far from an ExactSum's start its words, its pending parts and their count are.
WORDS, PARTS, COUNT = 16, 40, 88
# How far from the start of Moments both sums are.
NUMBERS, POWERS = 8, 104
# A number adds at most 2⁵² to a part, and the kit settles after so many.
MOST = 256


class Fields(PendingSums):
    """The fields of the tally that a function adds to, by their place."""

    def __init__(self, e: Emitter, fields: list[Field], adds: dict[int, list[Tally]]) -> None:
        self.fields = fields
        # How the program adds to each field.
        self.hows = {place: {tally.how for tally in found} for place, found in adds.items()}
        self.count: dict[int, int] = {}
        #: The counts to which large numbers are added, so that they may reach 2⁶⁴ − 1.
        self.large: set[int] = set()
        # The lower and the upper 64 bits of what is added. A sum of small numbers has no upper ones.
        self.sums: dict[int, tuple[int, int | None]] = {}
        self.powers: dict[int, tuple[int, int | None]] = {}
        self.keys: dict[int, int] = {}
        for place, how in self.hows.items():
            kind = fields[place].kind
            sizes = [max(abs(end) for end in bounds(tally.node)) for tally in adds[place] if tally.how == "int"]
            if kind == "count":
                self.count[place] = e.new(I64)
                if max(sizes, default=0) > SMALL:
                    self.large.add(place)
            elif kind in ("minimum", "maximum"):
                self.keys[place] = e.new(I64)
            elif kind == "sum" and "int" in how:
                self.sums[place] = e.new(I64), None if max(sizes) <= SMALL else e.new(I64)
            elif kind == "moments":
                self.count[place] = e.new(I64)
                if self.in_locals(place):
                    self.sums[place] = e.new(I64), None
                    self.powers[place] = e.new(I64), None if max(sizes) <= SMALL_ROOT else e.new(I64)

    def in_locals(self, place: int) -> bool:
        """Whether a field of moments only gets whole numbers, so that nothing of it is pending."""
        return self.hows[place] == {"int"}

    def begin(self, e: Emitter) -> None:
        """Reads what is continued."""
        for place, local in self.keys.items():
            e.i32(self.fields[place].address)
            e.memory("i64.load")
            e.set(local)
        for place, local in self.count.items():
            if self.fields[place].kind == "moments" and not self.in_locals(place):
                self.read_added(e, place, local)

    def read_added(self, e: Emitter, place: int, local: int) -> None:
        e.i32(self.fields[place].address)
        e.memory("i64.load")
        e.set(local)

    def write_added(self, e: Emitter, place: int, local: int) -> None:
        e.i32(self.fields[place].address)
        e.get(local)
        e.memory("i64.store")

    def finish(self, e: Emitter) -> None:
        """Joins what is in locals to the fields."""
        for place, local in self.keys.items():
            self.write_added(e, place, local)
        for place, local in self.count.items():
            kind = self.fields[place].kind
            if kind == "moments" and not self.in_locals(place):
                self.write_added(e, place, local)
            elif kind == "moments":
                address = self.fields[place].address
                e.i32(address)
                e.i32(address)
                e.memory("i64.load")
                e.get(local)
                e.op("i64.add")
                e.memory("i64.store")
            else:
                total = e.take(I64)
                e.i32(self.fields[place].address)
                e.i32(self.fields[place].address)
                e.memory("i64.load")
                e.get(local)
                e.op("i64.add")
                e.set(total)
                self.saturated(e, total, local)
                e.memory("i64.store")
                e.give(total)
        for place, pair in self.sums.items():
            kind = self.fields[place].kind
            self.join(e, self.fields[place].address + (NUMBERS if kind == "moments" else 0) + WORDS, pair)
        for place, pair in self.powers.items():
            self.join(e, self.fields[place].address + POWERS + WORDS, pair)

    def saturated(self, e: Emitter, total: int, added: int) -> None:
        """Leaves a sum of counts, or 2⁶⁴ − 1 if it is beyond."""
        e.i64(-1)
        e.get(total)
        e.get(total)
        e.get(added)
        e.op("i64.lt_u", "select")

    def join(self, e: Emitter, address: int, pair: tuple[int, int | None]) -> None:
        """Adds to the upper words of a sum."""
        low, high = pair
        total = e.take(I64)
        e.i32(address)
        e.i32(address)
        e.memory("i64.load")
        e.get(low)
        e.op("i64.add")
        e.tee(total)
        e.memory("i64.store")
        e.i32(address + 8)
        e.i32(address + 8)
        e.memory("i64.load")
        if high is None:
            e.get(low)
            e.i64(63)
            e.op("i64.shr_s")
        else:
            e.get(high)
        e.op("i64.add")
        e.get(total)
        e.get(low)
        e.op("i64.lt_u", "i64.extend_u", "i64.add")
        e.memory("i64.store")
        e.give(total)

    # Adding

    def add(self, e: Emitter, tally: Tally) -> None:
        kind = self.fields[tally.field].kind
        if kind == "count":
            self.add_count(e, tally)
        elif kind == "histogram":
            add_histogram(e, self.fields[tally.field], tally)
        elif kind == "histogram2d":
            add_pair(e, self.fields[tally.field], tally)
        elif kind == "quantiles":
            x = e.take(F64)
            e.node(tally.node)
            e.set(x)
            is_number(e, x, tally.line)
            e.i32(self.fields[tally.field].address)
            e.get(x)
            e.runtime("rt_quantiles_add")
            e.give(x)
        elif kind == "counts":
            add_category(e, self.fields[tally.field], tally)
        elif kind == "series":
            add_time(e, self.fields[tally.field], tally)
        elif kind in ("comoments", "pairs"):
            add_number(e, self.fields[tally.field], tally)
        elif kind in ("minimum", "maximum"):
            self.add_extreme(e, tally, kind == "minimum")
        elif kind == "sum":
            self.add_sum(e, tally)
        elif tally.how == "int":
            self.add_moments_int(e, tally)
        else:
            self.add_moments(e, tally)

    def add_count(self, e: Emitter, tally: Tally) -> None:
        total = self.count[tally.field]
        e.node(tally.node)
        if tally.how == "bool":
            e.op("i64.extend_u")
        elif tally.how == "int" and bounds(tally.node)[0] < 0:
            not_negative(e, tally.line, sentences.COUNT)
        if tally.field not in self.large:
            e.get(total)
            e.op("i64.add")
            e.set(total)
            return
        n = e.take(I64)
        e.tee(n)
        e.get(total)
        e.op("i64.add")
        e.set(total)
        self.saturated(e, total, n)
        e.set(total)
        e.give(n)

    def add_wide(self, e: Emitter, pair: tuple[int, int | None], n: int, is_signed: bool) -> None:
        """Adds the number in a local."""
        low, high = pair
        e.get(low)
        e.get(n)
        e.op("i64.add")
        e.set(low)
        if high is None:
            return
        e.get(high)
        if is_signed:
            e.get(n)
            e.i64(63)
            e.op("i64.shr_s", "i64.add")
        e.get(low)
        e.get(n)
        e.op("i64.lt_u", "i64.extend_u", "i64.add")
        e.set(high)

    def add_sum(self, e: Emitter, tally: Tally) -> None:
        address = self.fields[tally.field].address
        if tally.how == "int":
            n = e.take(I64)
            e.node(tally.node)
            e.set(n)
            self.add_wide(e, self.sums[tally.field], n, bounds(tally.node)[0] < 0)
            e.give(n)
            return
        if tally.how in ("square", "square int"):
            value = e.take(F64 if tally.how == "square" else I64)
            e.node(tally.node)
            e.set(value)
            if tally.how == "square":
                fits(e, value, True, tally.line, sentences.SQUARE)
            else:
                fits_int(e, value, tally.line, sentences.SQUARE)
            e.i32(address)
            e.get(value)
            e.runtime("rt_sum_add_square" if tally.how == "square" else "rt_sum_add_square_int")
            e.give(value)
            return
        x, place, signed = e.take(F64), e.take(I64), e.take(I64)
        magnitude = e.take(I64)
        e.node(tally.node)
        e.set(x)
        self.parts(e, x, place, magnitude, 76)
        e.get(place)
        e.i32(address)
        e.memory("i64.load", COUNT)
        e.i64(MOST)
        e.op("i64.and", "i64.or")
        e.i64(139)
        e.op("i64.lt_u")
        e.begin_if()
        self.sign(e, x, magnitude, signed)
        self.pend(e, address + PARTS, signed, place, 0)
        e.i32(address)
        e.i32(address)
        e.memory("i64.load", COUNT)
        e.i64(1)
        e.op("i64.add")
        e.memory("i64.store", COUNT)
        e.op("else")
        fits(e, x, False, tally.line, sentences.SUM)
        e.i32(address)
        e.get(x)
        e.runtime("rt_sum_rare")
        e.end()
        e.give(x, place, signed, magnitude)

    def add_moments_int(self, e: Emitter, tally: Tally) -> None:
        address = self.fields[tally.field].address
        added = self.count[tally.field]
        if not self.in_locals(tally.field):
            value = e.take(I64)
            e.node(tally.node)
            e.set(value)
            fits_int(e, value, tally.line, sentences.MOMENTS)
            self.write_added(e, tally.field, added)
            e.i32(address)
            e.get(value)
            e.runtime("rt_moments_add_int")
            self.read_added(e, tally.field, added)
            e.give(value)
            return
        low, high = bounds(tally.node)
        is_small = -SMALL <= low and high <= SMALL
        n, square = e.take(I64), e.take(I64)
        e.node(tally.node)
        e.set(n)
        if not is_small:
            e.get(n)
            e.i64(SMALL)
            e.op("i64.add")
            e.i64(2 * SMALL)
            e.op("i64.gt_u")
            e.begin_if()
            fits_int(e, n, tally.line, sentences.MOMENTS)
            e.i32(address)
            e.get(n)
            e.runtime("rt_moments_add_int")
            e.op("else")
        e.get(added)
        e.i64(1)
        e.op("i64.add")
        e.set(added)
        self.add_wide(e, self.sums[tally.field], n, True)
        e.get(n)
        e.get(n)
        e.op("i64.mul")
        e.set(square)
        self.add_wide(e, self.powers[tally.field], square, False)
        if not is_small:
            e.end()
        e.give(n, square)

    def add_moments(self, e: Emitter, tally: Tally) -> None:
        address = self.fields[tally.field].address
        added = self.count[tally.field]
        x, place, signed, magnitude = e.take(F64), e.take(I64), e.take(I64), e.take(I64)
        e.node(tally.node)
        e.set(x)
        self.parts(e, x, place, magnitude, 12)
        e.get(place)
        e.i64(43)
        e.op("i64.lt_u")
        e.begin_if()
        self.sign(e, x, magnitude, signed)
        self.pend(e, address + NUMBERS + PARTS, signed, place, 64)
        e.get(place)
        e.i64(1)
        e.op("i64.shl")
        e.set(place)
        self.pend_square(e, address + POWERS + PARTS, magnitude, place)
        e.get(added)
        e.i64(1)
        e.op("i64.add")
        e.tee(added)
        e.i64(MOST - 1)
        e.op("i64.and", "i64.eqz")
        e.begin_if()
        e.i32(address)
        e.runtime("rt_moments_fold")
        e.end()
        e.op("else")
        fits(e, x, True, tally.line, sentences.MOMENTS)
        self.write_added(e, tally.field, added)
        e.i32(address)
        e.get(x)
        e.runtime("rt_moments_rare")
        self.read_added(e, tally.field, added)
        e.end()
        e.give(x, place, signed, magnitude)

    def add_extreme(self, e: Emitter, tally: Tally, is_minimum: bool) -> None:
        """Compares keys, which are in the order of the numbers."""
        key = self.keys[tally.field]
        x, other = e.take(F64), e.take(I64)
        e.node(tally.node)
        e.set(x)
        is_number(e, x, tally.line)
        e.get(x)
        e.op("i64.bits")
        e.tee(other)
        # Of a negative number all bits except the sign are inverted.
        e.get(other)
        e.i64(63)
        e.op("i64.shr_s")
        e.i64(1)
        e.op("i64.shr_u", "i64.xor")
        e.set(other)
        e.get(other)
        e.get(key)
        e.get(other)
        e.get(key)
        e.op("i64.lt_s" if is_minimum else "i64.gt_s", "select")
        e.set(key)
        e.give(x, other)
