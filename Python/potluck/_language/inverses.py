"""Inverses of distribution functions, once for the compiler and for plain Python, as `Sources/Kit/Maths/Normal.swift` and
`Sources/Kit/Maths/StudentT.swift` have them.

The text is in the language of `prelude.py`, of which it is a part. `_kit/draws.py` runs it in plain Python.
"""

SOURCE = """
def normal_quantile(probability):
    if not 0.0 < probability < 1.0:
        stop(PROBABILITY)
    offset = probability - 0.5
    if abs(offset) <= 0.425:
        x = 0.180625 - offset * offset
        above = 2509.0809287301226727 * x + 33430.575583588128105
        above = ((above * x + 67265.770927008700853) * x + 45921.953931549871457) * x + 13731.693765509461125
        above = ((above * x + 1971.5909503065514427) * x + 133.14166789178437745) * x + 3.387132872796366608
        below = 5226.495278852854561 * x + 28729.085735721942674
        below = ((below * x + 39307.89580009271061) * x + 21213.794301586595867) * x + 5394.1960214247511077
        below = ((below * x + 687.1870074920579083) * x + 42.313330701600911252) * x + 1.0
        return offset * above / below
    root = _root(-_log(probability if offset < 0.0 else 1.0 - probability))
    if root <= 5.0:
        x = root - 1.6
        above = 7.7454501427834140764e-4 * x + 0.0227238449892691845833
        above = ((above * x + 0.24178072517745061177) * x + 1.27045825245236838258) * x + 3.64784832476320460504
        above = ((above * x + 5.7694972214606914055) * x + 4.6303378461565452959) * x + 1.42343711074968357734
        below = 1.05075007164441684324e-9 * x + 5.475938084995344946e-4
        below = ((below * x + 0.0151986665636164571966) * x + 0.14810397642748007459) * x + 0.68976733498510000455
        below = ((below * x + 1.6763848301838038494) * x + 2.05319162663775882187) * x + 1.0
    else:
        x = root - 5.0
        above = 2.01033439929228813265e-7 * x + 2.71155556874348757815e-5
        above = ((above * x + 0.0012426609473880784386) * x + 0.026532189526576123093) * x + 0.29656057182850489123
        above = ((above * x + 1.7848265399172913358) * x + 5.4637849111641143699) * x + 6.6579046435011037772
        below = 2.04426310338993978564e-15 * x + 1.4215117583164458887e-7
        below = ((below * x + 1.8463183175100546818e-5) * x + 7.868691311456132591e-4) * x + 0.0148753612908506148525
        below = ((below * x + 0.13692988092273580531) * x + 0.59983220655588793769) * x + 1.0
    size = above / below
    return -size if offset < 0.0 else size

def student_quantile(probability, freedom):
    if not 0.0 < probability < 1.0:
        stop(PROBABILITY)
    if not freedom >= 0.5:
        stop(QUANTILE_FREEDOM)
    offset = probability - 0.5
    size = student_size(abs(offset), probability if offset < 0.0 else 1.0 - probability, freedom)
    return -size if offset < 0.0 else size

def student_size(inside, outside, freedom):
    z = -normal_quantile(outside)
    if freedom >= 1000.0 and z * z < 0.005 * freedom:
        return student_series(z, freedom)
    half = 0.5 * freedom
    density = student_density(half)
    if outside >= 0.25:
        x = inside / density
        step = x
        while step > 1e-9 * x:
            slope = density * _exp(-(half + 0.5) * _log1p(x * x))
            step = (inside - x * slope * student_center(x, half)) / slope
            x += step
        return x * _root(freedom)
    goal = _log(outside)
    x = _exp((_log(density / freedom) - goal) / freedom)
    if x > 1e9:
        return x * _root(freedom)
    step = 1.0
    while abs(step) > 1e-9:
        logarithm = (half + 0.5) * _log1p(x * x)
        if x * x < 1.5 / (half + 1.0):
            slope = density * x * _exp(-logarithm)
            beyond = 0.5 - slope * student_center(x, half)
            step = _log(beyond / outside) * beyond / slope
        else:
            part = student_tail(1.0 / (1.0 + x * x), half) / freedom
            step = (_log(density * x * part) - logarithm - goal) * part
        x *= _exp(step)
    return x * _root(freedom)

def student_density(half):
    if half < 80.0:
        return _gamma(half + 0.5) / _gamma(half) * 0.5641895835477563
    x = 1.0 / half
    sum = 0.0011719763278961182 * x + 2.071857452392578e-4
    sum = ((sum * x - 0.001522064208984375) * x - 6.40869140625e-4) * x + 0.0048828125
    return (((sum * x + 0.0078125) * x - 0.125) * x + 1.0) * _root(half) * 0.5641895835477563

def student_center(x, half):
    part = x * x / (1.0 + x * x)
    term = 1.0
    sum = 1.0
    count = 1.0
    while term > 5e-17 * sum:
        term *= (half + count - 0.5) / (count + 0.5) * part
        sum += term
        count += 1.0
    return sum

def student_tail(x, half):
    over = 1.0
    under = 1.0 / (1.0 - (half + 0.5) * x / (half + 1.0))
    product = under
    factor = 0.0
    count = 1.0
    while abs(factor - 1.0) > 1e-15:
        place = half + 2.0 * count
        share = count * (0.5 - count) * x / ((place - 1.0) * place)
        under = 1.0 / (1.0 + share * under)
        over = 1.0 + share / over
        product *= under * over
        share = -(half + count) * (half + 0.5 + count) * x / (place * (place + 1.0))
        under = 1.0 / (1.0 + share * under)
        over = 1.0 + share / over
        factor = under * over
        product *= factor
        count += 1.0
    return product

def student_series(z, freedom):
    z2 = z * z
    first = z * (z2 + 1.0) / 4.0
    second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0
    third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0
    fourth = z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0
    return z + (first + (second + (third + fourth / freedom) / freedom) / freedom) / freedom
"""
