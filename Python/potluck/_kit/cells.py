"""Histograms in two dimensions."""

from __future__ import annotations

import math
from typing import Sequence, Union

from .._language import sentences
from ._words import LONG
from .tally import Field, number

#: The most cells of a histogram, as many as another one has bins.
MOST_CELLS = 4096


class Histogram2D(Field):
    """Counts of pairs of numbers in the cells of a rectangle, and outside of it.

    `landing = Histogram2D(40, 20, x=(-10, 10), y=(0, 5))` has 40 columns and 20 rows; `self.landing.add(x, y)`.
    `landing[0, 0]` is the count of the first column and the first row, which are those of the lowest x and y.
    """

    def __init__(self, columns: int, rows: int, x: tuple[float, float], y: tuple[float, float]) -> None:
        if not (columns > 0 and rows > 0 and columns * rows <= MOST_CELLS):
            raise ValueError(f"a histogram in two dimensions has columns and rows, and at most {MOST_CELLS} cells")
        #: The number of columns, and of rows.
        self.columns, self.rows = columns, rows
        #: The ends of the ranges. The upper ones belong to no cell.
        self.x, self.y = (float(x[0]), float(x[1])), (float(y[0]), float(y[1]))
        for count, (low, high) in ((columns, self.x), (rows, self.y)):
            if not (low < high and high - low < math.inf and count / (high - low) < math.inf):
                raise ValueError("a histogram in two dimensions needs finite ranges that end above their beginning")
        self._across, self._up = columns / (self.x[1] - self.x[0]), rows / (self.y[1] - self.y[0])
        self._counts = [0] * (columns * rows)
        #: The pairs with a number outside of its range.
        self.outside = 0

    def empty(self) -> "Histogram2D":
        made = Histogram2D(self.columns, self.rows, self.x, self.y)
        made.attribute = self.attribute
        return made

    def add(self, x: Union[int, float], y: Union[int, float]) -> None:
        """Adds a pair to its cell, or to `outside`."""
        across, up = number(float(x)), number(float(y))
        if self.x[0] <= across < self.x[1] and self.y[0] <= up < self.y[1]:
            # Rounding may lift a number just below the upper end to the column or row after the last.
            column = min(int((across - self.x[0]) * self._across), self.columns - 1)
            row = min(int((up - self.y[0]) * self._up), self.rows - 1)
            self._counts[row * self.columns + column] += 1
        else:
            self.outside += 1

    def __getitem__(self, cell: tuple[int, int]) -> int:
        column, row = cell
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise IndexError(sentences.INDEX)
        return self._counts[row * self.columns + column]

    @property
    def counts(self) -> list[list[int]]:
        """The counts of the cells, in rows from the lowest y."""
        return [self._counts[at:at + self.columns] for at in range(0, len(self._counts), self.columns)]

    def slots(self) -> list[int]:
        # NaN, which the last slot would tell, ends a trial.
        return [self.outside, *self._counts, 0]

    def merge(self, slots: Sequence[int]) -> None:
        outside, *counts, _ = slots
        self.outside = min(self.outside + outside, LONG)
        self._counts = [min(mine + other, LONG) for mine, other in zip(self._counts, counts)]

    def __repr__(self) -> str:
        return f"<Histogram2D of {self.counts}, {self.outside} outside>"
