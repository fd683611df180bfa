"""The author's part of a module: the functions that the runtime asks for, made of the typed program."""

from __future__ import annotations

from typing import Callable

from .body import Body
from .declaration import Declaration
from .describe import describe, numbered
from .emit import Emitter, Frame
from .errors import Place, Refused, RefusedAll
from .link import Code, Program
from .memory import maker
from .nodes import Leaf, Run, Slot, Statement, Tally
from .stream_code import Stream
from .table_code import TABLES
from .tally_code import Fields
from .types import BOOL, F64, I32, I64, NONE, Type, leaves

# A function of fewer expressions and statements is written where it is called.
SMALL = 24
# A trial of at most so many bytes is written several times in the loop over trials, which makes the loop's own part cheaper.
SHORT, COPIES = 1500, 4


class Typed:
    """The functions that a module's own functions call, after their types are known."""

    def __init__(self) -> None:
        self.parameters: list[Slot] = []
        self.attributes: list[Slot] = []
        # Values of the file, and the global variables that hold their parts.
        self.file_values: list[tuple[Body, list[Slot]]] = []
        self.prepare: Body | None = None
        self.block_size: Body | int = 65536
        self.units: Body | None = None
        self.main: Body | None = None
        # The first and the last but one unit of a block.
        self.span: list[Leaf] = []
        self.exact: dict[int, Body] = {}
        self.derived: dict[int, Body] = {}


