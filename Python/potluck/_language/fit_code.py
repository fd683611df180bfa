"""The code that ends the run at a number that a field of the tally cannot hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sentences
from .types import I64

if TYPE_CHECKING:
    from .emit import Emitter

# The square of the next whole number is 2⁶³ or more.
MOST_ROOT = 3_037_000_499


def not_negative(e: Emitter, line: int, sentence: str) -> None:
    """Ends the run if the whole number on the stack is below 0, and leaves it there."""
    n = e.take(I64)
    e.tee(n)
    e.i64(0)
    e.op("i64.lt_s")
    e.stop_if(line, sentence)
    e.get(n)
    e.give(n)


def is_number(e: Emitter, x: int, line: int) -> None:
    """Ends the run if the real number in a local is NaN."""
    e.get(x)
    e.get(x)
    e.op("f64.ne")
    e.stop_if(line, sentences.NAN)


def fits(e: Emitter, x: int, has_square: bool, line: int, sentence: str) -> None:
    """Ends the run if the real number in a local, or its square, is not below 2⁶³."""
    is_number(e, x, line)
    e.get(x)
    if has_square:
        e.get(x)
        e.op("f64.mul")
    else:
        e.op("f64.abs")
    e.f64(2.0**63)
    e.op("f64.ge")
    e.stop_if(line, sentence)


def fits_int(e: Emitter, n: int, line: int, sentence: str) -> None:
    """Ends the run if the square of the whole number in a local is not below 2⁶³."""
    e.get(n)
    e.i64(MOST_ROOT)
    e.op("i64.add")
    e.i64(2 * MOST_ROOT)
    e.op("i64.gt_u")
    e.stop_if(line, sentence)
