"""What a type checker must know of the module. Nothing runs this; `test_types` has it checked."""

from __future__ import annotations

from typing import Any, Optional

import potluck


def tell(tally: potluck.Tally) -> None:
    print(tally.trials, tally["switch"].value)


def run() -> dict[str, Any]:
    result: potluck.Result = potluck.run(
        "monty-hall", trials=1e9, until="0.01%", for_=10, callback=tell, doors=5, parameters={"opened": 1})
    value: Optional[float] = result["switch"].value
    print(value, result.readings["stay"].low, result.digest.upper())
    return result.to_dict()


async def watch() -> potluck.Result:
    async with potluck.watch("pi", trials=10**9, seed=1) as tallies:
        async for tally in tallies:
            tell(tally)
    return await potluck.run_async("pi", inputs={"a": "a.txt"}, session="Monty", nodes=["ana"])


def sweep() -> list[Optional[float]]:
    swept: potluck.Sweep = potluck.sweep(
        "monty-hall", trials=1e8, doors=range(3, 11), opened=[1, 2], p=(0.1, 0.2), bound="cost", common_seed=True,
        callback=lambda point: print(point.index))
    potluck.sweep("monty-hall", trials=1e8, points=[{"doors": 3}, {"doors": 5}])
    potluck.sweep("pi", a=[1, 2], session="Monty", connect=["a:1"], nodes=["ana"], wait_for=2, browsers=False)
    return [point["switch"].value for point in swept[1:]]


async def watch_sweep() -> potluck.Sweep:
    async with potluck.watch_sweep("pi", points="points.csv") as points:
        async for point in points:
            print(point.index, point.parameters["doors"], point.tally["stay"])
    return await potluck.sweep_async("pi", doors="3..10")


def ask() -> list[str]:
    runs: potluck.History = potluck.history(where="doors>3")
    return [run.digest for run in runs[:3]] + [simulation.name for simulation in potluck.simulations()]


potluck.run("pi", trials=[1])  # type: ignore[arg-type]
potluck.run("pi", callback=1)  # type: ignore[arg-type]
potluck.run()  # type: ignore[call-arg]
potluck.sweep("pi", points=[1])  # type: ignore[list-item]
