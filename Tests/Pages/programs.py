"""Checks of what a viewer sees of programs with ranks."""
import os

import samples
import viewing
from looks import CONTRASTS
from node import Node


def programs_come_and_go(browser, folder):
    node = Node()
    for width, height in ((390, 844), (1280, 800)):
        for scheme in ("light", "dark"):
            tab = viewing.opened(browser, node, samples.members(), samples.programs(samples.heat()), size=(width, height, scheme))
            tab.until("document.querySelectorAll('.laptops > li').length === 3")
            assert tab.evaluate("document.querySelector('#quiet').hidden"), "a program runs"
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{width}: it is too wide"
            weak = tab.evaluate(CONTRASTS)
            assert weak == [], f"{scheme}: {weak}"
            tab.screenshot(os.path.join(folder, f"program-{width}-{scheme}.png"), is_whole=True)
            tab.close()
    tab = viewing.opened(browser, node, samples.members(), samples.programs(samples.heat()))
    for part in ("Heat by ana", "8 ranks on 3 laptops · 1 234 messages · 56 MB · 12 s", "2 compute, 1 waits, 21 MB sent",
                 "rank 3 waits for rank 1, 2.1 s", "3 …", "7 ✓"):
        tab.until_text(".program", part)
    tab.until("document.querySelector('#announcement').textContent.includes('Heat by ana: running.')")
    # A later picture changes cells and leaves the others in place.
    tab.evaluate("document.querySelector('.ranks li').mark = 1")
    later = samples.heat()
    later["laptops"][1]["ranks"][0][1] = "computes"
    node.broadcast(samples.programs(later))
    tab.until("!document.querySelector('.program').innerText.includes('3 …\\n')")
    assert tab.evaluate("document.querySelector('.ranks li').mark") == 1
    # Without news nothing looks alive, and neither does the end.
    node.broadcast(samples.programs(samples.heat(state="silent", detail="no news for 7 s", laptops=[])))
    tab.until_text(".program", "no news for 7 s")
    assert tab.evaluate("document.querySelectorAll('.laptops li').length") == 0
    node.broadcast(samples.programs(
        samples.heat(name="ring", detail=None), samples.heat(state="failed", detail=f"failed after 12 s: {viewing.EVIL}", laptops=[])))
    tab.until("document.querySelectorAll('.program').length === 2")
    tab.until_text(".program:last-child .state.bad", viewing.EVIL)
    many = samples.heat(more=36, laptops=[one | {"name": f"laptop {place}", "ranks": None}
                                          for place in range(64) for one in samples.heat()["laptops"][:1]])
    node.broadcast(samples.programs(many))
    tab.until_text(".program", "and 36 more")
    assert tab.evaluate("document.querySelectorAll('.ranks:not(.legend) li').length") == 0
    node.broadcast(samples.programs())
    tab.until("document.querySelector('#programs').hidden && !document.querySelector('#quiet').hidden")
    assert tab.complaints() == [], tab.complaints()


def programs_fit_the_projector(browser, folder):
    node = Node()
    for name, jobs in (("alone", []), ("job", [samples.job(), samples.course(samples.job())])):
        for scheme in ("light", "dark"):
            tab = viewing.opened(browser, node, samples.members(), *jobs, samples.programs(samples.heat()), query="?projector",
                         size=(1280, 720, scheme))
            tab.until("document.querySelector('.program')?.checkVisibility()")
            tab.until(f"document.querySelector('#job').checkVisibility() === {str(jobs != []).lower()}")
            tab.screenshot(os.path.join(folder, f"projector-program-{name}-{scheme}.png"))
            assert tab.evaluate("document.documentElement.scrollHeight <= innerHeight"), "it has to be scrolled"
            assert tab.evaluate("document.querySelector('.laptops').checkVisibility()") is (jobs == [])
            tab.close()
    big = samples.heat(laptops=[{"name": f"laptop {place}", "facts": "4 wait, 21 MB sent", "wait": f"rank {place} waits for rank 1, 2.1 s",
                                 "ranks": [[rank, "waits"] for rank in range(place, 120, 6)]} for place in range(30)])
    tab = viewing.opened(browser, node, samples.members(), samples.programs(big, *[samples.heat(name=name) for name in ("ring", "sort", "sum")]),
                 query="?projector", size=(1280, 720, "light"))
    tab.until("document.querySelectorAll('.program').length === 4")
    tab.screenshot(os.path.join(folder, "projector-programs.png"))
    assert tab.evaluate("document.documentElement.scrollHeight <= innerHeight"), "it has to be scrolled"
