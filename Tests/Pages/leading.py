"""The check of a lesson that a host leads from a page, with the program and two browsers."""
import subprocess

import __main__ as program_room
from browser import Browser, Tab


def the_host_leads_the_lesson_from_its_page(program, browser):
    """The host's page starts a simulation, says something, pauses, resumes and cancels. A second device is refused, and told."""
    # The class is in a browser of its own. A tab behind another one draws nothing.
    second = Browser()
    room = program_room.Room(program, second, "--cores", "1", "--ask", "--offer", program_room.CRAPS, tabs=0)
    tabs = [room.tab("ana", lends=False)]
    try:
        pupil = tabs[0]

        def command(*words):
            answer = subprocess.run([program, "web", "Monty", *words], capture_output=True, text=True, env=room.server.environment)
            assert answer.returncode == 0, answer.stderr
            return answer.stdout.strip()

        def open_host(in_browser):
            tab = Tab(in_browser)
            tabs.append(tab)
            tab.call("Page.navigate", url=address)
            tab.until("document.querySelector('#join') && !document.querySelector('#join').hidden")
            tab.evaluate("document.querySelector('#name').value = 'teacher'; document.querySelector('#join').requestSubmit()")
            return tab

        address = command("--host")
        host = open_host(browser)
        host.until("document.querySelectorAll('.gallery > li').length >= 14")
        assert "Craps" in host.text(".gallery"), "a file is not offered"
        room.server.until("the host hears who has the page", lambda line: line.get("event") == "host-page" and line["state"] == "opened")
        stranger = open_host(second)
        stranger.until_text("#problem", "This address belongs to another device")
        room.server.until("the host hears of a second device", lambda line: line.get("event") == "host-page" and line["state"] == "refused")
        tabs.remove(stranger)
        stranger.close()
        pupil.call("Page.bringToFront")

        form = "[...document.querySelectorAll('.gallery > li')].find((one) => one.textContent.includes('Monty Hall')).querySelector('form')"
        host.evaluate(f"(() => {{ const one = {form}; one.closest('details').open = true; one.querySelector('input').value = '4';"
                      " [...one.querySelectorAll('.field')].find((field) => field.textContent.includes('Trials')).querySelector('input').value = '1e15';"
                      " one.requestSubmit(); })()")
        host.until_text(".answered", "started monty-hall as job")
        pupil.until_text("#job h2", "Monty Hall")
        pupil.until_text("#job .given", "doors 4")
        pupil.until("/0\\.2[45]/.test(document.querySelector('#job .figure')?.textContent)")

        def press(words):
            host.until(f"[...document.querySelectorAll('#host button')].some((one) => one.checkVisibility() && one.textContent === '{words}')")
            host.evaluate(f"[...document.querySelectorAll('#host button')].find((one) => one.checkVisibility() && one.textContent === '{words}').click()")

        host.evaluate("document.querySelector('#say').value = 'Look at the board'; document.querySelector('#say').form.requestSubmit()")
        pupil.until_text("#said", "Look at the board")
        press("Hide answers")
        pupil.until("!document.querySelector('#job .readings .answer')?.checkVisibility()")
        press("Show answers")
        pupil.until_text("#job .readings .answer", "exact")
        press("Pause")
        pupil.until_text("#job .state", "paused")
        press("Resume")
        pupil.until("!document.querySelector('#job .state').checkVisibility()")
        press("Cancel")
        press("Really cancel?")
        pupil.until_text("#job .result", "digest")
        # A file of the host's runs, too, in the sandbox.
        host.evaluate(f"{form.replace('Monty Hall', 'Craps')}.requestSubmit()")
        host.until_text(".answered", "started craps as job")
        pupil.until_text("#job h2", "Craps")
        pupil.until_text("#job .result", "digest")
        write_in_the_page(host, pupil, press)
        a_guest_writes(host, pupil, press)
        # A device that wants to lend is approved on the page.
        lender = room.tab("phone 1", lends=False)
        tabs.append(lender)
        lender.until("!document.querySelector('#lend').hidden")
        lender.click("#lend-button")
        host.until_text(".newcomers", "phone 1 asks to join")
        press("Approve")
        lender.until("!document.querySelector('#lend-state').textContent.includes('approve')")
        room.server.until("it is a node", lambda line: line.get("event") == "peer" and line.get("name") == "phone 1"
                          and line.get("state") == "connected")
        # The ticket ends, and the page with it.
        command("--host", "--revoke")
        host.until_text("#problem", "no longer valid")
    finally:
        for tab in tabs:
            tab.close()
        second.stop()
        room.close()


def write_in_the_page(host, pupil, press):
    """A mistake is marked at its line, and what is saved runs for the room."""
    host.call("Page.bringToFront")
    host.evaluate("document.querySelector('.writing').open = true; document.querySelector('#script-name').value = 'four-dice.py'")
    press("New: a count")
    host.until("document.querySelector('#script').value.includes('four-dice')")
    edit = "(() => {{ const one = document.querySelector('#script'); one.value = one.value.replace('{}', '{}'); one.oninput(); }})()"
    host.evaluate(edit.format("self.same.add", "self.same.ad"))
    host.until_text(".writing .problems", "Line 31")
    assert host.evaluate("document.querySelector('.editor .bad').textContent") == "31"
    host.evaluate(edit.format("self.same.ad", "self.same.add"))
    host.until("!document.querySelector('.editor .bad')")
    press("Save")
    host.until_text(".writing .answered", "Saved four-dice.py.")
    host.until("document.querySelector('.writing form')?.checkVisibility()")
    host.evaluate("document.querySelector('.writing form').requestSubmit()")
    host.until_text(".answered", "started four-dice as job")
    pupil.call("Page.bringToFront")
    pupil.until_text("#job h2", "Four dice")
    pupil.until_text("#job .result", "digest")


def a_guest_writes(host, pupil, press):
    """A guest sends the host a simulation, and the room computes it once the host has opened, saved and started it."""
    pupil.until("document.querySelector('#write').checkVisibility()")
    pupil.evaluate("document.querySelector('#write details').open = true; document.querySelector('#script-name').value = 'six-dice.py'")

    def ask(words):
        pupil.evaluate(f"[...document.querySelectorAll('#write button')].find((one) => one.textContent === '{words}').click()")

    ask("New: a count")
    pupil.until("document.querySelector('#script').value.includes('six-dice')")
    ask("Send to the host")
    pupil.until_text("#write .answered", "The host has six-dice.py")
    host.call("Page.bringToFront")
    host.until_text(".sent", "ana wrote six-dice.py")
    press("Open")
    host.until("document.querySelector('#script').value.includes('six-dice')")
    press("Save")
    host.until_text(".writing .answered", "Saved six-dice.py.")
    host.until("document.querySelector('.writing form')?.checkVisibility()")
    host.evaluate("document.querySelector('.writing form').requestSubmit()")
    host.until_text(".answered", "started six-dice as job")
    pupil.call("Page.bringToFront")
    pupil.until_text("#write .answered", "The host opened six-dice.py.")
    pupil.until_text("#job h2", "Six dice")


CHECKS = [the_host_leads_the_lesson_from_its_page]
