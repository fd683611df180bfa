"""`python -m potluck._command` is the command `potluck`."""

import sys

from .main import main

if __name__ == "__main__":
    sys.exit(main())
