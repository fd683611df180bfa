"""`python -m potluck` is the program `potluck`."""

from __future__ import annotations

import os
import sys

from . import ProgramNotFound, program

try:
    path = program()
except ProgramNotFound as error:
    sys.exit(f"potluck: {error}")
# The first word is the path, because a campaign writes it into the commands of its tasks.
os.execv(path, [path, *sys.argv[1:]])
