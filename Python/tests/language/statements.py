"""Random statements."""

from __future__ import annotations

from typing import Callable

from .kinds import BOOL, FLOAT, FLOATS, GRID, HUGE, INT, INTS, PAIRS, REAL_TOTAL, SMALL, TOTAL, Kind, Variable
from .lists import LONGEST, Lists
from .quirks import REAL, WHOLE

#: A statement may run so often in a trial.
MOST_OFTEN = 60


class Statements(Lists):
    """Adds statements. Each is a list of lines."""

    def __init__(self, *words: object) -> None:
        super().__init__(*words)  # type: ignore[arg-type]
        self.names = 0
        #: What a `return` must give: None for a trial, which gives nothing.
        self.result: Kind | None = None
        self.may_return = True
        self.in_loop = False
        #: Statements that the tally's fields offer; empty in helpers.
        self.tallies: list[Callable[[], str]] = []
        #: Loops and branches within each other.
        self.nested = 0

    def new_name(self, kind: Kind) -> str:
        self.names += 1
        letter = {"int": "n", "float": "x", "bool": "b", "list": "a", "tuple": "t"}[kind.name]
        return f"{letter}{self.names}"

    def block(self, least: int, most: int) -> list[str]:
        """Returns statements whose new variables nobody outside may use."""
        before = list(self.variables)
        lines = [line for _ in range(self.dice.between(least, most)) for line in self.statement()]
        self.variables = before
        return lines or ["pass"]

    def indented(self, lines: list[str]) -> list[str]:
        return ["    " + line for line in lines]

    def statement(self) -> list[str]:
        dice = self.dice
        self.cost += self.weight
        choices: list[tuple[float, Callable[[], list[str]]]] = [
            (6, self.assign_new), (5, self.assign_again), (4, self.augment), (2, self.write_element), (1, self.unpack),
            (0.6, self.quirk), (0.2, lambda: ["pass"]), (0.3, self.annotated), (0.3, self.chained),
            (0.5, self.alias), (0.5, self.note), (0.5, self.sketch)]
        if self.tallies:
            choices.append((4, lambda: [dice.pick(self.tallies)()]))
        if self.nested < 3:
            choices += [(4, self.branch), (0.3, self.assertion)]
            if self.weight * 3 <= MOST_OFTEN:
                choices += [(4, self.for_loop), (2, self.while_loop)]
        if self.in_loop and self.nested > 1:
            choices.append((1.5, self.leave))
        if self.nested > 0 and self.may_return:
            choices.append((0.7, self.early_return))
        if self.accident():
            choices.append((2, self.raise_error))
        if self.has_random and (lists := [v for v in self.variables if v.kind.name == "list" and v.writable]):
            choices.append((0.7, lambda: [f"random.shuffle({dice.pick(lists).text})"]))
        return dice.weighted(choices)()

    # --- assignments ---------------------------------------------------------

    def add(self, text: str, kind: Kind, length: int = 0, writable: bool = True) -> None:
        self.variables = [v for v in self.variables if v.text != text]
        self.variables.append(Variable(text, kind, length, writable))

    def assign_new(self) -> list[str]:
        kind = self.some_kind()
        name = self.new_name(kind)
        if kind.name == "list":
            text, length = self.new_list(kind, 3)
            self.add(name, kind, length)
        else:
            text = self.value(kind, 3)
            self.add(name, kind)
        return [f"{name} = {text}"]

    def again_list(self) -> list[str]:
        """Gives a list variable another list, of at least as many elements as the program relies on."""
        chosen = self.dice.pick([v for v in self.variables if v.kind.name == "list" and v.writable])
        text, length = self.new_list(chosen.kind, 2)
        return [f"{chosen.text} = {text}"] if length >= chosen.length else ["pass"]

    def scalars(self) -> list[Variable]:
        return [v for v in self.variables if v.writable and v.kind.name in ("int", "float", "bool", "tuple")]

    def assign_again(self) -> list[str]:
        choices = self.scalars()
        if self.dice.chance(0.2) and any(v.kind.name == "list" and v.writable for v in self.variables):
            return self.again_list()
        if not choices:
            return self.assign_new()
        chosen = self.dice.pick(choices)
        if self.dice.chance(0.2) and len(same := [v for v in choices if v.kind == chosen.kind]) > 1:
            other = self.dice.pick(same)
            return [f"{chosen.text}, {other.text} = {other.text}, {chosen.text}"]
        return [f"{chosen.text} = {self.value(chosen.kind, 3)}"]

    def augment(self) -> list[str]:
        dice = self.dice
        totals = [v for v in self.variables if v.writable and v.kind in (TOTAL, REAL_TOTAL)]
        if not totals or dice.chance(0.1):
            kind = dice.pick([TOTAL, REAL_TOTAL])
            name = self.new_name(kind)
            self.add(name, kind)
            return [f"{name} = {'0' if kind == TOTAL else '0.0'}"]
        total = dice.pick(totals)
        if total.kind == TOTAL:
            way = dice.below(6)
            if way < 4:
                return [f"{total.text} {'+=' if way < 3 else '-='} {self.integer(2**20, 3)}"]
            if way == 4:
                return [f"{total.text} {dice.pick(['//=', '%='])} {self.divisor(SMALL, 2)}"]
            return [f"{total.text} {dice.pick(['>>=', '&='])} {dice.between(1, 30)}"]
        if dice.chance(0.8):
            return [f"{total.text} {dice.pick(['+=', '-='])} {self.number(2.0**20, 3)}"]
        return [f"{total.text} {dice.pick(['*= 0.5', '/= 2', '/= 1.5', '%= 100.0', '//= 1.0'])}"]

    def write_element(self) -> list[str]:
        lists = [v for v in self.variables if v.kind.name == "list" and v.writable and v.length > 0]
        if not lists:
            return self.assign_new()
        chosen, dice = self.dice.pick(lists), self.dice
        text, kind = chosen.text, chosen.kind
        place = f"{text}[{self.index(text, chosen.length, 2)}]"
        if kind.element.name == "list":
            if dice.chance(0.15):
                return [f"{place} = {self.literal(kind.element, 1)[0]}"]
            # An index that draws would draw twice.
            row = f"{text}[{self.dice.between(-1, 0)}]"
            place, kind = f"{row}[{self.index(row, 1, 1)}]", kind.element
        if kind.element.name == "int" and dice.chance(0.3):
            return [f"{place} {dice.pick(['%=', '//='])} {self.divisor(SMALL, 1)}"]
        if kind.element.name == "float" and dice.chance(0.3):
            return [f"{place} *= 0.5"]
        if chosen.length > 1 and dice.chance(0.2) and not place.endswith("]]") and kind is chosen.kind:
            return [f"{text}[0], {text}[-1] = {text}[-1], {text}[0]"]
        return [f"{place} = {self.value(kind.element, 3)}"]

    def unpack(self) -> list[str]:
        first, second = self.dice.pick([INT, FLOAT, BOOL]), self.dice.pick([INT, FLOAT])
        names = [self.new_name(first), self.new_name(second)]
        kind = Kind("tuple", 0, (first, second))
        text = self.tuple_text(kind, 2) if self.dice.chance(0.5) else f"{self.value(first, 2)}, {self.value(second, 2)}"
        self.add(names[0], first)
        self.add(names[1], second)
        return [f"{', '.join(names)} = {text}"]

    def quirk(self) -> list[str]:
        is_whole = self.dice.chance(0.7)
        kind = TOTAL if is_whole else REAL_TOTAL
        name = self.new_name(kind)
        drawn = "random.below(4)" if self.has_random else str(self.dice.below(4))
        text = self.dice.pick(WHOLE if is_whole else REAL).format(
            n=name, i=self.integer(SMALL, 1), j=self.integer(SMALL, 1), x=self.real(SMALL, 1), d=drawn)
        self.add(name, kind)
        return text.split("\n")

    def annotated(self) -> list[str]:
        kind = self.dice.pick([INT, FLOAT, BOOL])
        name = self.new_name(kind)
        line = f"{name}: {kind.name} = {self.value(kind, 2)}"
        self.add(name, kind)
        return [line]

    def chained(self) -> list[str]:
        kind = self.dice.pick([INT, FLOAT])
        names = [self.new_name(kind), self.new_name(kind)]
        line = f"{names[0]} = {names[1]} = {self.value(kind, 2)}"
        for name in names:
            self.add(name, kind)
        return [line]

    def alias(self) -> list[str]:
        lists = [v for v in self.variables if v.kind.name == "list"]
        if not lists:
            return self.assign_new()
        chosen = self.dice.pick(lists)
        name = self.new_name(chosen.kind)
        self.add(name, chosen.kind, chosen.length, chosen.writable)
        return [f"{name} = {chosen.text}"]

    def note(self) -> list[str]:
        plain = [v.text for v in self.variables if v.kind.name in ("int", "float", "bool")]
        if not plain or not self.tallies:
            return ["pass"]
        return [f'self.note(f"now {{{self.dice.pick(plain)}}}")']

    def sketch(self) -> list[str]:
        if not self.tallies:
            return ["pass"]
        return [self.dice.pick(("self.sketch(3, 2)", 'self.sketch("disc", 1, 0.5, 0.25, "good")', 'self.sketch("line", 0, 0, 3, 2)',
                                'self.sketch("text", 1, 1, "here", "faint")'))]

    # --- branches and loops --------------------------------------------------

    def branch(self) -> list[str]:
        self.nested += 1
        lines = [f"if {self.boolean(3)}:", *self.indented(self.block(1, 3))]
        while self.dice.chance(0.25):
            lines += [f"elif {self.boolean(2)}:", *self.indented(self.block(1, 2))]
        if self.dice.chance(0.5):
            lines += ["else:", *self.indented(self.block(1, 3))]
        self.nested -= 1
        if self.accident():
            # A name that only one of the branches sets.
            name = self.new_name(INT)
            lines[-1:] = [lines[-1], f"    {name} = {self.integer(SMALL, 1)}"]
            self.add(name, INT)
        return lines

    def body(self, times: int, variables: list[Variable]) -> list[str]:
        """Returns the body of a loop that runs at most so often."""
        before, weight, was = list(self.variables), self.weight, self.in_loop
        self.variables = [v for v in before if v.text not in [new.text for new in variables]] + variables
        self.weight, self.in_loop = weight * times, True
        self.nested += 1
        lines = self.block(1, 4)
        self.nested -= 1
        self.variables, self.weight, self.in_loop = before, weight, was
        return self.indented(lines)

    def otherwise(self) -> list[str]:
        if not self.dice.chance(0.15):
            return []
        return ["else:", *self.indented(self.block(1, 2))]

    def for_loop(self) -> list[str]:
        dice = self.dice
        number = self.new_name(INT)
        lists = [v for v in self.variables if v.kind in (INTS, FLOATS) and v.length > 0]
        pairs = [v for v in self.variables if v.kind == PAIRS]
        way = dice.weighted([(5, "range"), (3, "list"), (1, "enumerate"), (1, "zip"), (0.7, "reversed"), (1, "pairs"),
                             (0.7, "grid"), (0.5, "tuple")])
        if way == "grid" and (grids := [v for v in self.variables if v.kind == GRID]):
            row = Variable(self.new_name(INTS), INTS, 0, False)
            return [f"for {row.text} in {dice.pick(grids).text}:", *self.body(4, [row]), *self.otherwise()]
        if way == "pairs" and pairs:
            names = [Variable(self.new_name(INT), INT) for _ in range(2)]
            head = f"for {names[0].text}, {names[1].text} in {dice.pick(pairs).text}:"
            return [head, *self.body(4, names), *self.otherwise()]
        if way == "tuple":
            parts = ", ".join(dice.several(2, 3, lambda: self.integer(SMALL, 1)))
            return [f"for {number} in ({parts}):", *self.body(3, [Variable(number, INT)]), *self.otherwise()]
        if way in ("list", "enumerate", "zip", "reversed", "grid", "pairs") and lists:
            source = dice.pick(lists)
            name = self.new_name(source.kind.element)
            element = Variable(name, source.kind.element)
            place = Variable(number, Kind("int", LONGEST * LONGEST))
            if way == "enumerate":
                start = dice.pick(["", "", ", 1"])
                return [f"for {number}, {name} in enumerate({source.text}{start}):", *self.body(6, [place, element])]
            if way == "zip":
                other = dice.pick(lists)
                second = Variable(self.new_name(other.kind.element), other.kind.element)
                head = f"for {name}, {second.text} in zip({source.text}, {other.text}):"
                return [head, *self.body(6, [element, second]), *self.otherwise()]
            text = f"reversed({source.text})" if way == "reversed" else source.text
            return [f"for {name} in {text}:", *self.body(6, [element]), *self.otherwise()]
        return self.range_loop(number)

    def range_loop(self, name: str) -> list[str]:
        dice = self.dice
        count = dice.between(1, 6)
        lists = [v for v in self.variables if v.kind.name == "list" and v.length > 0]
        if lists and dice.chance(0.3):
            source = dice.pick(lists)
            before = self.variables
            # The usual way to go through a list by its places.
            lines = self.body(6, [Variable(name, Kind("int", LONGEST))])
            self.variables = before
            return [f"for {name} in range(len({source.text})):", *lines, *self.otherwise()]
        if dice.chance(0.6):
            head, limit = str(count), 6
        elif dice.chance(0.5):
            low, step = dice.between(-9, 9), dice.pick([1, 2, 3, -1, -3])
            head, limit = f"{low}, {low + count * step}, {step}", 40
        else:
            # An accident here could be a loop of years.
            accidents, self.accidents = self.accidents, 0.0
            head, limit = f"{self.integer(6, 1)}, {self.integer(6, 1)}", 6
            self.accidents = accidents
        kind = Kind("int", limit)
        return [f"for {name} in range({head}):", *self.body(max(count, 4), [Variable(name, kind)]), *self.otherwise()]

    def while_loop(self) -> list[str]:
        """A loop with a counter of its own, so that it ends."""
        dice = self.dice
        counter = self.new_name(INT)
        count = dice.between(1, 6)
        variable = Variable(counter, Kind("int", 8), 0, False)
        if dice.chance(0.3):
            lines = self.body(count, [variable])
            stop = f"    if {counter} >= {count} or {self.boolean(2)}:"
            return [f"{counter} = 0", "while True:", f"    {counter} += 1", stop, "        break", *lines]
        condition = f"{counter} < {count}"
        if dice.chance(0.5):
            condition = f"{counter} < {count} and {self.boolean(2)}"
        lines = self.body(count, [variable])
        return [f"{counter} = 0", f"while {condition}:", f"    {counter} += 1", *lines, *self.otherwise()]

    def leave(self) -> list[str]:
        return [self.dice.pick(["break", "continue"])]

    def early_return(self) -> list[str]:
        if self.result is None:
            return [f"if {self.boolean(2)}:", "    return"]
        return [f"if {self.boolean(2)}:", f"    return {self.value(self.result, 2)}"]

    def assertion(self) -> list[str]:
        if self.accident():
            return [f"assert {self.boolean(2)}" + self.dice.pick(["", ', "it does not hold"'])]
        return [f"assert {self.integer(SMALL, 2)} <= {HUGE}"]

    def raise_error(self) -> list[str]:
        return [f"if {self.boolean(2)}:", f'    raise {self.dice.pick(["ValueError", "RuntimeError"])}("an accident")']


__all__ = ["Statements", "FLOATS"]
