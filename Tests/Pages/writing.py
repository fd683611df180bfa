"""Checks of the editor on the host's page: what it sends, what it marks, and that keys alone suffice."""
import json

import samples
from hosting import button, hosted, key, sent
from node import Node
from viewing import opened

TEXT = "import potluck\n\n\nclass Dice(potluck.Simulation):\n    def trial(self, random):\n        self.same.ad(1)\n"
PRINT = "ab" * 32


def writing(browser, names=(), **more):
    """A node that knows these files, and a tab whose editor is open."""
    node, tab, page = hosted(browser, **more)

    def work(page, message):
        if message["do"] == "scripts":
            page.send({"is": "scripts", "names": list(names)})

    node.worker = work
    tab.evaluate("document.querySelector('.writing > summary').click()")
    tab.until("document.querySelector('#script').checkVisibility()")
    sent(node, page, "scripts")
    tab.until(f"document.querySelectorAll('.writing option').length === {1 + len(names)}")
    return node, tab, page


def text_of(tab):
    return tab.evaluate("document.querySelector('#script').value")


def write(tab, text):
    tab.evaluate("document.querySelector('#script').focus()")
    tab.call("Input.insertText", text=text)


def saved(name="two-dice.py", problems=(), **more):
    dice = {"name": "dice", "help": "how many dice", "kind": "integer", "minimum": 2, "maximum": 10, "default": 2}
    simulation = {"name": "two-dice", "summary": "How often are both the same?", "ends": False, "parameters": [dice]}
    return {"is": "saved", "name": name, "print": PRINT, "problems": list(problems), "simulation": simulation} | more


def a_text_is_checked_as_one_types(browser):
    node, tab, page = writing(browser)
    write(tab, TEXT)
    assert sent(node, page, "check") == {"text": TEXT, "number": 1}
    # While the answer is missing nothing more is sent, and then only the newest text.
    write(tab, "# one\n")
    write(tab, "# two\n")
    page.send({"is": "checked", "number": 1, "problems": [[6, "Count has no 'ad'; did you mean 'add'?"], [None, "no readings"]]})
    tab.until_text(".writing .problems", "did you mean 'add'?")
    tab.until_text("#announcement", "did you mean 'add'?")
    assert tab.evaluate("[...document.querySelectorAll('.editor .bad')].map((one) => one.textContent)") == ["6"]
    assert tab.evaluate("document.querySelector('#script').getAttribute('aria-invalid')") == "true"
    assert sent(node, page, "check", 2) == {"text": TEXT + "# one\n# two\n", "number": 2} and len(page.messages("check")) == 2
    # The line of a problem is one press away.
    button(tab, "Line 6", ".writing")
    assert tab.evaluate("(() => { const at = document.querySelector('#script'); return [document.activeElement === at,"
                        " at.value.slice(at.selectionStart, at.selectionEnd)]; })()") == [True, "        self.same.ad(1)"]
    # An answer to an old text is none.
    page.send({"is": "checked", "number": 1, "problems": []})
    page.send({"is": "checked", "number": 2, "problems": []})
    tab.until("document.querySelector('#script').getAttribute('aria-invalid') === 'false' && !document.querySelector('.editor .bad')")


def keys_write_and_leave(browser):
    node, tab, page = writing(browser)
    write(tab, "def trial(self):")
    key(tab, "Enter", 13, "\r")
    tab.call("Input.insertText", text="x = 1")
    key(tab, "Enter", 13, "\r")
    tab.call("Input.insertText", text="y = 2")
    assert text_of(tab) == "def trial(self):\n    x = 1\n    y = 2", text_of(tab)
    key(tab, "Tab", 9, "")
    assert text_of(tab).endswith("y = 2    ")
    tab.evaluate("document.querySelector('#script').setSelectionRange(17, 34)")
    key(tab, "Tab", 9, "")
    assert text_of(tab) == "def trial(self):\n        x = 1\n        y = 2    ", text_of(tab)
    assert tab.evaluate("document.activeElement.id") == "script"
    numbers = tab.evaluate("[...document.querySelectorAll('.editor pre span')].map((one) => one.textContent)")
    assert numbers == ["1", "2", "3"], numbers
    # Who cannot use a mouse leaves the text with Escape and Tab.
    key(tab, "Escape", 27, "")
    key(tab, "Tab", 9, "")
    assert tab.evaluate("document.activeElement.textContent") == "Save", tab.evaluate("document.activeElement.outerHTML")


