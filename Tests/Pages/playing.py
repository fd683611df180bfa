"""Checks of single trials that a reader plays: they are those of the simulation, and no part of the job."""
import json
import subprocess

import lending
import samples
from lending import Bench

# The numbers of the page's own seed.
DICE = "crypto.getRandomValues = (numbers) => numbers.fill(7);"
SEED = str(0x0707070707070707)


def prepared(bench, name, given):
    """A job whose module the page has, and its picture."""
    work = bench.job(name, 2_000_000, given)
    bench.tab.evaluate(DICE)
    bench.order(work)
    bench.node.until("it is prepared", lambda: bench.page.messages("ready"))
    bench.node.broadcast(samples.members(), samples.job(job=work.job, simulation=name, **({} if name == "monty-hall" else {
        "readings": [samples.reading("packets", 224.8, 0.4, None, "mean", "224.82"), samples.reading("variance", 3809.5, None, None, "variance", "3809.47"),
                     samples.reading("packets per kind", None, None, None, "histogram", "")]})))
    bench.tab.until("document.querySelector('#job .play')?.checkVisibility()")
    return work


def native(bench, name, trials, given):
    words = [bench.program, "run", name, "--seed", SEED, "--trials", str(trials), "--json", "--ephemeral", "--quiet", "--cores", "1"]
    done = subprocess.run(words + [f"-p{key}={value}" for key, value in given.items()], stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(done.stdout)["tally"]


def played_trials_are_those_of_the_simulation(bench):
    """The first trial of each block, by the difference of two native runs."""
    work = prepared(bench, "monty-hall", {"doors": "5"})
    block = work.order()["block"]
    outcomes = []
    for number in range(11):
        before = native(bench, "monty-hall", number * block, {"doors": 5}) if number else {"stay": 0, "switch": 0}
        after = native(bench, "monty-hall", number * block + 1, {"doors": 5})
        outcomes.append([name for name in ("stay", "switch") if after[name] > before[name]])
    buttons = "#job .play .line button:nth-child(%d)"
    bench.tab.click(buttons % 1)
    bench.tab.until_text("#job .play .last", "Trial 1: ")
    bench.tab.click(buttons % 2)
    bench.tab.until_text("#job .play .last", "Trial 11: ")
    stay, switch = (sum(name in one for one in outcomes) / 11 for name in ("stay", "switch"))
    said = bench.tab.text("#job .play .sum")
    for name, value in (("stay", stay), ("switch", switch)):
        told = float(said.split(f"{name} ")[1].split(" ")[0].rstrip("."))
        assert abs(told - value) < 1e-4, (said, name, value)
    assert bench.tab.text("#job .play .last") == f"Trial 11: {', '.join(outcomes[10]) or 'no stay, no switch'}."
    # The chart begins at the first trial.
    bench.tab.click(buttons % 3)
    bench.tab.until_text("#job .play .last", "Trial 111: ")
    bench.tab.until("document.querySelector('#job .play .chart > svg')")
    labels = bench.tab.evaluate("[...document.querySelectorAll('#job .play .chart text')].map((one) => one.textContent)")
    assert "1" in labels and "100" in labels, labels
    bench.tab.click(buttons % 4)
    bench.tab.until("document.querySelector('#job .play .last').hidden")
    # The job's own chunks were computed all the while, and what was played is not among them.
    assert not work.failures, work.failures
    assert bench.tab.complaints() == [], bench.tab.complaints()


def values_are_played_too(bench):
    prepared(bench, "coupon-collector", {"kinds": "50"})
    bench.tab.click("#job .play .line button:nth-child(1)")
    bench.tab.until_text("#job .play .last", "Trial 1: packets ")
    first = bench.tab.text("#job .play .last").split("packets ")[1].rstrip(".")
    assert float(first) >= 50, first
    bench.tab.until_text("#job .play .sum", f"After 1 trial: packets {first}")
    bench.tab.until_text("#job .play .facts", f"packets: {first}, kinds: 50")
    # Each kind is drawn once.
    bench.tab.until("document.querySelectorAll('#job .play .sketch svg .good').length === 50")


def a_trial_is_told_and_drawn(bench):
    """The picture grows frame by frame; a reader who wants no motion sees the whole at once."""
    prepared(bench, "monty-hall", {"doors": "5"})
    told = subprocess.run(
        [bench.program, "trial", "monty-hall", "--seed", SEED, "-p", "doors=5"], stdout=subprocess.PIPE, check=True, text=True).stdout
    for number, motion in ((1, "no-preference"), (2, "reduce")):
        bench.tab.look(1280, 900, motion=motion)
        bench.tab.evaluate(WATCHES)
        bench.tab.click("#job .play .line button:nth-child(1)")
        bench.tab.until_text("#job .play .last", f"Trial {number}: ")
        bench.tab.until("[...document.querySelectorAll('#job .play .sketch svg text')].some((one) => one.textContent === 'car')")
        notes = bench.tab.evaluate("[...document.querySelectorAll('#job .play .facts li')].map((one) => one.textContent)")
        assert len(notes) == 2 and notes[0].startswith("picked door "), notes
        if number == 1:
            assert all(f"    {note}\n" in told for note in notes), (told, notes)
        label = bench.tab.evaluate("document.querySelector('#job .play .sketch svg[role=img]').getAttribute('aria-label')")
        assert label == "; ".join(notes), label
        seen = bench.tab.evaluate("watched.takeRecords() && seen")
        assert len(seen) == (3 if number == 1 else 1) and seen == sorted(seen), (motion, seen)
    bench.tab.look(1280, 900)
    assert bench.tab.complaints() == [], bench.tab.complaints()


# Notes how many shapes the picture has whenever it changes.
WATCHES = """window.watched?.disconnect(); window.seen = []; window.watched = new MutationObserver(() => seen.push(
    document.querySelectorAll('#job .play .sketch svg > *').length)); watched.observe(document.querySelector('#job .play .sketch'),
    {childList: true, subtree: true}); true"""


def nothing_is_played_without_a_module(browser):
    bench = Bench(browser, None, None, remembered={"name": "ida"} | lending.LENDS)
    bench.node.broadcast(samples.members(), samples.job())
    bench.tab.until("document.querySelector('#job .reading')")
    assert not bench.tab.evaluate("document.querySelector('#job .play').checkVisibility()")


LENDING = [played_trials_are_those_of_the_simulation, values_are_played_too, a_trial_is_told_and_drawn]
CHECKS = [nothing_is_played_without_a_module]
