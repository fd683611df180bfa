"""Categories and series: counts and moments that have a place each."""

from __future__ import annotations

from operator import index
from typing import Sequence, Union

from .._language import sentences
from ._words import LONG
from .tally import Field, Moments, fitting

#: The most categories of counts, and the most times of a series.
MOST_CATEGORIES, MOST_TIMES = 256, 1000
#: The slots of moments.
SLOTS = 11


class Counts(Field):
    """In which category each trial falls: `hand = Counts("high card", "pair", "better")`, `self.hand.add(1)`.

    `hand[1]` is the count of the second category.
    """

    def __init__(self, *names: str) -> None:
        if not 1 <= len(names) <= MOST_CATEGORIES:
            raise ValueError(f"counts are of 1 to {MOST_CATEGORIES} categories, given by their names")
        if not all(isinstance(name, str) and name for name in names):
            raise TypeError("the name of a category is a text")
        if len(set(names)) < len(names):
            raise ValueError("the names of categories differ")
        #: The names of the categories.
        self.names = names
        self._counts = [0] * len(names)

    def empty(self) -> "Counts":
        made = Counts(*self.names)
        made.attribute = self.attribute
        return made

    def add(self, category: int) -> None:
        """Counts a category. The first one is 0."""
        if isinstance(category, str):
            raise TypeError(f"a category is counted by its number, from 0{self._number_of(category)}")
        if not 0 <= index(category) < len(self._counts):
            raise ValueError(sentences.CATEGORY)
        self._counts[category] += 1

    def _number_of(self, name: str) -> str:
        return f": {name!r} is {self.names.index(name)}" if name in self.names else ""

    def __getitem__(self, category: int) -> int:
        return self._counts[category]

    @property
    def total(self) -> int:
        """How many times a category was counted."""
        return min(sum(self._counts), LONG)

    def slots(self) -> list[int]:
        return list(self._counts)

    def merge(self, slots: Sequence[int]) -> None:
        self._counts = [min(mine + other, LONG) for mine, other in zip(self._counts, slots)]

    def __repr__(self) -> str:
        return f"<Counts {dict(zip(self.names, self._counts))}>"


class Series(Field):
    """Numbers at several times of a trial: `ill = Series(60)`, `self.ill.add(day, count)`.

    The times are numbered from 0. `ill[0]` has the moments of the first one. A number must be below 3·10⁹.
    """

    def __init__(self, size: int) -> None:
        if not 1 <= size <= MOST_TIMES:
            raise ValueError(f"a series has 1 to {MOST_TIMES} times")
        self._moments = [Moments() for _ in range(size)]

    def empty(self) -> "Series":
        made = Series(len(self._moments))
        made.attribute = self.attribute
        return made

    def add(self, time: int, x: Union[int, float]) -> None:
        """Adds a number at a time."""
        if not 0 <= index(time) < len(self._moments):
            raise ValueError(sentences.TIME)
        fitting(x, x * x, sentences.SERIES)
        self._moments[time].add(float(x))

    def __len__(self) -> int:
        return len(self._moments)

    def __getitem__(self, time: int) -> Moments:
        return self._moments[time]

    def slots(self) -> list[int]:
        return [slot for each in self._moments for slot in each.slots()]

    def merge(self, slots: Sequence[int]) -> None:
        for time, each in enumerate(self._moments):
            each.merge(slots[SLOTS * time:SLOTS * (time + 1)])

    def __repr__(self) -> str:
        return f"<Series of {[each.mean for each in self._moments]}>"
