"""What comes with the package: the modules of the built-in simulations, and the runtime of simulations in Python.

The wheel for all systems has them beside this package's code, and an installation of the program for Linux in its own folder,
`lib/potluck`, of which this package is a part.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Optional

from .failures import Failure

_PACKAGE = Path(__file__).resolve().parent.parent
#: The folders of modules, and the files of the runtime, in the order of search.
_MODULES = (_PACKAGE / "_bundle/modules", _PACKAGE.parent.parent / "modules", _PACKAGE.parent.parent / ".build/modules")
_RUNTIMES = (
    _PACKAGE / "_bundle/runtime.wasm", _PACKAGE.parent / "runtime.wasm",
    _PACKAGE.parent.parent / ".build/python/runtime.wasm")
_VERSION = _PACKAGE / "_bundle/version"


@lru_cache(maxsize=1)
def _folder() -> Optional[Path]:
    return next((folder for folder in _MODULES if folder.is_dir()), None)


def names() -> list[str]:
    """The names of the built-in simulations."""
    folder = _folder()
    return sorted(file.stem for file in folder.glob("*.wasm")) if folder is not None else []


def module(name: str) -> bytes:
    """The module of a built-in simulation."""
    folder = _folder()
    if folder is None:
        raise Failure("the modules of the built-in simulations are missing; install the wheel again")
    return (folder / f"{name}.wasm").read_bytes()


def runtime() -> bytes:
    """The runtime that simulations in Python are compiled into."""
    found = next((file for file in _RUNTIMES if file.is_file()), None)
    if found is None:
        raise Failure("the runtime for simulations in Python is missing; install the wheel again")
    return found.read_bytes()


def version() -> str:
    """The version of Potluck."""
    if _VERSION.is_file():
        return _VERSION.read_text(encoding="utf-8").strip()
    source = _PACKAGE.parent.parent / "Sources/Core/Model/Version.swift"
    found = re.search(r'potluckVersion = "(.*)"', source.read_text()) if source.is_file() else None
    return found.group(1) if found else "unknown"
