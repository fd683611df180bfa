"""What a class uses of the names around it, as text that can come along with it."""

from __future__ import annotations

import ast
import inspect
import linecache
import math
import os
import sys
import textwrap
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from ._errors import UsageError
from ._language.parts import Scopes, annotated


@dataclass(frozen=True)
class Piece:
    """Some lines of source, and where they come from."""

    name: str
    #: Whole lines.
    text: str
    node: ast.stmt
    #: The file; one that does not exist is a notebook's cell.
    origin: str = ""
    #: Its first line there; 0 if nobody wrote it.
    line: int = 0

    @property
    def origin_name(self) -> str:
        """The file's name, or the cell, as people know it; the line itself if nobody wrote it."""
        if self.line == 0:
            return f"'{self.text.strip()}'"
        return self.origin if os.path.exists(self.origin) else _cell_name(self.origin) or f"the cell of {self.name}"

    @classmethod
    def of(cls, node: Union[ast.ClassDef, ast.FunctionDef], lines: Sequence[str], origin: str) -> Piece:
        """Returns the lines of a definition."""
        first = _first_line(node)
        text = textwrap.dedent("".join(lines[first - 1:node.end_lineno]))
        return cls(node.name, text if text.endswith("\n") else text + "\n", node, origin, first)

    @classmethod
    def made(cls, name: str, text: str) -> Piece:
        """Returns a line that nobody wrote."""
        return cls(name, text + "\n", ast.parse(text).body[0])


def _cell_name(origin: str) -> Optional[str]:
    """Returns what a notebook calls a cell, such as In[5]; None if it does not say."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    named = getattr(getattr(shell, "compile", None), "format_code_name", lambda name: None)(origin)
    return str(named[1]) if named is not None else None


class Along:
    """Collects what comes along with a class."""

    def __init__(self, work: type, piece: Piece) -> None:
        self._work = work
        self._root = piece
        #: By name, with the value that each has.
        self._found: dict[str, tuple[Piece, object]] = {}

    def pieces(self) -> list[Piece]:
        """Returns imports and constants, functions, and the class."""
        methods = [each for each in vars(self._work).values() if isinstance(each, FunctionType)]
        scope = {name: value for method in methods for name, value in _scope(method).items()}
        self._take(self._root, scope, self._work.__name__)
        found = [piece for piece, _ in self._found.values()]
        # Imports come first, and then constants. A constant is written by its value, so it needs no other before it.
        found.sort(key=lambda piece: (piece.line > 0, isinstance(piece.node, ast.Assign)))
        return [*found, self._root]

    def _take(self, piece: Piece, scope: Mapping[str, Any], user: str) -> None:
        for name in sorted(Scopes(piece.text).used(piece.node)):
            if name in scope:
                self._name(name, scope[name], user)
        for name in sorted(annotated(piece.node)):
            # Other annotations mean nothing to the compiler.
            if name in scope and (_is_of_potluck(scope[name]) or scope[name] is sys.modules["potluck"]):
                self._name(name, scope[name], user)

    def _name(self, name: str, value: object, user: str) -> None:
        if name == self._work.__name__ and value is self._work:
            return
        if name in self._found:
            if self._found[name][1] is not value:
                raise UsageError(f"{user} and {self._work.__name__} mean different things by '{name}'; rename one")
            return
        if isinstance(value, FunctionType) and not _is_of_potluck(value):
            piece = _function(name, value, user)
            self._found[name] = piece, value
            self._take(piece, _scope(value), name)
        else:
            self._found[name] = Piece.made(name, _line(name, value, user)), value


def _is_of_potluck(value: object) -> bool:
    return str(getattr(value, "__module__", "")).split(".")[0] == "potluck"


def _scope(function: FunctionType) -> dict[str, Any]:
    """Returns the names that a function can read: those of its module, and those around it."""
    return {**function.__globals__, **inspect.getclosurevars(function).nonlocals}


def parsed(lines: Sequence[str]) -> ast.Module:
    """Returns the tree of a source, without statements if Python cannot read it."""
    try:
        return ast.parse("".join(lines))
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def _first_line(node: Union[ast.ClassDef, ast.FunctionDef]) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def defines(code: CodeType) -> Callable[[ast.AST], bool]:
    """Returns whether a node is the `def` of this code."""
    return lambda node: (
        isinstance(node, ast.FunctionDef) and node.name == code.co_name and _first_line(node) == code.co_firstlineno)


def _function(name: str, function: FunctionType, user: str) -> Piece:
    """Returns the source of a function."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    for node in filter(defines(code), ast.walk(parsed(lines))):
        assert isinstance(node, ast.FunctionDef)
        if name != node.name:
            raise UsageError(f"{user} uses the function {node.name} as '{name}'; use it by its own name")
        return Piece.of(node, lines, code.co_filename)
    raise UsageError(f"{user} uses '{name}', whose source cannot be read; write it with def in a file or in a cell")


def _line(name: str, value: Any, user: str) -> str:
    """Returns the line that gives a name its value."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + ("" if value.__name__ == name else f" as {name}")
    own = getattr(value, "__name__", None)
    if isinstance(value, (type, FunctionType, BuiltinFunctionType)) and isinstance(own, str):
        module = "potluck" if _is_of_potluck(value) else str(value.__module__)
        if getattr(sys.modules.get(module), own, None) is value:
            return f"from {module} import {own}" + ("" if own == name else f" as {name}")
    literal = _literal(value)
    if literal is None:
        hint = f"write {name} = {name}.tolist() first" if hasattr(value, "tolist") else "use numbers, tuples and lists"
        raise UsageError(f"{user} uses '{name}', and a value of type {type(value).__name__} cannot come along; {hint}")
    return f"{name} = {literal}"


def _literal(value: Any) -> Optional[str]:
    """Returns a constant as it is written; None if it cannot be."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        # A scalar of NumPy.
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return repr(value)
    if isinstance(value, float):
        number = float(value)
        if math.isnan(number):
            return "1e999 - 1e999"
        # Python reads a number that is too large as infinity.
        return repr(number).replace("inf", "1e999")
    if type(value) in (tuple, list):
        parts = [_literal(each) for each in value]
        if any(part is None for part in parts):
            return None
        inner = ", ".join(str(part) for part in parts)
        if isinstance(value, tuple):
            return f"({inner},)" if len(parts) == 1 else f"({inner})"
        return f"[{inner}]"
    return None
