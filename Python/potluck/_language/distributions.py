"""Draws that are made of other draws, once for the compiler and for plain Python. docs/RANDOM.md has them in words.

The text is in the language of `prelude.py`, of which it is a part. `_kit/draws.py` runs it in plain Python.
"""

SOURCE = """
def log_normal(random, mean, deviation):
    return _exp(random.normal(mean, deviation))

def weibull(random, shape, scale):
    if not 1e-300 <= shape <= 1e300:
        stop(SHAPE)
    return scale * _exp(_log(-_log(1.0 - random.unit())) / shape)

def triangular(random, low, mode, high):
    if not low <= mode <= high:
        stop(MODE)
    u = random.unit()
    width = high - low
    if u * width < mode - low:
        return low + _root(u * width * (mode - low))
    return high - _root((1.0 - u) * width * (high - mode))

def raised_gamma(random, shape):
    d = (shape if shape >= 1.0 else shape + 1.0) - 0.3333333333333333
    c = 1.0 / _root(9.0 * d)
    while True:
        x = random.normal()
        u = 1.0 - random.unit()
        t = 1.0 + c * x
        if t > 0.0:
            v = t * t * t
            square = x * x
            if u < 1.0 - 0.0331 * square * square or _log(u) < 0.5 * square + d * (1.0 - v + _log(v)):
                return d * v

def empirical(numbers):
    if len(numbers) == 0:
        stop(EMPIRICAL)
    ordered = sorted([float(number) + 0.0 for number in numbers])
    for number in ordered:
        if number != number:
            stop(APART)
    if not ordered[-1] - ordered[0] <= 1.7976931348623157e308:
        stop(APART)
    return ordered

def empirical_pick(random, numbers):
    return numbers[random.below(len(numbers))]

def empirical_interpolate(random, numbers):
    last = len(numbers) - 1
    place = random.unit() * float(last)
    index = max(0, min(int(place), last - 1))
    low = numbers[index]
    return low + (place - float(index)) * (numbers[min(index + 1, last)] - low)

def gamma(random, shape, scale):
    if not 1e-300 <= shape <= 1e300:
        stop(SHAPE)
    whole = raised_gamma(random, shape)
    if shape < 1.0:
        whole *= _exp(_log(1.0 - random.unit()) / shape)
    return scale * whole

def log_gamma(random, shape):
    if not 1e-300 <= shape <= 1e300:
        stop(SHAPE)
    whole = _log(raised_gamma(random, shape))
    if shape < 1.0:
        whole += _log(1.0 - random.unit()) / shape
    return whole

def beta(random, a, b):
    first = log_gamma(random, a)
    second = log_gamma(random, b)
    if first >= second:
        return 1.0 / (1.0 + _exp(second - first))
    ratio = _exp(first - second)
    return ratio / (1.0 + ratio)

def chi_squared(random, freedom):
    if not 1e-299 <= freedom <= 1e300:
        stop(FREEDOM)
    return gamma(random, 0.5 * freedom, 2.0)

def student_t(random, freedom):
    if not 1e-299 <= freedom <= 1e300:
        stop(FREEDOM)
    x = random.normal()
    return x * _exp(0.5 * (_log(0.5 * freedom) - log_gamma(random, 0.5 * freedom)))

def geometric(random, p):
    if not 1e-7 <= p <= 1.0:
        stop(GEOMETRIC)
    return 1 + int(_log(1.0 - random.unit()) / _log1p(-p))

def log_factorial(k):
    if k < 10:
        product = 1.0
        for factor in range(2, k + 1):
            product *= float(factor)
        return _log(product)
    x = float(k) + 1.0
    inverse = 1.0 / (x * x)
    series = 0.0007936507936507937 - inverse * 0.0005952380952380953
    series = (0.08333333333333333 - inverse * (0.002777777777777778 - inverse * series)) / x
    return (x - 0.5) * _log(x) - x + (0.9189385332046727 + series)

def searched(random, first, a, s, most):
    while True:
        left = random.unit()
        p = first
        for k in range(most + 1):
            if left < p:
                return k
            left -= p
            p *= a / float(k + 1) - s

def poisson(random, mean):
    if not 0.0 <= mean <= 1e9:
        stop(POISSON)
    if mean < 10.0:
        return searched(random, _exp(-mean), mean, 0.0, 110)
    b = 0.931 + 2.53 * _root(mean)
    a = 0.02483 * b - 0.059
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    squeeze = 0.9277 - 3.6224 / (b - 2.0)
    logarithm = _log(mean)
    while True:
        u = random.unit() - 0.5
        v = 1.0 - random.unit()
        left = 0.5 - abs(u)
        if left >= 0.013 or v <= left:
            place = (2.0 * a / left + b) * u + mean + 0.43
            if 0.0 <= place < 2147483648.0:
                k = int(place)
                if left >= 0.07 and v <= squeeze:
                    return k
                if _log(v * inverse / (a / (left * left) + b)) <= float(k) * logarithm - mean - log_factorial(k):
                    return k

def binomial(random, n, p):
    if not 0 <= n <= 2147483647:
        stop(TRIALS)
    if not -1e-9 <= p <= 1.000000001:
        stop(BINOMIAL)
    k = rarer_binomial(random, n, max(1.0 - p if p > 0.5 else p, 0.0))
    return n - k if p > 0.5 else k

def rarer_binomial(random, n, p):
    q = 1.0 - p
    mean = float(n) * p
    if mean < 10.0:
        return searched(random, _exp(float(n) * _log1p(-p)), float(n + 1) * (p / q), p / q, min(n, 110))
    spread = _root(mean * q)
    b = 1.15 + 2.53 * spread
    a = 0.0248 * b - 0.0873 + 0.01 * p
    inverse = (2.83 + 5.1 / b) * spread
    squeeze = 0.92 - 4.2 / b
    odds = _log(p / q)
    mode = int(float(n + 1) * p)
    highest = log_factorial(mode) + log_factorial(n - mode)
    while True:
        u = random.unit() - 0.5
        v = 1.0 - random.unit()
        left = 0.5 - abs(u)
        if left > 0.0:
            place = (2.0 * a / left + b) * u + (mean + 0.5)
            if 0.0 <= place < float(n + 1):
                k = int(place)
                if left >= 0.07 and v <= squeeze:
                    return k
                rest = log_factorial(k) + log_factorial(n - k)
                if _log(v * inverse / (a / (left * left) + b)) <= highest - rest + float(k - mode) * odds:
                    return k

def negative_binomial(random, successes, p):
    if not (1e-7 <= p <= 1.0 and successes > 0.0 and successes * (1.0 - p) / p <= 1e8):
        stop(NEGATIVE_BINOMIAL)
    return poisson(random, gamma(random, successes, (1.0 - p) / p))

def in_disc(random):
    while True:
        x = 2.0 * random.unit() - 1.0
        y = 2.0 * random.unit() - 1.0
        if x * x + y * y < 1.0:
            return x, y

def on_sphere(random):
    x, y = in_disc(random)
    square = x * x + y * y
    factor = 2.0 * _root(1.0 - square)
    return x * factor, y * factor, 1.0 - 2.0 * square

def dirichlet(random, shapes):
    if len(shapes) == 0:
        stop(EMPTY)
    logarithms = [log_gamma(random, float(shape)) for shape in shapes]
    most = max(logarithms)
    parts = [_exp(each - most) for each in logarithms]
    total = 0.0
    for each in parts:
        total += each
    return [each / total for each in parts]

def multinomial(random, n, weights):
    if not 0 <= n <= 2147483647:
        stop(TRIALS)
    count = len(weights)
    rest = [0.0] * (count + 1)
    for back in range(count):
        place = count - 1 - back
        weight = float(weights[place])
        if not 0.0 <= weight <= 1.7976931348623157e308:
            stop(WEIGHT)
        rest[place] = rest[place + 1] + weight
    if not 0.0 < rest[0] <= 1.7976931348623157e308:
        stop(WEIGHTS)
    counts = [0] * count
    left = n
    for place in range(count - 1):
        share = float(weights[place]) / rest[place] if rest[place] > 0.0 else 0.0
        counts[place] = binomial(random, left, share)
        left -= counts[place]
    counts[count - 1] = left
    return counts

def cholesky(covariance):
    count = len(covariance)
    factor = [[0.0] * count for _ in range(count)]
    for each in covariance:
        if len(each) != count:
            stop(COVARIANCE)
    for row in range(count):
        for column in range(row + 1):
            if not float(covariance[row][column]) == float(covariance[column][row]):
                stop(COVARIANCE)
            sum = float(covariance[row][column])
            for k in range(column):
                sum -= factor[row][k] * factor[column][k]
            if column < row:
                factor[row][column] = sum / factor[column][column]
            elif 0.0 < sum <= 1.7976931348623157e308:
                factor[row][row] = _root(sum)
            else:
                stop(COVARIANCE)
    return factor

def normals(random, factor):
    drawn = [random.normal() for _ in factor]
    result = [0.0] * len(factor)
    for row in range(len(factor)):
        if len(factor[row]) <= row:
            stop(COVARIANCE)
        for column in range(row + 1):
            result[row] += factor[row][column] * drawn[column]
    return result

def lattice(random, points, dimensions):
    if not 64 <= points <= 65536 or points & (points - 1) != 0:
        stop(POINTS)
    if not 1 <= dimensions <= points // 4:
        stop(DIMENSIONS)
    parts = [points] * (1 + 2 * dimensions)
    step = 4294967296 // points
    for dimension in range(dimensions):
        parts[2 * dimension + 1] = step
        parts[2 * dimension + 2] = random.next()
        step = step * 22701 & 4294967295
    return parts

def lattice_unit(parts, point, dimension):
    if not 0 <= point < parts[0] or not 0 <= dimension < len(parts) // 2:
        stop(POINT)
    word = point * parts[2 * dimension + 1] + parts[2 * dimension + 2] & 4294967295
    folded = word if word < 2147483648 else 4294967295 - word
    return float(folded) * 4.656612873077393e-10 + 2.3283064365386963e-10

def lattice_normal(parts, point, dimension):
    return normal_quantile(lattice_unit(parts, point, dimension))
"""
