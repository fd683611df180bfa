"""From an author's file to a module."""

from __future__ import annotations

import ast
from . import slices as _slices  # registers how elements are read
from . import statements as _statements  # registers how statements are read
from .body import Body
from .constants import Constants
from .declaration import Declaration
from .declare import Declaring
from .describe import numbered
from .errors import Place, Refused, RefusedAll, kept
from .module import Module, Typed, plan, reached
from .nodes import Leaf
from .program import WANTED, Lowering
from .ranges import Ranges
from .readings import Readings
from .source import Source, read
from .types import FLOAT, INT, NONE, NUMBERS, OPTIONAL, UNKNOWN
from .values import Special, Value, got

assert _slices and _statements

LARGEST_TRIALS, LARGEST_UNITS, LEAST_TRIALS = 65536, 1 << 20, 16


def digest(octets: bytes) -> bytes:
    """SHA-256, without the modules that `hashlib` would load."""
    for name in ("_sha2", "_sha256"):
        try:
            return bytes(__import__(name).sha256(octets).digest())
        except ImportError:
            # Another version of Python calls it otherwise.
            continue
    from hashlib import sha256

    return sha256(octets).digest()


def compiled(octets: bytes, runtime: bytes) -> bytes:
    """The module of a file. Raises `RefusedAll` with what is wrong with the file."""
    try:
        declaration, typed = typed_program(octets)
        return Module(runtime, declaration, typed).octets()
    except Refused as error:
        raise RefusedAll([error]) from None


def typed_program(octets: bytes) -> tuple[Declaration, Typed]:
    """Everything up to the code."""
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        raise Refused(Place(1, 1), "the file is no text in UTF-8") from None
    source = read(text)
    constants = Constants(source)
    declaring = Declaring(source, constants)
    declaring.read()
    declaration = declaring.declaration(digest(octets))
    readings = Readings(declaring)
    declaration.readings = readings.read()
    lowering = Lowering(source, constants, declaring, declaration)
    typed = Typed()
    entries = Entries(source, lowering, declaring, readings, typed)
    lowering.settle(entries.read)
    entries.finish()
    return declaration, typed


