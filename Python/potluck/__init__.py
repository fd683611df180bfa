"""Potluck from Python: runs the program `potluck` and reads what it prints.

    import potluck

    result = potluck.run("monty-hall", trials=1e9, seed=1, doors=5)
    result["switch"].value, result["switch"].low, result["switch"].high, result.digest
"""

from __future__ import annotations

from . import _asynchronous, _running
from ._asynchronous import Watch
from ._errors import PotluckError, PotluckWarning, ProgramNotFound, UsageError
from ._history import History, Run, history
from ._order import Order, order
from ._program import program
from ._reading import Histogram, Reading, Readings
from ._result import Result
from ._signature import takes
from ._simulations import Parameter, Simulation, simulation, simulations
from ._tally import Node, Tally

__all__ = [
    "Histogram", "History", "Node", "Order", "Parameter", "PotluckError", "PotluckWarning", "ProgramNotFound",
    "Reading", "Readings", "Result", "Run", "Simulation", "Tally", "UsageError", "Watch", "history", "order", "program",
    "run", "run_async", "simulation", "simulations", "watch",
]


@takes(order)
def run(order: Order) -> Result:
    """Runs a simulation and returns its result. Ctrl-C stops it."""
    return _running.run(order)


@takes(order)
async def run_async(order: Order) -> Result:
    """Runs a simulation without blocking the event loop. Cancelling the task stops it."""
    return await _asynchronous.run(order)


@takes(order)
def watch(order: Order) -> Watch:
    """Runs a simulation and gives its tallies: `async for tally in potluck.watch("pi", trials=1e9)`."""
    return Watch(order)
