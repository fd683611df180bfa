"""`python -m potluck` is the program `potluck`."""

from __future__ import annotations

import os
import sys

from . import ProgramNotFound, program

try:
    path = program()
except ProgramNotFound as error:
    sys.exit(f"potluck: {error}")
os.execv(path, ["potluck", *sys.argv[1:]])
