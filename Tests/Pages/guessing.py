"""Checks of guesses: what a page asks and sends before a job begins, and what it says of the room's guesses."""
import hashlib
import hmac
import json
import random
import statistics

import samples
from node import Node
from viewing import opened


def number_of(page):
    """The number of a page in lists of guesses."""
    return hmac.digest(bytes.fromhex(page.client), b"potluck/1 guess", hashlib.sha256)[:8].hex()


def guesses(*lines, job="a1", start=0):
    return {"is": "guesses", "job": job, "from": start, "guesses": [list(line) for line in lines]}


def asked(browser, *messages, **more):
    """A node and a tab that shows a job which waits for guesses."""
    node = Node()
    tab = opened(browser, node, samples.members(), samples.waiting(), *messages, **more)
    tab.until("!document.querySelector('#job .guesses').hidden")
    return node, tab, node.joined()


def a_guess_is_sent_and_told(browser):
    for ticket in ("viewing", "lending"):
        node = Node()
        tab = opened(browser, node, samples.members(), samples.waiting(), ticket=getattr(node, ticket))
        tab.until("document.querySelector('#job .guesses form').checkVisibility()")
        page = node.joined()
        assert not tab.evaluate("document.querySelector('#job .readings').checkVisibility()"), "there is no value to see"
        tab.evaluate("document.querySelector('#job .guesses input').focus()")
        tab.call("Input.insertText", text="a half")
        press_enter(tab)
        tab.until_text("#job .guesses", "That is no number.")
        tab.evaluate("document.querySelector('#job .guesses input').value = '67'; document.querySelector('#job .guesses form').requestSubmit()")
        tab.until_text("#job .guesses", "For 67 of 100, type 67 % or 67/100.")
        tab.evaluate("document.querySelector('#job .guesses input').select()")
        tab.call("Input.insertText", text="1/4")
        press_enter(tab)
        sent = node.until("the guess comes", lambda: page.messages("guess"))
        assert sent == [{"do": "guess", "job": "a1", "value": 0.25}], sent
        tab.until_text("#job .guesses", "You guessed 0.25.")
        assert not tab.evaluate("document.querySelector('#job .guesses form').checkVisibility()")
        # The page that is loaded again knows its guess. What the coordinator lists is what counts.
        page.send(guesses([0.75, "golden wren", number_of(page)], [0.5, "ben", "00000000000000aa"]))
        tab.until_text("#job .guesses", "You guessed 0.75.")
        tab.until_text("#job .guesses", "2 guesses so far.")
        assert not tab.evaluate("document.querySelector('#job .guesses .chart').checkVisibility()"), "it leads those who come later"


def press_enter(tab):
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", windowsVirtualKeyCode=13)
    tab.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", windowsVirtualKeyCode=13)


def a_lost_guess_is_sent_again(browser):
    node, tab, page = asked(browser)
    tab.evaluate("document.querySelector('#job .guesses input').value = '0,5'; document.querySelector('#job .guesses form').requestSubmit()")
    node.until("the guess comes", lambda: page.messages("guess"))
    node.broadcast(samples.waiting(goal="1 trial"))
    tab.until_text("#job", "1 trial")
    assert len(page.messages("guess")) == 1, "it has just been sent"
    tab.evaluate("Date.now = ((now) => () => now() + 6000)(Date.now)")
    node.broadcast(samples.waiting(goal="2 trials"))
    node.until("it comes again", lambda: len(page.messages("guess")) == 2)
    # Once it is listed, or once the job has begun, it is not sent again.
    page.send(guesses([0.5, "golden wren", number_of(page)]))
    tab.evaluate("Date.now = ((now) => () => now() + 6000)(Date.now)")
    node.broadcast(samples.waiting(goal="3 trials"))
    tab.until_text("#job", "3 trials")
    assert len(page.messages("guess")) == 2


def only_what_nobody_knows_is_asked(browser):
    node, tab, _ = asked(browser)
    form = "document.querySelector('#job .guesses form').checkVisibility()"
    for changes in ({"state": "running"}, {"trials": "16"}, {"readings": samples.job()["readings"]}):
        node.broadcast(samples.waiting())
        tab.until(form)
        node.broadcast(samples.waiting(**changes))
        tab.until(f"!{form}")
    # A job that waits for a moment asks nobody.
    node.broadcast(samples.waiting(job="b7", state="waiting", detail="waiting for 1 more node"))
    tab.until("[...document.querySelectorAll('#jobs button')].length === 2")
    tab.evaluate("[...document.querySelectorAll('#jobs button')].find((one) => one.textContent.includes('waiting')).click()")
    tab.until_text("#job", "waiting for 1 more node")
    tab.evaluate("Date.now = ((now) => () => now() + 2000)(Date.now)")
    node.broadcast(samples.waiting(job="b7", state="waiting", detail="waiting for 2 more nodes"))
    tab.until(form)


