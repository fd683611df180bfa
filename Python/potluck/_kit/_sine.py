"""Sine and cosine, as `Sources/Kit/Maths/{SineCosine,AngleReduction}.swift` have them."""

from __future__ import annotations

import math
from typing import NamedTuple

from ._words import LONG, bits, real, signed, upper

_SHIFT = float.fromhex("0x1.8p52")
_SHIFT_BITS = bits(_SHIFT)
_PER_QUADRANT = float.fromhex("0x1.45f306dc9c883p-1")
#: π/2 in three parts.
_HALF_PI = tuple(map(float.fromhex, ("0x1.921fb544p0", "0x1.0b4611a6p-34", "0x1.3198a2e037073p-69")))
#: π/2 with its first 26 bits split off.
_SPLIT_HALF_PI = (float.fromhex("0x1.921fb58p0"), float.fromhex("0x1.dde973dcb3b3ap-27"))
_SINE = tuple(map(float.fromhex, (
    "0x1.71de357873985p-19", "0x1.ae5e66d435711p-26", "0x1.5d932f118dbd6p-33", "0x1.111111110f881p-7",
    "0x1.a01a019c126a4p-13", "0x1.5555555555549p-3")))
_COSINE = tuple(map(float.fromhex, (
    "0x1.27e4f7eac38fp-22", "0x1.1ee9d7b40c5bep-29", "0x1.8fa49993f8eccp-37", "0x1.555555555554bp-5",
    "0x1.6c16c16c14f91p-10", "0x1.a01a019c844ddp-16")))
#: The digits of 2/π, in words of 64 bits; zeros before and after them.
_TWO_OVER_PI = (
    0, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0,
    0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4,
    0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB, 0, 0, 0, 0)


class Angle(NamedTuple):
    """An angle as quadrant · π/2 + remainder + error. The remainder is at most slightly more than π/4."""

    quadrant: int
    remainder: float
    error: float


def sin(x: float) -> float:
    """Returns the sine of x radians; NaN for the infinities."""
    if abs(x) < 2.0**-27:
        return x
    if not abs(x) < math.inf:
        return math.nan
    angle = _reduced(x)
    size = _cosine(angle) if angle.quadrant & 1 else _sine(angle)
    return -size if angle.quadrant & 2 else size


def cos(x: float) -> float:
    """Returns the cosine of x radians; NaN for the infinities."""
    if not abs(x) < math.inf:
        return math.nan
    angle = _reduced(x)
    size = _sine(angle) if angle.quadrant & 1 else _cosine(angle)
    return -size if angle.quadrant + (angle.quadrant & 1) & 2 else size


def _reduced(x: float) -> Angle:
    """Subtracts multiples of π/2, which is given in three parts."""
    if not abs(x) < 2.0**20:
        return _precisely_reduced(x)
    shifted = x * _PER_QUADRANT + _SHIFT
    n = shifted - _SHIFT
    second = n * _HALF_PI[1]
    third = n * _HALF_PI[2]
    first = x - n * _HALF_PI[0]
    rest = first - second
    if not (abs(rest) >= 2.0**-12 or n == 0):
        return _precisely_reduced(x)
    lost = (first - rest) - second
    remainder = rest - third
    return Angle(signed(bits(shifted) - _SHIFT_BITS), remainder, ((rest - remainder) - third) + lost)


def _sine(angle: Angle) -> float:
    _, remainder, error = angle
    square = remainder * remainder
    fourth = square * square
    high = (_SINE[0] - square * _SINE[1]) + fourth * _SINE[2]
    curve = (_SINE[3] - square * _SINE[4]) + fourth * high
    cube = remainder * square
    return remainder + ((cube * (square * curve - _SINE[5])) + error * (1 - 0.5 * square))


def _cosine(angle: Angle) -> float:
    _, remainder, error = angle
    square = remainder * remainder
    fourth = square * square
    high = (_COSINE[0] - square * _COSINE[1]) + fourth * _COSINE[2]
    curve = (_COSINE[3] - square * _COSINE[4]) + fourth * (_COSINE[5] - square * high)
    a = upper(remainder)
    b = (remainder - a) + error
    half = 0.5 * a * a
    total = 1 - half
    return total + (((1 - total) - half) + (fourth * curve - b * (a + 0.5 * b)))


def _precisely_reduced(x: float) -> Angle:
    """Reduces any finite angle of 1/2 or more, however large or close to a multiple of π/2 (after Payne and Hanek)."""
    word = bits(x)
    significand = word & 0x000F_FFFF_FFFF_FFFF | 0x0010_0000_0000_0000
    # The table starts with 64 zeros, so the bit of weight 2^-i is number 63 + i. The first bit that matters gives a
    # product that starts with the two bits of the quadrant.
    first = (word >> 52 & 0x7FF) - 1075 + 62
    digits = _TWO_OVER_PI[first >> 6:(first >> 6) + 4]
    shift = first & 63
    window = [(digits[i] << shift | digits[i + 1] >> (64 - shift)) & LONG for i in range(3)]
    last = significand * window[2]
    middle = significand * window[1]
    center = (middle & LONG) + (last >> 64)
    top = (significand * window[0] + (middle >> 64) + (center >> 64)) & LONG
    center &= LONG
    quadrant = top >> 62
    fraction = ((top << 2 | center >> 62) & LONG) << 64 | ((center << 2 | (last & LONG) >> 62) & LONG)
    is_negative = x < 0
    if fraction >> 127:
        # More than half a quadrant: count down from the next quadrant.
        quadrant += 1
        is_negative = not is_negative
        fraction = (1 << 128) - fraction
    zeros = 64 - (fraction >> 64).bit_length()
    moved = fraction << zeros & (1 << 128) - 1
    unit = real((1023 - 53 - zeros) << 52)
    leading = float(moved >> 75) * unit
    following = float(moved >> 22 & 0x1F_FFFF_FFFF_FFFF) * (unit * 2.0**-53)
    a = upper(leading)
    b = (leading - a) + following
    product = a * _SPLIT_HALF_PI[0]
    rest = b * _SPLIT_HALF_PI[0] - leading * _SPLIT_HALF_PI[1]
    remainder = product + rest
    error = (product - remainder) + rest
    return Angle(
        -quadrant if x < 0 else quadrant, -remainder if is_negative else remainder, -error if is_negative else error)
