"""Asks the program a question that it answers at once."""

from __future__ import annotations

from typing import Any, Callable, Sequence

from . import _child, _json
from ._talk import failure


def ask(words: Sequence[str], translate: Callable[[str], str] = str) -> Any:
    """Returns the JSON that the program prints. Raises its error, in which `translate` may change lines."""
    answer, said = bytearray(), bytearray()
    code = _child.communicate(words, {}, answer.extend, said.extend)
    if code != 0:
        raise failure(code, translate(said.decode("utf-8", "replace")))
    return _json.parse(bytes(answer))


def objects(words: Sequence[str]) -> list[Any]:
    """Returns the entries of a list that the program prints."""
    value = ask(words)
    if not isinstance(value, list):
        raise _json.unexpected("no list")
    return value
