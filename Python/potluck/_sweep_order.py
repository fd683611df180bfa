"""What to sweep, as the words of a command line.

The only signature of `sweep`, `sweep_async` and `watch_sweep`. As with a run, the program judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Mapping, Optional, Sequence, Union

from . import _points, _values
from ._cell import Subject
from ._data import Data
from ._order import Order, order, suggest
from ._points import Points, Values
from ._sweep import Point
from ._values import File, Precision, Time

PointCallback = Callable[[Point], Optional[object]]


@dataclass(frozen=True)
class SweepOrder:
    """A sweep that was asked for."""

    #: All but the callback.
    base: Order
    #: What the program reads from stdin.
    file: bytes | None = None
    callback: PointCallback | None = None
    #: The keywords that were taken for parameters.
    keywords: tuple[str, ...] = ()

    def command(self) -> list[str]:
        """Returns the program's arguments."""
        return self.base.command(live=False)

    def explain(self, message: str) -> str:
        """Adds the option that a keyword may mean, and says where points come from."""
        message = message.replace(_points.STDIN, "points").replace("--sweep ", "points= ")
        return suggest(message, self.keywords, OPTIONS)


def sweep_order(
    simulation: Subject, *, trials: Union[int, float, str, None] = None, seed: Union[int, str, None] = None,
    until: Optional[Precision] = None, for_: Optional[Time] = None, common_seed: bool = False,
    points: Optional[Points] = None, cores: Optional[int] = None, priority: Optional[str] = None,
    inputs: Optional[Mapping[str, Data]] = None, csv: Optional[File] = None, force: bool = False,
    session: Optional[str] = None, code: Optional[str] = None, open: bool = False,
    connect: Union[str, Sequence[str], None] = None, nodes: Optional[Sequence[str]] = None,
    wait_for: Optional[int] = None, browsers: bool = True, state: Optional[File] = None, ephemeral: bool = False,
    options: Optional[Mapping[str, Union[str, int, float, bool]]] = None,
    parameters: Optional[Mapping[str, Values]] = None, callback: Optional[PointCallback] = None, **keywords: Values,
) -> SweepOrder:
    """Makes the order of a sweep.

    simulation: a built-in simulation, the path of a .py, .swift or .wasm file, or a class of your own
    trials, until, for_: when each point stops: trials, a precision (0.0001 or "0.01%", or {"wait": "1%"} for this reading
        only), seconds (or "1h30m")
    seed: the seed from which those of the points are derived; default: random
    common_seed: whether all points have the sweep's own seed
    points: in place of combinations, a mapping of parameters for each point, or the path of a CSV file
    cores, priority: what to use of this machine
    inputs: tables to read, by name: files, lists or arrays, such as {"a": "a.txt", "b": numpy.arange(10)}
    csv: a file for the points as rows of comma-separated values; `force` overwrites it
    session: the room that computes it, with the five words as `code` (or POTLUCK_CODE), or `open` without words
    connect, nodes, wait_for, browsers: how the room is found, and who computes each point
    state, ephemeral: the folder for the history, or none
    options: any other option of 'potluck run' by its name, such as {"plugin-memory": "1G"}
    parameters: the simulation's parameters, if a name is no Python name or an option's
    callback: called with each point, in order, as soon as it has ended
    keywords: the simulation's other parameters; underscores stand for dashes. Each is one value, several values such
        as range(3, 11), or a text such as "3..10". Every combination is a point, and the last one changes fastest.

    `output` and `start_in` are for single runs.
    """
    plan = _points.plan(_values.given(parameters, keywords), points)
    words = dict(options or {})
    if plan.path is not None:
        words["sweep"] = plan.path
    if common_seed:
        words["common-seed"] = True
    base = order(
        simulation, trials=trials, seed=seed, until=until, for_=for_, cores=cores, priority=priority, inputs=inputs,
        csv=csv, force=force, session=session, code=code, open=open, connect=connect, nodes=nodes, wait_for=wait_for,
        browsers=browsers, state=state, ephemeral=ephemeral, options=words, parameters=plan.words)
    return SweepOrder(base, plan.file, callback, tuple(keywords))


#: The names of the options.
OPTIONS = tuple(name for name in sweep_order.__annotations__ if name not in ("simulation", "keywords", "return"))