class Entries:
    """Reads the functions that the runtime calls."""

    def __init__(
        self, source: Source, lowering: Lowering, declaring: Declaring, readings: Readings, typed: Typed
    ) -> None:
        self.source = source
        self.lowering = lowering
        self.declaring = declaring
        self.readings = readings
        self.typed = typed
        # The function of the size of a block, made once.
        self.lambdas: dict[str, ast.expr] = {}
        self.span = [Leaf("first", INT), Leaf("end", INT)]

    def read(self) -> None:
        """One pass over everything."""
        lowering, typed, source = self.lowering, self.typed, self.source
        me = Special("self")
        prepare = source.methods.get("prepare")
        if prepare is not None:
            typed.prepare = lowering.entry("prepare", prepare, "prepare", [me])
            self.surely_assigned()
        with kept(lowering.errors):
            self.block_size()
        if source.shape == "tally":
            with kept(lowering.errors):
                trial = self.method("trial")
                typed.main = lowering.entry("trial", trial, "trial", [me, Special("random")])
        else:
            units = self.method("units")
            typed.units = lowering.entry("units", units, "answer", [me])
            if typed.units.result is not INT and not lowering.changed and not lowering.errors:
                raise Refused(units, f"'units' returns a whole number, and this is {typed.units.result}")
            block = self.method("block")
            given: list[Value] = [me, Special("units", tuple(self.span)), Special("random"), Special("output")]
            typed.main = lowering.entry("block", block, "trial", given)
        order = numbered(lowering.declaration)
        for number, reading in enumerate(order):
            exact = self.readings.exact.get(id(reading))
            if exact is not None:
                with kept(lowering.errors):
                    typed.exact[number] = self.answer("exact", exact, [me], number)
            function = self.readings.function.get(id(reading))
            if function is not None:
                values: list[Value] = [me, Special("tally"), self.argument("trials", number)]
                if reading.source is not None or reading.rule == "controlled":
                    values = [me, self.argument("x", number)]
                elif reading.rule == "means":
                    values = [me, *(self.argument("x", number) for _ in range(int(reading.part)))]
                with kept(lowering.errors):
                    typed.derived[number] = self.answer("derived", function, values, number)

    def method(self, name: str) -> ast.FunctionDef:
        found = self.source.methods.get(name)
        if found is None:
            raise Refused(self.source.simulation, f"the class has no method '{name}'; write {WANTED[name]}")
        return found

    def argument(self, name: str, number: int) -> Value:
        """What the runtime gives to a derived reading."""
        leaf = Leaf(name, FLOAT if name == "x" else INT)
        return got(leaf.type, [leaf], 0)

    def answer(self, kind: str, node: ast.Lambda | ast.FunctionDef, values: list[Value], number: int) -> Body:
        name = node.name if isinstance(node, ast.FunctionDef) else "exact" if kind == "exact" else "the reading"
        body = self.lowering.entry_of((kind, number), name, node, "reading", values)
        if body.result not in (*NUMBERS, OPTIONAL, NONE, UNKNOWN) and not self.lowering.changed and not self.lowering.errors:
            raise Refused(node, f"an answer is a number or None, and this is {body.result}")
        return body

    def surely_assigned(self) -> None:
        """Every attribute must have a value at the end of `prepare`."""
        unit = self.lowering.unit_of("prepare", "prepare")
        if unit is None or unit.ended is None:
            return
        for name, attribute in self.lowering.attributes.items():
            if f"self.{name}" not in unit.ended:
                self.lowering.errors.append(
                    Refused(
                        attribute.place,
                        f"self.{name} is not assigned on every path; assign it at the beginning of 'prepare'",
                    )
                )

    def block_size(self) -> None:
        """From `block_size` or `steps`: a constant, or a function."""
        source, lowering = self.source, self.lowering
        name = "block_size" if has(source, "block_size") else "steps" if has(source, "steps") else None
        if name is None:
            self.typed.block_size = LARGEST_TRIALS
            return
        helper = "block_of" if name == "steps" else "whole_of"
        call = f"(self.{name}())" if name in source.methods else f"(self.{name})"
        made = self.lambdas.get(name)
        place = source.places[name]
        if made is None:
            made = self.lambdas[name] = ast.parse(f"lambda self: {helper}{call}", mode="eval").body
            for each in ast.walk(made):
                if isinstance(each, (ast.expr, ast.arg)):
                    setattr(each, "lineno", getattr(place, "lineno", 0))
                    setattr(each, "col_offset", 0)
        assert isinstance(made, ast.Lambda)
        body = lowering.entry_of((name, 0), name, made, "answer", [Special("self")], helper=True)
        if name == "block_size" and name in self.declaring.values:
            self.constant_size(self.declaring.values[name], place)
        self.typed.block_size = body

    def constant_size(self, size: object, place: ast.AST) -> None:
        tally = self.source.shape == "tally"
        least, most = (LEAST_TRIALS, LARGEST_TRIALS) if tally else (1, LARGEST_UNITS)
        if not isinstance(size, int) or not least <= size <= most or size & (size - 1):
            raise Refused(
                place,
                f"block_size is a power of two from {least} to {most}; or write steps, the number of draws of a trial",
            )

    def finish(self) -> None:
        """Ranges, and which functions are inlined."""
        typed, lowering = self.typed, self.lowering
        typed.span = self.span
        for leaf in self.span:
            leaf.bounds = (0, (1 << 63) - 1)
        typed.parameters = list(lowering.parameters.values())
        typed.attributes = [slot for attribute in lowering.attributes.values() for slot in attribute.parts()]
        typed.file_values = [(lowering.file_values[name], lowering.globals[name].parts()) for name in lowering.order]
        typed.attributes += [slot for _, slots in typed.file_values for slot in slots]
        entries = [body for body, _ in typed.file_values]
        entries += [
            each for each in (typed.prepare, typed.block_size, typed.units, typed.main) if isinstance(each, Body)
        ]
        entries += [*typed.exact.values(), *typed.derived.values()]
        for body in typed.derived.values():
            for leaf in body.parameters:
                leaf.bounds = (0, (1 << 63) - 1)
        for body, slots in typed.file_values:
            body.into = slots
        Ranges().settle(reached(entries))
        plan(entries)
        assert typed.main is not None
        if typed.main.result is not NONE:
            name = "trial" if self.source.shape == "tally" else "block"
            unit = lowering.unit_of(name, "trial")
            place = unit.place if unit is not None else self.source.methods[name]
            raise Refused(
                place, f"'{name}' returns nothing: write 'return' alone, and add to the tally with self.field.add(x)"
            )


def has(source: Source, name: str) -> bool:
    return name in source.methods or name in source.attributes
