"""The declaration of a histogram in two dimensions."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from .declaration import Field, Rectangle
from .errors import Refused

if TYPE_CHECKING:
    from .declare import Declaring

#: Those of Sources/Kit/Tally.
MOST_CELLS = 4096
EXAMPLE = "Histogram2D(40, 20, x=(-10, 10), y=(0, 5))"
WHAT = {
    "columns": "the number of columns", "rows": "the number of rows", "x": "the range of x", "y": "the range of y"
}  # fmt: skip


def rectangle_field(declaring: Declaring, attribute: str, call: ast.Call) -> Field:
    """Reads the columns, the rows and the ranges."""
    from .declare import check_arguments

    check_arguments(call, tuple(WHAT), (), "a histogram in two dimensions", EXAMPLE)
    columns, rows, x, y = (
        declaring.known(declaring.argument(call, place, word), call, f"{what} of a histogram in two dimensions", EXAMPLE)
        for place, (word, what) in enumerate(WHAT.items())
    )
    if not isinstance(columns, int) or not isinstance(rows, int) or not 1 <= columns <= MOST_CELLS // max(1, rows) or rows < 1:
        raise Refused(call, f"a histogram in two dimensions has columns and rows, and at most {MOST_CELLS} cells")
    rectangle = Rectangle(int(columns), int(rows), _range(x, int(columns), call), _range(y, int(rows), call))
    # Cells have numbers, as bins of a range that ends at how many they are.
    count = rectangle.columns * rectangle.rows
    return Field(attribute, "histogram2d", count, 0.0, float(count), rectangle=rectangle)


def _range(given: object, cells: int, call: ast.Call) -> tuple[float, float]:
    if isinstance(given, (list, tuple)) and len(given) == 2 and all(isinstance(end, (int, float)) for end in given):
        low, high = float(given[0]), float(given[1])
        if low < high and math.isfinite(high - low) and math.isfinite(cells / (high - low)):
            return low, high
    raise Refused(call, f"a range has two ends, of which the second is above the first; write {EXAMPLE}")
