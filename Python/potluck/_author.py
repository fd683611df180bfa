"""What an author's class inherits: it runs in plain Python as it does in a module.

A class declares parameters, the fields of its tally and readings. An instance has the values of the parameters and its
own fields; `prepare` may set more attributes, which trials only read.
"""

from __future__ import annotations

from typing import Any, Callable, ClassVar, Mapping, NoReturn, Optional, Sequence, Union

from ._kit import blocks
from ._kit.output import Output
from ._kit.random import Random
from ._kit.readings import ReadingRule, standard
from ._kit.tally import Field
from ._language import names
from ._parameters import Parameter, Table, taken
from ._played import Played, play_blocks, play_lanes
from ._values import whole


class Work:
    """The common part of simulations and gatherings. Authors inherit from `Simulation` or `Gathering`."""

    #: The name that users type; without it, the class's name in lower case, with a dash between its words.
    name: str = ""
    #: How numbers are computed from the tally; without it, one for each field.
    readings: Sequence[Union[ReadingRule, Sequence[ReadingRule]]] = ()

    _parameters: ClassVar[Mapping[str, Parameter[Any]]] = {}
    _tables: ClassVar[Mapping[str, Table]] = {}
    _fields: ClassVar[Mapping[str, Field]] = {}
    #: The readings one by one, also those of categories.
    _rules: ClassVar[Sequence[ReadingRule]] = ()
    _is_ready: bool = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        own = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls._parameters = {name: value for name, value in own.items() if isinstance(value, Parameter)}
        cls._tables = {name: value for name, value in own.items() if isinstance(value, Table)}
        cls._fields = {name: value for name, value in own.items() if isinstance(value, Field)}
        for name in (*cls._parameters, *cls._tables, *cls._fields):
            if names.is_reserved(name):
                raise TypeError(names.reserved(name))
        for name, value in own.items():
            if isinstance(value, type) and issubclass(value, Field):
                raise TypeError(f"a field is made with brackets; write {name} = {value.__name__}()")
        if "__init__" in vars(cls):
            raise TypeError("a simulation has no __init__; write prepare(self), which runs once for each configuration")
        if "name" not in vars(cls):
            cls.name = names.of_class(cls.__name__)
        if "readings" not in vars(cls):
            cls.readings = standard(dict(cls._fields))
        cls._rules = [
            rule for each in cls.readings for rule in ([each] if isinstance(each, ReadingRule) else each)]

    def __init__(self, *unnamed: NoReturn, **parameters: Any) -> None:
        if unnamed:
            raise TypeError(f"parameters are given by name; {type(self).__name__} has {', '.join(self._parameters) or 'none'}")
        tables = {name: parameters.pop(name, ()) for name in self._tables}
        values = vars(self)
        values.update(taken(self.name, self._parameters, parameters))
        values.update({name: table.of(tables[name]) for name, table in self._tables.items()})
        self._empty()
        self.prepare()
        self._is_ready = True

    def __setattr__(self, name: str, value: object) -> None:
        if name in self._parameters:
            raise AttributeError(f"parameter '{name}' cannot change; use a variable of your own")
        if name in self._fields:
            raise AttributeError(f"'{name}' is a field of the tally; write self.{name}.add(…)")
        if self._is_ready:
            raise AttributeError(f"self.{name} can only be set in prepare; a trial keeps nothing for the next one")
        super().__setattr__(name, value)

    def _empty(self) -> None:
        """Replaces the fields by those of no trials."""
        vars(self).update({name: field.empty() for name, field in self._fields.items()})

    def _tally(self) -> dict[str, Field]:
        return {name: vars(self)[name] for name in self._fields}

    def prepare(self) -> None:
        """Runs once for each configuration. Sets attributes that trials only read: `self.table = [...]`.

        Raise ValueError with a sentence if the parameters do not fit together.
        """

    def note(self, text: str) -> None:
        """Records a line of a trial, which `potluck trial`, `potluck replay` and the page show. It does nothing in other
        runs, and in plain Python."""

    def sketch(self, *parts: float | str) -> None:
        """Draws a frame of a trial's picture, which `potluck trial` and the page play. It does nothing in other runs, and
        in plain Python.

        `self.sketch(width, height)` begins a picture. A shape is drawn on top of it: "line", "box" or "block" (a filled
        box) with x, y, x, y; "circle" or "disc" with x, y, radius; "text" with x, y, text; then an ink: "plain", "faint",
        "good", "bad" or "marked".
        """

    #: The ends of `block_size`.
    _sizes: ClassVar[tuple[int, int]]

    @property
    def trials_in_block(self) -> int:
        """The number of trials or units in a block, which the class says by `block_size` or by `steps`."""
        said = _called(getattr(self, "block_size", None))
        if said is None:
            steps = _called(getattr(self, "steps", None))
            return blocks.LARGEST if steps is None else blocks.size(steps)
        size, (least, most) = int(said), self._sizes
        if size & (size - 1) or not least <= size <= most:
            raise ValueError(f"block_size must be a power of two from {least} to {most}, and is {said}")
        return size

    def _chosen(self) -> list[str]:
        """Returns the parameters that are not the class's own, as a call has them."""
        values = {name: vars(self)[name] for name in self._parameters}
        return [f"{name}={value!r}" for name, value in values.items() if value != self._parameters[name].default]

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={vars(self)[name]!r}" for name in self._parameters)
        return f"{type(self).__name__}({values})"


