"""`python -m potluck._worker join ADDRESS` and `… watch ADDRESS`."""

from __future__ import annotations

import sys

from . import join, watch

sys.exit({"join": join.main, "watch": watch.main}[sys.argv[1]](sys.argv[2:]))
