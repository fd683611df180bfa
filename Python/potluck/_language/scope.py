"""Reading one function: its variables, their types, and which of them surely have a value."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import TYPE_CHECKING, Callable, Iterator

from . import missing
from .body import Body
from .errors import Refused
from .flow import Label
from .nodes import Const, Leaf, Node, Op, Pick, Statement
from .types import BOOL, FLOAT, INT, MIXED, NONE, NUMBERS, OPTIONAL, UNKNOWN, ListType, TupleType, Type, join, same
from .values import Attribute, Holes, NoValue, Special, Tup, Value, Variable, Word, convert, got, hole, without_value

if TYPE_CHECKING:
    from .program import Lowering

EXPRESSIONS: dict[type[ast.expr], Callable[[Scope, ast.expr], Value]] = {}
STATEMENTS: dict[type[ast.stmt], Callable[[Scope, ast.stmt], None]] = {}


class State:
    """What is known of the variables at one place of a function."""

    __slots__ = ("reaching", "sure")

    def __init__(self, sure: set[str], reaching: dict[str, frozenset[Variable]]) -> None:
        # Names that have a value on every path to here.
        self.sure = sure
        # For each name, the variables that an assignment on some path may have left here. A name that is used for several
        # things, one after the other, is several variables.
        self.reaching = reaching

    def copy(self) -> State:
        return State(set(self.sure), dict(self.reaching))


class Unit:
    """A function for certain types of arguments. It stays from pass to pass."""

    def __init__(self, name: str, node: ast.FunctionDef | ast.Lambda, mode: str) -> None:
        self.name = name
        self.node = node
        self.mode = mode
        self.variables: dict[object, Variable] = {}
        # For each loop, the variables that its end leaves to its beginning.
        self.rounds: dict[int, dict[str, frozenset[Variable]]] = {}
        self.result: Type = UNKNOWN
        # Where the type of its result was decided.
        self.place: ast.AST = node
        self.body = Body(name, node.lineno, mode)
        self.pass_number = -1
        self.is_open = False
        # Whether it is one of the compiler's own, in `prelude`.
        self.is_helper = False
        # Attributes that `prepare` has assigned before it calls this function; None outside of it.
        self.prepared: frozenset[str] | None = None
        # What surely has a value at its end; None if its end is not reached.
        self.ended: set[str] | None = None


class Scope:
    """A function in one pass over it."""

    def __init__(self, program: Lowering, unit: Unit) -> None:
        self.program = program
        self.unit = unit
        self.body = unit.body
        self.out: list[Statement] = []
        # What is known of the variables here; None where no path leads.
        self.state: State | None = State(set(), {})
        self.specials: dict[str, Value] = {}
        self.locals: set[str] = set()
        # Variables of comprehensions, the innermost last.
        self.inner: list[dict[str, Variable]] = []
        self.loops: list[tuple[Label, list[State | None], list[State | None]]] = []
        # Whether a `return` has a value.
        self.gives = False

    # Expressions

    def value(self, node: ast.expr) -> Value:
        """Reads an expression."""
        read = EXPRESSIONS.get(type(node))
        if read is None:
            raise Refused(
                node, missing.SYNTAX.get(type(node), f"'{unparse(node)}' is not part of the language of simulations")
            )
        try:
            return read(self, node)
        except NoValue as error:
            raise self.no_value(error, node) from None

    def no_value(self, error: NoValue, node: ast.AST) -> Refused:
        return Refused(node, self.program.misuse(error.part, "a number"))

    def node(self, node: ast.expr, what: str = "a number") -> Node:
        """Reads an expression that has one value."""
        value = self.value(node)
        if isinstance(value, Word):
            raise Refused(node, f"this is a text, and {what} is needed here; trials compute with numbers only")
        if isinstance(value, Tup):
            raise Refused(node, f"this is a tuple, and {what} is needed here; write an index, such as [0]")
        if isinstance(value, Special):
            raise Refused(node, self.program.misuse(value, what))
        return value

    def number(self, node: ast.expr) -> Node:
        """Reads a number; True and False count as 1 and 0."""
        return self.numeric(self.node(node), node)

    def numeric(self, value: Node, node: ast.expr) -> Node:
        """A value as a number."""
        if value.type is BOOL:
            return convert(value, INT, node.lineno)
        if value.type not in NUMBERS and value.type is not UNKNOWN:
            raise Refused(node, f"{lacking(value, node)}, and a number is needed here")
        return value

    def whole(self, node: ast.expr, what: str) -> Node:
        """Reads a whole number."""
        value = self.number(node)
        if value.type is FLOAT or value.type is MIXED:
            raise Refused(
                node, f"{what} is a whole number, and this is {value.type}; write int(…), or // in place of /"
            )
        return value

    def real(self, node: ast.expr) -> Node:
        """Reads a number as a real number."""
        return convert(self.number(node), FLOAT, node.lineno)

    def truth(self, node: ast.expr) -> Node:
        """Reads a condition."""
        if isinstance(node, ast.BoolOp):
            return self.program.junction(self, node)
        value = self.value(node)
        if isinstance(value, Tup):
            return Const(BOOL, int(bool(value.items)), node.lineno)
        if not isinstance(value, Node):
            return self.node(node, "a condition")
        return self.true(value, node)

    def true(self, value: Node, node: ast.expr) -> Node:
        """Whether a value is not 0 or not empty."""
        line = node.lineno
        if value.type is BOOL or value.type is UNKNOWN:
            return value
        if value.type is INT:
            return Op("i.ne", BOOL, line, value, Const(INT, 0, line))
        if value.type is FLOAT or value.type is MIXED:
            return Op("f.ne", BOOL, line, value, Const(FLOAT, 0.0, line))
        if isinstance(value.type, ListType):
            return Op("i.ne", BOOL, line, self.program.length(value, line), Const(INT, 0, line))
        raise Refused(node, f"this is {value.type}, and a condition is needed here; write a comparison")

    def listed(self, node: ast.expr, what: str) -> Node:
        """Reads a list."""
        value = self.program.listing(self, self.value(node), node)
        if not isinstance(value, Node) or not isinstance(value.type, ListType):
            if isinstance(value, Node) and value.type is UNKNOWN:
                return value
            raise Refused(node, f"{what} needs a list, and this is {describe(value)}")
        return value

    # Statements

    @contextmanager
    def into(self, statements: list[Statement]) -> Iterator[list[Statement]]:
        """Collects statements in this list."""
        before, self.out = self.out, statements
        try:
            yield statements
        finally:
            self.out = before

    def run(self, statements: list[ast.stmt]) -> None:
        """Reads statements. One that is wrong is kept as an error, and the next ones are read."""
        for statement in statements:
            read = STATEMENTS.get(type(statement))
            was_counting = Holes.is_counting
            try:
                if read is None:
                    sentence = missing.SYNTAX.get(type(statement))
                    raise Refused(statement, sentence or "this statement is not part of the language of simulations")
                if self.state is None:
                    # No path leads here: what is wrong with it counts, and nothing is computed.
                    Holes.is_counting = False
                    with self.into([]):
                        read(self, statement)
                else:
                    read(self, statement)
            except (Refused, NoValue) as error:
                self.program.errors.append(error if isinstance(error, Refused) else self.no_value(error, statement))
                self.forget(statement)
            finally:
                Holes.is_counting = was_counting

    def forget(self, statement: ast.AST) -> None:
        """Counts what a wrong statement would assign as assigned, so that it is not an error again."""
        if self.state is not None:
            for each in ast.walk(statement):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    self.state.sure.add(each.id)
                elif isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and self.unit.name == "prepare":
                    self.state.sure.add(f"self.{each.attr}")
                    self.program.attributes.setdefault(each.attr, Attribute(each.attr, each))

    # Variables

    def kept(self, key: object, name: str, place: ast.AST) -> Variable:
        """A variable that stays from pass to pass."""
        found = self.unit.variables.get(key)
        if found is None:
            found = self.unit.variables[key] = Variable(name, place)
        return found.root()

    def assign(self, name: str, value: Value, place: ast.AST) -> Variable:
        """Begins a variable with a value, or continues one, and returns it."""
        if (part := without_value(value)) is not None:
            raise Refused(place, self.program.misuse(part, "a number or a list"))
        if name in self.specials:
            raise Refused(place, f"'{name}' is {describe(self.specials[name])}; use another name")
        own = self.unit.variables.setdefault((name, id(place)), Variable(name, place))
        variable = own.root()
        self.grow(variable, value.type, place)
        if value.type in NUMBERS and own.given is not value.type:
            self.program.changed = True
            own.given = value.type
        if self.state is not None:
            self.state.sure.add(name)
            self.state.reaching[name] = frozenset((own,))
        return variable

    def grow(self, variable: Variable, type: Type, place: ast.AST) -> None:
        """Joins a type into a variable's."""
        if type is NONE or type is OPTIONAL:
            raise Refused(place, f"'{variable.name}' would be None; {missing.NOTHING}")
        joined = join(variable.type, type, place.lineno if hasattr(place, "lineno") else 0)
        if joined is None:
            raise Refused(
                place,
                conflict(f"'{variable.name}'", variable.type, variable.place, type),
                (variable.place, f"here '{variable.name}' is {variable.type}"),
            )
        if not same(joined, variable.type):
            self.program.changed = True
            if variable.type is UNKNOWN:
                variable.place = place
            variable.type = joined

    def read(self, name: str, node: ast.expr) -> Value:
        """The value of a local variable."""
        for names in reversed(self.inner):
            if name in names:
                return got(names[name].type, names[name].parts(), node.lineno)
        if name in self.specials:
            if self.state is not None and name not in self.state.sure:
                raise Refused(node, f"'{name}' has no stream on some paths to here; begin it before the condition")
            return self.specials[name]
        if self.state is None:
            # No path leads here, and so nothing is computed.
            return hole(node.lineno)
        sure = name in self.state.sure
        variable = self.reached(name, node)
        if variable is None or variable.type is UNKNOWN:
            self.program.unknown.append((node, name))
            return hole(node.lineno)
        parts = variable.parts()
        if not sure:
            for leaf in parts:
                if leaf.flag is None:
                    leaf.flag = Leaf(name, BOOL)
                    self.body.flags.append(leaf.flag)
        value = got(variable.type, parts, node.lineno, sure)
        if variable.type is MIXED and all(each.given is FLOAT for each in self.state.reaching[name]):
            assert isinstance(value, Node)
            return convert(value, FLOAT, node.lineno)
        return value

    def mixture(self, node: ast.AST, what: str) -> Refused:
        """Refuses a value that may be a whole or a real number, where Python would show the two differently."""
        name = unparse(node)
        reaching = self.state.reaching.get(name, frozenset()) if self.state is not None else ()
        wholes = sorted((each.place for each in reaching if each.given is INT), key=lambda place: getattr(place, "lineno", 0))
        return Refused(
            node,
            f"'{name}' is a whole number in one place and a real number in another, and {what} may differ for the two;"
            " write real numbers everywhere, such as 0.0 in place of 0",
            *((place, f"here '{name}' is a whole number") for place in wholes[:1]),
        )

    def reached(self, name: str, node: ast.AST) -> Variable | None:
        """The one variable of a name that a use needs: those that may reach it become one."""
        assert self.state is not None
        found = {each.root() for each in self.state.reaching.get(name, frozenset())}
        if not found:
            return None
        first, *others = sorted(found, key=lambda each: (getattr(each.place, "lineno", 0), id(each)))
        for other in others:
            joined = join(first.type, other.type, getattr(node, "lineno", 0))
            if joined is None:
                raise Refused(
                    other.place,
                    conflict(f"'{name}'", first.type, first.place, other.type),
                    (first.place, f"here '{name}' is {first.type}"),
                )
            self.program.changed = True
            other.above = first
            first.type = joined
        return first

    def is_own(self, name: str) -> bool:
        """Whether the function or the file gives the name a meaning, in place of Python's."""
        source = self.program.source
        if name in self.locals or any(name in names for names in self.inner):
            return True
        if self.unit.is_helper:
            return False
        return name in source.functions or name in source.constants or name in source.imports

    def meet(self, *states: State | None) -> None:
        """Continues where several paths come together."""
        alive = [state for state in states if state is not None]
        if not alive:
            self.state = None
            return
        reaching: dict[str, frozenset[Variable]] = {}
        for state in alive:
            for name, variables in state.reaching.items():
                reaching[name] = reaching.get(name, frozenset()) | variables
        self.state = State(set.intersection(*(state.sure for state in alive)), reaching)

    def split(self) -> State | None:
        """The state for one of several paths that begin here."""
        return None if self.state is None else self.state.copy()

    def begin_round(self, node: ast.AST) -> None:
        """At the beginning of a loop: what its end leaves may be here, too."""
        known = self.unit.rounds.setdefault(id(node), {})
        if self.state is not None:
            for name, variables in known.items():
                self.state.reaching[name] = self.state.reaching.get(name, frozenset()) | variables

    def end_round(self, node: ast.AST, *states: State | None) -> None:
        """Where a loop goes back to its beginning."""
        known = self.unit.rounds[id(node)]
        for state in states:
            for name, variables in state.reaching.items() if state is not None else ():
                before = known.get(name, frozenset())
                if not variables <= before:
                    known[name] = before | variables
                    self.program.changed = True


