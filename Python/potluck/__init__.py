"""Potluck from Python: runs simulations that you write, and those of the program `potluck`.

    import potluck

    class Doublets(potluck.Simulation):
        '''How often do two dice show the same number?'''
        sides = potluck.Parameter(6, "sides of each die", 2, 100)
        same = potluck.Count()

        def trial(self, random):
            self.same.add(random.below(self.sides) == random.below(self.sides))

    result = potluck.run(Doublets, trials=1e9, seed=1, sides=10)
    result["same"].value, result["same"].low, result["same"].high, result.digest
    sweep = potluck.sweep("monty-hall", trials=1e8, doors=range(3, 11))
"""

from __future__ import annotations

import asyncio

from . import _asynchronous, _endless, _running
from ._asynchronous import Watch
from ._author import Gathering, Simulation
from ._comparison_order import ComparisonOrder, difference_order, sensitivity_order
from ._difference import Difference, PairedReading, Setting
from ._errors import PotluckError, PotluckWarning, ProgramNotFound, UsageError
from ._history import History, Run, history
from ._kit.cells import Histogram2D
from ._kit.comoments import Comoments, Pairs
from ._kit.draws import Empirical, Lattice, cholesky, normal_quantile, student_quantile
from ._kit.functions import normal_below
from ._kit.output import Output
from ._kit.quantiles import Quantiles
from ._kit.random import Random, WeightedChoice
from ._kit.readings import (
    ReadingRule, controlled, correlation, covariance, derived, effective, expected_shortfall, histogram, intercept, mean,
    median, proportion, proportions, quantile, ratio, series, slope, variance)
from ._kit.series import Counts, Series
from ._kit.tally import Count, ExactSum, Histogram, Maximum, Minimum, Moments
from ._order import Order, order
from ._parameters import Parameter, Table
from ._played import Played
from ._program import program
from ._reading import CellCounts, HistogramCounts, Reading, Readings, SeriesMeans
from ._result import Result
from ._sensitivity import Sensitivity, SobolIndices
from ._signature import takes
from ._simulations import ParameterDescription, SimulationDescription, simulation, simulations
from ._sweep import Point, Sweep
from ._sweep_order import SweepOrder, sweep_order
from ._tally import Node, Tally

__all__ = [
    "CellCounts", "Comoments", "Count", "Counts", "Difference", "Empirical", "ExactSum", "Gathering", "Histogram",
    "Histogram2D", "HistogramCounts", "History", "Lattice", "Maximum", "Minimum", "Moments", "Node", "Order",
    "Output", "PairedReading", "Pairs", "Parameter", "ParameterDescription", "Played", "Point", "PotluckError",
    "PotluckWarning", "ProgramNotFound", "Quantiles", "Random", "Reading", "ReadingRule", "Readings", "Result", "Run",
    "Sensitivity", "Series", "SeriesMeans", "Setting", "Simulation", "SimulationDescription", "SobolIndices", "Sweep",
    "SweepOrder", "Table", "Tally", "UsageError", "Watch", "WeightedChoice", "cholesky", "controlled", "correlation",
    "covariance", "derived", "difference", "effective", "expected_shortfall", "histogram", "history", "intercept",
    "mean", "median", "normal_below", "normal_quantile", "order", "program", "proportion", "proportions", "quantile",
    "ratio", "run", "run_async", "sensitivity", "series", "simulation", "simulations", "slope", "student_quantile",
    "sweep", "sweep_async", "sweep_order", "variance", "watch", "watch_sweep",
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


@takes(difference_order)
def difference(order: ComparisonOrder) -> Difference:
    """Compares settings that meet the same random numbers: `potluck.difference("tills.py", tills=[2, 3], trials=1e6)`."""
    return _running.run(_running.of_comparison(order, Difference.of))


@takes(sensitivity_order)
def sensitivity(order: ComparisonOrder) -> Sensitivity:
    """Measures how much of a reading's variance each parameter explains: `potluck.sensitivity("tills.py", tills=(1, 9))`."""
    return _running.run(_running.of_comparison(order, Sensitivity.of))
