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


class Dice(potluck.Simulation):
    """How often do two dice show the same number?"""

    sides = potluck.Parameter(6, "sides of a die", 2, 100)
    bias = potluck.Parameter(0.5, "a real number", 0, 1)
    limit = potluck.Parameter(1.0, "with whole bounds", 0, 10)
    quick = potluck.Parameter(False, "a flag")
    kind = potluck.Parameter("call", "a choice", ["call", "put"])
    tops = potluck.Parameter(["ham"], "several", ["ham", "olives"], count=(1, 2))
    same, sums = potluck.Count(), potluck.Moments()
    total, least, most = potluck.ExactSum(), potluck.Minimum(), potluck.Maximum()
    bins = potluck.Histogram(11, 1.5, 12.5)
    both, pairs, spread = potluck.Comoments(2), potluck.Pairs(), potluck.Quantiles()
    hand, ill = potluck.Counts("low", "high"), potluck.Series(60)
    plane = potluck.Histogram2D(3, 2, x=(0, 1), y=(-1, 1))
    steps = 2

    def prepare(self) -> None:
        self.squares = [side * side for side in range(self.sides)]
        self.loot = potluck.WeightedChoice([5, 3.5, 2])

    def trial(self, random: potluck.Random) -> None:
        first: int = random.integer(1, self.sides)
        second: int = random.pair(self.sides, 6)[1] + self.loot.draw(random)
        real: float = random.normal(self.bias, 2) + self.limit + random.unit()
        flag: bool = self.quick or random.coin() or random.chance(self.bias)
        chosen: int = random.choice(self.squares) + random.sample(1, self.squares)[0]
        name: str = self.kind if "ham" in self.tops else self.tops[0]
        self.note(f"{first} {second} {name}")
        self.sketch(2, 1.5)
        self.sketch("text", 1, real, f"{first}", "good")
        self.same.add(first == second)
        self.same.add(chosen)
        self.sums.add(first + second)
        self.total.add(real)
        self.least.add(real)
        self.bins.add(float(flag))

    readings = [
        potluck.proportion("same", same, exact=lambda self: 1 / self.sides if self.sides > 2 else None),
        potluck.mean("sum", sums), potluck.variance("variance", sums), potluck.histogram("sums", bins),
        potluck.quantile("p99", spread, 0.99), potluck.slope("slope", pairs), potluck.ratio("ratio", both),
        potluck.proportions(hand, exact=lambda self: [0.25, 0.75]), potluck.series("ill", ill),
        potluck.histogram("plane", plane),
        potluck.controlled("price", both, lambda self: 0.5),
        potluck.derived("product", both, lambda self, x, y: float(x * y)),
        potluck.derived("percent", potluck.proportion("same", same), lambda self, share: 100 * share),
        potluck.derived("most", lambda self, tally, trials: float(tally.most.value)),
    ]


class Squares(potluck.Gathering):
    """The squares of the first whole numbers"""

    count = potluck.Parameter(100, "how many", 1, 1_000_000)
    numbers = potluck.Table("numbers to add")
    block_size = 4096
    writes = "text"

    def units(self) -> int:
        return self.count

    def block(self, units: range, random: potluck.Random, output: potluck.Output) -> None:
        for number in units:
            output.write(number * number)
            output.line(self.numbers[0][1] if len(self.numbers) > self.numbers.columns else "")


def play() -> list[int]:
    dice = Dice(sides=8)
    dice.trial(potluck.Random(seed=1))
    played: potluck.Played = dice.play(seed=1, trials=100)
    print(played["same"].value, dice.same.value, dice.sums.mean, Squares(count=3).play().output.decode())
    print(Dice.sides.help, potluck.run(Dice, trials=1e6, sides=10)["same"].value, potluck.simulation(Dice).parameters)
    return played.slots


def author_mistakes(dice: Dice) -> None:
    dice.sides = 3  # type: ignore[assignment]
    dice.same.add(0.5)  # type: ignore[arg-type]
    potluck.proportion("sum", Dice.sums)  # type: ignore[arg-type]
    potluck.Parameter(6, "sides")  # type: ignore[call-overload]


potluck.run("pi", trials=[1])  # type: ignore[arg-type]
potluck.run("pi", callback=1)  # type: ignore[arg-type]
potluck.run()  # type: ignore[call-arg]
potluck.sweep("pi", points=[1])  # type: ignore[list-item]
