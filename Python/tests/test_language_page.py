"""The simulations in docs/PYTHON.md and README.md compile, and do what plain Python does."""

from __future__ import annotations

import re
import tempfile
import unittest
from pathlib import Path

from potluck._language.reference import play

from .language.compiler import compiled, runtime
from .language.module import Module
from .language.sandbox import Sandbox, library
from .language.standard import standard
from .support import ROOT

_SAMPLE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
TRIALS, SEED = 50, 1


def samples() -> list[str]:
    """Returns the files on the pages."""
    pages = [ROOT / "docs/PYTHON.md", ROOT / "README.md"]
    found = [sample for page in pages for sample in _SAMPLE.findall(page.read_text(encoding="utf-8"))]
    return [sample for sample in found if re.search(r"^class ", sample, re.MULTILINE)]


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class PageTests(unittest.TestCase):
    def test_each_sample_does_what_python_does(self) -> None:
        self.assertGreaterEqual(len(samples()), 4)
        sandbox = Sandbox()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sample.py"
            # `test_data` runs those that read a file.
            for sample in (each for each in samples() if " Table(" not in each):
                path.write_text(sample, encoding="utf-8")
                expected = play(str(path), path.name, SEED, 0, 1, TRIALS, {})
                self.assertIsNone(expected["failure"])
                with Module(sandbox, compiled(path, path.name, Path(folder) / "module.wasm")) as module:
                    module.configure(standard(path))
                    is_gathering = "potluck.Gathering" in sample
                    answer = module.run(2 if is_gathering else 1, SEED, 0, 1, TRIALS)
                self.assertIsNone(answer.failure)
                found = [str(slot) for slot in answer.slots]
                self.assertEqual(found, expected["slots"][:len(found)])  # type: ignore[index]


if __name__ == "__main__":
    unittest.main()
