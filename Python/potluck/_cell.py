"""Makes a file of a class, wherever it was defined: in a file, in a notebook's cell, or at a prompt that keeps text.

The file has the class, and what the class uses of the names around it: constants as literals, functions with their
source, and imports. So the same class with another constant is another file, and another simulation.
"""

from __future__ import annotations

import ast
import linecache
import os
import re
from dataclasses import dataclass, field
from types import FunctionType
from typing import Mapping, Type, Union

from . import _kept, _values
from ._along import Along, Piece, defines, parsed
from ._author import Work
from ._errors import PotluckError, UsageError
from ._language.parts import needed, work_classes
from ._values import File


#: What can be run: a name, a file, or a class of one's own.
Subject = Union[File, Type[Work]]


@dataclass(frozen=True)
class Source:
    """What the program is given, a name or a file, and where its lines come from."""

    path: str
    #: For each line of a file that was made, from 1, its place as people know it; empty if the file is their own.
    places: Mapping[int, tuple[str, int]] = field(default_factory=dict)

    def translate(self, said: str) -> str:
        """Puts the author's own lines in place of those of the file, in what the program says."""
        if not self.places:
            return said
        return "".join(map(self._line, said.splitlines(keepends=True)))

    def _line(self, said: str) -> str:
        base = os.path.basename(self.path)
        if base not in said:
            # It is about another file.
            return said
        name = rf"{re.escape(self.path)}|{re.escape(base)}"
        said = re.sub(rf"(potluck [a-z]+ )?(?:{name})(?::(\d+))?", self._of_file, said)
        return re.sub(r"\bline (\d+)(?=:)", lambda found: self._place(found.group(1), "line {line} of {name}"), said)

    def _of_file(self, found: "re.Match[str]") -> str:
        command, line = found.groups()
        if command:
            # It would do nothing without the file.
            return found.group()
        return self.places[max(self.places)][0] if line is None else self._place(line, "{name}:{line}")

    def _place(self, number: str, form: str) -> str:
        name, line = self.places.get(int(number), (os.path.basename(self.path), int(number)))
        # A line that nobody wrote is shown itself.
        return form.format(name=name, line=line) if line else name


def of(subject: Subject) -> Source:
    """Returns what the program is given for a name, a file or a class. Writes the file of a class."""
    if isinstance(subject, Work):
        call = ", ".join([type(subject).__name__, *subject._chosen()])
        raise UsageError(f"give the class and its parameters: potluck.run({call}), without making an instance")
    if not isinstance(subject, (type, str, os.PathLike)):
        raise UsageError(
            f"{subject!r} is no simulation; give a class of your own, a file, or a name such as \"pi\"")
    if not isinstance(subject, type):
        return Source(_values.path(subject))
    if not issubclass(subject, Work):
        raise UsageError(f"{subject.__name__} is no simulation; inherit from potluck.Simulation")
    for base in subject.__mro__[1:]:
        if issubclass(base, Work) and base.__module__ != Work.__module__:
            raise UsageError(
                f"{subject.__name__} inherits from {base.__name__}; write one class that inherits from "
                "potluck.Simulation")
    piece = _piece(subject)
    return Source(piece.origin) if _is_whole_file(piece) else _write(subject, Along(subject, piece).pieces())


def _piece(work: Type[Work]) -> Piece:
    """Returns the source of a class, by the place of one of its methods."""
    methods = [each for each in vars(work).values() if isinstance(each, FunctionType) and each.__name__ != "<lambda>"]
    if not methods:
        raise UsageError(f"{work.__name__} has no method trial(self, random)")
    code = methods[0].__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, methods[0].__globals__)
    if not lines:
        raise PotluckError(
            f"cannot read the source of {work.__name__}; write the class in a file or in a notebook's cell")
    for node in ast.walk(parsed(lines)):
        if isinstance(node, ast.ClassDef) and node.name == work.__name__ and any(map(defines(code), node.body)):
            return Piece.of(node, lines, code.co_filename)
    raise PotluckError(f"the source of {work.__name__} has changed since Python read it; import it again")


def _is_whole_file(piece: Piece) -> bool:
    """Whether the author's own file is what a module can be made from: with one simulation, which needs no other file
    and no value that only running the file gives."""
    if not os.path.isfile(piece.origin) or not piece.origin.endswith(".py"):
        return False
    text = "".join(linecache.getlines(piece.origin))
    body = ast.parse(text).body
    classes = work_classes(body)
    return len(classes) == 1 and classes[0].name == piece.name and all(
        map(_is_plain, needed(text, body, classes[0])))


def _is_plain(statement: ast.stmt) -> bool:
    """Whether the compiler reads a statement as Python does, without running the file."""
    if isinstance(statement, ast.Import):
        return all(alias.name in ("math", "potluck") for alias in statement.names)
    if isinstance(statement, ast.ImportFrom):
        return statement.module in ("math", "potluck", "__future__") and statement.level == 0
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not any(isinstance(each, (ast.Call, ast.comprehension)) for each in ast.walk(statement))
    return isinstance(statement, (ast.FunctionDef, ast.ClassDef))


def _write(work: Type[Work], pieces: list[Piece]) -> Source:
    """Writes the file, unless it is there."""
    text = ""
    places: dict[int, tuple[str, int]] = {}
    for piece in pieces:
        text += "\n\n" if piece.line else ""
        start = text.count("\n") + 1
        for place in range(piece.text.count("\n")):
            places[start + place] = (piece.origin_name, piece.line + place if piece.line else 0)
        text += piece.text
    octets = text.encode()
    name = re.sub(r"[^a-z0-9-]", "", work.name) or "simulation"
    return Source(_kept.write(name, ".py", octets), places)
