"""Checks of the projector, which shows in turn what does not fit beside each other, and of the page on a phone."""
import samples
from browser import Tab
from node import Node
from viewing import KNOWN, opened, with_job

# The names of the readings in sight.
SHOWN = "[...document.querySelectorAll('#job .reading')].filter((one) => one.checkVisibility()).map((one) => one.querySelector('h3').textContent)"
# What leaves the card that it is in: its kind, for each.
OUTSIDE = ("[...document.querySelectorAll('#job .card *')].filter((one) => one.checkVisibility() && [null, one].includes(one.closest('.chart > svg'))"
           " && one.getBoundingClientRect().bottom > one.closest('.card').getBoundingClientRect().bottom + 1).map((one) => one.className.baseVal ?? one.className)")
NAMES = {" ": (32, "Space"), "ArrowRight": (39, "ArrowRight"), "ArrowLeft": (37, "ArrowLeft"), "Escape": (27, "Escape")}


def press(tab, key):
    number, code = NAMES.get(key, (ord(key.upper()[0]), ""))
    text = {"text": key} if len(key) == 1 else {}
    tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, windowsVirtualKeyCode=number, **text)
    tab.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, windowsVirtualKeyCode=number)


def projector(browser, *messages, size=(1280, 720, "light")):
    """A node and its page as a projector. Timers that repeat can be called by hand: `ticks`."""
    node = Node()
    node.greeting = [samples.members(), *messages]
    tab = Tab(browser, *size)
    tab.call("Page.addScriptToEvaluateOnNewDocument", source="window.ticks = []; const set = setInterval;"
             " window.setInterval = (act, time) => { ticks.push([act, time]); return set(act, time); };")
    tab.open(node, node.viewing, "?projector", KNOWN)
    tab.until("document.querySelector('#state').textContent === 'Live'")
    return node, tab


def readings_take_turns(browser):
    many = samples.collector() | {"state": "running", "digest": None}
    node, tab = projector(browser, many)
    pairs = [["packets", "variance"], ["packets per kind", "before the tenth"], ["packets by then", "first and last"]]
    tab.until(f"{SHOWN}.length === 2")
    assert tab.evaluate(SHOWN) == pairs[0]
    assert tab.text("#turning-text") == "1 of 3"
    for key, place in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 0), ("ArrowLeft", 2), ("ArrowLeft", 1)):
        press(tab, key)
        tab.until(f"document.querySelector('#turning-text').textContent === '{place + 1} of 3'")
        assert tab.evaluate(SHOWN) == pairs[place], key
        assert tab.evaluate("document.documentElement.scrollHeight <= innerHeight"), "it has to be scrolled"
        outside = tab.evaluate("[...document.querySelectorAll('#job .chart > svg')].filter((one) => one.checkVisibility()).filter((one) =>"
                               " one.getBoundingClientRect().bottom > one.closest('.card').getBoundingClientRect().bottom).length")
        assert outside == 0, f"{outside} charts leave their card"
    # By itself the next ones come after a while, unless the reader holds them.
    turn = "ticks.filter(([, time]) => time === 12000).at(-1)[0]()"
    tab.evaluate(turn)
    tab.until_text("#turning-text", "3 of 3")
    press(tab, " ")
    tab.until_text("#turning-text", "held")
    tab.evaluate(turn)
    node.broadcast(many | {"goal": "one more picture"})
    tab.until("document.querySelector('#job .facts').textContent.includes('one more picture')")
    assert tab.evaluate(SHOWN) == pairs[2]
    # Two readings need no turns, and a page that is no projector shows all.
    press(tab, "Escape")
    tab.until(f"{SHOWN}.length === 6")
    press(tab, "ArrowRight")
    assert tab.evaluate("document.querySelector('#turning').hidden")