class Module:
    """Writes the functions of a typed program into a module."""

    def __init__(self, runtime: bytes, declaration: Declaration, typed: Typed) -> None:
        self.program = Program(runtime)
        self.declaration = declaration
        self.typed = typed
        self.indices: dict[int, int] = {}
        self.queue: list[Body] = []
        self.makers: dict[bool, int] = {}
        self.tables: dict[str, Callable[[Emitter, Run], None]] = TABLES
        # Whether a function that a reading calls could not be computed.
        self.no_value = self.program.variable(I32)
        describe(self.program, declaration)

    def octets(self) -> bytes:
        for slot in self.typed.parameters + self.typed.attributes:
            slot.variable = self.program.variable(slot.type.machine)
        for name, code in (
            ("configure", self.configure()),
            ("block_size", self.block_size()),
            ("units", self.units()),
            ("lane", self.lane() if self.declaration.shape == "tally" else nothing([I32] * 5)),
            ("block", self.block() if self.declaration.shape == "collect" else nothing([I32] * 4 + [I64] * 2)),
            ("exact", self.answers([I32], self.typed.exact)),
            ("derived", self.answers([I32, F64, I64], self.typed.derived)),
        ):
            self.program.define(name, code)
        while self.queue:
            self.function(self.queue.pop())
        return self.program.octets()

    # Functions of the author

    def parts(self, body: Body) -> list[Type]:
        """The scalar parts of a function's result."""
        return [] if body.result is NONE else leaves(body.result)

    def index(self, body: Body) -> int:
        """The number of a function that is not inlined."""
        found = self.indices.get(id(body))
        if found is None:
            parameters = [leaf.type.machine for leaf in body.parameters]
            found = self.program.add(parameters, [part.machine for part in self.parts(body)])
            self.indices[id(body)] = found
            self.queue.append(body)
        return found

    def function(self, body: Body) -> None:
        e = Emitter(self, [leaf.type.machine for leaf in body.parameters])
        frame = Frame(body, 0, [])
        frame.locals = {leaf: place for place, leaf in enumerate(body.parameters)}
        e.frames.append(frame)
        e.clear_flags(body)
        e.run(body.statements)
        if self.parts(body):
            e.op("unreachable")
        self.program.fill(self.index(body), e.finished)

    def maker(self, mode: str) -> int:
        """The number of the function that makes lists, for good or for a trial."""
        lasting = mode == "prepare"
        if lasting not in self.makers:
            self.makers[lasting] = index = self.program.add([I64, I32, I64], [I32])
            self.program.fill(index, maker(Emitter(self, [I64, I32, I64]), lasting))
        return self.makers[lasting]

    # Functions that the runtime asks for

    def configure(self) -> Code:
        e = Emitter(self, [I32])
        for place, slot in enumerate(self.typed.parameters):
            e.get(0)
            if slot.type.machine == F64:
                e.memory("f64.load", 8 * place)
            else:
                e.memory("i64.load", 8 * place)
                if slot.type is BOOL:
                    e.op("i32.wrap")
            e.set_global(slot.variable)
        for body, slots in self.typed.file_values:
            results = [e.take(slot.type.machine) for slot in slots]
            e.frames.append(Frame(body, 0, []))
            e.inline(body, results, 0)
            e.frames.pop()
            for slot, local in zip(slots, results):
                e.get(local)
                e.set_global(slot.variable)
            e.give(*results)
        if self.typed.prepare is not None:
            e.is_configure = True
            e.frames.append(Frame(self.typed.prepare, 0, []))
            e.inline(self.typed.prepare, [], 0)
        e.i32(0)
        return e.finished

    def block_size(self) -> Code:
        e = Emitter(self, [])
        size = self.typed.block_size
        if isinstance(size, Body):
            self.value(e, size)
            e.op("i32.wrap")
        else:
            e.i32(size)
        return e.finished

    def units(self) -> Code:
        e = Emitter(self, [])
        if self.typed.units is None:
            e.i64(0)
        else:
            self.value(e, self.typed.units)
        return e.finished

    def value(self, e: Emitter, body: Body) -> None:
        """Leaves the one result of a function without arguments on the stack, and gives the memory of its lists back."""
        result = e.new(self.parts(body)[0].machine)
        mark = e.new(I32)
        made = makes(body)
        if made:
            marked(e, mark)
        e.frames.append(Frame(body, 0, []))
        e.inline(body, [result], 0)
        e.frames.pop()
        if made:
            e.get(mark)
            e.runtime("rt_arena_reset")
        e.get(result)

    def lane(self) -> Code:
        """The loop over the trials of a lane, with the trial in it."""
        e = Emitter(self, [I32] * 5)
        body = self.typed.main
        assert body is not None
        trials, mark = 4, e.new(I32)
        made = makes(body)
        self.begin(e, body)
        outer = e.block()
        e.get(trials)
        e.op("i32.eqz")
        e.jump_if(outer)
        top = e.loop()
        start = len(e.code)
        # A trial writes nothing but notes, which say what trial they are of.
        if "text" in body.does:
            e.runtime("rt_note_trial")
        e.inline(body, [], 0)
        if made:
            e.get(mark)
            e.runtime("rt_arena_reset")
        e.get(trials)
        e.i32(1)
        e.op("i32.sub")
        e.tee(trials)
        trial = bytes(e.code[start:])
        if len(trial) <= SHORT:
            for _ in range(COPIES - 1):
                e.op("i32.eqz")
                e.jump_if(outer)
                e.code += trial
        e.jump_if(top)
        e.end()
        e.end()
        return self.complete(e, mark if made else None)

    def block(self) -> Code:
        """The units of a gathering's block."""
        e = Emitter(self, [I32] * 4 + [I64] * 2)
        body = self.typed.main
        assert body is not None
        mark = e.new(I32)
        made = makes(body)
        self.begin(e, body)
        first, end = self.typed.span
        frame = Frame(body, 0, [])
        frame.locals = {first: 4, end: 5}
        e.frames.append(frame)
        frame.label = e.block()
        e.clear_flags(body)
        e.run(body.statements)
        e.end()
        if made:
            e.get(mark)
            e.runtime("rt_arena_reset")
        return self.complete(e, mark if made else None)

    def begin(self, e: Emitter, body: Body) -> None:
        adds: dict[int, list[Tally]] = {}
        for each in reached([body]):
            for tally in tallies(each.statements):
                adds.setdefault(tally.field, []).append(tally)
        e.stream = Stream(e, (0, 1, 2, 3))
        e.stream.left = 4 if self.declaration.shape == "tally" else None
        e.fields = Fields(e, self.declaration.fields, adds)
        e.kept = {}

    def complete(self, e: Emitter, mark: int | None) -> Code:
        """Adds what comes before and after the trials."""
        assert e.fields is not None and e.kept is not None and e.stream is not None
        trials = bytes(e.code)
        e.code = bytearray()
        e.fields.begin(e)
        e.stream.begin(e)
        for slot, local in e.kept.items():
            e.get_global(slot.variable)
            e.set(local)
        if mark is not None:
            marked(e, mark)
        e.code += trials
        e.fields.finish(e)
        return e.finished

    def answers(self, parameters: list[int], bodies: dict[int, Body]) -> Code:
        """A function that computes the answer of a reading by its number."""
        e = Emitter(self, parameters)
        result, mark = e.new(F64), e.new(I32)
        made = any(makes(body) for body in bodies.values())
        if made:
            marked(e, mark)
        e.f64(float("nan"))
        e.set(result)
        e.i32(0)
        e.set_global(self.no_value)
        e.no_value = e.block()
        order = numbered(self.declaration)
        for number, body in bodies.items():
            e.get(0)
            e.i32(number)
            e.op("i32.eq")
            e.begin_if()
            e.frames.append(Frame(body, 0, []))
            for place, leaf in enumerate(body.parameters):
                if order[number].rule == "means":
                    e.get(2)
                    e.op("i32.wrap")
                    e.memory("f64.load", 8 * place)
                else:
                    e.get(1 if leaf.type.machine == F64 else 2)
            parts = self.parts(body)
            answer = e.take(parts[0].machine) if parts and parts[0].machine != F64 else result
            e.inline(body, [answer] if parts else [], len(body.parameters))
            if answer != result:
                # A whole number.
                e.get(answer)
                e.op("f64.convert_s")
                e.set(result)
                e.give(answer)
            e.frames.pop()
            e.end()
        e.end()
        if made:
            e.get(mark)
            e.runtime("rt_arena_reset")
        e.get(result)
        return e.finished


