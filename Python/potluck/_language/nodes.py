"""The typed program: what each function computes, in steps that need no more knowledge of Python's types.

An expression leaves values on WebAssembly's stack, most of them one. A statement leaves none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .types import INT, Cell, Type

if TYPE_CHECKING:
    from .body import Body

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1


class Leaf:
    """A scalar variable of a function: a local variable of WebAssembly."""

    __slots__ = ("bounds", "drift", "flag", "limit", "name", "sets", "type")

    def __init__(self, name: str, type: Type) -> None:
        self.name = name
        self.type = type
        # The variable that says whether this one has a value yet; only where a path may leave it without.
        self.flag: Leaf | None = None
        # What `ranges` knows of a whole number: its least and greatest value.
        self.bounds: tuple[int, int] | None = None
        # How much it may change in one step, down and up, where it counts.
        self.drift: tuple[int, int] = (0, 0)
        # For `symbols`: the expressions that are assigned to it, each with the number of loops around it, and the limit of
        # the loop that counts it.
        self.sets: dict[int, tuple[Node | None, int]] = {}
        self.limit: Node | None = None


class Slot:
    """A scalar part of an attribute of the simulation: a parameter, or what `prepare` assigned. A global variable."""

    __slots__ = ("bounds", "name", "share", "type", "variable")

    def __init__(self, name: str, type: Type, bounds: tuple[int, int] | None = None, share: bool = False) -> None:
        self.name = name
        self.type = type
        self.bounds = bounds
        # Whether it is a real number from 0 to 1 in any case.
        self.share = share
        # The number of the global variable.
        self.variable = -1


class Node:
    """An expression."""

    __slots__ = ("bounds", "line", "type")

    def __init__(self, type: Type, line: int) -> None:
        self.type = type
        self.line = line
        # The least and the greatest value of a whole number, once `ranges` has been here.
        self.bounds: tuple[int, int] | None = None


class Const(Node):
    __slots__ = ("value",)

    def __init__(self, type: Type, value: int | float, line: int = 0) -> None:
        super().__init__(type, line)
        self.value = value
        if type is INT:
            self.bounds = (int(value), int(value))


class Get(Node):
    """The value of a variable."""

    __slots__ = ("leaf", "sure")

    def __init__(self, leaf: Leaf, line: int, sure: bool = True) -> None:
        super().__init__(leaf.type, line)
        self.leaf = leaf
        # Whether every path to here has assigned it.
        self.sure = sure


class GetSlot(Node):
    __slots__ = ("fixed", "slot")

    def __init__(self, slot: Slot, line: int, fixed: bool = True) -> None:
        super().__init__(slot.type, line)
        self.slot = slot
        # Whether it stays the same while the function runs.
        self.fixed = fixed


class Op(Node):
    """An operation that `operations` knows by name."""

    __slots__ = ("args", "name")

    def __init__(self, name: str, type: Type, line: int, *args: Node) -> None:
        super().__init__(type, line)
        self.name = name
        self.args = args


class Run(Node):
    """A call of a function of the runtime."""

    __slots__ = ("args", "name")

    def __init__(self, name: str, type: Type, line: int, *args: Node) -> None:
        super().__init__(type, line)
        self.name = name
        self.args = args


class Begun:
    """A stream that a trial begins, beside the one that it is given."""

    __slots__ = ("is_mirrored", "of")

    def __init__(self, is_mirrored: bool = False, of: Begun | None = None) -> None:
        self.is_mirrored = is_mirrored
        # The stream whose mirror this is; None if that is the given one, or if this one has a name.
        self.of = of


class Draw(Node):
    """A draw from a stream; None is the one that the trial is given. `pair` leaves two values, `named` and `mirror` none:
    they begin the stream.
    """

    __slots__ = ("args", "kind", "stream")

    def __init__(self, kind: str, type: Type, line: int, *args: Node, stream: Begun | None = None) -> None:
        super().__init__(type, line)
        self.kind = kind
        self.args = args
        self.stream = stream


class Pick(Node):
    """A conditional expression; only the chosen side is computed."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, type: Type, line: int, test: Node, yes: Node, no: Node) -> None:
        super().__init__(type, line)
        self.test = test
        self.yes = yes
        self.no = no


class Seq(Node):
    """Statements, and then a value."""

    __slots__ = ("body", "value")

    def __init__(self, body: list[Statement], value: Node) -> None:
        super().__init__(value.type, value.line)
        self.body = body
        self.value = value


