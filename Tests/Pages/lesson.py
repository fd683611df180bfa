"""The check of a whole lesson: thirty pages, a host's page, guesses, lent cores, a server that is killed, the answer and a report."""
import json
import os
import subprocess
import time

import __main__ as program_room
from browser import Browser, Tab

PAGES, LENDERS, TRIALS = 30, 10, "4000000000"
# Every screen shows what has happened within this many seconds. A tab behind others draws nothing, so it is brought to the front
# before it is looked at, and the time counts from there.
SOON = 2.0 * max(1.0, float(os.environ.get("POTLUCK_LAB_PATIENCE") or 1))


def a_whole_lesson(program, browser):
    """Thirty pages guess, ten of them compute, the server is killed and returns, and everybody sees the answer and has a report."""
    crowd = Browser()
    room = program_room.Room(program, crowd, "--cores", "1", tabs=0)
    pupils, host = [], Tab(browser)
    try:
        for number in range(1, PAGES + 1):
            pupils.append(room.tab(f"pupil {number}", lends=number <= LENDERS))
        address = subprocess.run([program, "web", "Monty", "--host"], capture_output=True, text=True, check=True,
                                 env=room.server.environment).stdout.strip()
        host.call("Page.navigate", url=address)
        host.until("document.querySelector('#join') && !document.querySelector('#join').hidden")
        host.evaluate("document.querySelector('#name').value = 'teacher'; document.querySelector('#join').requestSubmit()")

        def press(words):
            button = f"[...document.querySelectorAll('#host button')].find((one) => one.checkVisibility() && one.textContent === '{words}')"
            host.until(f"!!{button}")
            host.evaluate(f"{button}.click()")

        def everybody(look, most=None):
            """Looks at each screen, or at the first ones. Returns the seconds of the slowest one."""
            worst = 0
            for number, tab in enumerate(pupils[:most]):
                tab.call("Page.bringToFront")
                began = time.monotonic()
                look(number, tab)
                worst = max(worst, time.monotonic() - began)
            assert worst < SOON, f"a screen took {worst:.1f} s"
            return worst

        host.until("document.querySelectorAll('.gallery > li').length >= 13")
        host.evaluate("(() => { const one = [...document.querySelectorAll('.gallery > li')].find((one) => one.textContent.includes('Monty Hall'))"
                      ".querySelector('form'); one.closest('details').open = true;"
                      f" [...one.querySelectorAll('.field')].find((field) => field.textContent.includes('Trials')).querySelector('input').value = '{TRIALS}';"
                      " [...one.querySelectorAll('label')].find((label) => label.textContent.includes('guesses first')).querySelector('input').checked = true;"
                      " one.requestSubmit(); })()")
        host.until_text(".answered", "started monty-hall")

        def guess(number, tab):
            tab.until("document.querySelector('#job .guesses form')?.checkVisibility()")
            tab.evaluate(f"document.querySelector('#job .guesses input').value = '{number}/{PAGES}'; document.querySelector('#job .guesses form').requestSubmit()")
            tab.until_text("#job .guesses", "You guessed")

        times = [everybody(guess), everybody(lambda _, tab: tab.until_text("#job .guesses", f"{PAGES} guesses so far."))]
        press("Resume")
        # One who computes goes home while all compute.
        pupils.pop(0).close()
        times.append(everybody(lambda _, tab: tab.until("document.querySelector('#job .figure')?.checkVisibility()"), most=3))
        # The server is killed in the midst of it and returns at once, with its pages, their guesses and what is hidden.
        room.server.process.kill()
        room.server.process.wait()
        room.serve()
        times.append(everybody(lambda _, tab: tab.until("document.querySelector('#state').textContent === 'Live'")))
        done = room.server.until("the job is done", lambda line: line.get("result"))
        alone = subprocess.run([program, "run", "monty-hall", "--trials", TRIALS, "--seed", str(done["seed"]), "--cores", "1", "--json"],
                               capture_output=True, text=True, check=True, env=room.server.environment)
        assert done["digest"] == json.loads(alone.stdout)["digest"], "another digest"
        times.append(everybody(lambda _, tab: tab.until_text("#job .guesses", "The host has not shown the answer yet.")))
        # A pupil comes after the end.
        pupils.append(room.tab("pupil 31", lends=False))
        host.until("document.querySelector('#state').textContent === 'Live'")
        press("Show answers")
        host.until_text(".answered", "shows its exact answers")
        times.append(everybody(lambda _, tab: tab.until_text("#job .guesses", "Nearest:")))
        for tab in pupils[:3]:
            tab.call("Page.bringToFront")
            tab.click("#runs button")
            tab.until_text("#report", done["digest"][:16])
            assert "guess" in tab.text("#report"), tab.text("#report")
        return f"slowest screen {max(times):.1f} s"
    finally:
        host.close()
        for tab in pupils:
            tab.close()
        crowd.stop()
        room.close()


CHECKS = [a_whole_lesson]
