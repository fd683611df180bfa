"""The compiler of Python: types, ranges and sentences."""

from __future__ import annotations

import contextlib
import io
import math
import random
import struct
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

from potluck._language import wasm
from potluck._language.assembler import Assembler
from potluck._language.command import main
from potluck._language.compile import typed_program
from potluck._language.errors import Refused, RefusedAll
from potluck._language.module import Typed, reached
from potluck._language.nodes import Const, Get, Leaf, Load, Node, Op, Statement
from potluck._language.operations import reciprocal, within
from potluck._language.prelude import names
from potluck._language.symbols import proved
from potluck._language.types import BOOL, FLOAT, I64, INT, MIXED, Cell, ListType, TupleType, Type, join

HEAD = """\
import math
import potluck
from potluck import Count, ExactSum, Histogram, Maximum, Minimum, Moments, Parameter, derived, mean, proportion


class Example(potluck.Simulation):
    \"\"\"An example.\"\"\"

    sides = Parameter(6, "sides of a die", 2, 100)
    share = Parameter(0.5, "a share", 0.0, 1.0)
    won, total = Count(), Moments()
"""
#: The line of a file in which its trial begins.
FIRST = HEAD.count("\n") + 3


def source(trial: str, rest: str = "") -> str:
    """A file with this trial, and other members of the class."""
    body = textwrap.indent(textwrap.dedent(trial).strip(), "        ")
    return f"{HEAD}\n    def trial(self, random):\n{body}\n{textwrap.indent(textwrap.dedent(rest), '    ')}"


