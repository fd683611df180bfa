"""What to run, as the words of a command line.

This is the only signature of `run`, `run_async` and `watch`. Everything that the program judges is left to it.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass, field
from typing import Callable, Mapping, Optional, Sequence, Union

from . import _cell, _data, _values
from ._cell import Subject
from ._data import Data
from ._errors import UsageError
from ._tally import Tally
from ._values import File, Precision, Time, Value

Callback = Callable[[Tally], Optional[object]]

#: Options that this module sets itself, or that would print something else.
RESERVED = frozenset({"code", "csv", "help", "json", "progress-json", "quiet", "verbose", "version", "watch"})


@dataclass(frozen=True)
class Order:
    """A run that was asked for."""

    simulation: str
    #: The options and parameters, without the simulation.
    words: tuple[str, ...]
    #: What other users of the machine must not see.
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    callback: Callback | None = None
    csv: str | None = None
    #: The keywords that were taken for parameters.
    keywords: tuple[str, ...] = ()
    #: The command of the program.
    verb: str = "run"
    #: Names lines of a class where its author wrote them, in what the program says.
    translate: Callable[[str], str] = field(default=str, repr=False, compare=False)

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters that were given."""
        return [word.split("=")[1] for word in self.words if word.startswith("--parameter=")]

    def command(self, live: bool) -> list[str]:
        """Returns the program's arguments. `live` asks for events while it runs."""
        output = ["--json", "--quiet", *(["--progress-json"] if live else [])]
        return [self.verb, *output, *self.words, "--", self.simulation]

    def explain(self, message: str) -> str:
        """Adds the option that a keyword may mean, where the program knows only its parameters."""
        return suggest(message, self.keywords, OPTIONS)


def suggest(message: str, keywords: Sequence[str], options: Sequence[str]) -> str:
    """Adds the option that a keyword may mean, where the program knows only its parameters."""
    for keyword in keywords:
        if f"unknown parameter '{_values.name(keyword)}'" in message and "did you mean" not in message:
            close = difflib.get_close_matches(keyword, options, n=1)
            return f"{message}; did you mean {close[0]}=?" if close else message
    return message


def order(
    simulation: Subject, *, trials: Union[int, float, str, None] = None, seed: Union[int, str, None] = None,
    until: Optional[Precision] = None, for_: Optional[Time] = None, cores: Optional[int] = None,
    priority: Optional[str] = None, inputs: Optional[Mapping[str, Data]] = None, output: Optional[File] = None,
    csv: Optional[File] = None, force: bool = False, session: Optional[str] = None, code: Optional[str] = None,
    open: bool = False, connect: Union[str, Sequence[str], None] = None, nodes: Optional[Sequence[str]] = None,
    wait_for: Optional[int] = None, start_in: Optional[Time] = None, browsers: bool = True,
    state: Optional[File] = None, ephemeral: bool = False,
    options: Optional[Mapping[str, Union[str, int, float, bool]]] = None,
    parameters: Optional[Mapping[str, Value]] = None, callback: Optional[Callback] = None, **keywords: Value,
) -> Order:
    """Makes an order.

    simulation: a built-in simulation, the path of a .py, .swift or .wasm file, or a class of your own
    trials, until, for_: when to stop: a number of trials, a precision (0.0001 or "0.01%", or {"wait": "1%", "p99": 0.5}
        for these readings only), seconds (or "1h30m")
    seed: seed of the random numbers; default: random
    cores, priority: how many cores, and how far to give way to other programs or, in a session, to other jobs
    inputs: tables to read, by name: files, lists or arrays, such as {"a": "a.txt", "b": numpy.arange(10)}
    output: a file for what the simulation writes; `force` overwrites it
    csv: a file for the result as a row of comma-separated values
    session: the room that computes it, with the five words as `code` (or POTLUCK_CODE), or `open` without words
    connect, nodes, wait_for, start_in, browsers: how the room is found, and who computes
    state, ephemeral: the folder for the history, or none
    options: any other option of 'potluck run' by its name, such as {"plugin-memory": "1G"}
    parameters: the simulation's parameters, if a name is no Python name or an option's
    callback: called with each tally while it runs
    keywords: the simulation's other parameters; underscores stand for dashes
    """
    words = _Words()
    words.add("trials", trials, _values.number)
    words.add("seed", seed, _values.number)
    words.add("until", until, _values.precision)
    words.add("for", for_, _values.time)
    words.add("cores", cores, _values.number)
    words.add("priority", priority, str)
    words.add("output", output, _output)
    words.flag("force", force)
    words.add("session", session, str)
    words.flag("open", open)
    for place in [connect] if isinstance(connect, str) else connect or ():
        words.add("connect", place, str)
    words.add("nodes", nodes, _values.word)
    words.add("wait-for", wait_for, _values.number)
    words.add("start-in", start_in, _values.time)
    words.flag("no-browsers", not browsers)
    words.add("state", state, _values.path)
    words.flag("ephemeral", ephemeral)
    words.others(options or {})
    for name, file in (inputs or {}).items():
        words.add("input", f"{name}={_data.path(name, file)}", str)
    words.parameters(parameters or {})
    words.parameters({_values.name(keyword): value for keyword, value in keywords.items()})
    source = _cell.of(simulation)
    return Order(
        source.path, tuple(words.words), {} if code is None else {"POTLUCK_CODE": code}, callback,
        None if csv is None else _csv(csv, force), tuple(keywords), translate=source.translate)


