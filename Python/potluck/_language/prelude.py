"""Functions of the language that are written in the language. A call has the line of the author's call."""

from __future__ import annotations

import ast

from . import sentences
from .distributions import SOURCE as DISTRIBUTIONS
from .inverses import SOURCE as INVERSES

# `stop(NAME)` in them ends the run with a sentence; `_…` are operations that only they have.
SOURCE = """
def repeated(list, count):
    length = len(list)
    times = max(count, 0)
    return [list[place % length] for place in range(length * times)]

def joined(first, second):
    length = len(first)
    return [first[place] if place < length else second[place - length] for place in range(length + len(second))]

def end_of_slice(has, end, length, otherwise):
    if not has:
        return otherwise
    if end < 0:
        return max(_plus(end, length), 0)
    return min(end, length)

def span(length, has_lower, lower, has_upper, upper):
    first = end_of_slice(has_lower, lower, length, 0)
    last = end_of_slice(has_upper, upper, length, length)
    return first, max(last - first, 0)

def sliced(list, first, count):
    return [list[first + place] for place in range(count)]

def end_of_steps(has, end, length, low, high, otherwise):
    if not has:
        return otherwise
    if end < 0:
        return max(_plus(end, length), low)
    return min(end, high)

def stepped(list, has_lower, lower, has_upper, upper, has_step, step):
    length = len(list)
    if step == 0:
        stop(STEP)
    if step > 0:
        first = end_of_steps(has_lower, lower, length, 0, length, 0)
        last = end_of_steps(has_upper, upper, length, 0, length, length)
    else:
        first = end_of_steps(has_lower, lower, length, -1, length - 1, length - 1)
        last = end_of_steps(has_upper, upper, length, -1, length - 1, -1)
    return [list[place] for place in range(first, last, step)]

def block_of(steps):
    most = 1048576 // max(1, int(steps))
    size = 65536
    while size > 16 and size > most:
        size //= 2
    return size

def whole_of(size):
    return int(size)

def in_range(x, first, limit, step):
    if step > 0:
        inside = first <= x < limit
    else:
        inside = limit < x <= first
    return inside and (x % step - first % step) % step == 0

def range_list(first, limit, step):
    return [number for number in range(first, limit, step)]

def grown(list):
    length = len(list)
    return [list[place] if place < length else list[0] for place in range(2 * length)]

def row_of(table, row):
    if not -len(table) <= row < len(table):
        stop(INDEX)
    return [table[row][column] for column in range(table.columns)]

def column_of(table, column):
    if len(table) > 0 and not -table.columns <= column < table.columns:
        stop(INDEX)
    return [table[row][column] for row in range(len(table))]

def copied(list):
    return list[:]

def real_copy(list):
    return [float(item) for item in list]

def least(list):
    if len(list) == 0:
        stop(EMPTY)
    best = list[0]
    for item in list:
        if item < best:
            best = item
    return best

def greatest(list):
    if len(list) == 0:
        stop(EMPTY)
    best = list[0]
    for item in list:
        if item > best:
            best = item
    return best

def total(list, start):
    sum = start
    for item in list:
        sum += item
    return sum

def real_total(list, start):
    sum = start
    lost = 0.0
    for item in list:
        both = sum + item
        if abs(sum) >= abs(item):
            lost += (sum - both) + item
        else:
            lost += (item - both) + sum
        sum = both
    return _compensated(sum, lost)

def sort(list):
    length = len(list)
    if length < 32:
        for place in range(1, length):
            item = list[place]
            before = place - 1
            while before >= 0 and item < list[before]:
                list[before + 1] = list[before]
                before -= 1
            list[before + 1] = item
        return
    half = length // 2
    left = list[:half]
    right = list[half:]
    sort(left)
    sort(right)
    i = 0
    j = 0
    for place in range(length):
        if j >= length - half or (i < half and not right[j] < left[i]):
            list[place] = left[i]
            i += 1
        else:
            list[place] = right[j]
            j += 1

def sorted_copy(list):
    copy = list[:]
    sort(copy)
    return copy

def sort_down(list):
    reverse(list)
    sort(list)
    reverse(list)

def sorted_down(list):
    copy = reversed_copy(list)
    sort(copy)
    reverse(copy)
    return copy

def reverse(list):
    last = len(list) - 1
    for place in range(len(list) // 2):
        list[place], list[last - place] = list[last - place], list[place]

def reversed_copy(list):
    last = len(list) - 1
    return [list[last - place] for place in range(len(list))]

def count_of(list, wanted):
    count = 0
    for item in list:
        if item == wanted:
            count += 1
    return count

def index_of(list, wanted):
    for place in range(len(list)):
        if list[place] == wanted:
            return place
    stop(MISSING)

def shuffle(random, list):
    count = len(list)
    for i in range(count - 1):
        j = i + random.below(count - i)
        list[i], list[j] = list[j], list[i]

def choice(random, list):
    if len(list) == 0:
        stop(EMPTY)
    return list[random.below(len(list))]

def choices(random, count, list):
    if count < 0 or (count > 0 and len(list) == 0):
        stop(CHOICES)
    return [list[random.below(len(list))] for _ in range(count)]

def sample(random, count, list):
    if not 0 <= count <= len(list):
        stop(SAMPLE)
    pool = list[:]
    length = len(pool)
    for i in range(count):
        j = i + random.below(length - i)
        pool[i], pool[j] = pool[j], pool[i]
    return pool[:count]

def power_of_int(base, exponent):
    if exponent < 0:
        stop(NEGATIVE_POWER)
    result = 1
    while exponent > 0:
        if exponent % 2 == 1:
            result *= base
        exponent //= 2
        if exponent > 0:
            base *= base
    return result

def power_of_int_to_int(base, exponent):
    if exponent < 0:
        stop(NEGATIVE_POWER)
    if base == 0 or base == 1:
        return 1 if exponent == 0 else base
    if base == -1:
        return 1 if exponent % 2 == 0 else -1
    if exponent > 64:
        stop(OVERFLOW)
    return power_of_int(base, exponent)

def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return abs(a)

def lcm(a, b):
    if a == 0 or b == 0:
        return 0
    return abs(a // gcd(a, b) * b)

def factorial(n):
    if n < 0:
        stop(DOMAIN_factorial)
    result = 1
    for factor in range(2, n + 1):
        result *= factor
    return result

def comb(n, k):
    if n < 0 or k < 0:
        stop(DOMAIN_comb)
    if k > n:
        return 0
    k = min(k, n - k)
    result = 1
    for i in range(1, k + 1):
        both = gcd(result, i)
        result = result // both * ((n - k + i) // (i // both))
    return result

def perm(n, k):
    if n < 0 or k < 0:
        stop(DOMAIN_perm)
    if k > n:
        return 0
    result = 1
    for factor in range(n - k + 1, n + 1):
        result *= factor
    return result

def isqrt(n):
    if n < 0:
        stop(DOMAIN_isqrt)
    root = min(int(_root(float(n))), 3037000499)
    while root * root > n:
        root -= 1
    while root < 3037000499 and (root + 1) * (root + 1) <= n:
        root += 1
    return root
"""

