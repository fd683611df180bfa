"""The same simulation with many sets of parameters: what `potluck run` does if a parameter has several values."""

from __future__ import annotations

import hashlib
import re
import secrets
import sys
import time
from typing import Any, NamedTuple, Optional, Sequence

from .. import _platform
from .._sandbox import Parameter, Shape
from .._sandbox.records import bits, numbers
from . import figures, plan, readings_json, result_check, spelling, tables, values
from .arguments import Arguments, Option
from .canvas import Canvas
from .chosen import Chosen
from .crew import Crew, Order
from .experiment import Precision
from .failures import SUCCESS, Failure, UsageError, ValueIsWrong, of_value
from .plan import Files, Plan
from .result import Result
from .sweep_table import lines as table
from .written import FORCE, OUTPUT

#: The most points. A table of more is unreadable.
MOST = 10_000
#: The most decimal places of a range. A real number holds no more digits.
_PLACES = 17

FILE = Option("sweep", "run it with the parameters of each line of a CSV file", "What to compute", "FILE")
COMMON_SEED = Option("common-seed", "use the same seed for every set of parameters", "What to compute")

Given = list[tuple[str, str]]


class Point(NamedTuple):
    """One set of parameters, with its plan."""

    #: The texts of the parameters that distinguish the points.
    varied: tuple[str, ...]
    plan: Plan


class Sweep(NamedTuple):
    chosen: Chosen
    varied: tuple[str, ...]
    points: tuple[Point, ...]
    files: Files
    #: The seed from which those of the points are derived.
    seed: int

    @property
    def id(self) -> str:
        """The sweep's number. It covers all that determines the results."""
        found = [len(self.points)]
        if self.files.payload:
            found.append(_number(self.files.payload))
        for point in self.points:
            goal = point.plan.goal
            found += [*point.plan.parameters, point.plan.seed, goal.trials or 0]
            precision = goal.precision or Precision()
            if precision.named:
                found += [3, len(precision.named)]
            for name, limit in precision.named:
                found += [_number(name.encode()), 1 + limit.is_relative, bits(limit.width)]
            if precision.every is not None:
                found += [1 + precision.every.is_relative, bits(precision.every.width)]
            found += [0] * (goal.precision is None)
        # A sweep that ends by the clock has another result each time.
        found += [secrets.randbits(64)] * any(point.plan.goal.seconds is not None for point in self.points)
        return f"{_number(f'{self.chosen.name} {self.chosen.source} '.encode() + numbers(*found)):016x}"

    def name(self, point: Point) -> str:
        return _name(self.varied, point.varied)

    @property
    def axis(self) -> str:
        """The parameter that distinguishes the points, if it is the only one and a number; otherwise empty."""
        kinds = {parameter.name: parameter.kind for parameter in self.chosen.description.parameters}
        is_one = len(self.varied) == 1 and kinds.get(self.varied[0]) in ("integer", "real")
        return self.varied[0] if is_one else ""

    def run(self, arguments: Arguments) -> int:
        """Computes the points, and prints a line of JSON for each, or a table at the end."""
        from .run import JSON, Interrupts, complain

        is_json, started, id = arguments.has(JSON), time.time(), self.id
        results: list[Result] = []
        with Interrupts().watched() as interrupts:
            try:
                for result in self._results(arguments, interrupts):
                    if result.ended == "stopped":
                        break
                    result.check()
                    # What is wrong with one point is wrong with the others, and each would take its time.
                    if not results:
                        first = self.points[0]
                        for warning in result_check.warnings(result, first.plan.chunk, is_shown=False):
                            complain(f"warning: {self.name(first)}: {warning}")
                    results.append(result)
                    if is_json:
                        members = self._members(result, len(results) - 1, id, started)
                        sys.stdout.write(readings_json.text(members) + "\n")
                        sys.stdout.flush()
            except KeyboardInterrupt:
                pass
        if not is_json:
            canvas = Canvas.of(sys.stdout)
            rows = list(zip((point.varied for point in self.points), results))
            sys.stdout.write(canvas.text(table(self.chosen.name, self.varied, self.axis, self.seed, rows, canvas)))
        left = len(self.points) - len(results)
        if left:
            complain(f"{left} of {len(self.points)} points are left")
        return interrupts.code if left else SUCCESS

    def _results(self, arguments: Arguments, interrupts: Any) -> Any:
        from .run import PRIORITY, attend, compute

        first = self.points[0].plan
        if self.chosen.is_search:
            for point in self.points:
                yield compute(point.plan, None, interrupts, lambda look, elapsed: None, arguments)
            return
        nice = _platform.PRIORITIES[arguments.value(PRIORITY) or "normal"]
        order = Order(
            self.chosen.module, first.parameters, self.files.payload, self.chosen.memory, self.chosen.seconds, nice)
        longest = max(point.plan.last for point in self.points)
        with Crew(order, max(1, min(first.cores, longest))) as crew:
            for point in self.points:
                from .written import Written

                begun, writes = time.monotonic(), point.plan.chunk.ready.writes
                written = Written(None, writes) if self.chosen.description.shape == Shape.COLLECT else None
                try:
                    yield attend(
                        crew, point.plan, written, interrupts, lambda look, elapsed: None, begun,
                        point.plan.parameters)
                except Failure as failure:
                    raise Failure(f"{self.name(point)}: {failure}") from None

    def _members(self, result: Result, index: int, id: str, started: float) -> dict[str, Any]:
        members: dict[str, Any] = {"point": index}
        if not self.chosen.is_search:
            members["sweepSeed"] = self.seed
        members.update(key=f"{id}{index:016x}", **result.members())
        unknown = ("solution",) if result.expanded else ("expanded", "inVain", "solution")
        for name in unknown:
            members.pop(name, None)
        done = {"searched": result.trials / figures.POINTS} if self.chosen.is_search else {"trials": result.trials}
        node: dict[str, Any] = {"name": "this machine", "cores": result.cores, **done}
        if self.chosen.is_search:
            node.update(expanded=result.expanded, inVain=0)
        else:
            node["rate"] = None
        inputs = {input.name: {"file": input.path, "rows": input.rows, "columns": input.columns}
                  for input in self.files.inputs}
        digits = hashlib.sha256(self.files.payload).hexdigest() if self.files.payload else None
        file = None if self.chosen.is_built_in else self.chosen.typed
        members.update(
            inputs=inputs, inputsHash=digits, file=file, started=int(started * 1000) / 1000, nodes=[node], notes=[],
            session=None, submitter=None, sweep=id)
        return members


