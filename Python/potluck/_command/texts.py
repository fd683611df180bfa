"""Texts that the program for Linux has, too, in the folder `texts`: each of them is written once."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "texts"


def read(name: str) -> str:
    """A file of the folder."""
    return (_FOLDER / name).read_text(encoding="utf-8")


@lru_cache(maxsize=None)
def _check() -> dict[str, str]:
    lines = (line.split(" ", 1) for line in read("check.txt").splitlines())
    return {name: sentence for name, sentence in lines}


def text(of: str, /, **values: object) -> str:
    """A sentence of `potluck check`, with values in place of its {names}."""
    return _check()[of].format_map(values)
