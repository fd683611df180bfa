"""The sentences that end a run: one truth for the compiled module and for the checked reference.

A failure reads `line N: SENTENCE`, where N is the line of the operation (`node.lineno` in the syntax tree), of the
statement `assert` or `raise`, or of the `def` of a function that ends without its value.
"""

from __future__ import annotations

#: A sentence is at most this long in UTF-8, as `potluck_why` of a module allows.
LONGEST = 200

# --- whole numbers -------------------------------------------------------------

#: `+ - * // ** <<`, unary `-`, `abs`, `sum` and functions of `math` whose result is a whole number.
OVERFLOW = "a whole number is beyond 64 bits"
#: `/`, `//`, `%` and `divmod` by 0 or 0.0, and `0.0 ** -1`.
DIVISION = "division by zero"
#: `<<` and `>>` by a negative number.
SHIFT = "a shift by a negative number"
#: A whole number to a negative power that is known only at run time.
NEGATIVE_POWER = "a whole number to a negative power; write float(x) ** y"
#: `int`, `round`, `math.floor`, `math.ceil` and `math.trunc` of NaN, an infinity, or a real number beyond 64 bits.
CONVERSION = "a real number has no whole number of 64 bits"

# --- real numbers --------------------------------------------------------------

#: A negative real number to a power that is no whole number. Python would give a complex number.
COMPLEX = "a negative number to a power that is not whole"
#: `**` of real numbers whose result is too large, as Python's OverflowError.
POWER_RANGE = "a power is too large for a real number"


def domain(function: str) -> str:
    """Python's ValueError of a function of `math`: `math.log(0)`, `math.sqrt(-1)`, `math.sin(math.inf)`."""
    return f"math.{function} of a number for which it has no value"


def too_large(function: str) -> str:
    """Python's OverflowError of a function of `math`: `math.exp(1000)`, `math.pow(10, 400)`."""
    return f"math.{function} has a result that is too large for a real number"


# --- lists ---------------------------------------------------------------------

#: Reading or writing an element, also of a tuple, a histogram or a table.
INDEX = "an index is outside its list"
#: `min` and `max` of an empty list, and `random.choice` of one.
EMPTY = "an empty list has no element to choose"
#: `range(a, b, 0)` and `list[::0]`.
STEP = "a step of 0"
#: `a, b = list` with another number of elements.
UNPACK = "a list has another number of elements than the names on the left"
#: `list.index` and others that look for an element.
MISSING = "the list does not have this element"
#: A list that would not fit into a module's memory.
MEMORY = "a list is too long for the memory"

# --- names, functions and statements -------------------------------------------

#: A function that ends without the value that others of its returns have.
NO_VALUE = "the function ended without a value; add a return"
#: Functions that call each other too deeply.
DEPTH = "functions call each other too deeply"
#: `assert` without a text, and `raise` without an error.
ASSERTION = "the assertion does not hold"
RAISED = "the simulation raised an error"


def unbound(name: str) -> str:
    """A variable that no statement has set on the way here."""
    return f"'{name}' has no value yet"


# --- the kit; its draws, tallies and tables check what they get ----------------

BELOW = "the limit of a random number must be above 0"
#: `random.integer(a, b)` with b < a.
INTEGER = "the end of random.integer must not be below its start"
PAIR = "each limit of a pair must be from 1 to 65 536"
CHANCE = "the probability of chance must be from 0 to 1"
SHAPE = "a shape must be from 1e-300 to 1e300"
FREEDOM = "the degrees of freedom must be from 1e-299 to 1e300"
QUANTILE_FREEDOM = "the degrees of freedom of a quantile must be at least 0.5"
PROBABILITY = "the probability of a quantile must be between 0 and 1"
MODE = "the mode of triangular must be between its ends"
GEOMETRIC = "the probability of geometric must be from 1e-7 to 1"
POISSON = "the mean of poisson must be from 0 to 1e9"
TRIALS = "the trials of binomial must be from 0 to 2147483647"
BINOMIAL = "the probability of binomial must be from 0 to 1"
NEGATIVE_BINOMIAL = "negative binomial numbers need successes, a probability from 1e-7 to 1 and a mean of at most 1e8"
COVARIANCE = "a covariance must be a square, symmetric and positive definite matrix"
CHOICES = "choices needs a list that is not empty"
SAMPLE = "sample cannot choose more different elements than there are"
WEIGHT = "a weight must be finite and at least 0"
WEIGHTS = "the sum of the weights must be finite and above 0"
EMPIRICAL = "an Empirical needs at least one number"
APART = "the numbers of an Empirical must be finite, and less than 1.8e308 apart"
POINTS = "the points of a lattice must be a power of two from 64 to 65 536"
DIMENSIONS = "the dimensions of a lattice must be from 1 to a quarter of its points"
POINT = "a lattice has no such point or dimension; the first one of each is 0"
COUNT = "a count cannot go down"
NAN = "NaN, which is no number, cannot be added to the tally"
MOMENTS = "Moments take numbers of size below 3·10⁹, whose squares fit; add a part of it, such as x / 1000"
COMOMENTS = "Comoments take numbers of size below 3·10⁹, whose squares fit; add a part of each, such as x / 1000"
PAIRS = "Pairs take numbers of size below 55 108, whose fourth powers fit; add a part of each, such as x / 1000"
CATEGORY = "Counts have no such category; the first one is 0, and the last one is one less than their number"
TIME = "a Series has no such time; the first one is 0, and the last one is one less than their number"
SERIES = "a Series takes numbers of size below 3·10⁹, whose squares fit; add a part of it, such as x / 1000"
SUM = "an ExactSum takes numbers of size below 2⁶³, about 9·10¹⁸"
SQUARE = "an ExactSum takes squares of numbers of size below 3·10⁹"


def at(line: int, sentence: str) -> str:
    """Returns what a failed run says."""
    return f"line {line}: {sentence}"