def conflict(what: str, old: Type, place: ast.AST, new: Type) -> str:
    line = getattr(place, "lineno", 0)
    advice = "use two names"
    if BOOL in (old, new) and INT in (old, new):
        advice = "write True and False, or 1 and 0, in both"
    elif isinstance(old, ListType) and isinstance(new, ListType):
        advice = "lists that meet have elements of one type"
    elif isinstance(old, TupleType) and isinstance(new, TupleType):
        advice = "tuples that meet have as many items"
    return f"{what} is {new} here and {old} in line {line}; {advice}"


def describe(value: Value) -> str:
    return value.words if isinstance(value, Special) else str(value.type)


def unparse(node: ast.AST) -> str:
    """The text of an expression, shortened."""
    text = ast.unparse(node)
    return text if len(text) <= 40 else text[:37] + "…"


def lacking(value: Value, node: ast.AST) -> str:
    """What a value is that does not fit."""
    if value.type is NONE and isinstance(node, ast.Call):
        return f"'{unparse(node.func)}' returns nothing"
    return f"this is {value.type}"


def picked(type: Type, line: int, test: Node, yes: Node, no: Node) -> Node:
    """A conditional expression, or its side if the condition is a constant."""
    if isinstance(test, Const):
        return yes if test.value else no
    return Pick(type, line, test, yes, no)
