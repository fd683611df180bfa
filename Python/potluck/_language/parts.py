"""The parts of an author's file: its class, and the statements of the file that the class uses."""

from __future__ import annotations

import ast
import symtable
from typing import Iterator

#: What the classes of authors inherit from.
BASES = ("Simulation", "Gathering")


def work_classes(body: list[ast.stmt]) -> list[ast.ClassDef]:
    """Returns the classes that inherit from Simulation or Gathering, by the name of the base."""
    return [
        each for each in body
        if isinstance(each, ast.ClassDef) and any(_last_name(base) in BASES for base in each.bases)]


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def needed(text: str, body: list[ast.stmt], root: ast.stmt) -> list[ast.stmt]:
    """Returns the statements of a file that a class uses, directly or by others, in their order, and the class itself.

    text: the file, of which `body` has the statements
    """
    scopes = Scopes(text)
    binding: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for name in bound(statement):
            binding.setdefault(name, []).append(statement)
    found: list[ast.stmt] = []
    waiting = [root]
    while waiting:
        statement = waiting.pop()
        if statement not in found:
            found.append(statement)
            waiting += [each for name in scopes.used(statement) for each in binding.get(name, [])]
    return [statement for statement in body if statement in found or _is_for_all(statement)]


def _is_for_all(statement: ast.stmt) -> bool:
    """Whether an import has a meaning for everything after it, and not for single names."""
    return isinstance(statement, ast.ImportFrom) and (
        statement.module == "__future__"
        or statement.module in ("math", "potluck") and statement.names[0].name == "*")


class Scopes:
    """Knows which names of a text are variables of its functions."""

    def __init__(self, text: str) -> None:
        #: The scopes at the top level, by their names. Several may have the same.
        self._tables: dict[str, list[symtable.SymbolTable]] = {}
        for table in symtable.symtable(text, "text", "exec").get_children():
            self._tables.setdefault(table.get_name(), []).append(table)

    def used(self, statement: ast.stmt) -> set[str]:
        """Returns the names from outside that a statement reads, without its own variables and without annotations."""
        names = _names(_walk(statement))
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            return names
        inner = {name for table in self._tables.get(statement.name, []) for name in _outer_names(table)}
        # What stands around the body is read outside of it.
        around: list[ast.AST] = list(statement.decorator_list)
        if isinstance(statement, ast.ClassDef):
            around += [*statement.bases, *statement.keywords]
        else:
            around += [each for each in (*statement.args.defaults, *statement.args.kw_defaults) if each is not None]
        return names & inner | {name for each in around for name in _names(_walk(each))}


def annotated(statement: ast.stmt) -> set[str]:
    """Returns the names in annotations."""
    return _names(ast.walk(statement)) - _names(_walk(statement))


def _names(nodes: Iterator[ast.AST]) -> set[str]:
    return {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _outer_names(table: symtable.SymbolTable) -> set[str]:
    names = {each.get_name() for each in table.get_symbols() if each.is_referenced() and each.is_global()}
    for child in table.get_children():
        names |= _outer_names(child)
    return names


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Walks a node without its annotations, which nothing evaluates."""
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def bound(statement: ast.stmt) -> set[str]:
    """Returns the names that a statement at the top level of a file gives a value."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    return {each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
