"""Jupyter runs the notebook."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unittest
from xml.etree import ElementTree

from .support import ROOT, SOURCES, ProgramTest

NOTEBOOK = ROOT / "docs/potluck.ipynb"
COMMAND = shutil.which("jupyter-nbconvert")


class NotebookTests(ProgramTest):
    def test_the_notebook_has_no_outputs(self) -> None:
        cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if "outputs" in cell]
        self.assertGreater(len(cells), 3)
        self.assertTrue(all((cell["outputs"], cell["execution_count"]) == ([], None) for cell in cells))

    @unittest.skipUnless(COMMAND, "Jupyter is not here: Tools/deps python installs it")
    def test_each_cell_runs(self) -> None:
        # Jupyter keeps its own files at home.
        own = {"HOME": str(self.folder), "JUPYTER_RUNTIME_DIR": str(self.folder), "PYTHONPATH": str(SOURCES)}
        done = subprocess.run(
            [str(COMMAND), "--to=notebook", "--execute", "--stdout", str(NOTEBOOK)],
            capture_output=True, env={**os.environ, **own}, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        outputs = [output for cell in json.loads(done.stdout)["cells"] for output in cell.get("outputs", [])]
        drawn = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
        for each in drawn:
            ElementTree.fromstring("".join(each))
        self.assertGreater(len(drawn), 3)


if __name__ == "__main__":
    unittest.main()