def the_truth_is_told(browser):
    node, tab, page = asked(browser, guesses([0.25, "ana", "0" * 15 + "1"], [0.5, "ben", "0" * 15 + "2"], [0.75, "cem", "0" * 15 + "3"]))
    page.send(guesses([0.4, "golden wren", number_of(page)], start=3))
    hidden = [reading | {"exact": None} for reading in samples.job()["readings"]]
    node.broadcast(samples.job(hidesExact=True, readings=hidden))
    tab.until_text("#job .guesses", "The host has not shown the answer yet.")
    assert "from 0.25 to 0.75; the middle one is 0.45" in tab.text("#job .guesses"), tab.text("#job .guesses")
    assert tab.evaluate("document.querySelectorAll('#job .guesses rect.bin').length") == 4
    assert tab.evaluate("document.querySelectorAll('#job .guesses line.exact').length") == 0
    node.broadcast(samples.job())
    tab.until_text("#job .guesses", "The answer is 0.3333. Nearest: golden wren. The room's middle is off by 0.1167. You were off by 0.06667.")
    assert tab.evaluate("document.querySelectorAll('#job .guesses line.exact').length") == 1
    # Where nobody knows an exact answer, the finished run is the truth, and not the running one.
    node.broadcast(samples.job(readings=hidden))
    tab.until("document.querySelector('#job .guesses .answer').hidden")
    run = samples.job(readings=hidden, state="done", digest="d" * 64)
    node.runs = [run]
    node.broadcast(run)
    tab.until_text("#job .guesses", "The answer is 0.3333.")
    # The report keeps it.
    tab.until("document.querySelector('#runs button')")
    tab.click("#runs button")
    tab.until_text("#report .guesses", "Nearest: golden wren.")


def categories_are_chosen(browser):
    names = ("cars", "goats", "doors")
    node = Node()
    tab = opened(browser, node, samples.members(), samples.waiting(readings=[samples.reading(name, None, None, kind="category") for name in names]))
    tab.until("document.querySelector('#job .guesses fieldset').checkVisibility()")
    page = node.joined()
    assert tab.evaluate("[...document.querySelectorAll('#job .guesses fieldset button')].map((one) => one.textContent)") == list(names)
    tab.click("#job .guesses fieldset button:nth-child(2)")
    assert node.until("the choice comes", lambda: page.messages("guess")) == [{"do": "guess", "job": "a1", "value": 1}]
    tab.until_text("#job .guesses", "You guessed goats.")
    page.send(guesses([1, "golden wren", number_of(page)], [0, "ben", "0" * 15 + "1"], [7, "eve", "0" * 15 + "2"]))
    done = [samples.reading(name, value, 0.01, kind="category", text=f"{value}") for name, value in zip(names, (0.2, 0.5, 0.3))]
    node.broadcast(samples.job(state="done", digest="d" * 64, readings=done))
    tab.until_text("#job .guesses", "The largest is goats: 1 of 3 were right. You were right.")
    votes = tab.evaluate("[...document.querySelectorAll('#job .guesses .bars li')].map((one) => one.lastChild.textContent)")
    assert votes == ["1 (33\u202f%)", "1 (33\u202f%)", "0 (0.0\u202f%)"] or [vote[0] for vote in votes] == ["1", "1", "0"], votes


def guesses_are_read_and_judged(browser):
    """Numbers as people type them; medians, nearest guesses and bins of random rooms."""
    tab = opened(browser, Node(), samples.members())
    typed = {"0.5": 0.5, "0,5": 0.5, " 50 % ": 0.5, "50%": 0.5, "1/2": 0.5, "1 / 4": 0.25, "-3": -3, "−3": -3, "1e3": 1000,
             "": None, "half": None, "1/0": None, "%": None, "1.2.3": None, "0x10": None, "NaN": None}
    read = tab.evaluate("import('/guess.js').then(({numberIn}) => %s.map(numberIn))" % json.dumps(list(typed)))
    assert read == list(typed.values()), list(zip(typed, read))
    dice = random.Random(40)
    rooms = [([[dice.choice([dice.random(), dice.gauss(0, 9), dice.randrange(3)]), f"p{place}", f"{place:016x}"]
              for place in range(dice.randrange(1, 40))], dice.random()) for _ in range(60)]
    script = ("import('/guess.js').then(({judged, binned}) => %s.map(([room, truth]) => { const values = room.map(([one]) => one);"
              " const {median, nearest} = judged(room, truth); return [median, nearest, [true, false].map((part) => binned(values, truth, part))]; }))")
    for (room, truth), (median, nearest, bins) in zip(rooms, tab.evaluate(script % json.dumps(rooms))):
        values = [value for value, _, _ in room]
        least = min(abs(value - truth) for value in values)
        assert abs(median - statistics.median(values)) < 1e-12
        assert nearest == [name for value, name, _ in room if abs(value - truth) == least]
        for one in bins:
            assert sum(one["counts"]) == len(room) and one["low"] <= min(*values, truth) and one["high"] >= max(*values, truth), one


CHECKS = [a_guess_is_sent_and_told, a_lost_guess_is_sent_again, only_what_nobody_knows_is_asked, the_truth_is_told,
          categories_are_chosen, guesses_are_read_and_judged]
