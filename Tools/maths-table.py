#!/usr/bin/env python3
"""Writes Tests/Kit/maths-table.txt: arguments and correct results for the kit's elementary functions.

    python3 Tools/maths-table.py > Tests/Kit/maths-table.txt

A line is a function, the bits of its arguments, the bits of the correctly rounded result, and how far the exact value
lies above that result, in thousandths of the result's ulp. Needs mpmath, whose results are exact to 400 bits or more.
Random numbers are seeded, so the table is the same every time.
"""
from math import inf, isfinite, ldexp, nextafter
from random import Random
from struct import pack, unpack

from mpmath import mp, mpf

mp.prec = 400
random = Random(2015)
LARGEST = 0x7FEFFFFFFFFFFFFF


def bits(x):
    return unpack("<Q", pack("<d", x))[0]


def double(b):
    return unpack("<d", pack("<Q", b))[0]


def around(x, steps=2):
    """Yields x and its neighbours."""
    for _ in range(steps):
        x = nextafter(x, -inf)
    for _ in range(2 * steps + 1):
        yield x
        x = nextafter(x, inf)


def rounded(value):
    """Returns the nearest double (ties to even), and the distance to the exact value in thousandths of its ulp."""
    if value == 0:
        return 0.0, 0
    size = abs(value)
    exponent = max(mp.frexp(size)[1] - 53, -1074)
    scaled = mp.ldexp(size, -exponent)
    whole = int(mp.nint(scaled))
    rest = scaled - whole
    if whole == 1 << 53:
        whole, exponent, rest = 1 << 52, exponent + 1, rest / 2
    if exponent > 971:
        return (inf if value > 0 else -inf), 0
    sign = 1 if value > 0 else -1
    return sign * ldexp(whole, exponent), sign * int(mp.nint(rest * 1000))


def exact(name, arguments):
    x = mpf(arguments[0])
    if name == "pow":
        y = mpf(arguments[1])
        size = mp.exp(y * mp.log(abs(x)))
        return -size if x < 0 and int(y) % 2 else size
    if name in ("sin", "cos"):
        # The reduction loses as many bits as the argument has before the binary point.
        with mp.workprec(400 + max(0, mp.frexp(x)[1])):
            return getattr(mp, name)(x)
    if name == "cbrt":
        return mp.sign(x) * mp.cbrt(abs(x))
    if name == "hypot":
        return mp.hypot(x, mpf(arguments[1]))
    if name == "lgamma":
        return mp.log(abs(mp.gamma(x))) if abs(x) < 1000 else mp.loggamma(x)
    return getattr(mp, name)(x)


def show(name, arguments):
    result, distance = rounded(exact(name, arguments))
    print(name, *(f"{bits(a):016x}" for a in (*arguments, result)), distance)


def spread(count, low=1, high=LARGEST):
    """Returns positive numbers with exponents of all sizes."""
    return [double(random.randint(low, high)) for _ in range(count)]


def logarithms():
    yield from spread(500)
    yield from spread(150, high=0x000FFFFFFFFFFFFF)
    yield from (double(random.getrandbits(random.randint(1, 52)) | 1) for _ in range(100))
    yield from (ldexp(1.0, k) for k in range(-1074, 1024, 16))
    yield from (random.uniform(0.5, 2) for _ in range(300))
    yield from (random.uniform(0.98, 1.03) for _ in range(300))
    for k in range(2, 53):
        for _ in range(4):
            yield 1 + random.uniform(-1, 1) * 2.0**-k
    yield from around(1.0)
    # The borders of the table's intervals.
    for i in range(65):
        yield from around(double(0x3FE6955500000000 + (i << 46)), 1)
    yield from map(double, WORST["log"])


def exponentials():
    yield from (random.uniform(-745.2, 709.8) for _ in range(500))
    yield from (random.uniform(-1, 1) for _ in range(500))
    yield from (random.uniform(-745.2, -708.3) for _ in range(300))
    yield from (random.choice((-1, 1)) * x for x in spread(150, bits(2.0**-60), bits(0.5)))
    yield from map(float, range(-745, 710, 11))
    for border in (709.782712893384, -708.3964185322641, -745.1332191019412, -744.4400719213812):
        yield from around(border)
    # The borders between steps of the table.
    for i in range(-60, 61):
        yield from around(float((2 * i + 1) * mp.log(2) / 64), 1)
    yield from map(double, WORST["exp"])


