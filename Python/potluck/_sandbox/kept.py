"""The memory that a module was seen to leave behind, as numbers of `potluck_kept`."""

from __future__ import annotations

#: More different memories than this show that each block leaves something else. A table that is made at first use gives
#: one, and a few tables that seldom are needed give some.
_MOST = 16
#: Seconds that a run may spend at its beginning to compute blocks again. Nobody notices the wait.
_ALLOWANCE = 0.05
#: The part of the time that is spent later.
_SHARE = 100


class KeptMemory:
    """What is known of one module with one set of parameters."""

    def __init__(self) -> None:
        #: The numbers after blocks that gave the same, and left the same, when they were computed again.
        self._harmless: set[int] = set()
        #: Whether two blocks that began with fresh memory left different memory.
        self._is_unsteady = False
        self._is_probed = False
        self._computed, self._spent = 0.0, 0.0

    @property
    def is_suspect(self) -> bool:
        """Whether each block leaves something else, although nothing depends on it, such as a list that is filled again."""
        return self._is_unsteady or len(self._harmless) > _MOST

    def is_unprobed(self) -> bool:
        """Returns true the first time."""
        was, self._is_probed = self._is_probed, True
        return not was

    def knows(self, number: int) -> bool:
        return number in self._harmless

    def learn(self, numbers: list[int], *, is_steady: bool) -> None:
        """Notes numbers that are harmless. `is_steady`: other blocks leave the same."""
        self._is_unsteady = self._is_unsteady or not is_steady
        if len(self._harmless) <= _MOST:
            self._harmless.update(numbers)

    def allows(self, seconds: float, times: int = 1) -> bool:
        """Returns whether to compute something again that took so long, and takes `times` as long then."""
        self._computed += seconds
        if self._spent + seconds * times > _ALLOWANCE + self._computed / _SHARE:
            return False
        self._spent += seconds * times
        return True
