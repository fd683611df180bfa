"""Operations of Python with the checks that a module has: whole numbers of 64 bits, and a sentence for each failure.

`checked.py` puts calls of them in place of an author's operations. Each gets the line of its operation.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any, Callable, Iterable, Sequence

from . import sentences
from .checked_math import FUNCTIONS, Wrong, power

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
#: A list with more elements would not fit into a module's memory.
MOST_ELEMENTS = 1 << 27


class Failure(RuntimeError):
    """The end of a run. `is_authors`: by the author's own `assert` or `raise`, which in `prepare` refuses parameters."""

    def __init__(self, line: int, sentence: str, is_authors: bool = False) -> None:
        super().__init__(sentence)
        self.line = line
        self.sentence = sentence
        self.is_authors = is_authors


def whole(value: Any, line: int) -> Any:
    """Returns a result. Fails if it is a whole number beyond 64 bits."""
    if type(value) is int and not LEAST <= value <= GREATEST:
        raise Failure(line, sentences.OVERFLOW)
    return value


def _dividing(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any, int], Any]:
    def checked(a: Any, b: Any, line: int) -> Any:
        try:
            return whole(operation(a, b), line)
        except ZeroDivisionError:
            raise Failure(line, sentences.DIVISION) from None

    return checked


divide = _dividing(operator.truediv)
floor_divide = _dividing(operator.floordiv)
modulo = _dividing(operator.mod)


def multiply(a: Any, b: Any, line: int) -> Any:
    """`a * b`, also of a list and a number."""
    for elements, times in ((a, b), (b, a)):
        if isinstance(elements, (list, tuple)) and isinstance(times, int) and len(elements) * times > MOST_ELEMENTS:
            raise Failure(line, sentences.MEMORY)
    return whole(a * b, line)


def shift_left(a: int, b: int, line: int) -> int:
    """`a << b`."""
    if b < 0:
        raise Failure(line, sentences.SHIFT)
    if a == 0:
        return 0
    if b > 63:
        raise Failure(line, sentences.OVERFLOW)
    return int(whole(a << b, line))


def shift_right(a: int, b: int, line: int) -> int:
    """`a >> b`."""
    if b < 0:
        raise Failure(line, sentences.SHIFT)
    return a >> b


def raised(a: Any, b: Any, line: int, is_constant: bool = False) -> Any:
    """`a ** b`. A whole number to a negative constant is a real number."""
    if isinstance(a, int) and isinstance(b, int) and (b >= 0 or not is_constant):
        if b < 0:
            raise Failure(line, sentences.NEGATIVE_POWER)
        if b > 63 and abs(a) > 1:
            raise Failure(line, sentences.OVERFLOW)
        # 0, 1 and -1 have the same powers for all even and for all odd exponents from 2 on.
        return whole(a ** (b if b < 64 else 2 + b % 2), line)
    try:
        return power(float(a), float(b))
    except Wrong as wrong:
        raise Failure(line, wrong.sentence) from None


def negative(a: Any, line: int) -> Any:
    """`-a`."""
    return whole(-a, line)


def item(elements: Any, index: Any, line: int) -> Any:
    """`elements[index]`, also of a slice."""
    try:
        return elements[index]
    except IndexError:
        raise Failure(line, sentences.INDEX) from None
    except ValueError:
        raise Failure(line, sentences.STEP) from None


def put(value: Any, elements: Any, index: Any, line: int) -> None:
    """`elements[index] = value`. The arguments are in the order in which Python evaluates them."""
    try:
        elements[index] = value
    except IndexError:
        raise Failure(line, sentences.INDEX) from None


def unpack(value: Any, count: int, line: int) -> Sequence[Any]:
    """Returns the elements of a value that several names take."""
    elements = tuple(value)
    if len(elements) != count:
        raise Failure(line, sentences.UNPACK)
    return elements


def shown(value: Any) -> Any:
    """A value in a text."""
    from potluck._kit.output import text

    return text(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def stop(line: int, text: object) -> Failure:
    """The failure of an author's `assert` or `raise`."""
    return Failure(line, str(text), is_authors=True)


def call(line: int, function: Any, *arguments: Any, **named: Any) -> Any:
    """`function(…)`."""
    special = _SPECIAL.get(function) if getattr(function, "__hash__", None) else None
    try:
        if special is not None:
            return special(line, *arguments, **named)
        return whole(function(*arguments, **named), line)
    except Wrong as wrong:
        raise Failure(line, wrong.sentence) from None
    except (ValueError, IndexError) as error:
        # What the kit's draws and fields say of their arguments.
        if type(getattr(function, "__self__", None)).__module__.startswith("potluck._kit"):
            raise Failure(line, str(error)) from None
        if str(getattr(function, "__module__", "")).startswith("potluck._kit"):
            raise Failure(line, str(error)) from None
        raise


def _range(line: int, *ends: int) -> range:
    if len(ends) == 3 and ends[2] == 0:
        raise Failure(line, sentences.STEP)
    return range(*ends)


def _sum(line: int, elements: Iterable[Any], start: Any = 0) -> Any:
    """The sum as Python has it since 3.12: of real numbers with Neumaier's compensation."""
    total, lost = start, 0.0
    is_real = type(start) is float
    for element in elements:
        if not is_real:
            total = whole(total + element, line)
            is_real = type(total) is float
        elif type(element) is float:
            after = total + element
            lost += (total - after) + element if abs(total) >= abs(element) else (element - after) + total
            total = after
        else:
            total += float(element)
    # An infinite sum stays what it is.
    return total + lost if is_real and lost and abs(lost) < float("inf") else total


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    def checked(line: int, *arguments: Any, **named: Any) -> Any:
        if len(arguments) == 1 and "default" not in named:
            arguments = (list(arguments[0]),)
            if not arguments[0]:
                raise Failure(line, sentences.EMPTY)
        return function(*arguments, **named)

    return checked


def _whole_number(function: Callable[..., Any]) -> Callable[..., Any]:
    """`int` and `round`."""

    def checked(line: int, *arguments: Any) -> Any:
        try:
            value = function(*arguments)
        except (OverflowError, ValueError):
            raise Failure(line, sentences.CONVERSION) from None
        if type(value) is int and not LEAST <= value <= GREATEST:
            raise Failure(line, sentences.CONVERSION)
        return value

    return checked


def _divmod(line: int, a: Any, b: Any) -> tuple[Any, Any]:
    return floor_divide(a, b, line), modulo(a, b, line)


#: Functions of Python that need more than a check of their result.
_SPECIAL: dict[Any, Callable[..., Any]] = {
    builtins.range: _range, builtins.sum: _sum, builtins.min: _extreme(builtins.min),
    builtins.max: _extreme(builtins.max), builtins.int: _whole_number(builtins.int),
    builtins.round: _whole_number(builtins.round), builtins.divmod: _divmod,
    **{function: _whole_number(function) for function in (FUNCTIONS["floor"], FUNCTIONS["ceil"], FUNCTIONS["trunc"])},
}