def guesses_take_their_turn(browser):
    node, tab = projector(browser, samples.waiting(), size=(1920, 1080, "dark"))
    tab.until_text("#job .guesses", "0 guesses so far.")
    assert not tab.evaluate("document.querySelector('#job .guesses input').checkVisibility()"), "a projector guesses nothing"
    job = samples.job()
    some = [[0.1 * place, f"p{place}", f"{place:016x}"] for place in range(9)]
    node.broadcast({"is": "guesses", "job": "a1", "from": 0, "guesses": some}, job, samples.course(job))
    # The first trials are in sight, and the guesses come in their turn.
    tab.until("document.querySelectorAll('#job .reading .chart > svg').length === 2")
    assert len(tab.evaluate(SHOWN)) == 2 and tab.text("#turning-text") == "1 of 2"
    assert not tab.evaluate("document.querySelector('#job .guesses').checkVisibility()")
    press(tab, "ArrowRight")
    tab.until("document.querySelector('#job .guesses rect.bin')?.checkVisibility()")
    assert tab.evaluate(SHOWN) == []
    press(tab, "ArrowRight")
    # At the end the guesses and the answer are first. Whatever is shown stays in its card, as large as the screen may be.
    node.broadcast(job | {"state": "done", "digest": "d" * 64, "seed": "7", "counts": [["stay", "1"]], "repeat": "potluck run monty-hall --seed 7",
                          "browsers": "39.3 % of the trials by browsers, 100.0 % of that recomputed"})
    tab.until("document.querySelector('#job .guesses .answer').checkVisibility()")
    for size in ((1280, 720), (1920, 1080)):
        tab.look(*size)
        for slide in ("#job .guesses", "#job .reading"):
            tab.until(f"[...document.querySelectorAll('{slide} .chart > svg')].some((one) => one.checkVisibility())")
            assert tab.evaluate(OUTSIDE) == [], f"{slide} at {size}"
            assert not tab.evaluate("document.querySelector('#job .result').checkVisibility()")
            press(tab, "ArrowRight")
    assert tab.complaints() == [], tab.complaints()


def keys_of_the_projector(browser):
    node, tab = projector(browser, samples.job(), samples.job(job="b7", simulation="pi"), *samples.news())
    title = "document.querySelector('#job h2').textContent"
    tab.until(f"{title} === 'π'")
    press(tab, "n")
    tab.until(f"{title} === 'Monty Hall'")
    press(tab, "n")
    tab.until(f"{title} === 'π'")
    assert tab.evaluate("!document.querySelector('#said').hidden")
    press(tab, "m")
    tab.until("document.querySelector('#said').hidden")
    press(tab, "q")
    tab.until("document.querySelector('#code svg').getBoundingClientRect().height > innerHeight / 2")
    press(tab, "q")
    tab.until("document.querySelector('#code svg').getBoundingClientRect().height < innerHeight / 2")
    press(tab, "?")
    tab.until("document.querySelector('#keys').open")
    told = tab.evaluate("[...document.querySelectorAll('#keys-list dt')].map((one) => one.textContent)")
    assert told == ["→", "←", "Space", "n", "q", "m", "?", "Esc"], told
    press(tab, "Escape")
    tab.until("!document.querySelector('#keys').open")
    assert tab.evaluate("document.documentElement.classList.contains('projector')"), "the help was closed, not the projector"
    press(tab, "Escape")
    tab.until("!document.documentElement.classList.contains('projector')")
    # Who types a name types these letters.
    tab.evaluate("document.querySelector('#new-name').focus()")
    for key in ("n", "q"):
        press(tab, key)
    assert tab.evaluate(title) == "π" and tab.evaluate("!document.documentElement.classList.contains('joining')")


def phones_show_the_result_first(browser):
    node = Node()
    node.runs = [samples.collector()]
    job = samples.job()
    tab = opened(browser, node, samples.members(), job, samples.course(job), ticket=node.lending, size=(390, 844, "light"))
    tab.until("document.querySelector('.chart svg') && document.querySelector('#runs button')")
    box = "document.querySelector('%s').getBoundingClientRect()"
    assert tab.evaluate(f"{box % '#job .chart svg'}.bottom <= {box % '#lend'}.top"), "the first chart is below the fold"
    assert tab.evaluate(f"Math.abs({box % '#lend'}.bottom - innerHeight) < 1"), "lending is out of reach"
    assert tab.evaluate("document.querySelector('#history').open") is False
    tab.click("#lend-button")
    tab.until_text("#lend-state", "Ready")
    assert tab.evaluate(f"{box % '#lend'}.height < 64"), "lending takes more than a line"
    assert tab.evaluate("document.querySelector('#lend-button').checkVisibility() && document.documentElement.scrollWidth <= innerWidth")
    tab.click("#lend-button")
    tab.until("document.querySelector('#cores').checkVisibility()")
    # At a desk the runs are open.
    desk = with_job(browser, node)
    assert desk.evaluate("document.querySelector('#history').open") is True


CHECKS = [readings_take_turns, guesses_take_their_turn, keys_of_the_projector, phones_show_the_result_first]