def marked(e: Emitter, mark: int) -> None:
    """Notes where the memory for lists is free. It must have a first part, or each reset would give that part back."""
    e.runtime("rt_arena_mark")
    e.tee(mark)
    e.op("i32.eqz")
    e.begin_if()
    e.i32(16)
    e.runtime("rt_arena")
    e.op("drop")
    e.runtime("rt_arena_mark")
    e.set(mark)
    e.end()


def nothing(parameters: list[int]) -> Code:
    return Code([], b"")


def reached(bodies: list[Body]) -> list[Body]:
    """The functions and all that they call, each once, callers before those that they call where possible."""
    found: dict[int, Body] = {}
    left = list(reversed(bodies))
    while left:
        body = left.pop()
        if id(body) not in found:
            found[id(body)] = body
            left += body.calls
    return list(found.values())


def makes(body: Body) -> bool:
    return any(each.makes for each in reached([body]))


def tallies(statements: list[Statement]) -> list[Tally]:
    """All statements that add to the tally."""
    found: list[Tally] = []
    left: list[list[Statement]] = [statements]
    while left:
        for statement in left.pop():
            if isinstance(statement, Tally):
                found.append(statement)
                continue
            for name in ("yes", "no", "body", "orelse"):
                inner = getattr(statement, name, None)
                if isinstance(inner, list):
                    left.append(inner)
    return found


def plan(bodies: list[Body]) -> None:
    """Decides which functions are inlined: all that draw, add to the tally or write, and the small ones."""
    everything = reached(bodies)
    changed = True
    while changed:
        changed = False
        for body in everything:
            for called in body.calls:
                more = called.does - body.does - {"recursion"}
                if more:
                    body.does |= more
                    changed = True
    for body in everything:
        if len(leaves(body.result)) > 1 and body in reached(body.calls):
            raise RefusedAll(
                [
                    Refused(
                        Place(body.line, 1),
                        f"{body.name} calls itself, so it can only return one number; give it a list that it fills,"
                        " or use a loop",
                    )
                ]
            )
        effects = body.does - {"recursion"}
        body.inline = bool(effects) or (body.size < SMALL and "recursion" not in body.does)
        if effects and "recursion" in body.does:
            raise RefusedAll(
                [
                    Refused(
                        Place(body.line, 1),
                        f"{body.name} calls itself, so it cannot draw, add to the tally or write; use a loop, with a"
                        " list of what is left to do",
                    )
                ]
            )
