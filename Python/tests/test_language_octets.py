"""The octets that the linker of the compiler for Python writes, and those that it reads."""

from __future__ import annotations

import random
import unittest

from potluck._language import wasm
from potluck._language.declaration import Field, Reading
from potluck._language.describe import describe
from potluck._language.link import Code, Program
from potluck._language.wasm import F64, Module, Reader, WasmError, signed, unsigned

from .assembled import RUNTIME, call, coins, declaration, get, program, ready

#: The most bytes of a module with a count and moments. It travels to every laptop, and each compiles it.
LARGEST = 24_000


class OctetTests(unittest.TestCase):
    def test_numbers_are_read_as_they_are_written(self) -> None:
        dice = random.Random(1)
        for size in range(65):
            for value in (1 << size, (1 << size) - 1, dice.getrandbits(size + 1)):
                if value < 1 << 32:
                    self.assertEqual(Reader(unsigned(value)).number(), value)
                for each in (value, -value):
                    if -(1 << 63) <= each < 1 << 63:
                        self.assertEqual(Reader(signed(each)).integer(), each)

    def test_a_module_that_is_written_can_be_read(self) -> None:
        made, _ = coins()
        octets = made.octets()
        module = Module(octets)
        self.assertEqual(module.imports, [])
        self.assertEqual(len(module.functions), len(module.bodies))
        self.assertEqual(
            {
                "potluck_abi",
                "potluck_describe",
                "potluck_alloc",
                "potluck_configure",
                "potluck_run",
                "potluck_read",
                "potluck_why",
                "potluck_fault",
                "potluck_too_deep",
                "potluck_kept",
                "potluck_log",
            },
            set(module.exports),
        )
        self.assertLess(len(octets), LARGEST)
        self.assertEqual(octets, made.octets())

    def test_only_functions_that_are_reached_are_kept(self) -> None:
        sizes = {}
        for name in ("", "rt_log", "rt_pow"):
            made, _ = coins()
            if name:
                index = made.add([F64], [F64])
                arguments = get(0) * (2 if name == "rt_pow" else 1)
                made.fill(index, Code([], arguments + call(made.function(name))))
                made.export("more", index)
            module = Module(made.octets())
            sizes[name] = len(module.bodies)
            called = {index for body in module.bodies for index, _, _ in wasm.calls(body).functions}
            named = {index for _, functions in module.elements for index in functions} | set(module.exports.values())
            self.assertEqual(called | named, set(range(len(module.bodies))), "a function is kept that nothing reaches")
        self.assertLess(sizes[""], sizes["rt_log"])
        self.assertLess(sizes["rt_log"], len(Module(RUNTIME.read_bytes()).bodies) / 2)

    def test_data_and_space_never_overlap(self) -> None:
        dice = random.Random(2)
        made = program()
        describe(made, declaration())
        ready(made, 16)
        parts: list[tuple[int, bytes]] = []
        for _ in range(300):
            alignment = 1 << dice.randrange(5)
            if dice.random() < 0.5:
                octets = dice.getrandbits(8 * 20).to_bytes(20, "little")[: dice.randrange(1, 20)]
                parts.append((made.data(octets, alignment), octets))
            else:
                size = dice.randrange(1, 70)
                parts.append((made.space(size, alignment), bytes(size)))
            self.assertEqual(parts[-1][0] % alignment, 0)
        module = Module(made.octets())
        memory = bytearray(wasm.PAGE * module.pages)
        for segment in module.segments:
            self.assertEqual(
                memory[segment.address : segment.address + len(segment.octets)], bytes(len(segment.octets))
            )
            memory[segment.address : segment.address + len(segment.octets)] = segment.octets
        for address, octets in parts:
            self.assertEqual(memory[address : address + len(octets)], octets)

    def test_equal_data_is_stored_once(self) -> None:
        made = program()
        self.assertEqual(made.data(b"text", 1), made.data(b"text", 1))
        self.assertEqual(made.why("a sentence"), made.why("a sentence"))
        self.assertNotEqual(made.why("a sentence"), made.why("another one"))

    def test_a_damaged_runtime_is_refused_with_a_sentence(self) -> None:
        octets = RUNTIME.read_bytes()
        dice = random.Random(4)
        refusals = 0
        damages = [octets[: dice.randrange(len(octets))] for _ in range(60)]
        for _ in range(300):
            flipped = bytearray(octets)
            # The first kilobytes have the types, imports and exports.
            flipped[dice.randrange(dice.choice((200, 8000, len(octets))))] ^= 1 << dice.randrange(8)
            damages.append(bytes(flipped))
        for damaged in damages:
            try:
                made = Program(damaged)
                describe(made, declaration(fields=[Field("rolls", "moments")], readings=[Reading("rolls", "mean", 0)]))
                ready(made, 16).octets()
            except WasmError as error:
                refusals += 1
                self.assertRegex(str(error), "^the runtime is damaged: .*; install Potluck again$")
        self.assertGreater(refusals, 60)
