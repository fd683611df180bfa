"""The whole program: which functions are read, with which types, until nothing changes."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Callable

from . import builtins, calls, comparisons, file_names, lists, maths, missing, operators, prelude
from .body import ANSWERS, Body
from .constants import Constants
from .declaration import Declaration, Parameter
from .declare import Declaring
from .errors import Place, Refused, counted, kept, refuse
from .flow import Return, Stop
from .nodes import Begun, Call, Const, Drop, Leaf, Node, Set, Slot
from .scope import EXPRESSIONS, Scope, State, Unit, conflict, unparse
from .sentences import NO_VALUE
from .source import Source
from .types import (
    BOOL, FLOAT, INT, MIXED, NONE, NUMBERS, OPTIONAL, UNKNOWN, Cell, ChoiceType, ListType, SeveralType, TupleType, Type,
    join, key, leaves, same,
)  # fmt: skip
from .values import Attribute, Holes, Special, Value, Variable, Word, after, converted, got, hole, without_value

# Types grow at most a few times; more passes than this would be an error of the compiler.
MOST_PASSES = 30


class Lowering:
    """From the syntax tree to typed functions."""

    # Parts of the work that other files do; a scope finds them here.
    binary = staticmethod(operators.binary)
    junction = staticmethod(operators.junction)
    contains = staticmethod(comparisons.contains)
    length = staticmethod(lists.length)
    load = staticmethod(lists.load)
    listing = staticmethod(lists.listing)
    joined = staticmethod(lists.joined)
    filled = staticmethod(lists.filled)
    search = staticmethod(lists.search)
    equal_lists = staticmethod(lists.equal_lists)
    in_range = staticmethod(builtins.in_range)
    power = staticmethod(maths.power)
    perform = staticmethod(calls.perform)
    special_item = staticmethod(calls.special_item)
    row_walk = staticmethod(calls.row_walk)
    misuse = calls.misuse
    outer = file_names.outer
    computed = file_names.computed
    literal = file_names.literal
    data = file_names.data
    own = file_names.own

    def __init__(self, source: Source, constants: Constants, declaring: Declaring, declaration: Declaration) -> None:
        self.source = source
        self.constants = constants
        self.declaring = declaring
        self.declaration = declaration
        self.parameters: dict[str, Slot] = {each.attribute: slot(each) for each in declaration.parameters}
        self.fields = {field.attribute: place for place, field in enumerate(declaration.fields)}
        self.inputs = {table.attribute: place for place, table in enumerate(declaration.inputs)}
        self.attributes: dict[str, Attribute] = {}
        # Values of the file that are computed, in the order in which they need each other.
        self.globals: dict[str, Attribute] = {}
        self.lambdas: dict[str, ast.Lambda] = {}
        self.file_values: dict[str, Body] = {}
        self.order: list[str] = []
        self.open: list[str] = []
        self.errors = source.errors
        self.units: dict[object, Unit] = {}
        self.cells: dict[object, Cell] = {}
        # The streams that trials begin, each by the place where it begins.
        self.streams: dict[tuple[Unit, ast.Call], Begun] = {}
        # Expressions that the compiler makes of others; they stay, because types are kept by their place.
        self.synthesized: dict[int, ast.ListComp] = {}
        self.changed = False
        self.pass_number = 0
        # Names that were read before their type was known, in this pass.
        self.unknown: list[tuple[ast.AST, str]] = []

    def settle(self, read: Callable[[], None]) -> None:
        """Reads everything again and again, until no type changes."""
        for number in range(MOST_PASSES):
            self.pass_number = number
            self.changed = False
            self.unknown = []
            Holes.lines, Holes.is_counting = [], True
            with kept(self.errors):
                read()
            refuse(self.errors)
            if not self.changed:
                break
        for node, name in self.unknown:
            self.errors.append(Refused(node, f"'{name}' has no value yet; assign it before this line"))
        endless = [each for each in self.units.values() if each.pass_number == self.pass_number and each.result is UNKNOWN]
        # What calls such a function may have no value either.
        unit = min(endless, key=lambda each: isinstance(each.node, ast.Lambda), default=None)
        if unit is not None:
            why = "each path in it calls it again" if "recursion" in unit.body.does else "each path in it ends the run"
            self.errors.append(Refused(unit.node, f"'{unit.name}' never returns a value: {why}"))
        if Holes.lines and not self.errors:
            self.errors.append(
                Refused(Place(Holes.lines[0], 1), "the type of this cannot be found; assign a number first")
            )
        refuse(self.errors)

    def cell(self, key: object, line: int) -> Cell:
        """What the elements of lists made at one place have in common."""
        found = self.cells.get(key)
        if found is None:
            found = self.cells[key] = Cell(UNKNOWN, line)
        return found.root()

    # Functions

    def entry(self, name: str, node: ast.FunctionDef | ast.Lambda, mode: str, values: list[Value]) -> Body:
        """Reads a function that the module itself calls, with these arguments."""
        return self.entry_of(name, name, node, mode, values)

    def entry_of(
        self,
        key: object,
        name: str,
        node: ast.FunctionDef | ast.Lambda,
        mode: str,
        values: list[Value],
        helper: bool = False,
    ) -> Body:
        """The same for one of several of a name."""
        unit = self.units.setdefault((key, mode), Unit(name, node, mode))
        unit.is_helper = helper
        names = [each.arg for each in node.args.args]
        if len(names) != len(values) or node.args.vararg or node.args.kwonlyargs or node.args.kwarg:
            raise Refused(
                node,
                f"'{name}' takes {counted(len(values), 'argument')}; write {WANTED.get(name, 'lambda self: …')}",
            )
        self.read(unit, dict(zip(names, values)))
        return unit.body

    def unit_of(self, key: object, mode: str) -> Unit | None:
        return self.units.get((key, mode))

    def invoke(self, scope: Scope, name: str, node: ast.FunctionDef, values: dict[str, Value], place: ast.AST) -> Value:
        """A call of a function of the author."""
        line = getattr(place, "lineno", 0)
        for value in values.values():
            if value.type is UNKNOWN:
                return hole(line)
            if value.type is NONE or value.type is OPTIONAL:
                raise Refused(place, f"an argument of {name} is None; {missing.NOTHING}")
        mode = scope.unit.mode
        prepared = frozenset(scope.state.sure if scope.state else ()) if mode == "prepare" else None
        if prepared is not None:
            prepared = frozenset(each for each in prepared if each.startswith("self."))
        kind = (id(node), name, mode, prepared, tuple(value_key(value) for value in values.values()))
        unit = self.units.get(kind)
        if unit is None:
            unit = self.units[kind] = Unit(name, node, mode)
            unit.prepared = prepared
            unit.is_helper = id(node) in prelude.HELPERS
        if unit.is_open:
            unit.body.does.add("recursion")
        arguments: list[Node] = []
        for parameter, value in values.items():
            if isinstance(value, (Word, Special)):
                continue
            if (part := without_value(value)) is not None:
                raise Refused(place, self.misuse(part, "a number"))
            variable = unit.variables.setdefault(parameter, Variable(parameter, place)).root()
            scope.grow(variable, value.type, place)
            arguments += converted(value, variable.type, line)
        if not unit.is_open:
            self.read(unit, values)
        scope.body.calls.append(unit.body)
        return self.result(unit, arguments, line, place)

    def result(self, unit: Unit, arguments: list[Node], line: int, place: ast.AST) -> Value:
        type = unit.result
        if type is UNKNOWN:
            return hole(line)
        if type is NONE:
            call = Call(NONE, line, unit.body, arguments)
            return after([Drop(call, 0)], Const(NONE, float("nan"), line), line)
        parts = leaves(type)
        call = Call(parts[0] if parts else NONE, line, unit.body, arguments)
        if len(parts) == 1 and not isinstance(type, TupleType):
            return call
        results = [Leaf("", part) for part in parts]
        return after([Set(results, [call])], got(type, results, line), line)

    def read(self, unit: Unit, values: dict[str, Value]) -> None:
        """Reads a function's statements, once in each pass."""
        if unit.pass_number == self.pass_number:
            return
        unit.pass_number = self.pass_number
        unit.is_open = True
        body = unit.body
        node = unit.node
        body.statements, body.calls, body.parameters, body.flags = [], [], [], []
        body.does.clear()
        for variable in unit.variables.values():
            variable.kept = None
        scope = Scope(self, unit)
        state = scope.state = State(set(unit.prepared or ()), {})
        for name, value in values.items():
            state.sure.add(name)
            if isinstance(value, (Word, Special)):
                scope.specials[name] = value
            else:
                variable = scope.kept(name, name, node)
                if variable.type is UNKNOWN:
                    variable.type = value.type
                state.reaching[name] = frozenset((variable,))
                body.parameters += variable.parts()
        with scope.into(body.statements):
            if isinstance(node, ast.Lambda):
                scope.locals = set(values)
                self.give(scope, scope.value(node.body), node.body)
            else:
                scope.locals = set(values) | stored(node)
                self.annotations(scope, node, values)
                scope.run(node.body)
                if scope.state is not None:
                    self.end(scope, node)
        if unit.result is UNKNOWN and scope.state is None and not scope.gives:
            # It always ends the run.
            self.outcome(unit, NONE, node)
        body.result = unit.result
        unit.is_open = False
        unit.ended = None if scope.state is None else scope.state.sure

    def annotations(self, scope: Scope, node: ast.FunctionDef, values: dict[str, Value]) -> None:
        for each in node.args.args:
            if each.annotation is not None and each.arg in values:
                self.check(each.annotation, values[each.arg], f"'{each.arg}'")

    def give(self, scope: Scope, value: Value, node: ast.AST, bare: bool = False) -> None:
        """`return`."""
        unit = scope.unit
        line = getattr(node, "lineno", 0)
        if not bare:
            scope.gives = True
        if value.type is UNKNOWN:
            return
        if (part := without_value(value)) is not None:
            raise Refused(node, self.misuse(part, "a number, a tuple or a list"))
        self.outcome(unit, value.type, node)
        if isinstance(unit.node, ast.FunctionDef) and unit.node.returns is not None and value.type is not NONE:
            self.check(unit.node.returns, value, f"the result of {unit.name}")
        nodes = [] if unit.result is NONE else converted(value, unit.result, line)
        if unit.result is NONE and not bare and isinstance(value, Node) and not isinstance(value, Const):
            scope.out.append(Drop(value))
        scope.out.append(Return(nodes))

    def outcome(self, unit: Unit, type: Type, node: ast.AST) -> None:
        """Joins a type into a function's result."""
        joined = join(unit.result, type, getattr(node, "lineno", 0))
        if joined is OPTIONAL and unit.mode not in ANSWERS or joined is None:
            sentence = conflict(f"the result of {unit.name}", unit.result, unit.place, type)
            if NONE in (unit.result, type):
                sentence = f"{unit.name} returns a value in one place and none in another; each 'return' needs a value"
            raise Refused(node, sentence, (unit.place, f"here {unit.name} returns {unit.result}"))
        if not same(joined, unit.result):
            self.changed = True
            if unit.result is UNKNOWN:
                unit.place = node
            unit.result = joined

    def end(self, scope: Scope, node: ast.FunctionDef) -> None:
        """A path that reaches the end of a function."""
        unit = scope.unit
        if not scope.gives and not self.errors:
            self.outcome(unit, NONE, node)
        elif unit.mode in ANSWERS and (unit.result in NUMBERS or unit.result in (OPTIONAL, NONE)):
            self.outcome(unit, NONE, node)
            scope.out.append(Return([Const(OPTIONAL, float("nan"), node.lineno)]))
        else:
            scope.out.append(Stop(node.lineno, NO_VALUE))

    def helped(self, scope: Scope, name: str, values: list[Value], place: ast.AST) -> Value:
        """A call of one of the compiler's own functions in Python, whose errors have the line of the call."""
        line = getattr(place, "lineno", 0)
        node = prelude.function(name, line)
        names = [each.arg for each in node.args.args]
        return self.invoke(scope, name, node, dict(zip(names, values)), place)

    # Names

    def name(self, scope: Scope, node: ast.expr) -> Value:
        assert isinstance(node, ast.Name)
        name = node.id
        if name in scope.locals or any(name in names for names in scope.inner):
            return scope.read(name, node)
        if scope.unit.is_helper:
            if name in prelude.names():
                return Special("helper", name)
            return Special("builtin", name)
        return self.outer(name, node, scope)

    # Annotations

    def check(self, annotation: ast.expr, value: Value, what: str) -> None:
        """Refuses an annotation that says something else than the value's type."""
        wanted = annotated(annotation)
        if wanted is None or isinstance(value, (Word, Special)) or value.type is UNKNOWN:
            return
        if not wanted(value.type):
            raise Refused(annotation, f"{what} is annotated as {unparse(annotation)} and is {value.type}")


def annotated(node: ast.expr) -> Callable[[Type], bool] | None:
    """Whether an annotation allows a type; None for one that says nothing here."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return annotated(ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return None
    if isinstance(node, ast.Name):
        simple: dict[str, Callable[[Type], bool]] = {
            "int": lambda type: type is INT or type is BOOL,
            "float": lambda type: type in NUMBERS or type is BOOL,
            "bool": lambda type: type is BOOL,
            "list": lambda type: isinstance(type, ListType),
            "List": lambda type: isinstance(type, ListType),
            "tuple": lambda type: isinstance(type, TupleType),
            "Tuple": lambda type: isinstance(type, TupleType),
            "str": lambda type: isinstance(type, ChoiceType),
        }
        return simple.get(node.id)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in ("list", "List"):
        inner = annotated(node.slice)
        return lambda type: isinstance(type, ListType) and (inner is None or type.item is UNKNOWN or inner(type.item))
    return None


def slot(parameter: Parameter) -> Slot:
    """The global variable of a parameter."""
    kind = parameter.kind
    if kind == "integer":
        return Slot(parameter.attribute, INT, (int(parameter.low), int(parameter.high)))
    if kind == "real":
        return Slot(parameter.attribute, FLOAT, share=0 <= parameter.low and parameter.high <= 1)
    if kind == "flag":
        return Slot(parameter.attribute, BOOL)
    if kind == "choice":
        return Slot(parameter.attribute, ChoiceType(parameter.names), (0, len(parameter.names) - 1))
    return Slot(parameter.attribute, SeveralType(parameter.names))


def value_key(value: Value) -> object:
    if isinstance(value, Word):
        return ("text", value.text)
    if isinstance(value, Special):
        return ("special", value.kind, value.what if isinstance(value.what, (int, str)) else id(value.what))
    return key(value.type)


@lru_cache(maxsize=256)
def stored(node: ast.FunctionDef) -> frozenset[str]:
    """The names that a function assigns: its local variables. Those of comprehensions are not among them."""
    found: set[str] = set()
    left: list[ast.AST] = list(node.body)
    while left:
        each = left.pop()
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            found.add(each.name)
        elif not isinstance(each, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda)):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                found.add(each.id)
            left += ast.iter_child_nodes(each)
    return frozenset(found)


# The functions that Potluck calls.
WANTED = {
    "trial": "def trial(self, random):",
    "prepare": "def prepare(self):",
    "block": "def block(self, units, random, output):",
    "units": "def units(self):",
    "steps": "def steps(self):",
    "block_size": "def block_size(self):",
}
EXPRESSIONS[ast.Name] = lambda scope, node: scope.program.name(scope, node)
