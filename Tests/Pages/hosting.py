"""Checks of the host's page: to whom it belongs, what it shows, and what its buttons and forms send."""
import json

import samples
from browser import Browser, Tab
from node import Node
from viewing import KNOWN, opened


def hosted(browser, *messages, **more):
    """A node, and a tab that has the host's page."""
    node = Node()
    tab = opened(browser, node, samples.members(), *messages, *samples.gallery(), ticket=node.hosting, **more)
    tab.until("document.querySelectorAll('.gallery > li').length === 3")
    return node, tab, node.joined()


def sent(node, page, do, number=1):
    """Waits for a message of the page, and returns its fields."""
    messages = node.until(f"'{do}' comes", lambda: page.messages(do)[number - 1:])
    return {key: value for key, value in messages[0].items() if key != "do"}


def button(tab, words, within="#host"):
    tab.evaluate(f"[...document.querySelectorAll('{within} button')].find((one) => one.checkVisibility() && one.textContent === {json.dumps(words)}).click()")


def shown(tab):
    return tab.evaluate("[...document.querySelectorAll('#host > [role=group] button')].filter((one) => one.checkVisibility()).map((one) => one.textContent)")


def the_first_browser_has_the_hosts_page(browser):
    node, tab, _ = hosted(browser)
    secret = node.device
    assert secret and len(secret) == 16
    # It is no address for others.
    assert tab.evaluate("document.querySelector('#share').checkVisibility()") is False
    # The same browser, in another tab and after a reload.
    again = Tab(browser)
    again.open(node, node.hosting, remembered=KNOWN)
    again.until("document.querySelector('#host').checkVisibility()")
    tab.call("Page.reload")
    node.joined(3)
    tab.until("document.querySelector('#host').checkVisibility()")
    joins = [page.messages("join")[0] for page in node.pages]
    assert [bool(one["device"]) for one in joins] == [True, False, False] and len({one["proof"] for one in joins}) == 3, joins
    assert secret.hex() not in json.dumps(joins), "the secret is not sent as it is"
    # Another browser has another storage.
    other = Browser()
    try:
        second = Tab(other)
        second.open(node, node.hosting, remembered=KNOWN)
        second.until_text("#problem", "This address belongs to another device")
        assert not second.evaluate("document.querySelector('#host').checkVisibility()")
        second.close()
    finally:
        other.stop()
    assert node.device == secret


def other_pages_have_no_panel(browser):
    for ticket in ("viewing", "lending"):
        node = Node()
        tab = opened(browser, node, samples.members(), samples.job(), ticket=getattr(node, ticket))
        tab.until("document.querySelector('#members li')")
        assert not tab.evaluate("document.querySelector('#host').checkVisibility()")
        assert tab.evaluate("[...document.querySelectorAll('#members button')].some((one) => one.checkVisibility())") is False
        assert "proof" not in node.joined().messages("join")[0]


def a_form_starts_a_simulation(browser):
    node, tab, page = hosted(browser)
    form = "document.querySelector('.gallery > li:nth-child({}) form')"
    # By keys alone: the question, the field, and Enter.
    tab.evaluate("document.querySelector('.gallery summary').focus()")
    key(tab, "Enter", 13, "\r")
    tab.until(form.format(1) + ".checkVisibility()")
    tab.evaluate(form.format(1) + ".querySelector('input').select()")
    tab.call("Input.insertText", text="5")
    assert tab.evaluate(form.format(1) + ".querySelector('[type=range]').value") == "5"
    key(tab, "Enter", 13, "\r")
    assert sent(node, page, "start") == {"simulation": "monty-hall", "parameters": [["doors", "5"]], "trials": "1e6", "time": None,
                                         "asks": False, "isSlow": False}
    # The slider writes the number; what is not changed is not sent.
    tab.evaluate(f"(() => {{ const one = {form.format(3)}; one.closest('details').open = true; const slider = one.querySelector('[type=range]');"
                 " slider.value = 0.25; slider.oninput(); one.querySelector('[role=switch]').click(); one.requestSubmit(); })()")
    assert sent(node, page, "start", 2)["parameters"] == [["p", "0.25"], ["list", "yes"]]
    # A choice, several names, another limit, and a guess. Only one form is open.
    tab.evaluate(f"(() => {{ const one = {form.format(2)}; one.closest('details').open = true; one.querySelector('select').value = 'degree';"
                 " const boxes = [...one.querySelectorAll('[type=checkbox]')]; boxes[0].click(); boxes[2].click(); boxes.at(-2).click(); boxes.at(-1).click();"
                 " [...one.querySelectorAll('.field input')].at(-1).value = ' 30s '; one.requestSubmit(); })()")
    assert sent(node, page, "start", 3) == {"simulation": "tsp", "parameters": [["bound", "degree"], ["airports", "AMS,CPH"]],
                                            "trials": None, "time": "30s", "asks": True, "isSlow": True}
    tab.until("document.querySelectorAll('.gallery details[open]').length === 1")
    # Several values go as they are typed. The slider stays where it was.
    tab.evaluate(f"(() => {{ const one = {form.format(1)}; one.closest('details').open = true; const input = one.querySelector('input');"
                 " input.value = '3,5..7'; input.oninput(); one.requestSubmit(); })()")
    assert sent(node, page, "start", 4)["parameters"] == [["doors", "3,5..7"]]
    assert tab.evaluate(form.format(1) + ".querySelector('[type=range]').value") == "5"
    tab.until_text(".gallery form", "Several values")
    page.send({"is": "answer", "text": "parameter 'doors' must be 3 to 100", "refused": True})
    tab.until_text(".answered.bad", "must be 3 to 100")


