"""Files that this module writes for the program, and keeps for the commands that repeat runs."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

from . import _platform
from ._errors import PotluckError

#: A file that nothing has used for so long is removed: the history may still name it in the command that repeats a run.
KEPT_SECONDS = 30 * 86_400
#: As much of the hash of a file as its name has.
HASH_LETTERS = 16


def write(name: str, ending: str, octets: bytes) -> str:
    """Writes a file whose name says what it has, and returns its path."""
    folder = _platform.cache_folder() / "cells"
    path = folder / f"{name}-{hashlib.sha256(octets).hexdigest()[:HASH_LETTERS]}{ending}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_old(folder)
        part = folder / f".{path.name}.{os.getpid()}"
        part.write_bytes(octets)
        part.replace(path)
    except OSError as error:
        raise PotluckError(
            f"cannot write {path}: {error.strerror}; set XDG_CACHE_HOME to a folder that you may write to") from error
    return str(path)


def _remove_old(folder: Path) -> None:
    """Removes files that nothing has used for long. Each use writes its file again."""
    for file in folder.iterdir():
        try:
            if time.time() - file.stat().st_mtime > KEPT_SECONDS:
                file.unlink()
        except FileNotFoundError:
            # Another process has removed it.
            continue
