"""The sandbox in Python judges modules as the program does: what they may be, what they may use, and what they answer."""

from __future__ import annotations

import random
import re
import struct
import unittest

from potluck._kit import tally as kit
from potluck._kit.comoments import Comoments
from potluck._kit.quantiles import Quantiles
from potluck._kit.series import Counts, Series
from potluck._sandbox.layout import Field, FieldKind, Layout
from potluck._sandbox.module import lanes_of

from .pure import PureTest, places
from .support import ROOT

HEADER = b"\0asm\1\0\0\0"


def section(kind: int, *parts: bytes) -> bytes:
    contents = bytes([len(parts)]) + b"".join(parts)
    return bytes([kind, len(contents)]) + contents


#: A function without parameters that returns a number of 32 bits, and what exports it under a name.
TYPE = section(1, b"\x60\0\1\x7f")


def exporting(name: str, body: bytes, *more: bytes) -> bytes:
    """A module that exports one function, and perhaps more."""
    code = b"\0" + body + b"\x0b"
    exported = bytes([len(name)]) + name.encode() + b"\0\0"
    return HEADER + TYPE + section(3, b"\0") + b"".join(more) + section(7, exported) + section(10, bytes([len(code)]) + code)


#: Modules that are refused, and one whose loop never ends.
WRONG = {
    "empty": b"", "text": b"hello", "header": HEADER, "cut": HEADER + b"\1\x7f",
    "large": HEADER + bytes(600 << 10), "import": HEADER + TYPE + section(2, b"\1a\1b\0\0"),
    "ranks": HEADER + TYPE + section(2, b"\x0cpotluck_comm\4rank\0\0"),
    "other-version": exporting("potluck_abi", b"\x41\x07"), "a-rank": exporting("potluck_abi", b"\x41\x02"),
    "no-description": exporting("potluck_abi", b"\x41\x01"), "another-name": exporting("abi", b"\x41\x01"),
    "traps": exporting("potluck_abi", b"\x00"), "endless": exporting("potluck_abi", b"\x03\x40\x0c\0\x0b\x41\x01"),
    "memory": exporting("potluck_abi", b"\x41\x01", section(5, b"\0\x80\x80\x04")),
}


class ModuleTests(PureTest):
    def test_wrong_modules_are_refused_with_the_same_sentence(self) -> None:
        for name, octets in WRONG.items():
            file = self.folder / f"{name}.wasm"
            file.write_bytes(octets)
            self.assertSame(f"run {file} --trials 10 --seed 1 --plugin-seconds 0.2")

    def test_modules_of_the_first_day_give_the_same(self) -> None:
        for file in sorted((ROOT / "Tests/Sandbox/Version1").glob("*.wasm")):
            with self.subTest(file.name):
                pure, native = (said("simulations", str(file), "--json") for said in (self.pure, self.native))
                self.assertEqual(pure, native)
            self.assertSame(f"run {file} --json -q --trials 20 --seed 3")

    def test_damaged_modules_never_give_another_result(self) -> None:
        modules, _ = places()
        octets = (modules / "monty-hall.wasm").read_bytes()
        # Without the second module, which is the last section: the program would see that the two differ, and the command in
        # Python does not look at it. Before the section's name are its length, and those of the section and its number.
        name = octets.index(b"potluck.lanes")
        end = next(at for at in range(name - 1, 0, -1) if octets[at] == 0 and octets[name - 1] == len("potluck.lanes"))
        dice = random.Random(7)
        for number in range(6):
            damaged = bytearray(octets[:end])
            damaged[dice.randrange(end)] ^= 1 << dice.randrange(8)
            file = self.folder / f"{number}.wasm"
            file.write_bytes(damaged)
            with self.subTest(number):
                words = ("run", str(file), "--trials", "1000", "--seed", "1", "--json", "-q", "--plugin-seconds", "0.5")
                pure, native = self.pure(*words).steady, self.native(*words).steady
                # The program warns of more than the command in Python does.
                results = [re.sub(r',"warnings":\[.*\]', "", said.stdout) for said in (pure, native)]
                self.assertEqual((pure.code, results[0]), (native.code, results[1]))