class Load(Node):
    """A part of an element of a list."""

    __slots__ = ("cell", "index", "list", "part", "sure")

    def __init__(
        self, type: Type, line: int, list: Node, index: Node, cell: Cell, part: int, sure: bool = False
    ) -> None:
        super().__init__(type, line)
        self.list = list
        self.index = index
        self.cell = cell
        self.part = part
        # Whether the index is known to be within the list.
        self.sure = sure


class Length(Node):
    __slots__ = ("list",)

    def __init__(self, list: Node, line: int) -> None:
        super().__init__(INT, line)
        self.list = list
        self.bounds = (0, 1 << 28)


class Make(Node):
    """A new list of `count` elements, all with the same parts. A negative count is 0."""

    __slots__ = ("cell", "count", "parts")

    def __init__(self, type: Type, line: int, cell: Cell, count: Node, parts: list[Node]) -> None:
        super().__init__(type, line)
        self.cell = cell
        self.count = count
        self.parts = parts


class Copy(Node):
    """A new list of `count` elements of another one, from `first` on. Both are within the list."""

    __slots__ = ("cell", "count", "first", "list", "source")

    def __init__(self, type: Type, line: int, cell: Cell, list: Node, source: Cell, first: Node, count: Node) -> None:
        super().__init__(type, line)
        self.cell = cell
        self.list = list
        self.source = source
        self.first = first
        self.count = count


class Data(Node):
    """The address of constant data: a list of the module."""

    __slots__ = ("cell", "rows")

    def __init__(self, type: Type, line: int, cell: Cell, rows: list[list[Node]]) -> None:
        super().__init__(type, line)
        self.cell = cell
        # The parts of each element, all of them constants or data.
        self.rows = rows


class Call(Node):
    """A call of a function of the author. Leaves as many values as the function's result has parts."""

    __slots__ = ("args", "instance")

    def __init__(self, type: Type, line: int, instance: Body, args: list[Node]) -> None:
        super().__init__(type, line)
        self.instance = instance
        self.args = args


class Statement:
    __slots__ = ()


class Set(Statement):
    """Computes all nodes from the left to the right, and then assigns them."""

    __slots__ = ("leaves", "nodes")

    def __init__(self, leaves: list[Leaf], nodes: list[Node]) -> None:
        self.leaves = leaves
        self.nodes = nodes


class SetSlot(Statement):
    __slots__ = ("node", "slot")

    def __init__(self, slot: Slot, node: Node) -> None:
        self.slot = slot
        self.node = node


class Store(Statement):
    """Changes an element of a list. The parts have been computed before: they are constants or variables."""

    __slots__ = ("cell", "index", "line", "list", "parts", "sure")

    def __init__(self, line: int, list: Node, index: Node, cell: Cell, parts: list[Node], sure: bool = False) -> None:
        self.line = line
        self.list = list
        self.index = index
        self.cell = cell
        self.parts = parts
        # Whether the index is known to be within the list.
        self.sure = sure


class SetLength(Statement):
    """Shortens a list that was just made."""

    __slots__ = ("length", "list")

    def __init__(self, list: Node, length: Node) -> None:
        self.list = list
        self.length = length


class Drop(Statement):
    """Computes a value that nobody needs, for what it may do."""

    __slots__ = ("node", "values")

    def __init__(self, node: Node, values: int = 1) -> None:
        self.node = node
        self.values = values


class Tally(Statement):
    """Adds to a field. `how` is "one", "bool", "int", "float", "square" or "time", or the place of one of several numbers."""

    __slots__ = ("field", "how", "line", "node")

    def __init__(self, line: int, field: int, how: str, node: Node) -> None:
        self.line = line
        self.field = field
        self.how = how
        self.node = node


class Text(Statement):
    """Parts of a note, or of a gathering's output: constant text or values."""

    __slots__ = ("line", "parts", "to")

    def __init__(self, line: int, to: str, parts: list[bytes | Node]) -> None:
        self.line = line
        # "note", "write", "line" or "put"; "sketch", with the shape and the ink in front; "nothing" for a note outside
        # of trials.
        self.to = to
        self.parts = parts


class Counted(Node):
    """What a field of the tally has, for an answer: "value", "mean", "bin" and so on."""

    __slots__ = ("field", "index", "what")

    def __init__(self, type: Type, line: int, field: int, what: str, index: Node | None) -> None:
        super().__init__(type, line)
        self.field = field
        self.what = what
        # The number of the bin of a histogram.
        self.index = index
        if type is INT:
            self.bounds = (0, GREATEST)
