"""Modules that the linker of the compiler for Python makes, and the descriptions and tables that it puts into them."""

from __future__ import annotations

import math
import random
import subprocess

from potluck._kit import estimates
from potluck._kit.random import Random
from potluck._kit.tally import Count, Moments
from potluck._language.declaration import Field, Input, Parameter, Reading
from potluck._language.describe import describe, numbered
from potluck._language.link import SENTENCE, Code, Program
from potluck._language.wasm import I32, unsigned

from .assembled import (
    ADD, DROP, END, I32_ADD, I64_EXTEND, call, coins, constant, declaration, get, long, output, program, put, ready,
    real,
)  # fmt: skip
from .support import PROGRAM, ProgramTest

TIMES, MINUS = b"\xa2", b"\xa1"


class LinkTests(ProgramTest):
    def built(self, made: Program) -> str:
        path = self.folder / "assembled.wasm"
        path.write_bytes(made.octets())
        return str(path)

    def refused(self, *words: str) -> str:
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (1, 2), done.stdout)
        return done.stderr

    def test_a_module_counts_and_reads_as_the_reference_does(self) -> None:
        made, _ = coins()
        path = self.built(made)
        for seed, trials in ((7, 1), (7, 2), (8, 20), (9, 100), (10, 255), (11, 256), (12, 3001), (13, 65536 + 5)):
            heads, sides = Count(), Moments()
            for block in range(-(-trials // 65536)):
                size = min(65536, trials - 65536 * block)
                for lane in range(min(16, size)):
                    random = Random(seed, block, lane)
                    for _ in range((size - lane + 15) // 16):
                        coin = int(random.coin())
                        heads.add(coin)
                        sides.add(coin)
            result = self.printed("run", path, "--trials", str(trials), "--seed", str(seed))
            self.assertEqual(result["tally"]["heads"], heads.value)
            self.assertEqual(
                [result["tally"]["sides"][key] for key in ("count", "sum", "squares")], [trials, *[heads.value] * 2]
            )
            expected = [
                estimates.proportion(heads, trials),
                estimates.mean_of_trials(sides, trials),
                estimates.variance(sides),
            ]
            for reading, wanted, exact in zip(result["readings"], expected, (0.5, None, None)):
                # Numbers that were all alike have no interval that people see.
                seen = wanted if wanted.varies or wanted.low != wanted.high else wanted._replace(low=None, high=None)
                self.assertEqual(
                    [reading["value"], reading["low"], reading["high"], reading["exact"]],
                    [seen.value, seen.low, seen.high, exact],
                    (seed, trials),
                )

    def test_a_description_has_what_the_class_declares(self) -> None:
        made = program()
        parameters = [
            Parameter("sides", "sides", "of a die", "integer", 6, 2, 1 << 40),
            Parameter("how_far", "how-far", "a length", "real", 0.5, -1.5, 1e300),
            Parameter("quick", "quick", "stop early", "flag", True),
            Parameter("kind", "kind", "which option", "choice", "put", names=("call", "put")),
            Parameter("tops", "tops", "what is on it", "several", ("olives",), names=("ham", "olives"), count=(1, 2)),
        ]
        fields = [
            Field("won", "count"), Field("total", "sum"), Field("least", "minimum"), Field("most", "maximum"),
            Field("bins", "histogram", 3, -0.5, 2.5), Field("rolls", "moments"),
        ]  # fmt: skip
        readings = [Reading("won", "proportion", 0), Reading("bins", "histogram", 4), Reading("rolls", "mean", 5)]
        work = declaration(parameters=list(parameters), fields=list(fields), readings=list(readings))
        describe(made, work)
        ready(made, 16)
        self.assertEqual(len({field.address for field in fields}), 6)
        shown = self.printed("simulations", self.built(made))
        self.assertEqual([shown["name"], shown["summary"]], ["assembled", "Assembled by hand"])
        self.assertEqual(
            [(each["name"], each["help"], each["default"]) for each in shown["parameters"]],
            [
                ("sides", "of a die", 6),
                ("how-far", "a length", 0.5),
                ("quick", "stop early", True),
                ("kind", "which option", "put"),
                ("tops", "what is on it", ["olives"]),
            ],
        )
        self.assertEqual([each["name"] for each in shown["readings"]], ["won", "bins", "rolls"])

    def test_parameters_outside_their_range_are_refused(self) -> None:
        made = program()
        parameters: list[object] = [
            Parameter("sides", "sides", "of a die", "integer", 6, 2, 100),
            Parameter("size", "size", "a length", "real", 0.5, -1.5, 2.0),
        ]
        describe(made, declaration(parameters=parameters))
        ready(made, 16)
        problem = made.why("the die is\ntoo large — " + "ä" * 200)
        made.define(
            "configure",
            Code(
                [], get(0) + b"\x29\3\0" + long(9) + b"\x51\x04\x7f" + constant(problem) + b"\x05" + constant(0) + END
            ),
        )
        path = self.built(made)
        self.assertIn("sides", self.refused("run", path, "-p", "sides=101"))
        said = self.refused("run", path, "-p", "sides=9", "--trials", "16")
        self.assertIn("the die is too large — ä", said)
        self.assertLess(len(said.encode()), SENTENCE + 100)

    def test_a_module_says_why_it_stopped(self) -> None:
        for stop, sentence in (
            (True, "line 3: a door must stay closed"),
            (False, "the sum of the weights must be finite and above 0"),
        ):
            made = program()
            describe(made, declaration())
            ready(made, 16)
            why = constant(made.why("never")) + DROP + constant(made.why("line 3: a door must stay closed"))
            kit = constant(made.data(bytes(16))) + constant(2) + call(made.function("rt_weighted")) + DROP
            stopping = why + b"\x24" + unsigned(made.why_variable) + b"\0" if stop else kit
            made.define("lane", Code([], stopping))
            self.assertIn(sentence, self.refused("run", self.built(made), "--trials", "16"))

    def test_readings_are_made_from_readings(self) -> None:
        heads = Reading("heads", "proportion", 0)
        inner = Reading("odds", "derived", source=heads, has_function=True)
        made, work = coins(
            Reading("double", "derived", source=heads, has_function=True),
            Reading("less", "derived", source=inner, has_function=True),
            Reading("trials", "derived", has_function=True),
            Reading("none", "derived", has_function=True),
        )
        # Those that only others are made from come last.
        numbers = {id(each): number for number, each in enumerate(numbered(work))}
        self.assertEqual(len(numbers), 9)
        values = {
            id(work.readings[3]): get(1) + real(2) + TIMES,
            id(work.readings[4]): real(1) + get(1) + MINUS,
            id(work.readings[5]): get(2) + b"\xb9",
            id(inner): get(1) + real(0.5) + TIMES,
        }
        code = b"".join(
            get(0) + constant(numbers[reading]) + b"\x46\x04\x40" + value + b"\x0f" + END
            for reading, value in values.items()
        )
        made.define("derived", Code([], code + real(math.nan)))
        result = self.printed("run", self.built(made), "--trials", "1000")
        shown = {each["name"]: [each["value"], each["low"], each["high"]] for each in result["readings"]}
        value, low, high = shown["heads"]
        self.assertEqual(shown["double"], [2 * value, 2 * low, 2 * high])
        self.assertEqual(shown["less"], [1 - 0.5 * value, 1 - 0.5 * high, 1 - 0.5 * low])
        self.assertEqual(shown["trials"], [1000, None, None])
        self.assertEqual(shown["none"], [None, None, None])

    def test_a_gathering_finds_its_tables(self) -> None:
        made = program()
        work = declaration(
            "collect", "text",
            inputs=[Input("first", "first", "numbers", ()), Input("second", "second", "more numbers", ())]
        )
        describe(made, work)
        first, second = (each.address for each in work.inputs)
        load = b"\x28\2"
        # Each unit writes a number of the first table, then rows, columns and the last number of the second one.
        made.define(
            "units", Code([], constant(first) + load + b"\0" + constant(first) + load + b"\4" + b"\x6c" + I64_EXTEND)
        )
        made.define("configure", Code([], constant(0)))
        made.define("block_size", Code([], constant(4)))
        newline = call(made.function("rt_out_newline"))
        element = constant(first) + load + b"\x08" + get(4) + b"\xa7" + constant(3) + b"\x74" + I32_ADD + b"\x2b\3\0"
        unit = element + call(made.function("rt_out_float"))
        for offset in (b"\0", b"\4"):
            unit += constant(second) + load + offset + I64_EXTEND + call(made.function("rt_out_int"))
        unit += newline + get(4) + long(1) + ADD + b"\x22\4" + get(5) + b"\x53\x0d\0"
        made.define("block", Code([], b"\x03\x40" + unit + END))
        (self.folder / "table").write_text("1.5 2\n3 -4\n1e300 6\n")
        lines = output(made, self.folder, "--input", f"first={self.folder}/table")
        self.assertEqual(lines, ["1.500", "2.000", "3.000", "-4.000", "1e+30000", "6.000"])

    def test_lists_of_a_trial_never_overlap(self) -> None:
        """Takes, marks and resets at random, and looks at the addresses."""
        dice = random.Random(3)
        made = program()
        describe(made, declaration("collect", "text"))
        ready(made, 1, 1)
        take, mark, reset = (call(made.function(name)) for name in ("rt_arena", "rt_arena_mark", "rt_arena_reset"))
        code = b""
        steps: list[tuple[str, int]] = []
        marks = 0
        for _ in range(400):
            deed = dice.choice(("take", "take", "take", "mark", "reset"))
            if deed == "take":
                size = dice.choice((0, 1, 8, 100, 5000, 70_000, 400_000))
                code += (
                    constant(size)
                    + take
                    + I64_EXTEND
                    + call(made.function("rt_out_int"))
                    + call(made.function("rt_out_newline"))
                )
                steps.append(("take", size))
            elif deed == "mark":
                code += mark + put(6 + marks)
                steps.append(("mark", 0))
                marks += 1
            elif marks:
                marks = dice.randrange(marks)
                code += get(6 + marks) + reset
                steps.append(("reset", marks))
        made.define("block", Code([I32] * 400, code))
        places = iter(map(int, output(made, self.folder)))
        live: list[tuple[int, int]] = []
        marked: list[int] = []
        taken = 0
        for deed, number in steps:
            if deed == "mark":
                marked.append(len(live))
            elif deed == "reset":
                del live[marked[number] :]
                del marked[number:]
            else:
                place = next(places)
                self.assertEqual(place % 16, 0)
                for start, end in live:
                    self.assertTrue(place + number <= start or end <= place)
                live.append((place, place + number))
                taken += 1
        self.assertGreater(taken, 200)

    def test_a_replay_has_notes(self) -> None:
        made = program()
        describe(made, declaration())
        ready(made, 16)
        text = made.data(b"rolled\n", 1)
        note = call(made.function("rt_note_trial")) + call(made.function("rt_note_begin"))
        note += constant(text) + constant(7) + call(made.function("rt_note_text"))
        note += long(-5) + call(made.function("rt_note_int")) + real(0.1) + call(made.function("rt_note_float"))
        note += constant(1) + call(made.function("rt_note_bool")) + call(made.function("rt_note_end"))
        made.define("lane", Code([], note))
        said = self.replayed(made)
        self.assertIn("rolled -50.1True", said)

    def replayed(self, made: Program) -> str:
        path = self.built(made)
        done = subprocess.run([PROGRAM, "replay", path, "--seed", "1"], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr
