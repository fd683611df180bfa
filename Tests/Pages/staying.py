"""Checks of what a page keeps and says over the end of its server, and of the messages of the host."""
import json
import os

import samples
from browser import Tab
from looks import CONTRASTS
from node import Node
from viewing import KNOWN, opened, with_job


def finished_runs_outlive_the_server(browser):
    """A server that crashed has forgotten its runs; the page has not."""
    node = Node()
    old = [samples.collector() | {"job": f"old{number}"} for number in range(3)]
    node.runs = old
    tab = opened(browser, node, samples.members())
    tab.until("document.querySelectorAll('#runs li').length === 3")
    tab.evaluate("document.querySelector('#runs button').firstChild.mark = 1")
    port = node.port
    node.stop()
    tab.until("document.querySelector('#state').textContent !== 'Live'")
    node.runs = []
    node.listen(port)
    tab.evaluate("window.dispatchEvent(new Event('online'))")
    tab.until_text("#state", "Live")
    node.until("it asks for the runs", lambda: node.pages[-1].messages("results"))
    # A later run joins them, and one that is known changes in place.
    node.runs = [old[0] | {"trials": "7"}, samples.collector() | {"job": "new"}]
    node.pages[-1].send({"is": "over", "job": "x"})
    tab.until("document.querySelectorAll('#runs li').length === 4")
    assert tab.evaluate("document.querySelector('#runs li:last-child .what').textContent") == "7 trials"
    assert tab.evaluate("document.querySelector('#runs li:nth-child(2) button').firstChild.mark") == 1, "it was drawn again"
    tab.evaluate("document.querySelector('#runs li:last-child button').click()")
    tab.until("!document.querySelector('#report').hidden")


def a_server_that_stays_away_is_said(browser):
    """Nothing tells a page that its server returned elsewhere, so it says what to do."""
    node = Node()
    tab = opened(browser, node, samples.members())
    node.stop()
    tab.until("document.querySelector('#state').textContent !== 'Live'")
    assert not tab.evaluate("document.querySelector('#problem').checkVisibility()"), "a server may just restart"
    tab.evaluate("void (Date.now = ((real) => () => real() + 90_000)(Date.now)); window.dispatchEvent(new Event('online'))")
    tab.until_text("#problem", "No contact with the server for 1 min")
    for words in ("keeps trying", "another one", "scan the code"):
        assert words in tab.text("#problem"), tab.text("#problem")
    assert not tab.evaluate("document.querySelector('#retry').checkVisibility()")
    node.listen(node.port)
    tab.evaluate("window.dispatchEvent(new Event('online'))")
    tab.until_text("#state", "Live")
    tab.until("!document.querySelector('#problem').checkVisibility()")


SAID = "Please save your work: the session ends in five minutes. Nobody has to close anything!"


def shown_message(tab):
    """Whether the message is in view as a whole, in front of everything, and how high its letters are."""
    return tab.evaluate("""(() => { const one = document.querySelector('#said'), box = one.getBoundingClientRect();
        const inside = box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight && one.scrollHeight <= one.clientHeight + 1;
        const text = document.querySelector('#said-text').getBoundingClientRect();
        const front = document.elementFromPoint(text.left + text.width / 2, text.top + 4);
        return { inside, front: one.contains(front), size: parseFloat(getComputedStyle(one).fontSize) }; })()""")


def messages_are_seen(browser, folder):
    """On the projector, on a phone that is scrolled down, and on a laptop."""
    for name, size, query in (("projector", (1280, 720, "light"), "?projector"), ("phone", (390, 844, "dark"), ""), ("laptop", (1280, 800, "light"), "")):
        node = Node()
        tab = with_job(browser, node, query=query, size=size)
        # News that are no message of the host, and a message of an hour ago, are in nobody's way.
        node.broadcast({"is": "news", "text": "ana joined", "by": None, "ago": 0}, {"is": "news", "text": "long ago", "by": "teacher", "ago": 3600})
        tab.until_text("#news", "long ago")
        assert not tab.evaluate("document.querySelector('#said').checkVisibility()") or "long ago" not in tab.text("#said")
        tab.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        node.broadcast({"is": "news", "text": SAID, "by": "teacher", "ago": 0})
        tab.until_text("#said", SAID)
        shown = shown_message(tab)
        assert shown["inside"] and shown["front"], f"{name}: {shown}"
        assert "teacher:" in tab.text("#said")
        assert shown["size"] >= (size[1] / 15 if name == "projector" else 18), f"{name}: {shown}"
        tab.screenshot(os.path.join(folder, f"message-{name}.png"))
        if name == "projector":
            assert not tab.evaluate("document.querySelector('#said-close').checkVisibility()"), "nobody is there to close it"
            # A long one fits, too; and what the room has read goes away by itself.
            node.broadcast({"is": "news", "text": "a long story " * 30, "by": "teacher", "ago": 0})
            tab.until_text("#said", "a long story")
            shown = shown_message(tab)
            assert shown["inside"], shown
            tab.screenshot(os.path.join(folder, "message-projector-long.png"))
            node.broadcast({"is": "news", "text": "short", "by": "teacher", "ago": 58})
            tab.until_text("#said", "short")
            tab.until("!document.querySelector('#said').checkVisibility()")
        else:
            tab.click("#said-close")
            tab.until("!document.querySelector('#said').checkVisibility()")
            node.broadcast({"is": "news", "text": "And now?", "by": "teacher", "ago": 0})
            tab.until_text("#said", "And now?")
            weak = tab.evaluate(CONTRASTS)
            assert weak == [], f"{name}: {weak}"
        tab.close()


def old_news_are_told_once(browser):
    """A gateway tells its last news to every page that joins, also to one that only reconnects."""
    node = Node()
    tab = opened(browser, node, {"is": "news", "text": "hello", "by": "teacher", "ago": 600}, {"is": "news", "text": "ana joined", "by": None, "ago": 5})
    tab.until_text("#news", "hello")
    first = tab.text("#news")
    node.joined().cut()
    tab.evaluate("window.dispatchEvent(new Event('online'))")
    node.joined(2)
    node.greeting = []
    node.until("it is told again", lambda: node.pages[-1].messages("results"))
    node.broadcast({"is": "news", "text": "later", "by": "teacher", "ago": 0})
    tab.until_text("#news", "later")
    assert tab.evaluate("document.querySelectorAll('#news li').length") == 3, tab.text("#news")
    assert first in tab.text("#news"), "the times changed"


def a_file_that_is_lost_is_fetched_again(browser):
    """A script that does not arrive keeps all others from running, and nobody may sit at a projector."""
    node = Node()
    node.failing = {"words.js": 1}
    tab = Tab(browser)
    tab.open(node, node.viewing, remembered=KNOWN)
    # The document may be the old one, the new one or half of it.
    tab.until("document.querySelector('#state')?.textContent === 'Live'")
    assert node.failing == {"words.js": 0}
    node = Node()
    node.failing = {"words.js": 100}
    tab = Tab(browser)
    tab.open(node, node.viewing)
    tab.until_text("#state", "did not arrive")


def pages_follow_their_gateway(browser):
    """What gateways told their pages in some evenings with lost links (Tests/Gateway/PageLawTests.swift), and what is seen then."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "conversations.json"), encoding="utf-8") as file:
        evenings = json.load(file)
    tab = Tab(browser)
    tab.open(Node(), "")
    script = """import('/session.js').then(({ Session }) => %s.map((messages) => {
        const session = new Session();
        for (const message of messages) message.is === 'settled' ? session.forgetStale() : session.take(message);
        return { jobs: [...session.jobs.values()].map((job) => [job.job, job.state]).sort(), foremost: session.foremost?.job ?? null,
                 runs: session.runs.map((run) => `${run.digest} ${run.job}`) };
    }))"""
    shown = tab.evaluate(script % json.dumps([evening["messages"] for evening in evenings]))
    for number, (evening, one) in enumerate(zip(evenings, shown, strict=True), 1):
        wanted = {key: evening[key] for key in one}
        assert one == wanted, f"evening {number}: {one} instead of {wanted}"
    return f"{sum(len(evening['messages']) for evening in evenings)} messages"
