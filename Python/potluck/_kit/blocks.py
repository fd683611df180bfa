"""How trials are cut into blocks and lanes."""

from __future__ import annotations

#: The smallest block of a simulation has one trial in each lane.
SMALLEST = 16
LARGEST = 65_536
#: The most units in a block of a gathering.
LARGEST_GATHERED = 1 << 20
#: The most draws in a block, so that it takes at most 50 ms.
STEPS = 1 << 20


def size(steps: float) -> int:
    """Returns how many trials of about this many draws make a block."""
    limit = STEPS // max(1, int(steps))
    found = LARGEST
    while found > SMALLEST and found > limit:
        found //= 2
    return found