def angles(name):
    yield from (random.choice((-1, 1)) * x for x in spread(500, bits(2.0**-30)))
    yield from (random.choice((-1, 1)) * x for x in spread(100, bits(2.0**-30), bits(1.0)))
    yield from (random.uniform(-7, 7) for _ in range(500))
    yield from (random.uniform(-1, 1) for _ in range(300))
    # The doubles nearest to multiples of half a pi.
    for k in range(0, 1024, 4):
        n = random.randint(2**k, 2 ** (k + 1))
        with mp.workprec(1500):
            nearest = float(n * mp.pi / 2)
        if isfinite(nearest):
            yield nearest
    for n in range(1, 60):
        yield from around(float(n * mp.pi / 4), 1)
    yield from around(ldexp(1.0, 20))
    # The double that is closest of all.
    yield from (ldexp(6381956970095103, 797), -ldexp(6381956970095103, 797))
    yield from map(double, WORST[name])


def powers():
    def with_result(x, target):
        """Returns x and an exponent such that the logarithm of the power is about `target`."""
        return x, float(target / mp.log(x))

    for x in spread(500):
        yield with_result(x, random.uniform(-740, 709))
    for _ in range(300):
        yield with_result(random.uniform(0.5, 2), random.uniform(-740, 709))
    for _ in range(500):
        yield random.uniform(0, 100), random.uniform(-5, 5)
    for _ in range(300):
        yield with_result(random.uniform(0.98, 1.03), random.uniform(-740, 709))
    for k in range(2, 53):
        for _ in range(4):
            yield with_result(1 + random.choice((-1, 1)) * random.uniform(1, 2) * 2.0**-k, random.uniform(-740, 709))
    for _ in range(200):
        yield with_result(random.uniform(0, 100), random.uniform(-745.2, -708.3))
    for _ in range(100):
        yield with_result(random.uniform(0, 100), random.uniform(709.7827, 709.7828))
    for x in spread(100, high=0x000FFFFFFFFFFFFF):
        yield x, random.uniform(-0.95, 0.95)
    for _ in range(100):
        yield -random.uniform(0, 50), float(random.randint(-40, 40))
    # Exact results: whole powers of whole numbers, roots of squares and fourth powers, powers of two.
    for base in range(2, 60):
        power = 2
        while base**power < 2**53:
            yield float(base), float(power)
            power += random.randint(1, 4)
    for _ in range(100):
        root = random.randint(2, 2**26)
        yield float(root**2), 0.5
        root = random.randint(2, 2**13)
        yield float(root**4), 0.25 * random.choice((1, 3))
    for power in range(-1080, 1030, 30):
        yield 2.0, float(power)
        yield 0.25, power / 2
    # Results very close to 1.
    for x in spread(60, bits(1e-300), bits(1e300)):
        yield x, random.choice((-1, 1)) * 2.0 ** random.randint(-70, -45)
    yield from ((double(a), double(b)) for a, b in WORST["pow"])


def signed(numbers):
    return (random.choice((-1, 1)) * x for x in numbers)


def small(count, most):
    """Numbers of all sizes from one of which the functions are the number itself."""
    return spread(count, bits(2.0**-60), bits(most))


def cubes():
    yield from spread(75)
    yield from spread(50, high=0x000FFFFFFFFFFFFF)
    yield from signed(random.uniform(0.5, 8) for _ in range(125))
    yield from (float(n**3) for n in range(1, 40))


def logarithms_above_minus_one():
    yield from signed(small(100, 0.99))
    yield from spread(50, bits(1.0))
    yield from (random.uniform(-1, 1) for _ in range(100))
    yield from (nextafter(-1, 0), -(2.0**-53), 2.0**-53, 2.0**-52)


def exponentials_less_one():
    yield from signed(small(100, 45.0))
    # Where a step of the table begins, the rest is largest beside the result.
    yield from signed(random.uniform(0.0105, 0.0115) for _ in range(75))
    yield from (random.uniform(-1, 1) for _ in range(75))
    yield from (random.uniform(30, 709.7) for _ in range(50))


