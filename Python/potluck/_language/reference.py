"""Plays an author's file in plain Python, with the checks of a module: what the module must agree with, bit for bit."""

from __future__ import annotations

import ast
import os
import re
import sys
from array import array
from types import SimpleNamespace, TracebackType
from typing import Any, Callable, Mapping, Optional

from . import checked_math, checks, fence, sentences
from .checked import CHECKS, MATH, checked
from .checks import Failure
from .parts import needed, work_classes

#: Functions that call themselves may do so more often in a module than Python's own limit allows. Deeper calls would
#: end an older Python without a word.
DEPTH = 10_000


def play(
    path: str, label: str, seed: int, first: int, blocks: int, trials: int, parameters: Mapping[str, str],
    begin: Callable[[], None] = lambda: None,
) -> dict[str, object]:
    """Plays blocks of a file's simulation, or of its gathering.

    label: the file's name for people
    trials: in all of these blocks; only the last one may have fewer than the others
    parameters: the words that users type, by name; of a table how many numbers a row has, which are in the file NAME.table
    begin: called before anything of the file runs

    Returns the slots of the tally over the blocks that ended, as decimal texts; of a gathering with those of its print.
    `failure` is why a block failed, and `conflict` why `prepare` refused the parameters; None if nothing is wrong.
    `unread` is why a reading has no value, by its name.
    """
    with open(path, encoding="utf-8") as file:
        text = file.read()
    player: Optional[_Player] = None
    failure = conflict = None
    unread: dict[str, str] = {}
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEPTH))
    try:
        player = _Player(_made(_class(text, label, begin), parameters), seed, trials)
        player.play(first, blocks)
        unread = player.unread()
    except Failure as error:
        if error.is_authors and player is None:
            conflict = error.sentence
        else:
            failure = sentences.at(error.line, error.sentence)
    except Exception as error:
        failure = _of_python(error, label)
    finally:
        sys.setrecursionlimit(limit)
    return {"slots": [] if player is None else [str(slot) for slot in player.slots()], "failure": failure,
            "conflict": conflict, "unread": unread}


def _class(text: str, label: str, begin: Callable[[], None] = lambda: None) -> type:
    """Executes the class of a file, and what it uses of the file, with checks."""
    tree = ast.parse(text, label)
    found = work_classes(tree.body)
    if len(found) != 1:
        raise ValueError(f"{label} has {len(found)} simulations; put one in each file")
    code = compile(checked(needed(text, tree.body, found[0])), label, "exec", dont_inherit=True)
    names = {CHECKS: checks, MATH: checked_math.MODULE, "__name__": "simulation"}
    begin()
    exec(code, names)
    made: type = names[found[0].name]  # type: ignore[assignment]
    return made


def _made(kind: Callable[..., Any], parameters: Mapping[str, str]) -> Any:
    """Makes an instance. Its `prepare` runs."""
    declared = {parameter.word: parameter for parameter in getattr(kind, "_parameters").values()}
    tables = {table.word: name for name, table in getattr(kind, "_tables").items()}
    kinds = {word: declared[word].kind for word in parameters if word in declared}
    return kind(**{
        tables.get(word, word): _rows(word, int(text)) if word in tables else _value(kinds.get(word, ""), text)
        for word, text in parameters.items()})


def _rows(word: str, columns: int) -> list[array[float]]:
    """Reads a table of real numbers, of eight bytes each."""
    with open(os.path.join(os.getcwd(), f"{word}{fence.TABLE}"), "rb") as file:
        numbers = array("d", file.read())
    if sys.byteorder == "big":
        numbers.byteswap()
    return [numbers[start:start + columns] for start in range(0, len(numbers), columns)]


def _value(kind: str, text: str) -> object:
    """Reads a parameter as users type it."""
    if kind == "flag":
        return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(text, text)
    if kind in ("integer", "real"):
        try:
            return int(text)
        except ValueError:
            return float(text)
    return text


class _Player:
    """Plays blocks of an instance, and adds up those that end."""

    def __init__(self, work: Any, seed: int, trials: int) -> None:
        from potluck import Gathering
        from potluck._kit.output import Print

        self._work, self._seed, self._played, self._left = work, seed, trials, trials
        try:
            self._size: int = work.trials_in_block
        except OverflowError:
            # A number of steps that is infinite.
            raise Failure(type(work).steps.__code__.co_firstlineno, sentences.CONVERSION) from None
        self._units: Optional[int] = work.units() if isinstance(work, Gathering) else None
        self._print = Print()
        self._total = {name: each.empty() for name, each in work._fields.items()}

    def play(self, first: int, blocks: int) -> None:
        """Plays these blocks, as far as there are trials."""
        for block in range(first, first + blocks):
            count = min(self._size, self._left)
            if count > 0:
                self._block(block, count)
            self._left -= count

    def _block(self, block: int, count: int) -> None:
        from potluck import _played

        work = self._work
        work._empty()
        if self._units is None:
            _played.play_lanes(work.trial, self._seed, count, self._size, block)
        else:
            end = min(self._units, block * self._size + count)
            _, printed = _played.play_blocks(
                work.block, self._seed, end, self._size, block, writes=work.writes != "nothing")
            self._print.merge(printed.slots())
        for name, each in self._total.items():
            each.merge(vars(work)[name].slots())

    def unread(self) -> dict[str, str]:
        """Why readings of these blocks have no value, or no exact answer: the line and the sentence, by name."""
        found: dict[str, str] = {}

        def watched(name: str, function: Any) -> Any:
            def call(*arguments: Any) -> Any:
                try:
                    return function(*arguments)
                except Failure as error:
                    found.setdefault(name, sentences.at(error.line, error.sentence))
                    raise

            return function and call

        from potluck._kit.readings import estimate, number

        tally = SimpleNamespace(**self._total)
        for rule in self._work._rules:
            name = rule.name
            rule = rule._replace(function=watched(name, rule.function))
            estimate(rule, self._work, tally, self._played, of_trials=self._units is None)
            number(watched(f"the exact answer of {name}", rule.exact), self._work)
        return found

    def slots(self) -> list[int]:
        """The slots of the blocks that ended."""
        fields = [*self._total.values(), *([] if self._units is None else [self._print])]
        return [slot for each in fields for slot in each.slots()]


#: What Python says of an error that no check has caught, as a sentence of the language.
_SENTENCES: dict[type[BaseException], str] = {
    IndexError: sentences.INDEX, ZeroDivisionError: sentences.DIVISION, OverflowError: sentences.CONVERSION,
    MemoryError: sentences.MEMORY, RecursionError: sentences.DEPTH}


#: The words of a ValueError of Python.
_WORDS = {"unpack": sentences.UNPACK, "not in list": sentences.MISSING}


def _of_python(error: Exception, label: str) -> str:
    """Returns what a run says of an error of Python. Raises it again if it did not happen in the author's file."""
    line = _line(error.__traceback__, label)
    if line is None:
        raise error
    if isinstance(error, (NameError, AttributeError)):
        name = re.search("'([^']*)'(?!.*'[^']*')" if isinstance(error, AttributeError) else "'([^']*)'", str(error))
        if name is not None:
            return sentences.at(line, sentences.unbound(name.group(1)))
    for words, sentence in _WORDS.items():
        if isinstance(error, ValueError) and words in str(error):
            return sentences.at(line, sentence)
    return sentences.at(line, _SENTENCES.get(type(error), f"{type(error).__name__}: {error}"))


def _line(trace: Optional[TracebackType], label: str) -> Optional[int]:
    """Returns the innermost line of the author's file."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == label:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found