def a_file_is_saved_and_started(browser):
    node, tab, page = writing(browser, ["walk.py"])
    assert tab.evaluate("[...document.querySelectorAll('.writing option')].map((one) => one.textContent)") == ["Open", "walk.py"]
    tab.evaluate("document.querySelector('#script-name').value = ' two-dice.py '")
    button(tab, "New: a count", ".writing")
    assert sent(node, page, "new") == {"kind": "dice", "name": "two-dice.py"}
    page.send({"is": "script", "name": "two-dice.py", "text": TEXT, "print": None})
    tab.until("document.querySelector('#script').value !== ''")
    tab.until_text(".writing", "Save it to run it.")
    button(tab, "Save", ".writing")
    assert sent(node, page, "save") == {"text": TEXT, "name": "two-dice.py", "print": None}
    page.send({"is": "unwritten", "text": "there is already a file two-dice.py; open it, or choose another name"})
    tab.until_text(".writing .bad", "there is already a file two-dice.py")
    button(tab, "Save", ".writing")
    page.send(saved())
    tab.until("document.querySelector('.writing form')?.checkVisibility()")
    assert tab.evaluate("[...document.querySelectorAll('.writing option')].map((one) => one.value)") == ["", "two-dice.py", "walk.py"]
    # A number of the form stays when the file is saved again, and what is not saved does not run.
    tab.evaluate("document.querySelector('.writing form input').value = '3'")
    write(tab, "#")
    tab.until("!document.querySelector('.writing form').checkVisibility()")
    button(tab, "Save", ".writing")
    assert sent(node, page, "save", 3)["print"] == PRINT
    page.send(saved())
    tab.until("document.querySelector('.writing form').checkVisibility()")
    tab.evaluate("document.querySelector('.writing form').requestSubmit()")
    assert sent(node, page, "start") == {"simulation": "two-dice.py", "parameters": [["dice", "3"]], "trials": "1e6", "time": None,
                                         "asks": False, "isSlow": False}
    # Its result is in sight.
    page.send(samples.job())
    tab.until("!document.querySelector('.writing').open")
    # A server that was started again has to know the file.
    page.cut()
    back = node.joined(2)
    assert sent(node, back, "save")["print"] == PRINT


def files_are_opened(browser):
    node, tab, page = writing(browser, ["walk.py"])
    tab.evaluate("(() => { const one = document.querySelector('.writing select'); one.value = 'walk.py'; one.onchange(); })()")
    assert sent(node, page, "open") == {"name": "walk.py"}
    page.send({"is": "script", "name": "walk.py", "text": TEXT, "print": PRINT})
    # It is saved as it is, which changes nothing and says what can be set.
    assert sent(node, page, "save") == {"text": TEXT, "name": "walk.py", "print": PRINT}
    page.send(saved("walk.py", [[6, "no"]], simulation=None))
    tab.until_text(".writing .problems", "no")
    assert tab.evaluate("document.querySelector('.writing form')") is None
    # Another name is another file.
    tab.evaluate("document.querySelector('#script-name').value = 'other.py'")
    button(tab, "Save", ".writing")
    assert sent(node, page, "save", 2) == {"text": TEXT, "name": "other.py", "print": None}


def what_is_too_long_stays_here(browser):
    node, tab, page = writing(browser)
    tab.evaluate("(() => { const one = document.querySelector('#script'); one.value = '#'.repeat(1_000_000); one.oninput(); })()")
    tab.until_text(".writing .bad", "The text has 1000000 bytes, and the page keeps at most 24576.")
    button(tab, "Save", ".writing")
    page.send({"is": "answer", "text": "still here", "refused": False})
    tab.until_text("#host", "still here")
    assert not page.messages("check") and not page.messages("save") and json.dumps(page.messages("scripts"))


