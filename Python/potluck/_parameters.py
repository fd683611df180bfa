"""The parameters and tables that an author declares."""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING, Any, Generic, Iterable, Iterator, Mapping, NoReturn, Optional, Sequence, TypeVar, Union, overload

from . import _values
from ._errors import UsageError
from ._language import names

T = TypeVar("T")

#: The bounds of a whole number: those of 64 bits.
LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
#: The most names of a list: one for each bit of a slot.
MOST_NAMES = 64


class Parameter(Generic[T]):
    """A value that users set before a run. Trials read it as `self.sides`.

        sides = Parameter(6, "sides of a die", 2, 100)                    # a whole number, from 2 to 100
        rate = Parameter(0.5, "probability of rain", 0.0, 1.0)            # a real number
        quick = Parameter(False, "stop early")                            # yes or no
        kind = Parameter("call", "which option", ["call", "put"])         # one of some names
        tops = Parameter(["ham"], "what is on it", ["ham", "olives", "rocket"], count=(1, 2))    # several of them

    Users type the name with `-` in place of `_`.
    """

    @overload
    def __init__(self: Parameter[bool], default: bool, help: str) -> None: ...
    @overload
    def __init__(self: Parameter[int], default: int, help: str, low: int, high: int) -> None: ...
    @overload
    def __init__(self: Parameter[float], default: float, help: str, low: float, high: float) -> None: ...
    @overload
    def __init__(self: Parameter[str], default: str, help: str, names: Sequence[str], /) -> None: ...
    @overload
    def __init__(
        self: Parameter[tuple[str, ...]], default: Sequence[str], help: str, names: Sequence[str], /, *,
        count: Optional[tuple[int, int]] = None,
    ) -> None: ...
    def __init__(
        self, default: Any, help: str, low: Any = None, high: Any = None, *, count: Optional[tuple[int, int]] = None
    ) -> None:
        self.attribute = ""
        self.help = help
        #: The bounds of a number, or of how many names there may be.
        self.low: Any = low
        self.high: Any = high
        #: The names to choose from.
        self.names: tuple[str, ...] = ()
        if isinstance(default, bool):
            self.kind = "flag"
        elif isinstance(default, int):
            self.kind = "integer"
        elif isinstance(default, float):
            self.kind = "real"
        elif isinstance(default, (str, list, tuple)):
            self.kind = "choice" if isinstance(default, str) else "several"
            self.names = tuple(low or ())
            least, most = count or (0, len(self.names))
            self.low, self.high = (None, None) if isinstance(default, str) else (least, min(most, len(self.names)))
            if not self.names or len(set(self.names)) < len(self.names) or len(self.names) > MOST_NAMES:
                raise TypeError("a parameter of names needs a list of 1 to 64 different names")
        else:
            raise TypeError("a parameter's default is a number, True, False, a text or a list of texts")
        if self.kind in ("integer", "real") and (low is None or high is None):
            raise TypeError("a parameter needs the least and the greatest value: Parameter(6, \"sides\", 2, 100)")
        if self.kind == "integer" and not (isinstance(low, int) and isinstance(high, int)):
            raise TypeError("a whole number needs whole bounds; write the default with a point for a real number")
        self.default: Any = self._taken(default)
        if self.default is None:
            raise TypeError(f"a parameter's default is outside its range; it {self._domain()}")

    def __set_name__(self, owner: type, name: str) -> None:
        if self.attribute:
            raise TypeError(f"'{self.attribute}' and '{name}' are the same parameter; write one for each")
        self.attribute = name

    @overload
    def __get__(self, instance: None, owner: type) -> Parameter[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Optional[object], owner: type) -> Union[Parameter[T], T]:
        # An instance has its value in its dictionary, so this is reached before it is made.
        return self if instance is None else self.default

    if TYPE_CHECKING:
        # Only an instance's dictionary has a value, so that reading it is fast; `Work.__setattr__` refuses another.
        def __set__(self, instance: object, value: NoReturn) -> None: ...

    @property
    def word(self) -> str:
        """The name that users type."""
        return names.of_attribute(self.attribute)

    def taken(self, value: object) -> Any:
        """Returns a value that it may have. Raises if it may not."""
        taken = self._taken(value)
        if taken is None:
            raise UsageError(f"invalid value {value!r} for parameter '{self.word}': {self._domain()}")
        return taken

    def _taken(self, value: Any) -> Any:
        """Returns the value as trials read it; None if it may not have it."""
        if getattr(value, "ndim", None) == 0:
            # A scalar of NumPy.
            value = value.item()
        if self.kind == "flag":
            return value if isinstance(value, bool) else None
        if self.kind == "choice":
            return value if isinstance(value, str) and value in self.names else None
        if self.kind == "several":
            return self._several(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if self.kind == "integer":
            whole = int(value) if math.isfinite(value) and value == int(value) else None
            return whole if whole is not None and max(self.low, LEAST) <= whole <= min(self.high, GREATEST) else None
        return float(value) if self.low <= value <= self.high else None

    def _several(self, value: Any) -> Optional[tuple[str, ...]]:
        """Returns several names in the order of the list. A text has them as users type them."""
        if isinstance(value, str):
            value = {"none": (), "all": self.names}.get(value, value.split(","))
        chosen = list(value) if hasattr(value, "__iter__") else [None]
        names = tuple(name for name in self.names if name in chosen)
        return names if len(names) == len(set(chosen)) and self.low <= len(names) <= self.high else None

    def _domain(self) -> str:
        if self.kind == "flag":
            return "must be True or False"
        if self.kind == "choice":
            return f"must be one of {', '.join(self.names)}"
        if self.kind == "several":
            return f"must be {self.low} to {self.high} of {', '.join(self.names)}"
        kind = "whole number" if self.kind == "integer" else "number"
        return f"must be a {kind} from {_values.number(self.low)} to {_values.number(self.high)}"


def taken(name: str, declared: Mapping[str, Parameter[Any]], given: Mapping[str, object]) -> dict[str, Any]:
    """Returns the value of each parameter of a simulation, by attribute."""
    words = {parameter.word: attribute for attribute, parameter in declared.items()}
    values = {attribute: parameter.default for attribute, parameter in declared.items()}
    for keyword, value in given.items():
        word = names.of_attribute(keyword)
        if word not in words:
            close = difflib.get_close_matches(word, list(words), n=1)
            hint = f"; did you mean '{close[0]}'?" if close else f"; parameters: {', '.join(words) or 'none'}"
            raise UsageError(f"unknown parameter '{word}' of {name}{hint}")
        values[words[word]] = declared[words[word]].taken(value)
    return values


class Table:
    """A table of numbers that is read from a file: `prices = Table("prices of each day")`.

    `self.prices[row][column]` is a number, `len(self.prices)` the number of rows, and `self.prices.columns` that of
    columns. `Table("people", columns=["height", "weight"])` has the columns of these names, of a file with a line of
    names at its beginning, and `self.people.column("height")` is one of them as a list. In plain Python, give the rows:
    `Means(prices=[[1, 2], [3, 4]])`, or the numbers of one column.
    """

    def __init__(self, help: str, columns: Sequence[str] = ()) -> None:
        if isinstance(columns, str) or len(set(columns)) < len(columns) or "" in columns:
            raise ValueError('the columns of a table are a list of different names: columns=["height", "weight"]')
        self.help = help
        self.names = tuple(columns)
        self.attribute = ""
        self._rows: list[tuple[float, ...]] = []

    def __set_name__(self, owner: type, name: str) -> None:
        self.attribute = name

    @property
    def word(self) -> str:
        """The name that users type."""
        return names.of_attribute(self.attribute)

    def of(self, rows: Iterable[Union[float, Iterable[float]]]) -> Table:
        """Returns the same table with these rows."""
        made = Table(self.help, self.names)
        made.attribute = self.attribute
        made._rows = [tuple(map(float, row if isinstance(row, Iterable) else (row,))) for row in rows]
        if len({len(row) for row in made._rows}) > 1:
            raise UsageError(f"the rows of table '{self.attribute}' must have the same length")
        if made.names and made._rows and made.columns != len(made.names):
            raise UsageError(f"a row of table '{self.attribute}' has these numbers: {', '.join(made.names)}")
        return made

    @property
    def columns(self) -> int:
        """The number of numbers in each row."""
        return len(self._rows[0]) if self._rows else 0

    def column(self, which: Union[int, str]) -> list[float]:
        """Returns a column, by its name or by its number from 0; no numbers if there is no file."""
        if isinstance(which, str):
            if which not in self.names:
                raise ValueError(f"table '{self.attribute}' declares no column '{which}'")
            which = self.names.index(which)
        return [row[which] for row in self._rows]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Sequence[float]]:
        return iter(self._rows)

    def __getitem__(self, row: int) -> Sequence[float]:
        return self._rows[row]
