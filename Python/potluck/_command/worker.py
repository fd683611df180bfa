"""What the process of a core does. It imports only the sandbox."""

from __future__ import annotations

import pickle
import signal
import sys
from typing import Any, Optional

from .. import _platform, _sandbox
from .._sandbox import ModuleError, ParameterError, TrialError
from .search_part import Searcher


def blocks() -> int:
    """Computes blocks, as the process that started this one asks, until that one ends."""
    order = _begin()
    chunks: dict[Optional[tuple[int, ...]], _sandbox.Chunk] = {}
    for configuration, seed, first, end, trials in _tasks():
        try:
            if configuration not in chunks:
                chunks.clear()
                chunks[configuration] = order.module.chunk(
                    order.parameters if configuration is None else configuration, order.payload, memory=order.memory,
                    seconds=order.seconds)
            chunk = chunks[configuration]
            done, tally = chunk.checked(seed, first, end, lambda: False, trials)
            _tell(("done", done, tally, chunk.outputs))
        except TrialError as error:
            _tell(("failed", error.block, error.sentence))
        except (ModuleError, ParameterError) as error:
            _tell(("failed", None, str(error)))
    return 0


def search() -> int:
    """Searches parts of a tree."""
    order = _begin()
    searcher = Searcher(order)
    for task in _tasks():
        try:
            _tell(("done", searcher.searched(task)))
        except (ModuleError, ParameterError) as error:
            _tell(("failed", task.first, str(error)))
    return 0


def _begin() -> Any:
    # Ctrl-C reaches all processes of a terminal. The one that started this one decides.
    for number in _platform.interrupts():
        signal.signal(number, signal.SIG_IGN)
    order = pickle.load(sys.stdin.buffer)
    _platform.give_way(order.nice)
    return order


def _tasks() -> Any:
    while True:
        try:
            yield pickle.load(sys.stdin.buffer)
        except EOFError:
            return


def _tell(answer: Any) -> None:
    pickle.dump(answer, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
    sys.stdout.buffer.flush()
