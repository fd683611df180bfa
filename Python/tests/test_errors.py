"""Errors are the program's, and output that is not the program's is an error."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
from unittest import mock

import potluck
from potluck import _order, _program, _talk

from .support import PROGRAM, SOURCES, FakeTest, ProgramTest, event, result


class UsageTests(ProgramTest):
    def test_errors_are_the_programs(self) -> None:
        cases = [
            ({"simulation": "monty-hal"}, "unknown simulation 'monty-hal'; did you mean 'monty-hall'?"),
            ({"simulation": "--help"}, "unknown simulation"),
            ({"simulation": "monty-hall", "door": 3}, "did you mean 'doors'"),
            ({"simulation": "monty-hall", "trials": 10, "doors": 2.5}, "must be a whole number"),
            ({"simulation": "monty-hall", "trials": 0}, "must be at least 1"),
            ({"simulation": "monty-hall", "trials": 1.5}, "not a whole number of trials"),
            ({"simulation": "monty-hall", "for_": -1}, "not a time"),
            ({"simulation": "monty-hall", "trails": 1000}, r"did you mean trials=\?"),
            ({"simulation": "monty-hall", "trials": 10, "options": {"frobnicate": True}}, "unknown option"),
            ({"simulation": "pi", "trials": 10, "session": "Monty", "cores": 1}, "--cores applies to this machine"),
        ]
        for words, message in cases:
            with self.subTest(words=words), self.assertRaisesRegex(potluck.UsageError, message) as caught:
                potluck.run(**words)
            self.assertEqual(caught.exception.code, 2)
            self.assertNotIn("potluck: ", str(caught.exception))
            self.assertIn(caught.exception.message.split(";")[0], caught.exception.details)

    def test_some_arguments_never_reach_the_program(self) -> None:
        for words in (
            {"options": {"code": "a b c d e"}}, {"options": {"json": False}}, {"options": {"x=y": 1}},
            {"output": "-"}, {"parameters": {"": 1}}, {"parameters": {"a=b": 1}}, {"trials": float("inf")},
            {"doors": "3\0"}, {"cores": object()},
        ):
            with self.subTest(words=words), self.assertRaises(potluck.UsageError):
                potluck.order("monty-hall", **words)

    def test_a_failure_is_not_wrong_usage(self) -> None:
        with self.assertRaisesRegex(potluck.PotluckError, "nothing") as caught:
            potluck.run("matrix-product", inputs={"a": self.folder / "nothing", "b": self.folder / "nothing"})
        self.assertNotIsInstance(caught.exception, potluck.UsageError)


class FakeErrorTests(FakeTest):
    def assertFails(self, pattern: str, kind: type[potluck.PotluckError] = potluck.PotluckError) -> None:
        with self.assertRaisesRegex(kind, pattern) as caught:
            potluck.run("monty-hall")
        self.assertEqual(isinstance(caught.exception, potluck.UsageError), kind is potluck.UsageError)
        self.assertNoChild()

    def test_a_fake_result_is_taken(self) -> None:
        self.fake(["out", json.dumps(result())], ["out", "\n"])
        self.assertEqual(potluck.run("monty-hall").digest, "ab" * 32)

    def test_a_run_without_an_end_is_refused(self) -> None:
        self.fake(["out", json.dumps(result()) + "\n"])
        self.set(FAKE_SIMULATION=json.dumps({"name": "monty-hall", "ends": False, "parameters": [{"name": "doors"}]}))
        message = "runs until it is stopped; give trials=, until= or for_="
        with self.assertRaisesRegex(potluck.UsageError, message):
            potluck.run("monty-hall", doors=4)
        with self.assertRaisesRegex(potluck.UsageError, message):
            asyncio.run(potluck.run_async("monty-hall"))
        self.assertEqual(self.noted(), [])
        potluck.run("monty-hall", trials=1000)
        potluck.run("monty-hall", options={"for": "1s"})
        potluck.run("monty-hall", callback=lambda tally: None)
        self.set(FAKE_SIMULATION=json.dumps({"name": "primes", "ends": True}))
        potluck.run("primes")
        self.assertNoChild()

    def test_what_is_not_the_programs_is_an_error(self) -> None:
        cases = [
            ("", "without a result"), ("hello\n", "not JSON"), ("[1]\n", "in the place of an object"),
            ("{}\n", "no simulation"), ("[" * 100_000 + "\n", "not JSON"), ("{\"a\": NaN}\n", "not JSON"),
            (json.dumps(result()), "a line without an end"), (2 * (json.dumps(result()) + "\n"), "two results"),
            (json.dumps(result(digest=1)) + "\n", "no digest"), (json.dumps(result(elapsed="1")) + "\n", "no number"),
            (json.dumps(result(readings=[{"name": "x", "value": True}])) + "\n", "no number value"),
            (json.dumps(result(elapsed=10**400)) + "\n", "too large"), ("\udcff\n".encode("utf-8", "replace"), "not JSON"),
        ]
        for text, message in cases:
            with self.subTest(text=text[:40]):
                self.fake(["out", text if isinstance(text, str) else text.decode()])
                self.assertFails(message)

    def test_a_line_without_an_end_is_given_up(self) -> None:
        self.fake(["flood"])
        with mock.patch.object(_talk, "LONGEST_LINE", 1 << 20):
            self.assertFails("a line that does not end")

    def test_exit_codes_have_their_errors(self) -> None:
        self.fake(["err", "potluck: this machine has 2 cores\npotluck: no such thing\n"], ["exit", 1])
        self.assertFails("^no such thing$")
        self.fake(["err", "potluck: wrong\n"], ["exit", 2])
        self.assertFails("^wrong$", potluck.UsageError)
        self.fake(["err", "a.swift:1: error\nFatal error\n"], ["exit", 9])
        self.assertFails("^Fatal error$")
        self.fake(["exit", 3])
        self.assertFails("exit code 3")
        self.fake(["kill"])
        self.assertFails("ended by SIGKILL")
        self.fake(["out", json.dumps(result()) + "\n"], ["err", "potluck: stay has no valid value\n"], ["exit", 1])
        self.assertFails("no valid value")

    def test_a_warning_of_the_program_is_a_warning(self) -> None:
        self.fake(["out", json.dumps(result()) + "\n"], ["err", "potluck: warning: stay never happened\n"])
        with self.assertWarns(potluck.PotluckWarning) as caught:
            potluck.run("monty-hall", trials=10)
        self.assertEqual(str(caught.warning), "stay never happened")

    def test_much_on_stderr_does_not_block(self) -> None:
        self.fake(["err", "x", 3_000_000], ["err", "\npotluck: too much\n"], ["exit", 1])
        self.assertFails("^too much$")

    def test_the_code_is_no_argument(self) -> None:
        self.fake(["out", json.dumps(result()) + "\n"])
        potluck.run("monty-hall", session="Monty", code="apple boat cat dog egg", wait_for=2, nodes=["ana", "bob"])
        noted = json.loads(self.noted()[0])
        self.assertEqual(noted["code"], "apple boat cat dog egg")
        self.assertNotIn("apple", " ".join(noted["arguments"]))
        self.assertLessEqual({"--session=Monty", "--wait-for=2", "--nodes=ana,bob"}, set(noted["arguments"]))
        self.assertEqual(noted["arguments"][-2:], ["--", "monty-hall"])
        self.assertNotIn("apple", repr(potluck.order("monty-hall", code="apple")))

    def test_keywords_become_words(self) -> None:
        order = potluck.order(
            "pi", start_price=1.0, lambda_=True, names=["a", "b"], for_=1.5, browsers=False, options={"v": True})
        self.assertEqual(set(order.words), {
            "--for=1.5", "--no-browsers", "--v", "--parameter=start-price=1", "--parameter=lambda=yes",
            "--parameter=names=a,b"})


class CSVTests(FakeTest):
    def assertRefused(self, path: object, message: str, *, force: bool = False) -> None:
        for verb, words in ((potluck.run, {}), (potluck.sweep, {"doors": [3, 4]})):
            with self.subTest(path=path, verb=verb), self.assertRaisesRegex(potluck.UsageError, message):
                verb("monty-hall", csv=path, force=force, **words)
        self.assertEqual(self.noted(), [])

    def test_a_file_that_cannot_be_written_is_refused_before_the_run(self) -> None:
        self.fake(["out", json.dumps(result()) + "\n"])
        file, link, stray = (self.folder / name for name in ("file.csv", "link.csv", "stray.csv"))
        file.write_text("")
        link.symlink_to(file)
        stray.symlink_to(self.folder / "none" / "x.csv")
        self.assertRefused(self.folder / "none" / "x.csv", "create it first")
        self.assertRefused(file / "x.csv", "create it first")
        self.assertRefused(stray, "cannot create")
        for folder in (self.folder, f"{self.folder}/", f"{self.folder}/none/", ""):
            self.assertRefused(folder, "is a folder", force=True)
        self.assertRefused("a\0b", "zero byte")
        self.assertRefused(link, "force=True")
        # The tests may run as root, who can write everywhere.
        with mock.patch.object(os, "access", lambda path, mode: not mode & os.W_OK):
            self.assertRefused(self.folder / "x.csv", "another folder")
            self.assertRefused(file, "another file", force=True)

    def test_a_file_that_can_be_written_is_written(self) -> None:
        self.fake(["out", json.dumps(result()) + "\n"])
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        stray = self.folder / "stray.csv"
        stray.symlink_to("new.csv")
        for path in ("x.csv", stray, self.folder / "y.csv", "/dev/null"):
            potluck.run("monty-hall", csv=path, force=path == "/dev/null")
        for name in ("x.csv", "new.csv", "y.csv"):
            self.assertIn("ab" * 32, (self.folder / name).read_text())


class ProgramTests(ProgramTest):
    def test_the_program_is_found(self) -> None:
        self.assertEqual(potluck.program(), os.path.abspath(PROGRAM))
        folder = self.folder / "bin"
        folder.mkdir()
        (folder / "potluck").symlink_to(os.path.abspath(PROGRAM))
        self.set(POTLUCK="", PATH=str(folder))
        self.assertEqual(potluck.program(), str(folder / "potluck"))
        self.set(PATH=os.path.relpath(folder))
        self.assertEqual(potluck.program(), str(folder / "potluck"))
        self.set(PATH=str(self.folder))
        with self.assertRaisesRegex(potluck.ProgramNotFound, "pip install potluck-cluster"):
            potluck.run("monty-hall")
        self.set(POTLUCK=str(self.folder))
        with self.assertRaisesRegex(potluck.ProgramNotFound, "POTLUCK names"):
            potluck.run("monty-hall")

    def test_a_wish_wins_over_the_wheel(self) -> None:
        wheels = str(self.folder / "wheels")
        with mock.patch.object(_program, "_of_wheel", lambda: wheels):
            self.assertEqual(potluck.program(), os.path.abspath(PROGRAM))
            self.set(POTLUCK="")
            self.assertEqual(potluck.program(), wheels)
            self.set(POTLUCK=str(self.folder))
            with self.assertRaisesRegex(potluck.ProgramNotFound, "POTLUCK names"):
                potluck.program()

    def test_the_module_is_the_program(self) -> None:
        self.set(PYTHONPATH=str(SOURCES))
        module = [sys.executable, "-m", "potluck"]
        words = ["--trials=1000000", "--seed=1", "--shards=2", f"--folder={self.folder / 'parts'}", "--quiet"]
        command = [*module, "campaign", "monty-hall", *words]
        tasks = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
        self.assertEqual([shlex.split(task)[:3] for task in tasks], [[potluck.program(), "run", "monty-hall"]] * 2)
        failed = subprocess.run([*module, "run"], capture_output=True, check=False, text=True)
        self.assertIn("usage: potluck run NAME", failed.stderr)

    def test_the_programs_first_word_is_its_path(self) -> None:
        # A script gets its path anyway, so another program stands for potluck: one that prints how it was started.
        program = shutil.which("cat")
        assert program is not None
        self.set(PYTHONPATH=str(SOURCES), POTLUCK=program)
        command = [sys.executable, "-m", "potluck", "/proc/self/cmdline"]
        printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        self.assertEqual(printed.split("\0"), [program, "/proc/self/cmdline", ""])

    def test_a_file_that_is_no_program_is_an_error(self) -> None:
        path = self.folder / "potluck"
        path.write_bytes(b"\x7fELFno")
        path.chmod(0o700)
        self.set(POTLUCK=str(path))
        for leash in (_program._leash(), ()):
            with mock.patch.object(_program, "_leash", lambda leash=leash: leash), self.assertRaises(potluck.PotluckError):
                potluck.run("monty-hall")
        self.assertNoChild()

    def test_a_wheel_is_only_ours_if_it_brought_this_file(self) -> None:
        class Foreign:
            files = None

        with mock.patch.object(_program.metadata, "distribution", lambda name: Foreign()):
            self.assertIsNone(_program._of_wheel.__wrapped__())


class TalkTests(ProgramTest):
    """The parser alone, over many seeds."""

    ORDER = _order.order("monty-hall")

    def test_pieces_do_not_matter(self) -> None:
        lines = [event(trials) for trials in range(20)] + [{"event": "appeared"}, result()]
        octets = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        for seed in range(200):
            dice, talk, at, tallies = random.Random(seed), _talk.Talk(self.ORDER), 0, []
            while at < len(octets):
                size = dice.choice([1, 7, 300, 5000])
                tallies += talk.hear(octets[at:at + size])
                at += size
            self.assertEqual([tally.trials for tally in tallies], list(range(20)))
            self.assertEqual(talk.end(0).to_dict(), result())

    def test_damaged_output_is_an_error_or_a_result(self) -> None:
        good = (json.dumps(event()) + "\n" + json.dumps(result()) + "\n").encode()
        refused = 0
        for seed in range(3000):
            dice, damaged = random.Random(seed), bytearray(good)
            for _ in range(dice.randint(1, 4)):
                place = dice.randrange(len(damaged))
                damaged[place:place + dice.randint(0, 3)] = dice.randbytes(dice.randint(0, 3))
            talk = _talk.Talk(self.ORDER)
            try:
                talk.hear(bytes(damaged))
                self.assertIsInstance(repr(talk.end(dice.choice([0, 1, 2, 130, -9]))), str)
            except potluck.PotluckError:
                refused += 1
        self.assertGreater(refused, 1000)
