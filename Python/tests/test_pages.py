"""What a notebook shows is well-formed and shows hostile names as text."""

from __future__ import annotations

import json
import math
import random
from typing import Any
from xml.etree import ElementTree

import potluck
from potluck import _chart, _figures, _plot

from .support import ProgramTest, point, reading, result

NASTY = [
    "<script>alert(1)</script>", "\" onload=\"x", "]]>", "&amp;", "-->", "\u0000\u0001\u001b[2J", "\ud800", "\u202egnp",
    "\uffff", "'", "<!--", "ordinary", "", "a" * 300, "été 🎲", "\u2028", "<svg/onload=x>", "{{7*7}}",
]
NUMBERS: list[Any] = [
    None, 0, 0.0, -1.5, 1e-300, 1e300, 5e-324, 0.333, 10**30, 1.7976931348623157e308, -1e-9, 2 / 3, 1e18]
ALLOWED = {
    "div", "p", "b", "table", "thead", "tbody", "tr", "th", "td", "pre", "code",
    *(f"{{http://www.w3.org/2000/svg}}{name}" for name in ("svg", "title", "g", "text", "line", "circle", "rect"))}


def hostile(dice: random.Random) -> dict[str, Any]:
    def histogram() -> dict[str, Any]:
        bins = [dice.choice([0, 1, 10**18]) for _ in range(dice.choice([0, 1, 2, 1000]))]
        return {"from": dice.choice([0.0, -1e300]), "to": dice.choice([0.0, 1e300]), "below": 0, "bins": bins, "above": 7}

    readings = []
    for _ in range(dice.randint(0, 5)):
        numbers = {name: dice.choice(NUMBERS) for name in ("low", "high", "exact")}
        shape = {"histogram": histogram()} if dice.random() < 0.3 else {}
        readings.append(reading(dice.choice(NASTY), dice.choice(NUMBERS), **numbers, **shape))
    return result(
        simulation=dice.choice(NASTY), readings=readings, solution=dice.choice([None, *NASTY]),
        parameters={dice.choice(NASTY): dice.choice([*NASTY, *NUMBERS, True, ["a", "<b>"]]) for _ in range(3)},
        elapsed=dice.choice([0, 1e-9, 0.5, 3.0, 1e9]), rate=dice.choice([None, 0, 1e-3, 1e12]),
        trials=dice.choice([None, 0, 10**18]), searched=0.5, digest=dice.choice(NASTY))


