"""The cells of the notebook run in order."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import linecache
from typing import Any
from unittest import mock
from xml.etree import ElementTree

from .support import ROOT, ProgramTest

NOTEBOOK = ROOT / "docs/potluck.ipynb"


class NotebookTests(ProgramTest):
    def test_each_cell_runs(self) -> None:
        notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 3)
        names: dict[str, Any] = {"__name__": "__main__"}
        drawn = 0
        with mock.patch("builtins.print", lambda *shown: None):
            for number, cell in enumerate(cells):
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))
                shown = play("".join(cell["source"]), names, f"<cell {number}>")
                if hasattr(shown, "_repr_html_"):
                    ElementTree.fromstring(shown._repr_html_())
                    drawn += 1
        self.assertGreater(drawn, 0)


def play(source: str, names: dict[str, Any], name: str) -> Any:
    """Runs a cell as a notebook does: with await outside of functions, and the value of its last expression."""
    # A notebook keeps the text of each cell, for the lines of errors.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    async def run() -> Any:
        done = eval(compile(tree, name, "exec", flags), names)
        if inspect.iscoroutine(done):
            await done
        if not isinstance(last, ast.Expr):
            return None
        value = eval(compile(ast.Expression(last.value), name, "eval", flags), names)
        return await value if inspect.iscoroutine(value) else value

    return asyncio.run(run())