def printed(trial: str, runtime: bytes = b"") -> str:
    """What the command says about a file that it cannot compile."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        file, module = Path(folder) / "a.py", Path(folder) / "runtime"
        file.write_text(source(trial))
        module.write_bytes(runtime)
        words = ["compile", str(file), "--label", "mine.py", "--runtime", str(module), "--out", "/dev/null"]
        with contextlib.redirect_stderr(said):
            try:
                main(words)
            except SystemExit as end:
                assert end.code == 1
    return said.getvalue()


def typed(trial: str, rest: str = "") -> Typed:
    return typed_program(source(trial, rest).encode())[1]


def inside(thing: object) -> list[object]:
    """All nodes and statements of a body, from the outside to the inside."""
    found: list[object] = []
    if isinstance(thing, (list, tuple)):
        for each in thing:
            found += inside(each)
    elif isinstance(thing, (Node, Statement)):
        found.append(thing)
        for kind in type(thing).__mro__:
            for name in getattr(kind, "__slots__", ()):
                if name not in ("bounds", "leaf", "leaves", "instance"):
                    found += inside(getattr(thing, name, None))
    return found


def operations(made: Typed, name: str) -> list[Op]:
    assert made.main is not None
    bodies = [each for body in reached([made.main]) for each in inside(body.statements)]
    return [each for each in bodies if isinstance(each, Op) and each.name == name]


def leaves(made: Typed, name: str) -> set[Type]:
    """The types of the variables of this name."""
    assert made.main is not None
    found = [each for each in inside(made.main.statements) if isinstance(each, Get)]
    return {each.leaf.type for each in found if each.leaf.name == name}


class TypeTests(unittest.TestCase):
    def test_types_join(self) -> None:
        self.assertIs(join(INT, INT), INT)
        self.assertIs(join(INT, FLOAT), MIXED)
        self.assertIsNone(join(BOOL, INT))
        self.assertIsNone(join(TupleType((INT,)), TupleType((INT, INT))))

    def test_lists_that_meet_have_one_type_of_elements(self) -> None:
        one, other = ListType(Cell(INT, 1)), ListType(Cell(FLOAT, 2))
        self.assertIsNotNone(join(one, other))
        self.assertIs(one.item, MIXED)
        self.assertIs(other.item, MIXED)

    def test_a_sum_that_begins_with_0_may_become_real(self) -> None:
        made = typed("""
            total = 0
            for _ in range(3):
                total += random.unit()
            self.total.add(total)
        """)
        self.assertEqual(leaves(made, "total"), {MIXED})

    def test_a_name_may_stand_for_several_things_one_after_the_other(self) -> None:
        made = typed("""
            x = random.below(6)
            self.total.add(x)
            x = x / 2
            self.total.add(x)
        """)
        self.assertEqual(leaves(made, "x"), {INT, FLOAT})

    def test_each_generator_has_items_of_its_own_type(self) -> None:
        sums = "\n".join(f"a{n} = sum({item} for c in [1, 0, 2])" for n in range(9) for item in ("c", "c > 0", "c / 2"))
        typed(f"{sums}\nself.won.add()")

    def test_a_function_has_a_version_for_each_type(self) -> None:
        made = typed(
            """
            self.total.add(self.twice(random.below(6)))
            self.total.add(self.twice(random.unit()))
            """,
            """
            def twice(self, x):
                return x + x
            """,
        )
        assert made.main is not None
        self.assertEqual({body.result for body in reached([made.main]) if body.name == "twice"}, {INT, FLOAT})

    def test_the_compilers_own_functions_can_be_parsed(self) -> None:
        self.assertIn("shuffle", names())


class AssemblerTests(unittest.TestCase):
    def test_a_variable_of_a_loop_takes_no_local_that_the_loop_uses(self) -> None:
        code = Assembler([])
        before = code.take(I64)
        code.give(before)
        start = len(code.code)
        code.loop()
        first, second = code.take(I64), code.take(I64)
        code.give(first, second)
        self.assertEqual(first, before)
        variable = code.take_unused(I64, start)
        self.assertNotIn(variable, (first, second))
        code.give(variable)
        self.assertIn(code.take_unused(I64, len(code.code)), (first, second, variable))

    def test_a_variable_of_a_loop_may_take_a_local_of_the_code_before(self) -> None:
        code = Assembler([])
        before = code.take(I64)
        code.give(before)
        start = len(code.code)
        code.loop()
        self.assertEqual(code.take_unused(I64, start), before)


class RangeTests(unittest.TestCase):
    def test_small_numbers_need_no_check(self) -> None:
        made = typed("self.total.add(random.integer(1, self.sides) + random.integer(1, 6))")
        self.assertTrue(all(within(each) for each in operations(made, "add")))

    def test_a_counter_needs_no_check(self) -> None:
        made = typed("""
            rounds = 0
            while random.coin():
                rounds += 1
            self.total.add(rounds)
        """)
        self.assertTrue(all(within(each) for each in operations(made, "add")))

    def test_what_may_be_beyond_64_bits_is_checked(self) -> None:
        made = typed("""
            x = 1
            while random.coin():
                x = x * 3
            self.total.add(x)
        """)
        self.assertFalse(any(within(each) for each in operations(made, "mul")))

    def test_an_index_below_the_same_number_is_proved(self) -> None:
        made = typed("""
            seen = [False] * self.sides
            side = random.below(self.sides)
            self.won.add(seen[side])
            for place in range(self.sides):
                self.won.add(seen[place])
        """)
        assert made.main is not None
        loads = [each for each in inside(made.main.statements) if isinstance(each, Load)]
        self.assertEqual([proved(each.list, each.index) for each in loads], [True, True])

    def test_an_index_below_another_number_is_not(self) -> None:
        made = typed("""
            count = random.below(5) + 1
            seen = [False] * count
            for _ in range(2):
                count = random.below(9) + 1
                self.won.add(seen[random.below(count)])
        """)
        assert made.main is not None
        loads = [each for each in inside(made.main.statements) if isinstance(each, Load)]
        self.assertEqual([proved(each.list, each.index) for each in loads], [False])


class DivisionTests(unittest.TestCase):
    def test_a_power_of_two_is_a_factor_with_the_same_bits(self) -> None:
        dice = random.Random(7)
        values = [struct.unpack("<d", dice.randbytes(8))[0] for _ in range(50)] + [0.0, -0.0, math.inf, 5e-324]
        for exponent in range(-1074, 1024):
            for divisor in (2.0**exponent, -(2.0**exponent)):
                factor = reciprocal(Const(FLOAT, divisor))
                self.assertEqual(factor is None, abs(exponent) > 1000, divisor)
                for value in values if factor is not None else []:
                    self.assertEqual(struct.pack("<d", value * factor), struct.pack("<d", value / divisor))
        for divisor in (0.0, math.inf, math.nan, 3.0, 0.1, -5.0):
            self.assertIsNone(reciprocal(Const(FLOAT, divisor)))


class SentenceTests(unittest.TestCase):
    def refused(self, trial: str, rest: str = "") -> list[Refused]:
        with self.assertRaises(RefusedAll) as caught:
            try:
                typed(trial, rest)
            except Refused as error:
                raise RefusedAll([error]) from None
        return caught.exception.errors

    def test_each_has_its_line_and_what_to_write(self) -> None:
        for trial, line, words in [
            ("import numpy", 0, "top of the file"),
            ("x = {}", 0, "dictionaries"),
            ("x = [1]\nx.append(2)", 1, "[0] * n"),
            ("print(3)", 0, "self.note"),
            ("self.sides = 3", 0, "parameter"),
            ("self.count = 3", 0, "prepare"),
            ("self.won += 1", 0, "self.won.add"),
            ("x = random.random()", 0, "random.unit()"),
            ("x = 'a'", 0, "text"),
            ("f = lambda: 3", 0, "method"),
            ("x = random.below(2.5)", 0, "whole number"),
            ("x = y", 0, "unknown name 'y'"),
            ("x = z\nz = 1", 0, "'z' has no value yet"),
            ("try:\n    pass\nexcept Exception:\n    pass", 0, "test before"),
            ("x = 9223372036854775808", 0, "64 bits"),
            ("x = 1 if random.coin() else True\nself.won.add(x)", 0, "one type"),
            ("return 3", 0, "add to the tally"),
            ("self.total.add(min())", 0, "min(a, b)"),
            ("self.total.add(max())", 0, "min(a, b)"),
            ("for self in range(3):\n    pass", 0, "'self' is the simulation; use another name"),
            ("x, random = 1, 2", 0, "'random' is the generator; use another name"),
            ("x = range(self.sides)\nself.total.add(x[0])", 0, "this is a range"),
        ]:
            with self.subTest(trial):
                error = self.refused(trial)[0]
                self.assertEqual(error.place.line, FIRST + line)
                self.assertIn(words, error.sentence)

    def test_types_that_conflict_name_both_lines(self) -> None:
        error = self.refused("x = 1\nif random.coin():\n    x = [1]\nself.total.add(x)")[0]
        self.assertEqual(error.place.line, FIRST + 2)
        self.assertEqual([place.line for place, _ in error.notes], [FIRST])

    def test_several_errors_come_at_once(self) -> None:
        self.assertEqual([error.place.line for error in self.refused("x = {}\ny = {1}\n")], [FIRST, FIRST + 1])

    def test_several_errors_of_a_class_come_at_once(self) -> None:
        declared = "size = Parameter(9, 'how large', 1, 6)\nfew = Histogram(3, 1, 0)\nreadings = [2, 3]"
        lines = [error.place.line for error in self.refused("self.few.add(size)", declared)]
        self.assertEqual([line - lines[0] for line in lines], [0, 1])
        readings = "readings = [2,\nmean('a', won),\nderived('b', lambda self, tally, trials: y)]"
        lines = [error.place.line for error in self.refused("x = {}", readings)]
        self.assertEqual([line - lines[1] for line in lines[1:]], [0, 1, 2])
        self.assertEqual(lines[0], FIRST)

    def test_an_argument_too_many_of_a_declaration_is_refused(self) -> None:
        for declared in (
            "size = Parameter(3, 'how large', 1, 6, 2147483648)",
            "size = Parameter(3, 'how large', 1, 6, low=1)",
            "sums = Histogram(3, 0.0, 1.0, 2)",
            "sums = Histogram(3, 0.0, 1.0, most=2)",
        ):
            with self.subTest(declared):
                self.assertIn("write ", self.refused("self.won.add()", declared)[0].sentence)

    def test_a_parameter_with_a_name_that_means_something_else_is_refused(self) -> None:
        (error,) = self.refused("pass", 'steps = Parameter(100, "steps of the walk", 1, 1000)')
        self.assertIn("call it steps_, and users still type steps", error.sentence)

    def test_the_least_whole_number_may_be_a_constant_of_the_file(self) -> None:
        for constant in ("-9223372036854775808", "-(2**63)", "2**63 - 1"):
            with self.subTest(constant):
                file = source("self.total.add(LIMIT)").replace("class", f"LIMIT = {constant}\n\n\nclass", 1)
                typed_program(file.encode())
        file = source("self.total.add(LIMIT)").replace("class", "LIMIT = 2**63\n\n\nclass", 1)
        with self.assertRaises(RefusedAll):
            typed_program(file.encode())

    def test_a_function_that_calls_itself_returns_one_value(self) -> None:
        # The program counts the stack of such functions, and can only do so for one result.
        for rest in (
            "def f(self, n):\n    return (0, n) if n == 0 else self.f(n - 1)",
            "def f(self, n):\n    return (0, n) if n == 0 else (self.g(n - 1), n)\n"
            "def g(self, n):\n    a, b = self.f(n)\n    return a + b",
        ):
            errors = self.refused("a, b = self.f(self.sides)\nself.total.add(a)", rest)
            self.assertIn("f calls itself, so it can only return one number", errors[0].sentence)

    def test_a_function_without_an_end_is_refused(self) -> None:
        errors = self.refused("self.total.add(self.deep(1))", "def deep(self, n):\n    return 1 + self.deep(n + 1)")
        self.assertIn("never returns", errors[0].sentence)

    def test_the_command_prints_errors_with_the_label(self) -> None:
        self.assertTrue(printed("x = {}").startswith(f"mine.py:{FIRST}:13: error: a trial has no dictionaries"))

    def test_what_python_itself_refuses_is_refused_with_its_line(self) -> None:
        sentence = "error: Python cannot read this: 'break' outside loop"
        self.assertRegex(printed("x = 1\nbreak"), rf"\Amine\.py:{FIRST + 1}:\d+: {sentence}\n\Z")

    def test_a_damaged_runtime_is_an_error_of_one_line(self) -> None:
        for damaged in (b"", wasm.HEAD, wasm.HEAD + b"\1\1\1"):
            with self.subTest(damaged):
                self.assertRegex(
                    printed("self.won.add()", damaged),
                    r"\Amine\.py: error: the runtime is damaged: .*; install Potluck again\n\Z",
                )

    def test_a_mistake_of_the_compiler_is_an_error_of_one_line(self) -> None:
        for mistake in (IndexError("list index\nout of range"), AssertionError(), KeyError("x"), MemoryError()):
            with self.subTest(mistake), mock.patch("potluck._language.compile.compiled", side_effect=mistake):
                self.assertRegex(
                    printed("self.won.add()"),
                    rf"\Amine\.py: error: the compiler failed: {type(mistake).__name__}[^\n]*;"
                    r" this is a mistake of Potluck, please report it with the file\n\Z",
                )
