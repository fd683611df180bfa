"""The compiler, called within this process as the program calls it."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional
from unittest import mock

from potluck._language import link, wasm

from ..support import PROGRAM, ROOT

_MESSAGE = re.compile(r"^(?P<label>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<kind>error|note): (?P<sentence>.+)$")

# All files that this process compiles have the same runtime, which is read once.
link.Module = functools.lru_cache(maxsize=1)(link.Module)  # type: ignore[assignment,misc]
wasm.calls = functools.lru_cache(maxsize=1024)(wasm.calls)


class Message(NamedTuple):
    """A line that the compiler prints: an error, or a note about another place."""

    line: int
    column: int
    kind: str
    sentence: str


class Refused(Exception):
    """The compiler refused a file. `messages` is what it said."""

    def __init__(self, messages: list[Message]) -> None:
        super().__init__("\n".join(f"line {m.line}: {m.kind}: {m.sentence}" for m in messages))
        self.messages = messages


class Broken(Exception):
    """The compiler itself failed, or said something that no author can use."""


def runtime() -> Optional[Path]:
    """Returns the module with the kit that compiled files are put into."""
    named = os.environ.get("POTLUCK_PYTHON_RUNTIME")
    places = [Path(named)] if named else []
    places += [ROOT / ".build/python/runtime.wasm", Path(PROGRAM).resolve().parent.parent / "python/runtime.wasm",
               Path(PROGRAM).resolve().parent.parent / "lib/potluck/python/runtime.wasm"]
    return next((place for place in places if place.exists()), None)


def compiled(path: Path, label: str, out: Path) -> bytes:
    """Compiles a file. Returns the module, or raises what is wrong with the file."""
    from potluck._language.command import main

    printed = io.StringIO()
    words = ["compile", str(path), "--label", label, "--runtime", str(runtime()), "--out", str(out)]
    try:
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            code = main(words)
    except SystemExit as exit:
        code = exit.code
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}") from error
    if not code:
        return out.read_bytes()
    raise Refused(messages(printed.getvalue(), label))


@contextlib.contextmanager
def exporting(*names: str) -> Iterator[None]:
    """Within it, modules export only these functions. They need less time to compile."""
    export = link.Program.export

    def chosen(program: Any, name: str, index: int) -> None:
        if name in names:
            export(program, name, index)

    with mock.patch.object(link.Program, "export", chosen):
        yield


def messages(text: str, label: str) -> list[Message]:
    """Takes the lines apart that the compiler printed. Each must have the form of a compiler's message."""
    found = []
    for line in text.splitlines():
        match = _MESSAGE.match(line)
        if match is None or match["label"] != label:
            raise Broken(f"not a message: {line}")
        found.append(Message(int(match["line"]), int(match["column"]), match["kind"], match["sentence"]))
    if not found or found[0].kind != "error":
        raise Broken(f"no error: {text}")
    return found
