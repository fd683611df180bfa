"""Streams that a trial begins have the draws of plain Python in a module, and what cannot be told apart is refused."""

from __future__ import annotations

import unittest

import potluck
from potluck._language import reference

from .language.compiler import Refused, compiled, runtime
from .language.module import Module
from .language.sandbox import Sandbox, library
from .support import ProgramTest

FILE = """\
from potluck import *
class Work(Simulation):
    \"""Begins streams in every way\"""
    limit = Parameter(7, "a whole number", 1, 100)
    wasted = Parameter(False, "whether the trial's own stream is used, too")
    whole, real = Moments(), Moments()
    block_size = 32
    def drawn(self, random, more):
        inner = random.mirrored()
        deck = [1, 2, 3, 4, 5]
        more.shuffle(deck)
        return deck[0] + random.below(3_000_000_000) % 1009 + inner.below(self.limit) + more.poisson(30)
    def trial(self, random):
        if self.wasted:
            self.real.add(random.normal())
        arrivals = random.stream("arrivals")
        service = random.stream("sérvice")
        again = random.stream("arrivals")
        self.real.add(arrivals.normal() - service.exponential(2.5))
        back = arrivals.mirrored()
        for _ in range(3):
            looped = random.stream("looped")
            self.whole.add(self.drawn(looped, arrivals) + self.drawn(back, service))
        self.real.add(again.unit() + back.normal())
        self.whole.add(self.drawn(again, random))
"""
HEAD = """\
from potluck import *
class Work(Simulation):
    \"""A mistake\"""
    won = Count()
    def trial(self, random):
"""
MISTAKES = {
    "self.won.add(random.stream('a').coin())": "give the stream a name first",
    "a = random.stream('a')\n        b = a": "this is the generator, and a number",
    "a = random.stream('a')\n        b = a.stream('b')": "only the stream that a trial is given has named ones",
    "a = random.stream(f'{3}')": "the name of a stream is a constant text",
    "a = random.stream('a')\n        a = random.stream('b')": "'a' is the generator before",
    "a = 3\n        a = random.stream('a')": "'a' is something else before",
    "a = random.stream('a')\n        a = 3": "'a' is the generator; use another name",
    "a, b = random.stream('a'), 3": "give the stream a name first",
    "if 1 < 2:\n            a = random.stream('a')\n        self.won.add(a.coin())": "has no stream on some paths",
}


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class StreamTests(ProgramTest):
    def slots(self, wasted: bool, trials: int, first: int = 0) -> list[int]:
        path = self.folder / "work.py"
        path.write_text(FILE)
        with Module(Sandbox(), compiled(path, path.name, self.folder / "module.wasm")) as module:
            module.configure([7, int(wasted)])
            slots: list[int] = module.run(1, 9, first, 20, trials).slots
        return slots

    def test_streams_in_a_module_are_those_of_plain_python(self) -> None:
        for wasted in (False, True):
            for trials, first in ((1, 0), (17, 0), (500, 0), (100, 77)):
                with self.subTest(wasted=wasted, trials=trials):
                    work = reference._made(reference._class(FILE, "work.py"), {"wasted": wasted})
                    self.assertEqual(
                        self.slots(wasted, trials, first), work.play(seed=9, trials=trials, first=first).slots)

    def test_a_mistake_has_its_sentence(self) -> None:
        path = self.folder / "work.py"
        for lines, sentence in MISTAKES.items():
            with self.subTest(lines), self.assertRaisesRegex(Refused, sentence):
                path.write_text(f"{HEAD}        {lines}\n")
                compiled(path, path.name, self.folder / "module.wasm")


class NamedStreamTests(unittest.TestCase):
    def test_a_named_stream_depends_on_the_trial_and_not_on_what_was_drawn(self) -> None:
        for trial in range(20):
            one, two = potluck.Random(seed=5, lane=trial % 16), potluck.Random(seed=5, lane=trial % 16)
            two.normal()
            self.assertEqual(one.stream("a").next(), two.stream("a").next())
            self.assertNotEqual(one.stream("a").next(), one.stream("b").next())
        with self.assertRaisesRegex(ValueError, "only the stream that a trial is given"):
            potluck.Random(seed=5, block=1).stream("a")

    def test_a_mirror_draws_the_rest_to_one(self) -> None:
        random = potluck.Random(seed=3)
        mirror = random.mirrored()
        for _ in range(1000):
            self.assertEqual(random.unit() + mirror.unit(), 1 - 2.0**-53)
            self.assertAlmostEqual(random.normal(), -mirror.normal(), delta=1e-13)
        self.assertEqual(mirror.mirrored().next(), random.next())
