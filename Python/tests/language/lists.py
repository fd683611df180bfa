"""Random expressions whose value is a list or a tuple, or of any kind."""

from __future__ import annotations

from typing import Optional

from .kinds import BOOL, BOOLS, FLOAT, FLOATS, GRID, INT, INTS, PAIR, PAIRS, REAL_GRID, Kind, Variable
from .numbers import Numbers

#: The longest list has about so many elements.
LONGEST = 12


class Lists(Numbers):
    """Adds lists and tuples to the expressions."""

    def value(self, kind: Kind, depth: int) -> str:
        """Returns an expression of a kind."""
        if kind.name == "int":
            return self.integer(kind.limit, depth)
        if kind.name == "float":
            return self.real(kind.limit, depth)
        if kind.name == "bool":
            return self.boolean(depth)
        if kind.name == "tuple":
            return self.tuple_text(kind, depth)
        return self.list_text(kind, depth)[0]

    def argument(self, kind: Kind, depth: int) -> str:
        """Returns an argument. A function may write to the elements of a list, so it gets a variable's or a new one."""
        if kind.name == "list":
            own = [v for v in self.having(kind) if v.writable and v.length > 0]
            if own:
                return self.dice.pick(own).text
            text, length = self.new_list(kind, depth)
            return text if length > 0 else self.literal(kind, depth)[0]
        return self.value(kind, depth)

    def tuple_text(self, kind: Kind, depth: int) -> str:
        variables = self.having(kind)
        calls = self.calls(kind, 0)
        if variables and self.dice.chance(0.4):
            return self.dice.pick(variables).text
        if calls and depth > 0 and self.dice.chance(0.5):
            return self.call(self.dice.pick(calls), depth)
        if self.dice.chance(0.15) and kind.same(PAIR):
            pairs = [v for v in self.having(PAIRS) if v.length > 0]
            if pairs:
                text = self.dice.pick(pairs).text
                return f"{text}[{self.index(text, 1, 0)}]"
            if self.has_random:
                return f"random.pair({self.dice.between(1, 20)}, {self.dice.between(1, 20)})"
        return f"({', '.join(self.value(part, depth - 1) for part in kind.parts)},)"

    def list_text(self, kind: Kind, depth: int) -> tuple[str, int]:
        """Returns a list to read from, and how many elements it has at least."""
        variables = self.having(kind)
        if variables and self.dice.chance(0.5):
            found = self.dice.pick(variables)
            return found.text, found.length
        if kind.element.name == "list" or not self.dice.chance(0.3):
            return self.new_list(kind, depth)
        grids = [v for v in self.having(GRID if kind.same(INTS) else REAL_GRID) if v.length > 0]
        if kind.element.name not in ("int", "float"):
            grids = []
        if grids:
            text = self.dice.pick(grids).text
            return f"{text}[{self.index(text, 1, depth - 1)}]", 1
        return self.new_list(kind, depth)

    def new_list(self, kind: Kind, depth: int) -> tuple[str, int]:
        """Returns a list that nothing else refers to."""
        dice, element = self.dice, kind.element
        if element.name == "list":
            row, _ = self.new_list(element, 0)
            if dice.chance(0.3):
                rows = [self.value_list(element, depth - 1) for _ in range(dice.between(1, 3))]
                return f"[{', '.join(rows)}]", len(rows)
            return f"[{row} for _ in range({self.length_text()})]", 1
        ways = [(3.0, self.literal), (2.0, self.repeated), (3.0, self.comprehension)]
        if element.name == "int":
            ways.append((1.0, self.from_range))
        if self.having(kind):
            ways += [(2.0, self.slice), (0.7, self.copy), (0.5, self.joined_lists)]
            if self.has_random:
                ways.append((1.0, self.drawn))
        return dice.weighted(ways)(kind, depth)

    def value_list(self, kind: Kind, depth: int) -> str:
        text, length = self.literal(kind, depth)
        return text

    def literal(self, kind: Kind, depth: int) -> tuple[str, int]:
        parts = self.dice.several(1, 4, lambda: self.value(kind.element, min(depth - 1, 1)))
        return f"[{', '.join(parts)}]", len(parts)

    def length_text(self) -> str:
        """Returns a length from 1 to LONGEST."""
        if self.accident():
            return str(self.dice.between(-1, 1))
        sizes = [v.text for v in self.variables if v.text == "self.size"]
        if sizes and self.dice.chance(0.5):
            return sizes[0]
        return str(self.dice.between(1, 6))

    def repeated(self, kind: Kind, depth: int) -> tuple[str, int]:
        element = self.value(kind.element, min(depth - 1, 1))
        if self.dice.chance(0.2):
            return f"[{element}, {self.value(kind.element, 0)}] * {self.length_text()}", 2
        return f"[{element}] * {self.length_text()}", 1

    def from_range(self, kind: Kind, depth: int) -> tuple[str, int]:
        if self.dice.chance(0.5):
            return f"list(range({self.length_text()}))", 1
        low, count, step = self.dice.between(-20, 20), self.dice.between(1, 5), self.dice.pick([1, 1, 2, 3, -1, -2])
        return f"list(range({low}, {low + count * step}, {step}))", count

    def name(self) -> str:
        """Returns a name for the variable of a comprehension. It may hide another one of that name."""
        return self.dice.pick(["i", "j", "k", "x", "y"])

    def comprehension(self, kind: Kind, depth: int) -> tuple[str, int]:
        dice, before, name = self.dice, self.variables, self.name()
        self.variables = [v for v in before if v.text != name]
        sources = [v for v in self.variables if v.kind in (INTS, FLOATS) and v.length > 0]
        if sources and dice.chance(0.5):
            source = dice.pick(sources)
            head, length = f"for {name} in {source.text}", source.length
            variable = Variable(name, source.kind.element)
            if dice.chance(0.25):
                head = f"for _, {name} in enumerate({source.text})"
        else:
            head, length = f"for {name} in range({self.length_text()})", 1
            variable = Variable(name, Kind("int", LONGEST))
        # What the source says is read before the name has its value.
        self.variables = [*self.variables, variable]
        weight, self.weight = self.weight, self.weight * 4
        if dice.chance(0.1):
            head += f" for z in range({dice.between(1, 3)})"
            self.variables.append(Variable("z", Kind("int", 3)))
        if dice.chance(0.2):
            head += f" if {self.boolean(1)}"
            length = 0
        text = f"[{self.value(kind.element, min(depth - 1, 2))} {head}]"
        self.variables, self.weight = before, weight
        return text, length

    def slice(self, kind: Kind, depth: int) -> tuple[str, int]:
        source, dice = self.dice.pick(self.having(kind)), self.dice
        least = source.length
        way = dice.below(6)
        if way == 0:
            return f"{source.text}[:]", least
        if way == 1:
            return f"{source.text}[::-1]", least
        if way == 2:
            return f"{source.text}[{dice.between(0, 2)}:]", 0
        if way == 3:
            return f"{source.text}[:{dice.pick(['-1', '2', '-2', '100'])}]", 0
        if way == 4:
            return f"{source.text}[{self.integer(8, 0)}:{self.integer(8, 0)}]", 0
        step = dice.pick(["2", "-1", "-2", "3"])
        return f"{source.text}[{dice.pick(['', '1', '-1', '5'])}:{dice.pick(['', '-1', '4', '0'])}:{step}]", 0

    def copy(self, kind: Kind, depth: int) -> tuple[str, int]:
        source = self.dice.pick(self.having(kind))
        words = ["list({})", "list(reversed({}))", "list({})"]
        if kind.element.name in ("int", "float"):
            words.append("sorted({})")
        word = self.dice.pick(words)
        return word.format(source.text), source.length

    def joined_lists(self, kind: Kind, depth: int) -> tuple[str, int]:
        source = self.dice.pick(self.having(kind))
        text, length = self.literal(kind, depth)
        return f"({text} + {source.text})", length + source.length

    def drawn(self, kind: Kind, depth: int) -> tuple[str, int]:
        source = self.dice.pick(self.having(kind))
        if source.length == 0 and not self.accident():
            return f"{source.text}[:]", 0
        if self.dice.chance(0.5):
            return f"random.choices({self.length_text()}, {source.text})", 1
        count = self.dice.between(0, source.length)
        return f"random.sample({count}, {source.text})", count

    def some_kind(self) -> Kind:
        """Returns a kind for a variable."""
        return self.dice.weighted([
            (5, INT), (4, FLOAT), (2, BOOL), (3, INTS), (2, FLOATS), (1, BOOLS), (1, GRID), (0.5, REAL_GRID), (1, PAIR),
            (0.5, PAIRS), (0.7, Kind("tuple", 0, (INT, FLOAT))), (1.5, Kind("int", 2**40)), (1, Kind("int", 2**62)),
            (1, Kind("float", 2.0**40))])


def found(variables: list[Variable], text: str) -> Optional[Variable]:
    return next((v for v in variables if v.text == text), None)