def hyperbolic(name):
    yield from signed(small(75, 45.0))
    yield from signed(random.uniform(0.005, 0.0115) for _ in range(75))
    yield from (random.uniform(0, 1) for _ in range(75))
    if name != "tanh":
        yield from (random.uniform(30, 710.47) for _ in range(50))


def errors(name):
    yield from signed(small(75, 1.0))
    yield from (random.uniform(-6, 6) for _ in range(50))
    yield from (random.uniform(0.7, 1.2) for _ in range(75))
    if name == "erfc":
        yield from (random.uniform(0, 27.3) for _ in range(125))
    yield from around(0.875)


def gammas(name):
    yield from (random.uniform(0, 16) for _ in range(75))
    yield from (random.uniform(1, 4) for _ in range(50))
    yield from spread(50, bits(1e-300), bits(1.0))
    if name == "gamma":
        yield from (random.uniform(16, 171.6) for _ in range(50))
        yield from (random.uniform(-177, 0) for _ in range(50))
        yield from map(float, range(1, 172))
    else:
        yield from spread(50, bits(16.0), bits(2.5e305))
        yield from (random.uniform(-60, -30) for _ in range(50))
        for middle in (1, 2):
            yield from (middle + random.uniform(-1, 1) * 2.0**-k for k in range(4, 50) for _ in range(3))


def lengths():
    for _ in range(150):
        yield random.uniform(0, 1), random.uniform(0, 1)
    for x in spread(75, bits(1e-320), bits(1e308)):
        yield x, x * 2.0 ** random.uniform(-60, 0)
    for n in range(1, 40):
        yield float(n * n - 1), float(2 * n)


# The worst of two hundred million random arguments, found by comparison with quadruple precision.
WORST = {
    "log": [
        0x3FF01974EA7C286E, 0x3FF0179C87ED5606, 0x3FF018E0884392DE, 0x3FF01792B77090EE, 0x3FF015993DC5FE76,
        0x3FF0198A46B5FB4E, 0x3FF016C036921EE6, 0x3FF019912D431902, 0x3FF01683E29D415A, 0x5D2E4C566A31D23A,
        0x1B9E62ED5E296549, 0x1A587CF67D846579, 0x0006EB99CB493A3D, 0x000000009EE124F8, 0x00000000001B28D3,
    ],
    "exp": [
        0x40810BF6014D271E, 0x3FE47336F676C258, 0x3FE475EEC6C8053C, 0xC083AB6F636CDBDD, 0xBF86AC0BFB4CDF24,
        0x3FE47A9D3FB9190C, 0x40808C18BB4D8926, 0xBF897C7FE2ED2670, 0xBF8A49994F408CC8, 0xC0862054099A0762,
        0xC086205586C4501E, 0xC08620A4AF55963F, 0x40862E42FA57B5AD, 0x40862E42F969C4AC, 0x40862E42F8FF155C,
    ],
    "sin": [
        0x400F38488EDB5FC0, 0x40DA40D820B55411, 0x760934BED452383D, 0x4117B0709FCE5F07, 0x5E6427EFAC665313,
        0x58CBC3C30ADE3BCF, 0x413414723FBBC2EB, 0x4108CBA9872D4B50, 0x4114C6C6F7229494, 0x41358F53C6F2262C,
        0xC00F2C61A41AB93A, 0x400F59AE4CFD1640, 0x6B1D0CE200690F21, 0x77AEC169DF219806, 0xBFE83614CBC426C2,
        0x3FE87AC7E35C7B86,
    ],
    "cos": [
        0x411E1204BACB01C3, 0x3FE97E49047B2CC0, 0xBFE9DA63A177B122, 0xBFE96FD2AADA3A2E, 0x412837630DA37602,
        0x3FE9814D610950FE, 0x412368E9CD2668F5, 0xBFE9E5120C9E7F20, 0x4122C6B77CEE76F1, 0x405F3681BF44FD9C,
        0x4107C3AB2B716DF0, 0x6362A11E0BD822FB, 0x41316621933B756C, 0x3FEA0B53FFAB1800, 0x7F1CB3CBAC8725B6,
    ],
    "pow": [
        (0x3FF015D30E2E08B5, 0x40FF2BD10D300E63), (0x3FF01555C4FF7CC9, 0xC0FF3DED61839CC0),
        (0x3FF016030E3F79F5, 0x40FFA31C6FBF2C0C), (0x3FF018E8005F89BA, 0x40F74E79005F4EB1),
        (0x3FF0180ADC743EED, 0x40FA7B80F2458517), (0x3FF016A424D51E54, 0xC0FB7CF7F1CE5D1E),
        (0x3FF01629B52DDD52, 0xC0F714D80A5CC886), (0x4FE46975E6A9940B, 0xBFF34D4F656526AB),
        (0x000000000169D13A, 0xBFDFE37BBFA70240), (0x0000002AB0E5903B, 0xBFEAF316B7127656),
        (0x4045CBCECBA14C59, 0xC00045C94DF921A5), (0x3FF5C1CBFB48A8CE, 0xC061337D0A781F72),
        (0x0000041C1A3EB5E9, 0xBFC90D9207615C98), (0x085A310D7B382DB2, 0xBFE28766B468389A),
        (0x3FEFFFFC44BACA18, 0x41AD668F8DE184C8), (0x4037768256D02131, 0xC01196EFFC323F36),
    ],
}

