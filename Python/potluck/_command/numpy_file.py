"""NumPy's files of one array (.npy): a head that describes the array, and its numbers without text (NumPyFile.swift)."""

from __future__ import annotations

import math
import re
import struct

from .failures import Failure

_MAGIC = b"\x93NUMPY"
#: The longest head that is read. Those of arrays of plain numbers have 128 bytes.
_LONGEST = 1 << 16
#: NumPy begins the numbers at a multiple of this.
_ALIGNMENT = 64
#: The kinds of numbers, by NumPy's names, as `struct` names them.
_KINDS = {"'<f8'": "d", "'<f4'": "f", "'<i8'": "q", "'<i4'": "i", "'|u1'": "B", "'|b1'": "B"}


def is_one(content: bytes) -> bool:
    return content.startswith(_MAGIC)


def read(content: bytes, label: str, most: int) -> tuple[int, int, tuple[float, ...]]:
    """Returns the rows, the columns and the numbers of an array. An array of one dimension is a column."""
    text, start = _head(content, label)
    described = _value("descr", text)
    kind = _KINDS.get(described)
    if kind is None:
        raise Failure(f"{label} has {_advice(described)}")
    if _value("fortran_order", text) != "False":
        raise Failure(f"{label} has its columns first; save the array again with numpy.ascontiguousarray(a)")
    shape = _value("shape", text)
    sizes = [size.strip() for size in shape[1:-1].split(",") if size.strip()]
    if shape[:1] != "(" or len(sizes) not in (1, 2) or not all(re.fullmatch("[0-9]+", size) for size in sizes):
        raise Failure(f"{label} must have one or two dimensions; save a table of rows")
    rows, columns = int(sizes[0]), int(sizes[1]) if len(sizes) == 2 else 1
    count, size = rows * columns, struct.calcsize(f"<{kind}")
    if count > most:
        raise Failure(f"{label} is too large: a table has at most {most} numbers, such as 8192 rows of as many; split it")
    if count == 0:
        raise Failure(f"{label} has no numbers")
    if len(content) - start != count * size:
        raise Failure(
            f"{label} is damaged: it has {len(content) - start} bytes of numbers instead of {count * size}; copy it again")
    numbers = struct.unpack(f"<{count}{kind}", content[start:])
    for index, number in enumerate(numbers):
        if not math.isfinite(number) or kind == "q" and abs(number) > 1 << 53:
            raise Failure(
                f"{label}, row {index // columns}, column {index % columns}: a table has finite numbers, and whole numbers "
                "up to 2^53; leave out the row")
    return rows, columns, tuple(map(float, numbers))


def _advice(described: str) -> str:
    """Says what an array holds in place of plain numbers, and what to save instead."""
    if described.startswith("["):
        return "records with named fields; write them as text, with a line of the names"
    letter = described.lstrip("'<>=|")[:1]
    if letter == "c":
        return "complex numbers; save a.real or a.imag"
    if letter in ("U", "S", "a"):
        return "texts; save a.astype(float), or a number for each text"
    if letter == "O":
        return "Python objects; save a.astype(float)"
    if letter in ("M", "m"):
        return "dates or times; save a.astype('int64')"
    return "numbers of another kind than float64, float32, int64, int32, uint8 and bool; save a.astype('<f8')"


def head(rows: int, columns: int) -> bytes:
    """Returns what comes before the numbers of an array of float64, with one dimension if there is one column."""
    shape = f"({rows},)" if columns == 1 else f"({rows}, {columns})"
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    before = len(_MAGIC) + 4
    text += " " * (-(before + len(text) + 1) % _ALIGNMENT) + "\n"
    return _MAGIC + struct.pack("<BBH", 1, 0, len(text)) + text.encode()


def _head(content: bytes, label: str) -> tuple[str, int]:
    """Returns the text of the head, and where the numbers begin."""
    damaged = Failure(f"{label} is damaged: its head is cut off; copy it again")
    if len(content) <= len(_MAGIC) + 1:
        raise damaged
    version = content[len(_MAGIC)]
    if not 1 <= version <= 3:
        raise Failure(f"{label} has version {version} of NumPy's form, which is unknown; update potluck")
    start = len(_MAGIC) + 2 + (2 if version == 1 else 4)
    length = int.from_bytes(content[len(_MAGIC) + 2:start], "little")
    if length > _LONGEST or len(content) < start + length:
        raise damaged
    return content[start:start + length].decode("utf-8", "replace"), start + length


def _value(key: str, text: str) -> str:
    """Returns the value of a key of a head, which is a dictionary as Python writes it; empty if there is none."""
    parts = text.split(f"'{key}':")
    found = re.match(r" *(\([^)]*\)|\[[^]]*\]|[^,(]*)[, ]", parts[1]) if len(parts) == 2 else None
    return found.group(1).strip() if found else ""
