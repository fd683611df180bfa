"""The check of who is here: everybody, in order, on the page, on paper and on a projector."""
import samples
from node import Node
from viewing import opened


def everybody_is_listed(browser):
    """Sorted, with cores and shares, on the page and on paper. A projector says how many do not fit."""
    node = Node()
    names = [f"pupil {number}" for number in range(40, 0, -1)]
    members = samples.members()
    members["members"] += [{"name": name, "cores": 2, "kind": "laptop", "state": "here", "isYou": False} for name in names]
    tab = opened(browser, node, members, samples.job())
    tab.until("document.querySelectorAll('#members li').length === 47")
    rows = tab.evaluate("[...document.querySelectorAll('#members li')].map((one) => one.innerText.replace(/\\s+/g, ' '))")
    laptops = [row for row in rows if row.startswith("pupil")]
    assert [row.split(" laptop")[0] for row in laptops] == names[::-1], laptops
    assert any(row.startswith("ana laptop, 4 cores, 27 %") for row in rows), rows
    tab.evaluate("globalThis.print = () => { globalThis.printed = document.documentElement.classList.contains('roster'); }")
    tab.click("#print-members")
    assert tab.evaluate("printed")
    tab.call("Emulation.setEmulatedMedia", media="print")
    assert tab.evaluate("[...document.querySelectorAll('#members li')].every((one) => one.checkVisibility())")
    assert not tab.evaluate("document.querySelector('#job').checkVisibility() || document.querySelector('#share').checkVisibility()")
    tab.call("Emulation.setEmulatedMedia", media="screen")
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    tab.look(1280, 720)
    tab.click("#project")
    tab.until("/\\d+ more/.test(document.querySelector('#counts').textContent)")
    number = int(tab.evaluate("/(\\d+) more/.exec(document.querySelector('#counts').textContent)[1]"))
    assert 0 < number < 47, number


CHECKS = [everybody_is_listed]
