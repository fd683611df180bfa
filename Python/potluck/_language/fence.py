"""Keeps an author's file that Python itself runs from everything but its trials.

The compiler has accepted the file, but it reads only what trials use. Python also runs what stands around them: decorators,
defaults of arguments, annotations, and methods with names of Python's own. The program for Linux has a box for that; this
fence is there on every system. It stops what Python reports to an audit hook: files, modules, processes, connections,
foreign functions. It is no sandbox against somebody who knows a hole of Python.
"""

from __future__ import annotations

import os
import sys

#: What trials do, and what Python does when it ends.
_HARMLESS = frozenset((
    "compile", "exec", "array.__new__", "object.__getattr__", "cpython._PySys_ClearAuditHooks",
    "cpython.PyInterpreterState_Clear"))
#: The end of the name of a table, which the reference reads when the class is there.
TABLE = ".table"


def close(folder: str) -> None:
    """Ends this process as soon as it does anything else than to compute and to read tables in a folder."""

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event in _HARMLESS or event == "open" and _is_table(arguments[:2]):
            return
        os.write(2, f"the file does something that no trial does ({event})\n".encode())
        os._exit(1)

    def _is_table(opened: tuple[object, ...]) -> bool:
        path, mode = opened
        is_here = isinstance(path, str) and os.path.dirname(path) == folder and path.endswith(TABLE)
        return is_here and mode == "r"

    sys.addaudithook(watch)
