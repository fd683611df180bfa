"""From the typed program to WebAssembly's code: expressions and statements."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Callable, Iterator

from . import sentences
from .assembler import Assembler
from .body import Body
from .choices import cheap, merged
from .field_code import counted
from .flow import Count, Each, If, Jump, Label, Return, Stop, While
from .link import Code
from .loop_code import count_loop, each, while_loop
from .memory import element_load, list_copy, list_data, list_make, list_store
from .nodes import (
    Call, Const, Copy, Counted, Data, Draw, Drop, Get, GetSlot, Leaf, Length, Load, Make, Node, Op, Pick, Run, Seq, Set,
    SetLength, SetSlot, Slot, Statement, Store, Tally, Text,
)  # fmt: skip
from .operations import OPERATIONS
from .text_code import text
from .types import I32, I64, NONE

if TYPE_CHECKING:
    from .module import Module
    from .stream_code import Stream
    from .tally_code import Fields


class Frame:
    """A function whose code is being written: the function itself, or one that is inlined."""

    def __init__(self, body: Body, label: int, results: list[int]) -> None:
        self.body = body
        # The block that a `return` leaves; 0 where it returns from the function.
        self.label = label
        self.results = results
        self.locals: dict[Leaf, int] = {}
        # Where in the code the outermost loop begins that is open; None outside of loops.
        self.loop: int | None = None


class Emitter(Assembler):
    """The code of one function of WebAssembly, with the functions that are inlined in it."""

    def __init__(self, module: Module, parameters: list[int]) -> None:
        super().__init__(parameters)
        self.module = module
        self.frames: list[Frame] = []
        self.loops: dict[Label, tuple[int, int]] = {}
        # The stream of a trial, and the fields of its tally, where there is one.
        self.stream: Stream | None = None
        self.fields: Fields | None = None
        # Attributes of the simulation that are kept in locals.
        self.kept: dict[Slot, int] | None = None
        # Where the function of a conflict in `prepare` returns its number.
        self.is_configure = False
        self.allocates = False
        # Where the function of readings goes when one has no value.
        self.no_value = 0

    @property
    def finished(self) -> Code:
        return Code(self.locals, bytes(self.code))

    def runtime(self, name: str) -> None:
        """Calls a function of the runtime."""
        self.call(self.module.program.function(name))

    # Ends of the run

    def stop(self, line: int, sentence: str) -> None:
        if self.frames[-1].body.mode == "reading":
            self.leave_reading()
            return
        self.i32(self.module.program.why(sentences.at(line, sentence)))
        self.set_global(self.module.program.why_variable)
        self.op("unreachable")

    def stop_if(self, line: int, sentence: str) -> None:
        """Ends the run if the condition on the stack holds."""
        self.begin_if()
        self.stop(line, sentence)
        self.end()

    def leave_reading(self) -> None:
        """A reading that cannot be computed has no value, as in plain Python. The others still have theirs."""
        if self.no_value:
            self.jump(self.no_value)
            return
        # A function that a reading calls.
        self.i32(1)
        self.set_global(self.module.no_value)
        for part in self.module.parts(self.frames[0].body):
            self.number(part.machine, 0)
        self.op("return")

    # Expressions

    def node(self, node: Node) -> None:
        """Leaves the value of an expression on the stack."""
        NODES[type(node)](self, node)

    def local(self, leaf: Leaf) -> int:
        """The local of a variable. In a loop the variable keeps its value for the next round, so no expression of the loop
        may use its local, also none that comes before it.
        """
        frame = self.frames[-1]
        found = frame.locals.get(leaf)
        if found is None:
            machine = leaf.type.machine
            found = self.take(machine) if frame.loop is None else self.take_unused(machine, frame.loop)
            frame.locals[leaf] = found
        return found

    @contextmanager
    def in_loop(self) -> Iterator[None]:
        """What is written within this runs several times."""
        frame = self.frames[-1]
        before = frame.loop
        if before is None:
            frame.loop = len(self.code)
        yield
        frame.loop = before

    def const(self, node: Node) -> None:
        assert isinstance(node, Const)
        self.number(node.type.machine, node.value)

    def number(self, machine: int, value: int | float) -> None:
        if machine == I32:
            self.i32(int(value))
        elif machine == I64:
            self.i64(int(value))
        else:
            self.f64(float(value))

    def variable(self, node: Node) -> None:
        assert isinstance(node, Get)
        if not node.sure and node.leaf.flag is not None:
            self.get(self.local(node.leaf.flag))
            self.op("i32.eqz")
            self.stop_if(node.line, sentences.unbound(node.leaf.name))
        self.get(self.local(node.leaf))

    def attribute(self, node: Node) -> None:
        assert isinstance(node, GetSlot)
        if self.kept is None:
            self.get_global(node.slot.variable)
            return
        found = self.kept.get(node.slot)
        if found is None:
            found = self.kept[node.slot] = self.new(node.slot.type.machine)
        self.get(found)

    def operation(self, node: Node) -> None:
        assert isinstance(node, Op)
        OPERATIONS[node.name](self, node)

    def pick(self, node: Node) -> None:
        assert isinstance(node, Pick)
        if cheap(node.yes, node.no):
            self.node(node.yes)
            self.node(node.no)
            self.node(node.test)
            self.op("select")
            return
        self.node(node.test)
        self.begin_if(node.type.machine)
        self.node(node.yes)
        self.op("else")
        self.node(node.no)
        self.end()

    def sequence(self, node: Node) -> None:
        assert isinstance(node, Seq)
        self.run(node.body)
        self.node(node.value)

    def runtime_call(self, node: Node) -> None:
        assert isinstance(node, Run)
        special = self.module.tables.get(node.name)
        if special is not None:
            special(self, node)
            return
        for arg in node.args:
            self.node(arg)
        self.runtime(node.name)

    def draw(self, node: Node) -> None:
        assert isinstance(node, Draw) and self.stream is not None
        self.stream.of(self, node.stream).draw(self, node)

    def call_node(self, node: Node) -> None:
        """Calls a function of the author: leaves its results on the stack."""
        assert isinstance(node, Call)
        body = node.instance
        if not body.inline:
            for arg in node.args:
                self.node(arg)
            self.call(self.module.index(body))
            if body.mode == "reading":
                self.get_global(self.module.no_value)
                self.begin_if()
                self.leave_reading()
                self.end()
            return
        for arg in node.args:
            self.node(arg)
        results = [self.take(part.machine) for part in self.module.parts(body)]
        self.inline(body, results, len(node.args))
        for local in results:
            self.get(local)
        self.give(*results)

    def inline(self, body: Body, results: list[int], arguments: int) -> None:
        """Writes a function's code here. Its arguments are on the stack."""
        frame = Frame(body, 0, results)
        self.frames.append(frame)
        for leaf in reversed(body.parameters[:arguments]):
            self.set(self.local(leaf))
        frame.label = self.block()
        self.clear_flags(body)
        self.run(body.statements)
        self.end()
        self.frames.pop()
        self.give(*frame.locals.values())

    def clear_flags(self, body: Body) -> None:
        """No variable has a value yet, though its local may have one of an earlier call or trial."""
        for leaf in body.flags:
            self.i32(0)
            self.set(self.local(leaf))

    # Statements

    def run(self, statements: list[Statement]) -> None:
        for statement in statements:
            DEEDS[type(statement)](self, statement)

    def assign(self, statement: Statement) -> None:
        assert isinstance(statement, Set)
        for node in statement.nodes:
            self.node(node)
        for leaf in reversed(statement.leaves):
            self.set(self.local(leaf))
        for leaf in statement.leaves:
            if leaf.flag is not None:
                self.i32(1)
                self.set(self.local(leaf.flag))

    def assign_slot(self, statement: Statement) -> None:
        assert isinstance(statement, SetSlot)
        self.node(statement.node)
        self.set_global(statement.slot.variable)

    def condition(self, statement: Statement) -> None:
        assert isinstance(statement, If)
        choice = merged(statement)
        if choice is not None:
            self.assign(choice)
            return
        self.node(statement.test)
        if not statement.yes:
            self.op("i32.eqz")
            self.begin_if()
            self.run(statement.no)
            self.end()
            return
        self.begin_if()
        self.run(statement.yes)
        if statement.no:
            self.op("else")
            self.run(statement.no)
        self.end()

    def leave(self, statement: Statement) -> None:
        assert isinstance(statement, Jump)
        outer, next = self.loops[statement.label]
        self.jump(outer if statement.leaves else next)

    def back(self, statement: Statement) -> None:
        assert isinstance(statement, Return)
        for node in statement.nodes:
            self.node(node)
        frame = self.frames[-1]
        if frame.label == 0:
            self.op("return")
            return
        for local in reversed(frame.results):
            self.set(local)
        self.jump(frame.label)

    def drop(self, statement: Statement) -> None:
        assert isinstance(statement, Drop)
        self.node(statement.node)
        values = statement.values
        if isinstance(statement.node, Call):
            values = len(self.module.parts(statement.node.instance))
        elif statement.node.type is NONE:
            values = 1
        for _ in range(values):
            self.op("drop")

    def ending(self, statement: Statement) -> None:
        assert isinstance(statement, Stop)
        if statement.is_conflict and self.is_configure:
            self.i32(self.module.program.why(statement.sentence))
            self.op("return")
        else:
            self.stop(statement.line, statement.sentence)

    def tally(self, statement: Statement) -> None:
        assert isinstance(statement, Tally) and self.fields is not None
        self.fields.add(self, statement)

    def set_length(self, statement: Statement) -> None:
        assert isinstance(statement, SetLength)
        self.node(statement.list)
        self.node(statement.length)
        self.memory("i64.store")


def length(e: Emitter, node: Node) -> None:
    assert isinstance(node, Length)
    e.node(node.list)
    e.memory("i64.load")


NODES: dict[type[Node], Callable[[Emitter, Node], None]] = {
    Const: Emitter.const,
    Get: Emitter.variable,
    GetSlot: Emitter.attribute,
    Op: Emitter.operation,
    Pick: Emitter.pick,
    Seq: Emitter.sequence,
    Run: Emitter.runtime_call,
    Draw: Emitter.draw,
    Call: Emitter.call_node,
    Length: length,
    Load: element_load,
    Make: list_make,
    Copy: list_copy,
    Data: list_data,
    Counted: counted,
}
DEEDS: dict[type[Statement], Callable[[Emitter, Statement], None]] = {
    Set: Emitter.assign,
    SetSlot: Emitter.assign_slot,
    Store: list_store,
    SetLength: Emitter.set_length,
    If: Emitter.condition,
    While: while_loop,
    Count: count_loop,
    Each: each,
    Jump: Emitter.leave,
    Return: Emitter.back,
    Drop: Emitter.drop,
    Stop: Emitter.ending,
    Tally: Emitter.tally,
    Text: text,
}
