"""What to compare, as the words of a command line: settings of a simulation, or the influence of its parameters.

The only signatures of `difference` and `sensitivity`. As with a run, the program judges.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _points, _values
from ._cell import Subject
from ._data import Data
from ._errors import UsageError
from ._order import Order, order, suggest
from ._points import Values
from ._values import Precision, Value

#: What a parameter of `sensitivity` can be: a value, the two ends of a range, or a text such as "0..1".
Range = Union[Value, Sequence[float]]
#: The readings to show: one, or several.
Names = Union[str, Iterable[str]]


@dataclass(frozen=True)
class ComparisonOrder:
    """A comparison that was asked for."""

    base: Order
    #: The options of the function that made it.
    options: Sequence[str]

    def command(self) -> list[str]:
        """Returns the program's arguments."""
        return self.base.command(live=False)

    def explain(self, message: str) -> str:
        """Adds the option that a keyword may mean, where the program knows only its parameters."""
        return suggest(message, self.base.keywords, self.options)


def difference_order(
    simulation: Subject, *, trials: Union[int, float, str, None] = None, until: Optional[Precision] = None,
    seed: Union[int, str, None] = None, reading: Optional[Names] = None, cores: Optional[int] = None,
    priority: Optional[str] = None, inputs: Optional[Mapping[str, Data]] = None, session: Optional[str] = None,
    code: Optional[str] = None, open: bool = False, connect: Union[str, Sequence[str], None] = None,
    nodes: Optional[Sequence[str]] = None, wait_for: Optional[int] = None, browsers: bool = True,
    options: Optional[Mapping[str, Union[str, int, float, bool]]] = None,
    parameters: Optional[Mapping[str, Values]] = None, **keywords: Values,
) -> ComparisonOrder:
    """Makes the order of a comparison of settings.

    simulation: a built-in simulation, the path of a .py, .swift or .wasm file, or a class of your own
    trials, until: when to stop: trials of each setting, or the precision of the differences (0.0001, "1%" of the
        difference, or {"wait": "1%"} for this reading only)
    seed: the seed that all settings share; default: random
    reading: the reading or the readings to compare; default: all with a value
    cores, priority: what to use of this machine
    inputs: tables to read, by name: files, lists or arrays, such as {"a": "a.txt", "b": numpy.arange(10)}
    session: the room that computes it, with the five words as `code` (or POTLUCK_CODE), or `open` without words
    connect, nodes, wait_for, browsers: how the room is found, and who computes
    options: any other option of 'potluck difference' by its name
    parameters: the simulation's parameters, if a name is no Python name or an option's
    keywords: the simulation's other parameters; underscores stand for dashes. Each is one value, or several to compare
        such as [2, 3]. The first combination is what the others are compared with.
    """
    plan = _points.plan(_values.given(parameters, keywords), None)
    if plan.path is not None:
        raise UsageError("give a parameter at least two values to compare, such as tills=[2, 3]")
    base = order(
        simulation, trials=trials, seed=seed, until=until, cores=cores, priority=priority, inputs=inputs,
        session=session, code=code, open=open, connect=connect, nodes=nodes, wait_for=wait_for, browsers=browsers,
        options=options, parameters=plan.words)
    return _comparison(base, "difference", reading, keywords, difference_order)


def sensitivity_order(
    simulation: Subject, *, trials: Union[int, float, str, None] = None, rows: Optional[int] = None,
    seed: Union[int, str, None] = None, reading: Optional[Names] = None, cores: Optional[int] = None,
    priority: Optional[str] = None, inputs: Optional[Mapping[str, Data]] = None, session: Optional[str] = None,
    code: Optional[str] = None, open: bool = False, connect: Union[str, Sequence[str], None] = None,
    nodes: Optional[Sequence[str]] = None, wait_for: Optional[int] = None, browsers: bool = True,
    options: Optional[Mapping[str, Union[str, int, float, bool]]] = None,
    parameters: Optional[Mapping[str, Range]] = None, **keywords: Range,
) -> ComparisonOrder:
    """Makes the order of a sensitivity analysis.

    simulation: a built-in simulation, the path of a .py, .swift or .wasm file, or a class of your own
    trials: the trials at each point; default: 1
    rows: draw so many rows; with k ranges each row has k + 2 points; default: 1024
    seed: the seed of the points and their trials; default: random
    reading: the reading or the readings to analyse; default: all with a value
    cores, priority: what to use of this machine
    inputs: tables to read, by name: files, lists or arrays, such as {"a": "a.txt", "b": numpy.arange(10)}
    session: the room that computes it, with the five words as `code` (or POTLUCK_CODE), or `open` without words
    connect, nodes, wait_for, browsers: how the room is found, and who computes
    options: any other option of 'potluck sensitivity' by its name
    parameters: the simulation's parameters, if a name is no Python name or an option's
    keywords: the simulation's other parameters; underscores stand for dashes. Each is one value, or the two ends of a
        range to draw from, such as (0, 1) or "0..1".
    """
    ranges = {name: _range(name, value) for name, value in _values.given(parameters, keywords).items()}
    own = dict(options or {})
    if rows is not None:
        own["rows"] = rows
    base = order(
        simulation, trials=trials, seed=seed, cores=cores, priority=priority, inputs=inputs, session=session,
        code=code, open=open, connect=connect, nodes=nodes, wait_for=wait_for, browsers=browsers, options=own,
        parameters=ranges)
    return _comparison(base, "sensitivity", reading, keywords, sensitivity_order)


def _range(name: str, value: Any) -> str:
    """Returns a value, or a range, as it is typed."""
    if isinstance(value, str) or not hasattr(value, "__iter__") or getattr(value, "ndim", 1) == 0:
        return _values.word(value)
    ends = list(value)
    if len(ends) != 2 or any(isinstance(end, str) for end in ends):
        raise UsageError(f"the range of {name} has two ends, as in {name}=(0, 1)")
    return "..".join(map(_values.number, ends))


def _comparison(
    base: Order, verb: str, reading: Optional[Names], keywords: Mapping[str, Any], maker: Any
) -> ComparisonOrder:
    names = [] if reading is None else [reading] if isinstance(reading, str) else list(reading)
    words = tuple(f"--reading={name}" for name in names)
    named = dataclasses.replace(base, words=base.words + words, verb=verb, keywords=tuple(keywords))
    return ComparisonOrder(
        named, tuple(name for name in maker.__annotations__ if name not in ("simulation", "keywords", "return")))