#: The names of the options.
OPTIONS = tuple(name for name in order.__annotations__ if name not in ("simulation", "keywords", "return"))


class _Words:
    """Collects words. A value is attached to its option, so that no value is taken for an option."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def add(self, name: str, value: object, word: Callable[..., str]) -> None:
        if value is None:
            return
        text = word(value)
        if "\0" in text:
            raise UsageError(f"the value of {name} contains a zero byte")
        self.words.append(f"--{name}={text}")

    def flag(self, name: str, value: bool) -> None:
        if value:
            self.words.append(f"--{name}")

    def others(self, options: Mapping[str, Union[str, int, float, bool]]) -> None:
        for name, value in options.items():
            if name in RESERVED or not name or not all(letter.isalnum() or letter == "-" for letter in name):
                raise UsageError(f"{name!r} cannot be set by options=")
            if isinstance(value, bool):
                self.flag(name, value)
            else:
                self.add(name, value, _values.number)

    def parameters(self, values: Mapping[str, Value]) -> None:
        for name, value in values.items():
            if not name or "=" in name:
                raise UsageError(f"{name!r} is not a parameter's name")
            self.add("parameter", f"{name}={_values.word(value)}", str)


def _csv(value: File, force: bool) -> str:
    """Returns the file for the rows. It is written after the run, which may take hours, so what would fail then is
    refused now."""
    text = _values.path(value)
    folder, name = os.path.split(text)
    if "\0" in text:
        raise UsageError("the value of csv contains a zero byte")
    if not name or os.path.isdir(text):
        raise UsageError(f"csv must be a file, and '{text}' is a folder; add a file's name")
    if os.path.exists(text):
        if not force:
            raise UsageError(f"'{text}' exists; use force=True to overwrite it")
        if not os.access(text, os.W_OK):
            raise UsageError(f"cannot write '{text}'; choose another file for csv")
    elif not os.path.isdir(folder or "."):
        raise UsageError(f"there is no folder '{folder}' for csv; create it first")
    # The name may be a link to a file that does not exist yet.
    elif not os.access(os.path.dirname(os.path.realpath(text)), os.W_OK | os.X_OK):
        raise UsageError(f"cannot create '{text}'; choose another folder for csv")
    return text


def _output(value: File) -> str:
    text = _values.path(value)
    if text == "-":
        raise UsageError("output must be a file; stdout is for the result")
    return text
