"""The JSON of a run has the members that the table in docs/HISTORY.md says, whoever prints it."""

from __future__ import annotations

import json
import secrets
import subprocess
from typing import Any, Callable, NamedTuple

from .pure import PureTest
from .support import PATIENCE, PROGRAM, ROOT

_HEAD = "| member | of | printed by | value |\n"
#: A run of each kind of work.
_RUNS = (
    ("trials", "run monty-hall --trials 1e5 --seed 1"), ("units", "run primes -p limit=1000"),
    ("search", "run tsp -p cities=6"), ("search", "run tsp -p airports=LHR,JFK,SYD"))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


#: The members of every reading.
_READING = {"name", "value", "low", "high", "confidence", "exact"}

#: What a value is, by the first words of its description.
_TYPES: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "whole number": lambda value: _is_number(value) and value == int(value),
    "number": _is_number, "truth value": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "list of objects": lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value),
    "list of texts": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
    "list of whole numbers": lambda value: isinstance(value, list) and all(_is_number(one) for one in value)}


class Member(NamedTuple):
    """A row of the table."""

    name: str
    kinds: frozenset[str]
    is_optional: bool
    printers: frozenset[str]
    value: str

    def applies(self, kind: str, printer: str) -> bool:
        return bool({"all", kind} & self.kinds) and bool({"all", printer} & self.printers)

    def problem(self, value: Any) -> str:
        """What is wrong with a value; empty if nothing is."""
        known = [words for words in _TYPES if self.value.startswith(words)]
        if value is None and " or null" in self.value or known and _TYPES[max(known, key=len)](value):
            return ""
        return f"{self.name} is {value!r} instead of {self.value}"


def members() -> list[Member]:
    text = (ROOT / "docs/HISTORY.md").read_text(encoding="utf-8")
    rows = text.partition(_HEAD)[2].split("\n\n", 1)[0].splitlines()[1:]
    found = []
    for row in rows:
        name, kinds, printers, value = row.strip("| ").split(" | ")
        kind, *rest = kinds.split(", if ")
        found.append(
            Member(name.strip("`"), frozenset(kind.split(", ")), bool(rest), frozenset(printers.split(", ")), value))
    return found


def problems(found: dict[str, Any], kind: str, printer: str) -> list[str]:
    """What the table does not say of an object."""
    own = {member.name: member for member in members() if member.applies(kind, printer)}
    missing = [f"{name} is missing" for name, member in own.items() if not member.is_optional and name not in found]
    strange = [f"{name} is not in the table" for name in found if name not in own]
    wrong = [own[name].problem(value) for name, value in found.items() if name in own]
    return [*missing, *strange, *filter(None, wrong)]


class SchemaTests(PureTest):
    def checked(self, text: str, kind: str, printer: str) -> dict[str, Any]:
        found = json.loads(text)
        self.assertEqual(problems(found, kind, printer), [], f"{kind} by {printer}")
        self.assertEqual(found["schema"], 1)
        for reading in found["readings"]:
            self.assertLessEqual(_READING, set(reading))
        return dict(found)

    def test_a_run_and_its_record_have_the_members_of_the_table(self) -> None:
        state = {"POTLUCK_EPHEMERAL": "", "POTLUCK_STATE": str(self.folder / "state")}
        for kind, line in _RUNS:
            said = self.native(*line.split(), "--json", environment=state)
            run = self.checked(said.stdout, kind, "run")
            record = self.checked(
                self.native("history", "show", "last", "--json", environment=state).stdout, kind, "history")
            self.assertEqual(run["digest"], record["digest"])
        listed = json.loads(self.native("history", "--json", environment=state).stdout)
        self.assertEqual(len(listed), len(_RUNS))
        for found, (kind, _) in zip(reversed(listed), _RUNS):
            self.checked(json.dumps(found), kind, "history")

    def test_python_alone_prints_the_members_of_the_table(self) -> None:
        for kind, line in _RUNS:
            self.checked(self.pure(*line.split(), "--json").stdout, kind, "run")

    def test_the_points_of_a_sweep_have_them_too(self) -> None:
        line = "run monty-hall -p doors=3,4 --trials 1000 --seed 1 --json"
        for said in (self.native(*line.split()), self.pure(*line.split())):
            points = [json.loads(text) for text in said.stdout.splitlines()]
            self.assertEqual([point.pop("point") for point in points], [0, 1])
            for point in points:
                self.assertEqual(point.pop("sweepSeed"), 1)
                self.checked(json.dumps({"id": 1, **point}), "trials", "history")

    def test_a_session_prints_the_members_of_the_table(self) -> None:
        # A name of its own, because others may test in the same network.
        session = "Schema" + secrets.token_hex(4)
        words = [PROGRAM, "serve", session, "--open", "--hidden", "--json", "--cores", "1"]
        server = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment)
        assert server.stdout is not None
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait, PATIENCE)
        self.addCleanup(server.terminate)
        self.assertEqual(json.loads(server.stdout.readline())["event"], "started")
        for kind, line in _RUNS:
            said = self.native(*line.split(), "--session", session, "--open", "--json")
            self.checked(said.stdout, kind, "session")

    def test_what_differs_from_the_table_is_found(self) -> None:
        said = self.native("run", "pi", "--trials", "1000", "--seed", "1", "--json")
        good = self.checked(said.stdout, "trials", "run")
        for change, problem in (
            ({"seed": "1"}, "seed is '1' instead of whole number"), ({"more": 1}, "more is not in the table"),
            ({"complete": 1}, "complete is 1 instead of truth value"), ({"slots": {}}, "slots is {} instead of list"),
            ({"elapsed": None}, "elapsed is None instead of number"),
            ({"rate": True}, "rate is True instead of number"),
        ):
            self.assertIn(problem, "; ".join(problems({**good, **change}, "trials", "run")))
        self.assertEqual(problems({**good, "rate": None}, "trials", "run"), [])
        del good["digest"]
        self.assertEqual(problems(good, "trials", "run"), ["digest is missing"])
        self.assertIn("seed is not in the table", problems(good, "search", "run"))
