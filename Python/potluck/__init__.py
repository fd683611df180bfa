"""Potluck from Python: runs the program `potluck` and reads what it prints.

    import potluck

    result = potluck.run("monty-hall", trials=1e9, seed=1, doors=5)
    result["switch"].value, result["switch"].low, result["switch"].high, result.digest
    sweep = potluck.sweep("monty-hall", trials=1e8, doors=range(3, 11))
"""

from __future__ import annotations

import asyncio

from . import _asynchronous, _endless, _running
from ._asynchronous import Watch
from ._errors import PotluckError, PotluckWarning, ProgramNotFound, UsageError
from ._history import History, Run, history
from ._order import Order, order
from ._program import program
from ._reading import Histogram, Reading, Readings
from ._result import Result
from ._signature import takes
from ._simulations import Parameter, Simulation, simulation, simulations
from ._sweep import Point, Sweep
from ._sweep_order import SweepOrder, sweep_order
from ._tally import Node, Tally

__all__ = [
    "Histogram", "History", "Node", "Order", "Parameter", "Point", "PotluckError", "PotluckWarning",
    "ProgramNotFound", "Reading", "Readings", "Result", "Run", "Simulation", "Sweep", "SweepOrder", "Tally",
    "UsageError", "Watch", "history", "order", "program", "run", "run_async", "simulation", "simulations", "sweep",
    "sweep_async", "sweep_order", "watch", "watch_sweep",
]


@takes(order)
def run(order: Order) -> Result:
    """Runs a simulation and returns its result. Ctrl-C stops it."""
    _endless.refuse(order)
    return _running.run(_running.of_run(order, live=order.callback is not None))


@takes(order)
async def run_async(order: Order) -> Result:
    """Runs a simulation without blocking the event loop. Cancelling the task stops it."""
    # The program may compile a file first.
    await asyncio.to_thread(_endless.refuse, order)
    return await _asynchronous.run(lambda: _running.of_run(order, live=True))


@takes(order)
def watch(order: Order) -> Watch[Tally, Result]:
    """Runs a simulation and gives its tallies: `async for tally in potluck.watch("pi", trials=1e9)`."""
    return Watch(lambda: _running.of_run(order, live=True))


@takes(sweep_order)
def sweep(order: SweepOrder) -> Sweep:
    """Runs a simulation with every combination of several values of its parameters: `doors=range(3, 11)`."""
    return _running.run(_running.of_sweep(order))


@takes(sweep_order)
async def sweep_async(order: SweepOrder) -> Sweep:
    """Runs a sweep without blocking the event loop. Cancelling the task stops it."""
    return await _asynchronous.run(lambda: _running.of_sweep(order))


@takes(sweep_order)
def watch_sweep(order: SweepOrder) -> Watch[Point, Sweep]:
    """Runs a sweep and gives its points as they end: `async for point in potluck.watch_sweep("pi", …)`."""
    return Watch(lambda: _running.of_sweep(order))