def buttons_follow_the_job(browser):
    node, tab, page = hosted(browser)
    assert shown(tab) == [] and tab.evaluate("document.querySelector('#host > details').open")
    for number, (changes, buttons) in enumerate([
            ({}, ["Pause", "Hide answers", "Cancel"]), ({"state": "paused", "hidesExact": True}, ["Resume", "Show answers", "Hide answers", "Cancel"]),
            ({"state": "stopping"}, ["Hide answers", "Cancel"]), ({"state": "lost"}, ["Hide answers", "Cancel"]),
            ({"state": "done", "digest": "d" * 64}, ["Hide answers"])]):
        page.send(samples.job(**changes))
        tab.until(f"[...document.querySelectorAll('#host > [role=group] button')].filter((one) => one.checkVisibility()).map((one) => one.textContent).join() === {json.dumps(','.join(buttons))}")
        if number == 0:
            # The result is in sight while the job runs.
            assert not tab.evaluate("document.querySelector('#host > details').open")
    assert tab.evaluate("document.querySelector('#host > details').open")
    page.send(samples.job())
    tab.until("document.querySelector('#host [role=group] button').checkVisibility()")
    for words, do in (("Pause", "pause"), ("Hide answers", "hide")):
        button(tab, words)
        assert sent(node, page, do) == {"job": "a1"}
    # Nothing is cancelled by one slip of a finger.
    button(tab, "Cancel")
    button(tab, "Really cancel?")
    assert sent(node, page, "cancel") == {"job": "a1"} and len(page.messages("cancel")) == 1


def hosts_talk_approve_and_remove(browser):
    node, tab, page = hosted(browser, samples.newcomers())
    tab.evaluate("document.querySelector('#say').focus()")
    tab.call("Input.insertText", text="Look at the board")
    key(tab, "Enter", 13, "\r")
    assert sent(node, page, "say") == {"text": "Look at the board"} and tab.evaluate("document.querySelector('#say').value") == ""
    tab.until_text(".newcomers", "dora asks to join")
    names = tab.evaluate("[...document.querySelectorAll('.newcomers button')].map((one) => one.getAttribute('aria-label'))")
    assert names == ["Approve dora", "Decline dora", "Approve emil", "Decline emil"], names
    button(tab, "Approve", ".newcomers")
    assert sent(node, page, "accept") == {"node": f"{1:032x}"}
    tab.evaluate("document.querySelector('[aria-label=\"Decline emil\"]').click()")
    assert sent(node, page, "decline") == {"node": f"{2:032x}"}
    page.send(samples.newcomers() | {"nodes": []})
    tab.until("!document.querySelector('.newcomers').checkVisibility()")
    removable = tab.evaluate("[...document.querySelectorAll('#members button')].map((one) => one.getAttribute('aria-label'))")
    assert removable == ["Remove ana", "Remove ben", "Remove blue heron", "Remove Mia's phone", "Remove projector"], removable
    for _ in range(2):
        tab.evaluate("[...document.querySelectorAll('#members li')].find((one) => one.textContent.includes('ana')).querySelector('button').click()")
    assert sent(node, page, "remove") == {"name": "ana"} and len(page.messages("remove")) == 1


def key(tab, name, code, text):
    tab.call("Input.dispatchKeyEvent", type="keyDown", key=name, text=text, windowsVirtualKeyCode=code)
    tab.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)


CHECKS = [the_first_browser_has_the_hosts_page, other_pages_have_no_panel, a_form_starts_a_simulation, buttons_follow_the_job,
          hosts_talk_approve_and_remove]