def a_guest_sends_the_host_a_file(browser):
    node = Node()
    tab = opened(browser, node, samples.members(), samples.job())
    page = node.joined()
    tab.until("document.querySelector('#members li')")
    assert not tab.evaluate("document.querySelector('#write').checkVisibility()"), "there is no host's page"
    page.send({"is": "writing", "isOpen": True})
    tab.until("document.querySelector('#write').checkVisibility()")
    tab.evaluate("document.querySelector('#write summary').click()")
    tab.until("document.querySelector('#script').checkVisibility()")
    button(tab, "New: a count", "#write")
    assert sent(node, page, "new") == {"kind": "dice", "name": "my-simulation.py"}
    page.send({"is": "script", "name": "my-simulation.py", "text": TEXT, "print": None})
    tab.until("document.querySelector('#script').value !== ''")
    assert tab.evaluate("document.activeElement.id") == "script"
    tab.until_text("#write", "The host reads what you send, and decides whether it runs for the room.")
    button(tab, "Send to the host", "#write")
    assert sent(node, page, "propose") == {"text": TEXT, "name": "my-simulation.py"}
    for state, words in (("refused", "cannot take my-simulation.py now"), ("waits", "will look at it"), ("opened", "opened my-simulation.py"),
                         ("declined", "declined my-simulation.py")):
        page.send({"is": "proposed", "name": "my-simulation.py", "state": state})
        tab.until_text("#write .answered", words)
    # A voice has one thing to say in ten seconds, and says the last one.
    tab.until_text("#announcement", "declined my-simulation.py")
    # A text that was sent is no loss, and one that is changed can be sent again. It is the host's program that compiles.
    write(tab, "# more\n")
    button(tab, "Send to the host", "#write")
    assert sent(node, page, "propose", 2)["text"].count("# more") == 1
    # What only the host may ask for would end the page.
    assert not [one for what in ("check", "save", "scripts", "open") for one in page.messages(what)]
    # It keeps its text and the caret when the link comes back.
    tab.evaluate("document.querySelector('#script').focus()")
    node.takes_scripts = True
    page.cut()
    again = node.joined(2)
    again.send({"is": "proposed", "name": "my-simulation.py", "state": "waits"})
    tab.until_text("#write .answered", "will look at it")
    assert "# more" in text_of(tab) and tab.evaluate("document.activeElement.id") == "script"
    again.send({"is": "writing", "isOpen": False})
    tab.until("!document.querySelector('#write').checkVisibility()")


def the_host_opens_or_declines_what_guests_wrote(browser):
    node, tab, page = hosted(browser)
    assert not tab.evaluate("document.querySelector('.sent').checkVisibility()")
    files = [{"number": 3, "by": "ana", "name": "two-dice.py"}, {"number": 7, "by": "<b>ben</b>", "name": "coin.py"}]
    page.send({"is": "proposals", "files": files})
    tab.until_text(".sent", "<b>ben</b> wrote coin.py")
    assert tab.evaluate("document.querySelector('.sent button').getAttribute('aria-label')") == "Open two-dice.py of ana"
    button(tab, "Decline", ".sent li:last-child")
    assert sent(node, page, "reject") == {"number": 7}
    button(tab, "Open", ".sent li:first-child")
    assert sent(node, page, "take") == {"number": 3}
    page.send({"is": "proposals", "files": []})
    page.send({"is": "script", "name": "two-dice.py", "text": TEXT, "print": None})
    tab.until("document.querySelector('#script').checkVisibility()")
    assert text_of(tab) == TEXT and not tab.evaluate("document.querySelector('.sent').checkVisibility()")
    # The program says what is wrong with it, and nothing is kept or started before the host does so.
    assert sent(node, page, "check") == {"text": TEXT, "number": 1}
    assert not page.messages("save") and not page.messages("start")
    button(tab, "Save", "#host")
    assert sent(node, page, "save") == {"text": TEXT, "name": "two-dice.py", "print": None}


CHECKS = [a_text_is_checked_as_one_types, keys_write_and_leave, a_file_is_saved_and_started, files_are_opened, what_is_too_long_stays_here,
          a_guest_sends_the_host_a_file, the_host_opens_or_declines_what_guests_wrote]