class Simulation(Work):
    """A simulation that you write: parameters, fields of a tally, one trial, and readings.

        class Doublets(potluck.Simulation):
            \"\"\"How often do two dice show the same number?\"\"\"

            sides = Parameter(6, "sides of each die", 2, 100)
            same = Count()

            def trial(self, random):
                self.same.add(random.below(self.sides) == random.below(self.sides))

            readings = [proportion("same", same, exact=lambda self: 1 / self.sides)]

    `potluck.run(Doublets, trials=1e9, sides=10)` compiles and runs it on all cores, or on all laptops of a session. In
    plain Python, `Doublets(sides=10).trial(potluck.Random(seed=1))` runs one trial, with `print` and a debugger, and
    `Doublets(sides=10).play(seed=1, trials=1000)` plays a thousand.
    """

    _sizes = (blocks.SMALLEST, blocks.LARGEST)

    def trial(self, random: Random, /) -> None:
        """Runs one trial: draws from `random` and adds the result to the fields."""
        raise NotImplementedError(f"{type(self).__name__} has no method trial(self, random)")

    def play(self, *, seed: int, trials: float, first: int = 0) -> Played:
        """Plays trials in plain Python: the same trials, with the same tally, as `potluck.run` with this seed.

        first: the number of the block to begin with, for a part of a run
        """
        self._empty()
        seed, count, first = whole("seed", seed), whole("trials", trials), whole("first", first)
        play_lanes(self.trial, seed, count, self.trials_in_block, first)
        return Played.of(self, self._tally(), self._rules, seed, count, of_trials=True)


class Gathering(Work):
    """Work with a number of units, whose result is what its blocks write, joined in order.

        class Squares(potluck.Gathering):
            \"\"\"The squares of the first whole numbers\"\"\"

            count = Parameter(100, "how many", 1, 1_000_000)
            block_size = 4096

            def units(self):
                return self.count

            def block(self, units, random, output):
                for number in units:
                    output.line(number * number)
    """

    _sizes = (1, blocks.LARGEST_GATHERED)

    #: What blocks write: "text"; "rows", of as many real numbers for each unit; or "nothing".
    writes: str = "text"

    def units(self) -> int:
        """Returns the number of units, at least 1."""
        raise NotImplementedError(f"{type(self).__name__} has no method units(self)")

    def block(self, units: range, random: Random, output: Output, /) -> None:
        """Computes the units of one block, in order. `random` is the block's stream."""
        raise NotImplementedError(f"{type(self).__name__} has no method block(self, units, random, output)")

    def play(self, *, seed: int = 0, trials: Optional[float] = None, first: int = 0) -> Played:
        """Plays units in plain Python: all of them, or as many as `trials`.

        first: the number of the block to begin with, for a part of a run
        """
        self._empty()
        units = self.units()
        seed, first = whole("seed", seed), whole("first", first)
        count = units if trials is None else min(whole("trials", trials), units)
        output, print = play_blocks(
            self.block, seed, count, self.trials_in_block, first, writes=self.writes != "nothing")
        return Played.of(
            self, {**self._tally(), "output": print}, self._rules, seed, count, of_trials=False, output=output)


def _called(value: Union[None, float, Callable[[], float]]) -> Optional[float]:
    """Returns a number that a class has as an attribute or as a method."""
    return value() if callable(value) else value