# The worst of tens of thousands of random arguments of those that make errors large.
WORST_OF_OTHERS = {
    "cbrt": [(0x4009DCCA0D73B457,), (0x3FF553854C74F9FA,), (0x3FF01E2FBD07A55A,), (0x401D54C0EB11700D,)],
    "hypot": [
        (0x3FE8412A576531D0, 0x3FC8F0F4DF5D04B8),
        (0x3FEBEF8CDB80AA81, 0x3FD7DD7CBAF050A2),
        (0x3FEA580C98228360, 0x3FE8922483268FE7),
        (0x3FEC6B669B61DB57, 0x3FC1EA061973DE58),
    ],
    "log1p": [(0x3CA9FD5FF118D06E,), (0xBCA9FCEB17BB16C2,), (0xBCA9FC3515953466,), (0x3CA9FABCF719669C,)],
    "expm1": [(0x3F86503D3F9B6E40,), (0x3F863013EC48D659,), (0x3F8632C335FC99A4,), (0x3F86504BA2885E39,)],
    "sinh": [(0x3F8632F9D67182ED,), (0x3F8634FDECC71913,), (0x3F86367349F2A4A2,), (0x3F86402C72C723C2,)],
    "cosh": [(0x3F5ACD43D814699A,), (0x3F97C9252B4675DA,), (0x3F818577944B93CD,), (0x3F8F80498102AF67,)],
    "tanh": [(0x3F764F103A04E225,), (0x3F7639B46BDEEDED,), (0x3F764BBC31895603,), (0x3F763D4D757806B5,)],
    "erf": [(0x3FF056E15DEA2E8D,), (0x3FEDA1DC23D80DA2,), (0x3FECA7D52816823E,), (0x3FF0CB5700F9A4A2,)],
    "erfc": [(0x40377C1CDB02D4AA,), (0x40170BDCADB27D1B,), (0x4007C6AEC7032261,), (0x401B24497E91A130,)],
    "gamma": [(0x4007B3AC5033723E,), (0x3FF35D7E1F8D8610,), (0x4007A3B345ACD997,), (0x402066D28D24C310,)],
    "lgamma": [(0x3FF00696EF0B7CCC,), (0x3FEFFFFFFFFCACDF,), (0x3FF000000001A278,), (0x3FF000000006C303,)],
}

for x in logarithms():
    show("log", (x,))
for x in exponentials():
    show("exp", (x,))
for name in ("sin", "cos"):
    for x in angles(name):
        show(name, (x,))
for x, y in powers():
    show("pow", (x, y))
for x in cubes():
    show("cbrt", (x,))
for x, y in lengths():
    show("hypot", (x, y))
for x in logarithms_above_minus_one():
    show("log1p", (x,))
for x in exponentials_less_one():
    show("expm1", (x,))
for name in ("sinh", "cosh", "tanh"):
    for x in hyperbolic(name):
        show(name, (x,))
for name in ("erf", "erfc"):
    for x in errors(name):
        show(name, (x,))
for name in ("gamma", "lgamma"):
    for x in gammas(name):
        show(name, (x,))
for name, worst in WORST_OF_OTHERS.items():
    for arguments in worst:
        show(name, [double(each) for each in arguments])