class LayoutTests(unittest.TestCase):
    """Tallies merge as the accumulators in plain Python do."""

    FIELDS = [
        (Field("n", FieldKind.COUNT, None), kit.Count), (Field("s", FieldKind.SUM, None), kit.ExactSum),
        (Field("low", FieldKind.MINIMUM, None), kit.Minimum), (Field("high", FieldKind.MAXIMUM, None), kit.Maximum),
        (Field("m", FieldKind.MOMENTS, None), kit.Moments), (Field("c", FieldKind.COMOMENTS, None, 2), lambda: Comoments(2)),
        (Field("q", FieldKind.QUANTILES, None), Quantiles), (Field("k", FieldKind.COUNTS, None, 2), lambda: Counts("a", "b")),
        (Field("t", FieldKind.SERIES, None, 3), lambda: Series(3))]

    def test_merging_adds_what_was_added(self) -> None:
        layout = Layout([field for field, _ in self.FIELDS])
        for seed in range(200):
            dice = random.Random(seed)
            halves, whole = [], [kind() for _, kind in self.FIELDS]
            for _ in range(2):
                fields = [kind() for _, kind in self.FIELDS]
                for _ in range(dice.randrange(4)):
                    number = dice.choice([dice.gauss(0, 1e3), 0.0, -0.0, dice.random()])
                    for field, all in zip(fields, whole):
                        for each in (field, all):
                            numbers: tuple[float, ...] = (number,)
                            if isinstance(each, (kit.Count, Counts)):
                                numbers = (1,)
                            elif isinstance(each, (Comoments, Series)):
                                numbers = (number, 1 - number) if isinstance(each, Comoments) else (number > 0, number)
                            each.add(*numbers)  # type: ignore[attr-defined]
                halves.append(b"".join(struct.pack(f"<{len(field.slots())}Q", *field.slots()) for field in fields))
            wanted = b"".join(struct.pack(f"<{len(field.slots())}Q", *field.slots()) for field in whole)
            self.assertEqual(layout.merged(*halves), wanted, seed)
            self.assertEqual(layout.merged(layout.empty, halves[0]), halves[0], seed)

    def test_a_number_that_did_not_fit_stays_known(self) -> None:
        field = Field("m", FieldKind.MOMENTS, None)
        layout, good, bad = Layout([field]), struct.pack("<11Q", *[1] * 5, 0, *[1] * 4, 0), struct.pack("<11Q", *[0] * 10, 1)
        for merged in (layout.merged(good, bad), layout.merged(bad, good)):
            self.assertTrue(field.is_spoilt(struct.unpack("<11Q", merged)))
        self.assertFalse(field.is_spoilt(struct.unpack("<11Q", layout.merged(good, good))))

    def test_counts_stay_at_the_greatest_number(self) -> None:
        layout = Layout([Field("h", FieldKind.HISTOGRAM, (0.0, 1.0), 2)])
        most = (1 << 64) - 1
        one, other = struct.pack("<4Q", 1, most - 1, most, 1 << 63), struct.pack("<4Q", 2, 5, 1, 1 << 63)
        self.assertEqual(struct.unpack("<4Q", layout.merged(one, other)), (3, most, most, most))


class LanesTests(unittest.TestCase):
    def test_the_second_module_is_found(self) -> None:
        lanes = HEADER + b"lanes"
        contents = b"\x0dpotluck.lanes" + lanes
        other = b"\0\4\3abc"
        self.assertEqual(lanes_of(HEADER + other + bytes([0, len(contents)]) + contents), lanes)
        for module in (HEADER, HEADER + other, HEADER + bytes([0, len(contents) + 1]) + contents, HEADER + b"\0\x80"):
            self.assertIsNone(lanes_of(module))