def of(chosen: Chosen, arguments: Arguments) -> Optional[Sweep]:
    """Returns None if the arguments describe a single run."""
    choices = _choices(arguments.all(plan.PARAMETER), chosen)
    varied = tuple(name for name, found in choices if len(found) > 1)
    path = arguments.value(FILE)
    if path is None and not varied:
        if arguments.has(COMMON_SEED):
            raise UsageError("--common-seed is for several values of a parameter")
        return None
    for name, is_there in ((OUTPUT.name, arguments.has(OUTPUT)), ("progress-json", _has(arguments, "progress-json"))):
        if is_there:
            raise UsageError(f"--{name} is for a single run; leave it out, or give each parameter one value")
    sets: list[tuple[str, Given]] = [("", given) for given in _combinations(choices)]
    if path is not None:
        if varied:
            raise UsageError(f"--sweep and several values of '{varied[0]}' cannot be used together")
        varied, lines = _points(path)
        sets = [(f"{spelling.path(path)}, line {number}: ", [*sets[0][1], *given]) for number, given in lines]
    files = Files.of(chosen, arguments)
    is_tally = chosen.description.shape == Shape.TALLY
    drawn = plan.draw_seed() if is_tally else 0
    given_seed = arguments.value(plan.SEED)
    seed = drawn if given_seed is None else given_seed
    # Without a seed of its own, work that is no tally has seed 0, as a single run has.
    is_common = arguments.has(COMMON_SEED) or not is_tally and given_seed is None
    points = []
    for place, given in sets:
        texts = tuple(dict(given).get(name, "") for name in varied)
        try:
            own = plan.of(chosen, arguments, given, files, drawn)
        except UsageError as error:
            raise UsageError((place or f"{_name(varied, texts)}: ") + error.message if len(sets) > 1 else error.message,
                             error.stray) from None
        own = own._replace(seed=seed if is_common else _number(numbers(seed, *own.parameters)) & (1 << 53) - 1)
        points.append(Point(texts, own))
    _refuse_equal(points, varied)
    if any(point.plan.goal == (None, None, None) for point in points):
        raise UsageError("a sweep needs --trials, --until or --for, so that each point ends")
    return Sweep(chosen, varied, tuple(points), files, seed)


def _has(arguments: Arguments, name: str) -> bool:
    return arguments.has(FORCE._replace(name=name))


def _refuse_equal(points: Sequence[Point], varied: Sequence[str]) -> None:
    """Points with the same parameters would be the same run."""
    seen = set()
    for point in points:
        if point.plan.parameters in seen:
            raise UsageError(f"{_name(varied, point.varied)} occurs twice; a sweep has each set of parameters once")
        seen.add(point.plan.parameters)


def _name(varied: Sequence[str], texts: Sequence[str]) -> str:
    return ", ".join(f"{name}={text}" for name, text in zip(varied, texts))


def _number(octets: bytes) -> int:
    """The first eight bytes of the SHA-256, as a number that begins with its lowest byte."""
    return int.from_bytes(hashlib.sha256(octets).digest()[:8], "little")


