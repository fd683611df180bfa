"""The words of a histogram in two dimensions, as a module's reading has them."""

from __future__ import annotations

import math
from typing import NamedTuple, Optional, Sequence

from .records import real

#: The words before those of the cells, and the most cells.
_HEAD, _MOST = 4, 4096


class Cells(NamedTuple):
    """The counts of a histogram in two dimensions."""

    columns: int
    x: tuple[float, float]
    y: tuple[float, float]
    #: The pairs that are in no cell.
    outside: int
    #: Row by row from the lowest y.
    counts: tuple[int, ...]

    @property
    def rows(self) -> int:
        return len(self.counts) // self.columns


def cells(words: Sequence[int], x: Optional[tuple[float, float]]) -> Optional[Cells]:
    """Reads the words: how many columns, the ends of y as bits, the count outside, and the counts of the cells. `x`: the
    range of the reading. Returns None if they are not those of a histogram."""
    count = len(words) - _HEAD
    if x is None or not 1 <= count <= _MOST or not 1 <= words[0] <= count or count % words[0] != 0:
        return None
    y = real(words[1]), real(words[2])
    if not all(low < high and high - low < math.inf for low, high in (x, y)):
        return None
    return Cells(words[0], x, y, words[3], tuple(words[_HEAD:]))
