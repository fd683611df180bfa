#!/usr/bin/env python3
"""Prints the constants of Sources/Kit/Maths as Swift: tables, split constants, polynomials and their errors.

Needs mpmath. Run it by hand when a method changes, and copy its output into the sources.
"""
from struct import pack, unpack

from mpmath import mp, mpf

mp.dps = 80


def bits(x):
    return unpack("<Q", pack("<d", x))[0]


def double(b):
    return unpack("<d", pack("<Q", b))[0]


def swift(x):
    """Returns the double nearest to x as a hexadecimal literal without trailing zeros."""
    x = float(x)
    if x == 0:
        return "0"
    head, exponent = x.hex().split("p")
    head = head.rstrip("0").rstrip(".") if "." in head else head
    return f"{head}p{int(exponent)}"


def multiple(x, power):
    """Returns x rounded to a multiple of 2^power."""
    return mp.nint(mp.ldexp(x, -power)) * mp.ldexp(mpf(1), power)


def parts(name, x, powers):
    """Prints x split into multiples of falling powers of two, and a rest."""
    for i, power in enumerate(powers):
        part = multiple(x, power)
        print(f"{name}{i + 1}: {swift(part)}")
        assert mpf(float(part)) == part
        x -= part
    print(f"{name}{len(powers) + 1}: {swift(x)}")


def polynomial(name, f, low, high, count, weight):
    """Prints the polynomial with the least maximum of |error * weight| (Remez). `weight` gives the function's error."""
    grid = [low + (high - low) * (1 - mp.cos(mp.pi * mpf(i) / 2000)) / 2 for i in range(2001)]
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    chosen = [2000 * (2 * i + 1) // (2 * count + 2) for i in range(count + 1)]
    for _ in range(12):
        rows = [[grid[j] ** k for k in range(count)] + [(-1) ** i / weights[j]] for i, j in enumerate(chosen)]
        *exact, _ = mp.lu_solve(mp.matrix(rows), mp.matrix([values[j] for j in chosen]))
        errors = [(mp.polyval(exact[::-1], x) - v) * w for x, v, w in zip(grid, values, weights)]
        borders = [0] + [j for j in range(1, 2001) if errors[j] * errors[j - 1] < 0] + [2001]
        peaks = [max(range(a, b), key=lambda j: abs(errors[j])) for a, b in zip(borders, borders[1:])]
        if len(peaks) != count + 1 or peaks == chosen:
            break
        chosen = peaks
    rounded = [mpf(float(c)) for c in exact]
    worst = max(abs(mp.polyval(rounded[::-1], x) - v) * w for x, v, w in zip(grid, values, weights))
    print(f"// {name}: relative error of the function 2^{float(mp.log(worst, 2)):.1f}")
    for c in rounded:
        print(f"    {swift(c)}")


def careful(f, limit):
    """Returns f with its limit near zero, where f itself would be 0/0."""
    return lambda x: f(x) if abs(x) > mpf(10) ** -15 else limit


# Logarithm: 64 intervals of the significand. The 38th contains 1, with a third of the interval above it and two thirds
# below.
STEP = 1 << 46
BELOW = 37
OFFSET = (bits(1.0) - BELOW * STEP - 2 * STEP // 3) >> 32 << 32
print(f"// logarithm\noffset: {OFFSET:#x}")
parts("ln2_", mp.log(2), [-42])
reach = mpf(0)
for i in range(64):
    low, high = (mpf(double(OFFSET + j * STEP)) for j in (i, i + 1))
    inverse = mpf(1) if i == BELOW else multiple(2 / (low + high), -10)
    reach = max(reach, abs(low * inverse - 1), abs(high * inverse - 1))
    value = -mp.log(inverse)
    upper = multiple(value, -42)
    print(f"        case {i}: ({swift(inverse)}, {swift(upper)}, {swift(value - upper)})")
print(f"// remainder up to {float(reach)}")
polynomial(
    "logarithm", careful(lambda r: (mp.log1p(r) - r + r * r / 2) / r**3, mpf(1) / 3), -reach, reach, 7,
    lambda r: r**2)

# Exponential: 32 steps an octave.
print("// exponential")
print(f"32/ln2: {swift(32 / mp.log(2))}")
parts("ln2/32_", mp.log(2) / 32, [-42])
for i in range(32):
    value = mpf(2) ** (mpf(i) / 32)
    upper = mpf(float(value))
    print(f"        case {i}: ({swift(upper)}, {swift((value - upper) / upper)})")
reach = mp.log(2) / 64 * (1 + mpf(2) ** -20)
polynomial("exponential", careful(lambda r: (mp.expm1(r) - r) / r**2, mpf(1) / 2), -reach, reach, 5, lambda r: r**2)

# Sine and cosine: a polynomial each on a quarter of pi, in z = x².
print("// sine and cosine")
print(f"2/pi: {swift(2 / mp.pi)}")
parts("pi/2_", mp.pi / 2, [-32, -65])
parts("pi/2 by 26 bits_", mp.pi / 2, [-25])
reach = (mp.pi / 4 * (1 + mpf(2) ** -20)) ** 2
root = mp.sqrt
polynomial(
    "sine", careful(lambda z: (mp.sin(root(z)) / root(z) - 1) / z, -mpf(1) / 6), mpf(0), reach, 6, lambda z: z)
polynomial(
    "cosine", careful(lambda z: (mp.cos(root(z)) - 1 + z / 2) / z**2, mpf(1) / 24), mpf(0), reach, 6,
    lambda z: z**2 / mp.cos(root(z)))
mp.prec = 1400
fraction = int(mp.floor(mp.ldexp(2 / mp.pi, 1216)))
for i in range(19):
    print(f"        case {i + 1}: {(fraction >> (1216 - 64 * (i + 1))) & (2**64 - 1):#018x}")

# The error function: erf(x) / x - 1 in z = x² up to 7/8. From there on erfc(x) · e^(x²) · (1 + x) in
# u = (x - 3) / (x + 3).
mp.prec = 300
print("// error function")
polynomial(
    "small", lambda z: mp.erf(root(z)) / root(z) - 1 if z > 0 else 2 / root(mp.pi) - 1, mpf(0), mpf(7) ** 2 / 64, 12,
    lambda z: 1)


def scaled(u):
    x = 3 * (1 + u) / (1 - u)
    return mp.erfc(x) * mp.exp(x * x) * (1 + x)


polynomial(
    "large", scaled, (mpf(7) / 8 - 3) / (mpf(7) / 8 + 3), mpf(25) / 31, 21, lambda u: 1 / scaled(u))

# The logarithm of the gamma function near 1 and 2.
print("// gamma function")
reach = mpf(1) / 64
polynomial("near one", careful(lambda z: mp.loggamma(1 + z) / z, -mp.euler), -reach, reach, 9, lambda z: 2)
polynomial("near two", careful(lambda z: mp.loggamma(2 + z) / z, 1 - mp.euler), -reach, reach, 9, lambda z: 2)
parts("log(2 pi) / 2_", mp.log(2 * mp.pi) / 2, [-42])
