"""`python -m potluck` is the program `potluck`."""

from __future__ import annotations

import os
import sys

from . import ProgramNotFound
from ._program import PYTHON_COMMAND, program

try:
    path = program()
except ProgramNotFound as error:
    sys.exit(f"potluck: {error}")
if path == str(PYTHON_COMMAND):
    from ._command.main import main

    sys.exit(main())
# The first word is the path, because a campaign writes it into the commands of its tasks.
os.execv(path, [path, *sys.argv[1:]])