# The functions that were made, by their identity. They stay, so that it stays theirs.
HELPERS: set[int] = set()
_trees: dict[str, ast.FunctionDef] = {}
_made: dict[tuple[str, int], ast.FunctionDef] = {}


def names() -> dict[str, ast.FunctionDef]:
    """The functions, parsed once."""
    if not _trees:
        for each in ast.parse(SOURCE + DISTRIBUTIONS + INVERSES).body:
            assert isinstance(each, ast.FunctionDef)
            _trees[each.name] = each
    return _trees


def function(name: str, line: int) -> ast.FunctionDef:
    """A function whose every line is that of a call."""
    found = _made.get((name, line))
    if found is None:
        found = _made[name, line] = _copied(names()[name], line)
    return found


def _copied(node: ast.FunctionDef, line: int) -> ast.FunctionDef:
    made = _copy(node, line)
    assert isinstance(made, ast.FunctionDef)
    HELPERS.add(id(made))
    return made


def _copy(node: object, line: int) -> object:
    if isinstance(node, list):
        return [_copy(each, line) for each in node]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)(**{field: _copy(value, line) for field, value in ast.iter_fields(node)})
    if isinstance(node, (ast.expr, ast.stmt)):
        setattr(made, "lineno", line)
        setattr(made, "col_offset", 0)
    return made


def sentence(name: str) -> str:
    """The sentence of `stop(NAME)`."""
    if name.startswith("DOMAIN_"):
        return sentences.domain(name[len("DOMAIN_") :])
    return str(getattr(sentences, name))
