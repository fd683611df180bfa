"""Makes a program that shows a difference shorter, as long as it still shows one."""

from __future__ import annotations

import ast
from typing import Iterator

from .differ import Differ
from .programs import Program


def _kind(difference: str | None) -> str:
    """What is kept while a program becomes shorter: the first words of the difference without its numbers."""
    if difference is None:
        return ""
    text = "".join(letter for letter in difference.split("\n")[-1] if not letter.isdigit())
    return text.split(":")[0] + text.split(":")[-1][:30]


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield body


def _shorter(source: str) -> Iterator[str]:
    """Gives programs that are a statement or an expression shorter."""
    count = sum(len(body) for body in _bodies(ast.parse(source)))
    for wanted in reversed(range(count)):
        tree = ast.parse(source)
        place = wanted
        for body in _bodies(tree):
            if place < len(body):
                removed = body.pop(place)
                # A loop or a branch may also leave its body behind.
                yield ast.unparse(tree)
                inner = getattr(removed, "body", None)
                if isinstance(inner, list) and not isinstance(removed, (ast.ClassDef, ast.FunctionDef)):
                    body[place:place] = inner
                    yield ast.unparse(tree)
                break
            place -= len(body)
    yield from _simpler(source)


def _simpler(source: str) -> Iterator[str]:
    """Gives programs in which an expression is one of its own parts."""
    count = sum(isinstance(node, ast.expr) for node in ast.walk(ast.parse(source)))
    for wanted in range(count):
        for part in range(3):
            tree = ast.parse(source)
            if _replace(tree, wanted, part):
                yield ast.unparse(tree)


def _replace(tree: ast.AST, wanted: int, part: int) -> bool:
    place = 0
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            for index, old in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(old, ast.expr):
                    continue
                if place == wanted:
                    parts = [each for each in ast.iter_child_nodes(old) if isinstance(each, ast.expr)]
                    if isinstance(old, ast.Constant) or part >= len(parts):
                        return False
                    if isinstance(value, list):
                        value[index] = parts[part]
                    else:
                        setattr(node, name, parts[part])
                    return True
                place += 1
    return False


def shrink(program: Program, differ: Differ, may_be_refused: bool) -> Program:
    """Returns the shortest program that is found and differs in the same way."""
    kind = _kind(differ.difference(program, may_be_refused))
    is_shorter = True
    while is_shorter:
        is_shorter = False
        for source in _shorter(program.source):
            if len(source) >= len(program.source):
                continue
            try:
                shorter = program._replace(source=source + "\n")
                if _kind(differ.difference(shorter, may_be_refused)) == kind:
                    program, is_shorter = shorter, True
                    break
            except Exception:
                # The shorter program is none: a name is missing, or a statement is empty.
                continue
    return program
