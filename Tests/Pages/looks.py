"""Checks of how the page looks on a projector, a phone and a desk: what is read from afar, what fits, what has contrast."""
import os
import subprocess

import axe
import samples
import writing
from browser import ADDRESS, Tab
from node import Node
from viewing import KNOWN, opened, with_job


def cameras_read_the_projector(browser, folder):
    node = Node()
    for width, scheme in ((1280, "light"), (1920, "dark")):
        height = width * 9 // 16
        tab = with_job(browser, node, query="?projector", size=(width, height, scheme))
        path = os.path.join(folder, f"projector-{width}-{scheme}.png")
        tab.screenshot(path)
        done = subprocess.run(["zbarimg", "-q", "--raw", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = f"http://{ADDRESS}:{node.port}/{node.fragment(node.viewing)}"
        # The code has the ticket without the hyphens, which are for people.
        start = address.index("#")
        assert done.stdout.strip() == address[:start] + address[start:].replace("-", ""), done.stdout
        assert tab.text("#address") == address
        assert tab.evaluate("document.documentElement.scrollHeight <= innerHeight"), "it has to be scrolled"
        largest = tab.evaluate("Math.min(...[...document.querySelectorAll('.figure')].map((one) => parseFloat(getComputedStyle(one).fontSize)))")
        assert largest > height / 12, largest
        assert "ana" in tab.text("#members") and tab.evaluate("document.querySelector('#rename').checkVisibility()") is False
        tab.click("#project")
        tab.until("document.querySelector('#rename').checkVisibility()")


def it_fits_every_screen(browser, folder):
    node = Node()
    for width, height in ((390, 844), (1280, 800), (1920, 1080), (3840, 2160)):
        for scheme in ("light", "dark"):
            tab = with_job(browser, node, ticket=node.lending, size=(width, height, scheme))
            if width < 3840:
                tab.screenshot(os.path.join(folder, f"page-{width}-{scheme}.png"), is_whole=True)
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{width}: it is too wide"
            weak = tab.evaluate(CONTRASTS)
            assert weak == [], f"{scheme}: {weak}"
            tab.close()
    tab = Tab(browser)
    tab.look(1280, 800, motion="reduce")
    tab.open(node, node.viewing, remembered=KNOWN)
    assert tab.evaluate("getComputedStyle(document.querySelector('.bar > div')).transitionDuration") == "0s"


def every_state_is_accessible(browser):
    """People who hear the page, or use keys or a finger, can use it: axe finds nothing, in any state."""
    guesses = {"is": "guesses", "job": "a1", "from": 0, "guesses": [[0.1 * place, f"p{place}", f"{place:016x}"] for place in range(9)]}
    job = samples.job()
    run = samples.job(state="done", digest="d" * 64, seed="7", counts=[["stay", "1"]], repeat="potluck run monty-hall --seed 7")
    choice = samples.waiting(job="c7", readings=[samples.reading(name, None, None, kind="category") for name in ("cars", "goats")])
    for width, height, scheme, query in ((390, 844, "light", ""), (1280, 800, "dark", ""), (1280, 720, "light", "?projector"),
                                         (1920, 1080, "dark", "?projector")):
        node = Node()
        node.runs = [run]
        tab = opened(browser, node, samples.members(), samples.waiting(), guesses, ticket=node.lending, query=query, size=(width, height, scheme))

        def check(state, shown):
            tab.until(shown)
            bad = axe.violations(tab) + tab.evaluate(CONTRASTS)
            assert bad == [], f"{state} at {width}, {scheme}: {bad}"
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{state} at {width}: it is too wide"

        check("guessing", "document.querySelector('#job .guesses')?.checkVisibility()")
        node.broadcast({"is": "writing", "isOpen": True})
        if not query:
            tab.until("document.querySelector('#write').checkVisibility()")
            tab.evaluate("document.querySelector('#write details').open = true")
            node.broadcast({"is": "script", "name": "dice.py", "text": "import potluck\n" * 9, "print": None},
                           {"is": "proposed", "name": "dice.py", "state": "refused"})
            check("proposing", "document.querySelector('#write .answered.bad')")
            tab.evaluate("document.querySelector('#write details').open = false")
        node.broadcast(job, samples.course(job))
        check("running", "document.querySelector('#job .chart > svg')")
        node.broadcast(run)
        check("done", "document.querySelector('#job dl')?.textContent.includes('monty-hall')")
        node.broadcast(choice)
        check("choosing", "document.querySelector('#job .guesses legend').textContent.includes('largest')")
        if query:
            tab.evaluate("document.querySelector('#keys').showModal()")
            check("keys", "document.querySelector('#keys').open")
        else:
            tab.until("document.querySelector('#runs button')")
            tab.click("#runs button")
            check("report", "document.querySelector('#report').checkVisibility()")
        tab.close()
        if query:
            continue
        # The host's page has the panel, and forms of every kind of field.
        node = Node()
        tab = opened(browser, node, samples.members(), samples.newcomers(), *samples.gallery(), ticket=node.hosting, size=(width, height, scheme))
        check("hosting", "document.querySelectorAll('.gallery > li').length === 3")
        for number in (1, 2, 3):
            tab.evaluate(f"document.querySelector('.gallery > li:nth-child({number}) details').open = true")
            check(f"form {number}", f"document.querySelector('.gallery > li:nth-child({number}) form').checkVisibility()")
        node.broadcast(job, samples.course(job), {"is": "answer", "text": "job a1 is paused", "refused": False})
        node.broadcast({"is": "proposals", "files": [{"number": 1, "by": "ana", "name": "two-dice.py"}]})
        check("files of guests", "document.querySelector('.sent button')?.checkVisibility()")
        check("commanding", "document.querySelector('#host [role=group]').checkVisibility()")
        node.broadcast({"is": "answer", "text": "no job a1 here", "refused": True})
        check("refused", "document.querySelector('.answered.bad')")
        tab.evaluate("document.querySelector('.writing').open = true")
        page = node.joined()
        page.send({"is": "script", "name": "dice.py", "text": "import potluck\n\nclass Dice:\n    x = 1\n" * 9, "print": None})
        node.until("a check", lambda: page.messages("check"))
        page.send({"is": "checked", "number": 1, "problems": [[3, "Dice is no simulation"], [None, "there is none"]]})
        check("writing", "document.querySelector('.editor .bad')")
        page.send(writing.saved("dice.py", [[4, "x is not used"]]))
        page.send({"is": "unwritten", "text": "there is already a file dice.py"})
        check("saved", "document.querySelector('.writing .answered.bad')")
        tab.close()


# Texts whose contrast to what is behind them is below 4.5.
CONTRASTS = """(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => { for (; element; element = element.parentElement) {
    const colour = numbers(getComputedStyle(element).backgroundColor); if ((colour[3] ?? 1) > 0) return colour; } return [255, 255, 255]; };
  return [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() &&
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).flatMap((one) => {
      const style = getComputedStyle(one), ink = numbers(one instanceof SVGElement ? style.fill : style.color), back = ground(one);
      const [high, low] = [light(ink), light(back)].sort((a, b) => b - a), ratio = (high + 0.05) / (low + 0.05);
      return ratio < 4.5 ? [[one.textContent, ratio]] : []; });
})()"""
