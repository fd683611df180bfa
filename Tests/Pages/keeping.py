"""Checks of the report that a reader saves: one file with everything in it, opened without a server."""
import base64
import os
import re
import tempfile

import samples
from browser import Tab
from guessing import guesses, number_of
from node import Node
from viewing import KNOWN, opened

# The blob that the button saves.
SAVED = ("new Promise((done) => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then(done); return make(blob); };"
         " HTMLAnchorElement.prototype.click = () => {}; document.querySelector('#save-report').click(); })")


def saved(browser, size):
    node = Node()
    run = samples.job(state="done", digest="ab" * 32, seed="7", counts=[["stay", "244667733"], ["switch", "489335467"]],
                      repeat="potluck run monty-hall --trials 734003200 --seed 7", fraction=1, rate=None, left=None)
    run["nodes"].append({"name": "golden wren", "cores": 1, "share": 0.02, "rate": None, "state": "idle", "kind": "browser", "recomputed": 0.1})
    node.runs = [run]
    tab = opened(browser, node, samples.members(), run, samples.course(run), ticket=node.lending, size=size)
    page = node.joined()
    page.send(guesses([0.5, "ben", "0" * 15 + "1"], [0.25, "golden wren", number_of(page)], [0.4, "<b>eve</b>", "0" * 15 + "2"]))
    tab.until("document.querySelector('#runs button') && document.querySelector('#job .guesses rect.bin')")
    tab.click("#runs button")
    tab.until("document.querySelectorAll('#report .chart > svg').length === 3")
    text = tab.evaluate(SAVED)
    assert tab.complaints() == [], tab.complaints()
    tab.close()
    return text


def a_report_needs_no_server(browser, folder):
    for size in ((1280, 900, "light"), (390, 844, "dark")):
        text = saved(browser, size)
        assert "<script" not in text and "<b>eve" not in text
        assert set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`<]*", text)) <= {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"}
        path = os.path.join(tempfile.mkdtemp(prefix="potluck-report-"), "report.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        tab = Tab(browser, *size)
        tab.call("Page.navigate", url=f"file://{path}")
        tab.until("document.readyState === 'complete' && location.protocol === 'file:'")
        shown = tab.text("body")
        for part in ("Behind one door is a car", "in the session Monty", "734\u202f003\u202f200 trials in 21 s by 6 devices",
                     "0.333321", "0.333287 … 0.333355", "0.333333", "3 guesses of stay, from 0.25 to 0.5", "Nearest: <b>eve</b>.",
                     "golden wren computed 2.0 % of the trials.",
                     "You guessed 0.25.", "potluck run monty-hall --trials 734003200 --seed 7", "ab" * 32, "Mia's phone"):
            assert part in shown, f"{part}\n{shown}"
        assert tab.evaluate("document.compatMode") == "CSS1Compat" and tab.evaluate("document.characterSet") == "UTF-8"
        assert tab.evaluate("[...document.querySelectorAll('svg')].filter((one) => one.parentElement.tagName === 'FIGURE' &&"
                            " one.getBoundingClientRect().height > 100).length") == 3
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is too wide"
        files = tab.evaluate("[...document.querySelectorAll('a[download]')].map((one) => [one.download, one.href])")
        assert [name for name, _ in files] == ["monty-hall.csv"] + [
            f"monty-hall-{about}.{end}" for about in ("stay", "switch", "guesses") for end in ("svg", "png")], files
        contents = [base64.b64decode(address.split(",", 1)[1]) for _, address in files]
        assert contents[0].startswith(b"trials,reading,value,low,high,exact,count\n") and contents[0].count(b"\n") > 60
        assert contents[1].startswith(b"<svg") and contents[2].startswith(b"\x89PNG")
        tab.screenshot(os.path.join(folder, f"report-{size[0]}.png"), is_whole=True)
        assert tab.complaints() == [], tab.complaints()
        tab.close()


CHECKS = [a_report_needs_no_server]