def _choices(given: Given, chosen: Chosen) -> list[tuple[str, list[str]]]:
    """Returns the values of each parameter that was given: one, or several to combine."""
    choices: list[tuple[str, list[str]]] = []
    count = 1
    declared = {parameter.name: parameter for parameter in chosen.description.parameters}
    for name, text in given:
        if any(name == known for known, _ in choices):
            raise UsageError(f"parameter '{name}' is given twice")
        found = _values(name, text, declared.get(name))
        count *= len(found)
        if count > MOST:
            raise UsageError(f"more than {MOST} points; use fewer values")
        choices.append((name, found))
    return choices


def _combinations(choices: Sequence[tuple[str, list[str]]]) -> list[Given]:
    """Every value of the first parameter with every value of the second, and so on. The last one changes fastest."""
    sets: list[Given] = [[]]
    for name, found in choices:
        sets = [[*start, (name, value)] for start in sets for value in found]
    return sets


def _values(name: str, text: str, parameter: Optional[Parameter]) -> list[str]:
    """Returns the values that a text stands for: `8..13`, `0.1..0.5:0.05`, `3,5,10`, or a single value."""
    if parameter is None:
        return [text]
    try:
        values.slot(parameter, text)
        return [text]
    except ValueIsWrong:
        # In a list of names, a comma stands between the names.
        if parameter.kind == "several":
            return [text]
    found: list[str] = []
    for part in text.split(","):
        if len(found) > MOST:
            raise UsageError(f"more than {MOST} points; use fewer values")
        try:
            found += _range(part)
        except ValueIsWrong as why:
            raise of_value(text, f"parameter '{name}'", why) from None
    return found


def _range(text: str) -> list[str]:
    """Returns the numbers of a range, exactly: a sum of binary fractions would give 0.30000000000000004. A text that is no
    range stands for itself."""
    start, dots, rest = text.partition("..")
    if not dots:
        return [text]
    if rest.startswith("."):
        raise ValueIsWrong("a range has two dots, as in 3..10")
    end, colon, step = rest.partition(":")
    parts = [_decimal(part) for part in (start, end, step if colon else "1")]
    known = [part for part in parts if part is not None]
    if len(known) < 3:
        raise ValueIsWrong("a range is written like 3..10 or 0.1..0.5:0.05")
    if not colon and (known[0][1] or known[1][1]):
        raise ValueIsWrong("a range of real numbers has a step, as in 0.1..0.5:0.05")
    places = max(place for _, place in known)
    low, high, width = (digits * 10 ** (places - place) for digits, place in known)
    if max(abs(low), abs(high), width) >= 1 << 63:
        raise ValueIsWrong("a range has fewer digits")
    if low > high or width <= 0:
        raise ValueIsWrong("a range goes up, in steps above 0")
    if (high - low) // width >= MOST:
        raise ValueIsWrong(f"a range has at most {MOST} values")
    return [_fixed(units, places) for units in range(low, high + 1, width)]


def _decimal(text: str) -> Optional[tuple[int, int]]:
    """Returns a number without its decimal point, and its decimal places."""
    found = re.fullmatch(r"(-?[0-9]*)(?:\.([0-9]+))?", text)
    if found is None or not re.search("[0-9]", text):
        return None
    whole, part = found.group(1), found.group(2) or ""
    return (int(whole + part), len(part)) if len(part) <= _PLACES else None


def _fixed(units: int, places: int) -> str:
    if places == 0:
        return str(units)
    digits = str(abs(units)).rjust(places + 1, "0")
    return f"{'-' if units < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _points(path: str) -> tuple[tuple[str, ...], list[tuple[int, Given]]]:
    """Reads comma-separated values, with the names of parameters in the first line."""
    label = spelling.path(path)
    try:
        text = tables.octets(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Failure(f"{label} is not a text file") from None
    rows = [(number, [_cell(cell) for cell in line.split(",")]) for number, line in enumerate(text.splitlines(), 1)]
    rows = [row for row in rows if row[1] != [""]]
    if len(rows) < 2:
        raise Failure(
            f"{label} has no points; its first line has names of parameters, and each other line values")
    names = rows[0][1]
    if any(";" in name for name in names):
        raise Failure(f"{label} has semicolons; put commas between the values")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Failure(f"{label} has two columns {spelling.quoted(twice)}")
    if len(rows) - 1 > MOST:
        raise Failure(f"{label} has more than {MOST} points; use fewer")
    for number, cells in rows:
        if len(cells) != len(names):
            raise Failure(f"{label}, line {number}: {len(cells)} values, but {len(names)} names in the first")
    return tuple(names), [(number, list(zip(names, cells))) for number, cells in rows[1:]]


def _cell(text: str) -> str:
    """Some programs put quotation marks around every text."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
