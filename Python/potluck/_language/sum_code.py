"""The code that adds a real number to the pending parts of an exact sum, as Sources/Kit/Tally/PendingSum.swift does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .types import I32, I64

if TYPE_CHECKING:
    from .emit import Emitter

LOW = 0xFFFF_FFFF


class PendingSums:
    """Numbers and their squares, each added to a few parts without carries."""

    def parts(self, e: Emitter, x: int, place: int, magnitude: int, one: int) -> None:
        """The significand of a real number without its sign, and the place of its last bit; see Significand.swift."""
        exponent, mask = e.take(I64), e.take(I64)
        e.get(x)
        e.op("i64.bits")
        e.i64(52)
        e.op("i64.shr_u")
        e.i64(0x7FF)
        e.op("i64.and")
        e.set(exponent)
        e.i64(0)
        e.get(exponent)
        e.i64(2047)
        e.op("i64.add")
        e.i64(11)
        e.op("i64.shr_u", "i64.sub")
        e.set(mask)
        e.get(exponent)
        e.i64(1023)
        e.op("i64.sub")
        e.get(mask)
        e.op("i64.and")
        e.i64(one)
        e.op("i64.add")
        e.set(place)
        e.get(x)
        e.op("i64.bits")
        e.i64((1 << 52) - 1)
        e.op("i64.and")
        e.i64(1 << 52)
        e.op("i64.or")
        e.get(mask)
        e.op("i64.and")
        e.set(magnitude)
        e.give(exponent, mask)

    def sign(self, e: Emitter, x: int, magnitude: int, signed: int) -> None:
        sign = e.take(I64)
        e.get(magnitude)
        e.get(x)
        e.op("i64.bits")
        e.i64(63)
        e.op("i64.shr_s")
        e.tee(sign)
        e.op("i64.xor")
        e.get(sign)
        e.op("i64.sub")
        e.set(signed)
        e.give(sign)

    def part(self, e: Emitter, place: int, address: int) -> int:
        """A local with the address of the part of a place: eight bytes for each 32."""
        at = e.take(I32)
        e.get(place)
        e.i64(5)
        e.op("i64.shr_u", "i32.wrap")
        e.i32(3)
        e.op("i32.shl")
        e.i32(address)
        e.op("i32.add")
        e.set(at)
        return at

    def pend(self, e: Emitter, address: int, signed: int, place: int, beyond: int) -> None:
        """Adds a number to two pending parts; `beyond` is added to its place, a multiple of 32."""
        at = self.part(e, place, address + beyond // 32 * 8)
        shift = e.take(I64)
        e.get(place)
        e.i64(31)
        e.op("i64.and")
        e.set(shift)
        for offset in (0, 8):
            e.get(at)
            e.get(at)
            e.memory("i64.load", offset)
            e.get(signed)
            if offset == 0:
                e.get(shift)
                e.op("i64.shl")
                e.i64(LOW)
                e.op("i64.and")
            else:
                e.i64(32)
                e.get(shift)
                e.op("i64.sub", "i64.shr_s")
            e.op("i64.add")
            e.memory("i64.store", offset)
        e.give(at, shift)

    def pend_square(self, e: Emitter, address: int, n: int, place: int) -> None:
        """Adds the square of a number below 2⁵³ to four pending parts; see PendingSum.swift."""
        a, b, high, low, shift, shifted = (e.take(I64) for _ in range(6))
        e.get(n)
        e.i64((1 << 27) - 1)
        e.op("i64.and")
        e.set(a)
        e.get(n)
        e.i64(27)
        e.op("i64.shr_u")
        e.set(b)
        # high = (b² + (2ab + a² / 2²⁷) / 2²⁷) / 2¹⁰
        e.get(b)
        e.get(b)
        e.op("i64.mul")
        e.get(a)
        e.get(b)
        e.i64(1)
        e.op("i64.shl", "i64.mul")
        e.get(a)
        e.get(a)
        e.op("i64.mul")
        e.i64(27)
        e.op("i64.shr_u", "i64.add")
        e.i64(27)
        e.op("i64.shr_u", "i64.add")
        e.i64(10)
        e.op("i64.shr_u")
        e.set(high)
        e.get(n)
        e.get(n)
        e.op("i64.mul")
        e.set(low)
        at = self.part(e, place, address)
        e.get(place)
        e.i64(31)
        e.op("i64.and")
        e.set(shift)
        e.get(low)
        e.get(shift)
        e.op("i64.shl")
        e.set(shifted)
        for offset in (0, 8, 16, 24):
            e.get(at)
            e.get(at)
            e.memory("i64.load", offset)
            if offset == 0:
                e.get(shifted)
                e.i64(LOW)
                e.op("i64.and")
            elif offset == 8:
                e.get(shifted)
                e.i64(32)
                e.op("i64.shr_u")
            elif offset == 16:
                e.get(high)
                e.get(shift)
                e.op("i64.shl")
                e.get(low)
                e.i64(1)
                e.op("i64.shr_u")
                e.i64(63)
                e.get(shift)
                e.op("i64.sub", "i64.shr_u", "i64.or")
                e.i64(LOW)
                e.op("i64.and")
            else:
                e.get(high)
                e.i64(32)
                e.get(shift)
                e.op("i64.sub", "i64.shr_u")
            e.op("i64.add")
            e.memory("i64.store", offset)
        e.give(a, b, high, low, shift, shifted, at)
