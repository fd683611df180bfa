"""What random expressions share: the variables, functions and lists that they may use."""

from __future__ import annotations

import math

from .dice import Dice
from .kinds import GRID, HUGE, REAL_GRID, SMALL, Function, Kind, Variable


class Expressions:
    """Writes expressions. `depth` says how deep one may nest; `limit` is the largest size that the value may have."""

    def __init__(self, dice: Dice, accidents: float) -> None:
        self.dice = dice
        #: How likely an expression may end the run: an index that may be outside, a divisor that may be 0 ...
        self.accidents = accidents
        self.variables: list[Variable] = []
        self.functions: list[Function] = []
        self.has_random = False
        self.flags: list[str] = []
        #: How often the innermost loop's body may run in a trial.
        self.weight = 1
        #: About how many statements run.
        self.cost = 0

    def accident(self) -> bool:
        return self.dice.chance(self.accidents)

    def having(self, kind: Kind, limit: float = math.inf) -> list[Variable]:
        return [v for v in self.variables if v.kind.same(kind) and v.kind.limit <= limit]

    def calls(self, kind: Kind, limit: float) -> list[Function]:
        most = 120 / self.weight
        return [f for f in self.functions if f.result.same(kind) and f.result.limit <= limit and f.cost <= most
                and (self.has_random or not f.draws)]

    def call(self, function: Function, depth: int) -> str:
        self.cost += self.weight * function.cost
        words = [self.argument(kind, depth - 1) for kind in function.parameters]
        if function.draws:
            words.insert(0, "random")
        return f"{function.text}({', '.join(words)})"

    def argument(self, kind: Kind, depth: int) -> str:
        return self.value(kind, depth)

    def value(self, kind: Kind, depth: int) -> str:
        raise NotImplementedError

    def list_text(self, kind: Kind, depth: int) -> tuple[str, int]:
        raise NotImplementedError

    def integer(self, limit: float, depth: int) -> str:
        raise NotImplementedError

    def real(self, limit: float, depth: int) -> str:
        raise NotImplementedError

    def boolean(self, depth: int) -> str:
        raise NotImplementedError

    def element(self, kind: Kind, depth: int) -> str | None:
        """Returns an element of some list, or None if there is no such list."""
        lists = [v for v in self.variables if v.kind.name == "list" and v.kind.element.same(kind)]
        if lists and (row := self.dice.pick(lists)) and (row.length > 0 or self.accident()):
            return f"{row.text}[{self.index(row.text, row.length, depth - 1)}]"
        grids = self.having(GRID if kind.name == "int" else REAL_GRID) if kind.name != "bool" else []
        grids = [grid for grid in grids if grid.length > 0]
        if grids:
            text = self.dice.pick(grids).text
            row_text = f"{text}[{self.index(text, 1, depth - 1)}]"
            return f"{row_text}[{self.index(row_text, 1, 0)}]"
        tuples = [v for v in self.variables if v.kind.name == "tuple"]
        for v in tuples:
            for place, part in enumerate(v.kind.parts):
                if part.same(kind):
                    return f"{v.text}[{place}]"
        return None

    def index(self, text: str, length: int, depth: int) -> str:
        """Returns an index of a list that has at least `length` elements."""
        if self.accident():
            return self.integer(8, depth)
        if length > 0 and self.dice.chance(0.4):
            return str(self.dice.between(-length, length - 1))
        return f"{self.integer(HUGE if self.dice.chance(0.1) else SMALL, depth)} % len({text})"

    def of_list(self, kind: Kind, limit: float, depth: int) -> str | None:
        """Returns the sum, the least or the greatest of a list of numbers."""
        word = self.dice.pick(["sum", "min", "max"])
        if limit < 16 * SMALL:
            word = self.dice.pick(["min", "max"])
        if limit < SMALL:
            return None
        text, length = self.list_text(kind, depth)
        if kind.element.name == "int" and limit >= SMALL and self.dice.chance(0.1):
            return f"({text}).count({self.integer(SMALL, 1)})"
        if word != "sum" and length == 0 and not self.accident():
            return None
        # Of no real numbers, Python's sum is the whole number 0, which a text shows.
        return f"{word}({text}, 0.0)" if word == "sum" and length == 0 and kind.element.name == "float" else f"{word}({text})"

    def extreme(self, parts: list[str]) -> str:
        return f"{self.dice.pick(['min', 'max'])}({', '.join(parts)})"