class PageTests(ProgramTest):
    def assertSafe(self, page: str) -> ElementTree.Element:
        root = ElementTree.fromstring(page)
        for element in root.iter():
            self.assertIn(element.tag, ALLOWED)
            self.assertFalse([name for name in element.attrib if name.startswith("on") or "href" in name])
        return root

    def test_hostile_names_are_text(self) -> None:
        for seed in range(1000):
            shown = potluck.Result.of(json.loads(json.dumps(hostile(random.Random(seed)))))
            self.assertSafe(shown._repr_html_())
            self.assertIsInstance(repr(shown), str)

    def test_hostile_sweeps_are_text(self) -> None:
        for seed in range(1000):
            dice = random.Random(seed)
            points = []
            names = dice.sample(NASTY, 2)
            for index in range(dice.choice([0, 1, 2, 5, 300])):
                members = hostile(dice)
                odd = dice.choice([*NASTY, *NUMBERS, True, [1]])
                value = odd if dice.random() < 0.1 else index * 10.0 ** (seed % 600 - 310)
                points.append(potluck.Point.of(json.loads(json.dumps(point(index, **{
                    **{name: members[name] for name in ("readings", "digest", "simulation", "trials")},
                    "parameters": {names[0]: value, names[1]: 1}, "sweep": dice.choice(NASTY)})))))
            sweep = potluck.Sweep(dice.choice(NASTY), points, complete=dice.random() < 0.5)
            self.assertSafe(sweep._repr_html_())
            self.assertIsInstance(repr(sweep) + repr(list(sweep[:2])), str)

    def test_a_drawing_has_each_point_where_it_belongs(self) -> None:
        svg = "{http://www.w3.org/2000/svg}"
        points = [
            potluck.Point.of(point(index, readings=[reading("switch", 0.65 + index / 100)])) for index in range(4)]
        root = self.assertSafe(potluck.Sweep("monty-hall", points, complete=True)._repr_html_())
        dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter(f"{svg}circle")]
        self.assertEqual(len(dots), 4)
        self.assertEqual(dots, sorted(dots, key=lambda dot: (dot[0], -dot[1])))
        heads = [element.text for element in root.findall(".//th")]
        self.assertEqual(heads, ["doors", "switch", "switch, exact", "digest"])
        labels = [element.text for element in root.iter(f"{svg}text")]
        self.assertLessEqual({"switch", "doors", "3", "4", "5", "6", "exact"}, set(labels))
        # Two parameters make no drawing, and a point alone shows all of its parameters.
        both = [potluck.Point.of(point(index, parameters={"doors": index, "opened": index})) for index in range(2)]
        self.assertNotIn("<svg", potluck.Sweep("monty-hall", both, complete=True)._repr_html_())
        self.assertIn("<th>opened</th>", potluck.Sweep("monty-hall", both[:1], complete=True)._repr_html_())

    def test_ticks_are_round_and_few(self) -> None:
        self.assertEqual(_plot._Scale([3, 10], 0, 1).ticks(), [3, 4, 5, 6, 7, 8, 9, 10])
        self.assertEqual([_figures.number(tick) for tick in _plot._Scale([0.09, 0.34], 0, 1).ticks()],
                         ["0.1", "0.15", "0.2", "0.25", "0.3"])
        for seed in range(2000):
            dice = random.Random(seed)
            ends = [dice.choice([1, -1]) * dice.random() * 10.0 ** dice.randint(-320, 307) for _ in range(2)]
            if dice.random() < 0.3:
                ends[1] = math.nextafter(ends[0], math.inf)
            scale = _plot._Scale(ends, 0, 1)
            ticks = scale.ticks()
            self.assertTrue(1 <= len(ticks) <= _plot.MOST_TICKS + 1, ends)
            self.assertEqual(ticks, sorted(set(ticks)), ends)
            self.assertTrue(all(0 <= scale(tick) <= 1 for tick in ticks))

    def test_a_hostile_name_can_be_read(self) -> None:
        name = "<script>alert(1)</script>"
        page = potluck.Result.of(result(readings=[reading(name, 0.5)]))._repr_html_()
        self.assertNotIn("<script", page)
        self.assertIn(name, [element.text for element in self.assertSafe(page).iter()])

    def test_a_chart_has_a_dot_an_interval_and_the_exact_answer(self) -> None:
        shown = potluck.run("monty-hall", trials=10**5, seed=1)
        page = shown._repr_html_()
        root = self.assertSafe(page)
        svg = "{http://www.w3.org/2000/svg}"
        self.assertEqual(len(root.findall(f".//{svg}circle")), 2)
        labels = [element.text for element in root.iter(f"{svg}text")]
        switch = shown["switch"]
        assert switch.value is not None and switch.low is not None
        for label in ("stay", "switch", "exact 0.6667", _figures.number(switch.value, switch.half_width),
                      _figures.number(switch.low, switch.half_width)):
            self.assertIn(label, labels)

    def test_the_exact_answer_is_where_it_belongs(self) -> None:
        for value, low, high, exact in ((0.5, 0.4, 0.6, 0.45), (5.0, 4.0, 6.0, 9.0), (0.0, -1e-9, 1e-9, 1e-9)):
            drawing = _chart.chart([potluck.Reading("x", value, low, high, 0.95, exact)])
            marks = [float(part.split('"')[0]) for part in drawing.split('x1="')[1:]]
            place, left, right = marks[-1], marks[2], marks[3]
            self.assertEqual(left < place < right, low < exact < high)
            self.assertEqual(place > (left + right) / 2, exact > value)

    def test_figures_show_what_is_known(self) -> None:
        self.assertEqual(_figures.number(0.3333221, 0.0000123), "0.333322")
        self.assertEqual(_figures.number(1234.5, 20), "1234")
        self.assertEqual(_figures.number(0.1), "0.1")
        self.assertEqual(_figures.whole(2553806848), "2\u202f553\u202f806\u202f848")
        self.assertEqual(
            [_figures.seconds(value) for value in (0.0314, 1.7, 200)], ["31.4 ms", "1.7 s", "3 min 20 s"])
        self.assertEqual(_figures.rate(1.46e9), "1.46 billion/s")

    def test_the_history_is_a_table(self) -> None:
        for seed in range(3):
            potluck.run("coupon-collector", trials=100, seed=seed)
        root = self.assertSafe(potluck.history()._repr_html_())
        self.assertEqual(len(root.findall(".//tbody/tr")), 3)
