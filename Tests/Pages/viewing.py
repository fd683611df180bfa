"""Checks of what a viewer sees: joining, the states of the connection, the pictures, the projector, reports."""
import json
import os
import re

import samples
from browser import Tab
from node import PAGES, Node, page_file

# All files of the page together, in bytes: a phone on bad Wi-Fi loads them in two seconds.
LARGEST = 160_000
KNOWN = {"name": "golden wren"}
EVIL = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


def opened(browser, node, *messages, ticket=None, query="", size=(1280, 900, "light")):
    """A tab that has joined and shows a job."""
    node.greeting = list(messages)
    tab = Tab(browser, *size)
    tab.open(node, ticket or node.viewing, query, KNOWN)
    tab.until("document.querySelector('#state').textContent === 'Live'")
    return tab


def with_job(browser, node, **more):
    job = samples.job()
    node.runs = [samples.collector()]
    tab = opened(browser, node, samples.members(), *samples.news(), job, samples.course(job), **more)
    tab.until("document.querySelector('.chart svg') && document.querySelector('#runs button')")
    return tab


def the_page_is_small(browser):
    sizes = {name: len(page_file(name)) for name in os.listdir(PAGES)}
    assert sum(sizes.values()) <= LARGEST, f"{sum(sizes.values())} bytes"
    return f"{sum(sizes.values())} bytes in {len(sizes)} files"


def nothing_refers_to_outside(browser):
    for name in os.listdir(PAGES):
        with open(os.path.join(PAGES, name), encoding="utf-8") as file:
            text = file.read()
        found = [url for url in re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`]*", text) if url != "http://www.w3.org/2000/svg"]
        assert not found, f"{name}: {found}"
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "setAttribute(\"style\""):
            assert word not in text, f"{name}: {word}"


def every_script_loads(browser):
    node = Node()
    tab = with_job(browser, node, ticket=node.lending)
    for name in sorted(os.listdir(PAGES)):
        if name.endswith(".js") and name not in ("main.js", "worker.js"):
            tab.evaluate(f"import('/{name}').then(() => true)")
    tab.evaluate("new Promise((done, fail) => { const worker = new Worker('/worker.js', {type: 'module'}); worker.onerror = fail;"
                 " worker.onmessage = done; worker.postMessage({do: 'check', job: 'none'}); })")
    asked = {path.lstrip("/") or "index.html" for _, path in node.requests} - {"link"}
    assert asked == set(os.listdir(PAGES)), asked ^ set(os.listdir(PAGES))
    assert tab.evaluate("isSecureContext") is False
    assert tab.complaints() == [], tab.complaints()


def hashes_are_right(browser):
    import hashlib
    import hmac
    import random
    dice, tab = random.Random(17), Tab(browser)
    tab.open(Node(), "")
    script = ("Promise.all([import('/sha256.js'), import('/octets.js')]).then(([s, o]) => %s.map(([key, text]) => "
              "[o.hex(s.sha256(o.fromBase64(text))), o.hex(s.hmac(o.fromBase64(key), o.fromBase64(text)))]))")
    import base64
    lengths = [*range(130), *(dice.randrange(10_000) for _ in range(30)), 1_000_000]
    pairs = [(dice.randbytes(dice.randrange(1, 65)), dice.randbytes(length)) for length in lengths]
    ours = [[hashlib.sha256(text).hexdigest(), hmac.digest(key, text, "sha256").hex()] for key, text in pairs]
    encoded = [[base64.b64encode(key).decode(), base64.b64encode(text).decode()] for key, text in pairs]
    assert tab.evaluate(script % json.dumps(encoded)) == ours


def a_name_is_all_that_joining_takes(browser):
    node = Node()
    tab = Tab(browser)
    tab.open(node, node.viewing)
    suggested = tab.evaluate("document.querySelector('#name').value")
    assert re.fullmatch(r"\w+ \w+", suggested), suggested
    assert not node.pages, "it connects before anybody joins"
    tab.call("Input.insertText", text="Ida")
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", windowsVirtualKeyCode=13, text="\r")
    page = node.joined()
    assert page.name == "Ida" and re.fullmatch("[0-9a-f]{32}", page.client)
    tab.until_text("#state", "Live")
    tab.until_text("h1", "Monty")
    assert tab.evaluate("location.hash") == node.fragment(node.viewing), "the address stays, to be shown to others"
    assert tab.evaluate("document.querySelector('#lend').hidden"), "a viewer's ticket lends nothing"
    tab.evaluate("document.querySelector('#new-name').value = 'Ida B'; document.querySelector('#rename button').click()")
    node.until("the new name", lambda: [m for m in page.messages("name") if m["name"] == "Ida B"])
    # The same page joins with the same number after it is loaded again.
    tab.call("Page.reload")
    assert node.joined(2).client == page.client and node.joined(2).name == "Ida B"


def a_wrong_ticket_is_said(browser):
    node = Node()
    tab = Tab(browser)
    tab.open(node, os.urandom(15), remembered=KNOWN)
    tab.until_text("#problem", "no longer valid")
    tab.until_text("#state", "no longer valid")
    tab.evaluate("window.dispatchEvent(new Event('online'))")
    assert len([path for _, path in node.requests if path == "/link"]) == 1, "it asks again in vain"
    tab.evaluate(f"void setTimeout(() => location.hash = '{node.fragment(node.viewing)}')")
    tab.until_text("#state", "Live")
    tab = Tab(browser)
    tab.open(node, "#tooshort", remembered=KNOWN)
    tab.until_text("#problem", "not complete")


def tickets_are_read_as_people_type_them(browser):
    node = Node()
    plain = node.fragment(node.viewing)[1:].replace("-", "")
    groups = " ".join(plain[at:at + 4] for at in range(0, 24, 4))
    for typed in (plain, groups.upper(), plain.replace("0", "O").replace("1", "l")):
        tab = Tab(browser)
        tab.open(node, "#" + typed, remembered=KNOWN)
        tab.until_text("#state", "Live")
        # Others get the address in its one form, and no line breaks within a group.
        assert tab.text("#address").endswith(node.fragment(node.viewing)), tab.text("#address")
        tab.look(390, 844)
        broken = tab.evaluate("[...document.querySelectorAll('#address span')].filter((one) => one.getClientRects().length !== 1).length")
        assert broken == 0 and tab.evaluate("document.querySelectorAll('#address span').length") == 6
        tab.close()


def forged_messages_are_ignored(browser):
    node = Node()
    node.forges = True
    node.greeting = [samples.job()]
    tab = Tab(browser)
    tab.open(node, node.viewing, remembered=KNOWN)
    node.until("it tries again", lambda: len([page for page in node.pages if page.messages("join")]) >= 2)
    assert tab.text(".job h2") == "" and tab.text("#state") != "Live"
    node.forges = False
    tab.until_text("#job", "Monty Hall")


def markup_is_only_text(browser):
    node = Node()
    job = samples.job(simulation=EVIL, summary=EVIL, submitter=EVIL, detail=EVIL, goal=EVIL, browsers=EVIL,
                      parameters=[{"name": EVIL, "value": EVIL, "isDefault": False}])
    job["readings"] = [one | {"name": EVIL, "text": EVIL, "note": EVIL} for one in job["readings"]]
    job["nodes"][0] = job["nodes"][0] | {"name": EVIL, "state": EVIL}
    program = samples.heat(name=EVIL, launcher=EVIL, detail=EVIL, facts=[EVIL])
    program["laptops"][0] |= {"name": EVIL, "facts": EVIL, "wait": EVIL}
    best = samples.search() | {"job": "z", "best": {"text": EVIL, "points": None}, "state": "paused"}
    people = samples.members()
    people["members"][0]["name"] = EVIL
    people["waiting"] = [EVIL]
    node.runs = [job | {"job": "old", "state": "done", "digest": EVIL}]
    node.session = EVIL
    tab = opened(browser, node, people, {"is": "news", "text": EVIL, "by": EVIL}, best, job, samples.course(job),
                 samples.programs(program))
    tab.until("document.querySelector('#runs button')")
    tab.click("#runs button")
    tab.until("!document.querySelector('#report').hidden")
    text = tab.evaluate("document.body.textContent")
    assert text.count(EVIL) > 22, text.count(EVIL)
    assert tab.evaluate("document.querySelectorAll('body img, body script').length") == 0
    assert tab.evaluate("window.hacked === undefined")
    assert tab.complaints() == [], tab.complaints()


def hidden_answers_are_absent(browser):
    node = Node()
    job = samples.job()
    shown = [dict(one) for one in job["readings"]]
    job["readings"] = [one | {"exact": None} for one in job["readings"]]
    tab = opened(browser, node, job, samples.course(job))
    tab.until("document.querySelector('.chart svg')")
    assert "exact" not in tab.text("#job")
    assert tab.evaluate("document.querySelector('line.exact') === null")
    node.broadcast(job | {"readings": shown})
    tab.until_text("#job", "exact 0.333333")
    assert tab.evaluate("document.querySelectorAll('line.exact').length") == 2


def a_lost_connection_returns(browser):
    node = Node()
    tab = with_job(browser, node)
    page = node.joined()
    tab.evaluate("document.querySelector('.figure').firstChild.mark = 1")
    node.refuses = 1013
    page.cut()
    tab.until("/(lost|Waiting).*what you see is from \\d/.test(document.querySelector('#state').textContent)")
    assert "0.333321" in tab.text("#job"), "the last picture stays"
    node.refuses = None
    tab.until_text("#state", "Live")
    assert node.pages[-1].client == page.client
    # A restarted server answers nobody for a while; the page says so and returns.
    port = node.port
    node.stop()
    tab.until_text("#state", "Waiting for the server")
    node.listen(port)
    tab.evaluate("window.dispatchEvent(new Event('online'))")
    tab.until_text("#state", "Live")
    assert tab.evaluate("document.querySelector('.figure').firstChild.mark") == 1, "it was drawn again"


def a_page_keeps_the_pace(browser):
    node = Node()
    tab = Tab(browser)
    tab.open(node, "")
    tab.evaluate("import('/link.js').then(({Link}) => { const link = new Link('%s', {changed() {}, arrived(message) {"
                 "  if (message.is === 'welcome') for (let n = 0; n < 900; n++) link.send({do: 'name', name: String(n)}); },"
                 "  greeting: () => ({do: 'join', client: '0', name: ''})}); link.connect(); })" % node.fragment(node.viewing)[1:])
    page = node.joined()
    node.until("all messages arrive", lambda: len(page.messages("name")) == 900)
    assert [int(message["name"]) for message in page.messages("name")] == list(range(900))


def endings_are_said(browser):
    for code, words in ((4403, "removed"), (4410, "ended"), (4409, "another tab")):
        node = Node()
        tab = with_job(browser, node)
        links = len([path for _, path in node.requests if path == "/link"])
        node.joined().close(code)
        tab.until_text("#problem", words)
        tab.evaluate("window.dispatchEvent(new Event('online'))")
        assert len([path for _, path in node.requests if path == "/link"]) == links, "it reconnects"
    client = node.joined().client
    tab.click("#retry")
    assert node.joined(2).client != client, "two tabs would end each other forever"
    node = Node()
    node.refuses = 4429
    tab = Tab(browser)
    tab.open(node, node.viewing, remembered=KNOWN)
    tab.until_text("#state", "full")
    node.refuses = None
    tab.evaluate("window.dispatchEvent(new Event('online'))")
    tab.until_text("#state", "Live")


def a_picture_is_shown_whole(browser):
    node = Node()
    tab = with_job(browser, node)
    job = tab.text("#job")
    for part in ("Monty Hall", "Behind one door", "ordered by teacher", "goal: 2 000 000 000 trials", "734\u202f003\u202f200 trials", "36 %",
                 "34.3\u202fmillion/s", "37 s left", "0.333321", "95 % interval 0.333287 … 0.333355", "exact 0.333333", "off by 0.7",
                 "blue heron", "48 %", "browser, computing, 10 % recomputed"):
        assert part in job, f"{part}: {job}"
    assert "doors" not in job, "a default is shown"
    for selector, part in (("#members", "golden wren (you)"), ("#counts", "16 cores"), ("#waiting", "lost contact with ben"),
                           ("#news", "Guess first"), ("#runs", "kinds 50")):
        assert part in tab.text(selector), f"{part}: {tab.text(selector)}"
    assert tab.evaluate("document.querySelectorAll('.chart polygon.band').length") == 2
    # A later picture changes texts in place.
    tab.evaluate("document.querySelector('.figure').firstChild.mark = 1")
    later = samples.job(trials="800000000", fraction=0.4)
    later["readings"][0]["text"] = "0.333400"
    node.broadcast(later)
    tab.until_text("#job", "0.333400")
    assert tab.evaluate("document.querySelector('.figure').firstChild.mark") == 1
    # The end: the digest stays in view, and the history is asked for.
    before = len(node.joined().messages("results"))
    node.broadcast(later | {"state": "done", "digest": "ab" * 32, "detail": "done: 800 000 000 trials", "left": None})
    tab.until_text("#job", "ab" * 32)
    tab.until_text("#job", "22 % by browsers")
    tab.until_text("#job", "done: 800 000 000 trials")
    node.until("it asks for the runs", lambda: len(node.joined().messages("results")) > before)
    node.broadcast(samples.search(), samples.search_course())
    tab.until("document.querySelectorAll('#jobs button').length === 2")
    tab.until("document.querySelector('.map svg circle')")
    tab.until_text("#job", "31 % searched")
    tab.click("#jobs button")
    tab.until_text("#job", "0.333400")
    # A job that ended before the one that ended last is in the list, and a chosen one is not.
    node.broadcast(samples.collector() | {"is": "job"})
    tab.until("document.querySelectorAll('#jobs button').length === 3")
    tab.evaluate("document.querySelectorAll('#jobs button')[1].click()")
    tab.until("document.querySelectorAll('#earlier option').length === 2")
    assert "Monty Hall (done)" in tab.text("#earlier") and tab.evaluate("document.querySelector('#earlier').value") == ""
    tab.evaluate("const list = document.querySelector('#earlier'); list.selectedIndex = 1; list.dispatchEvent(new Event('change'))")
    tab.until_text("#job", "0.333400")
    tab.until("document.querySelector('#earlier').hidden")


def charts_are_legible(browser):
    node = Node()
    for width in (390, 1280, 3840):
        tab = with_job(browser, node, size=(width, 900, "light"))
        labels = tab.evaluate("[...document.querySelectorAll('.chart > svg')].map((svg) => [...svg.querySelectorAll('text')].map((text) => "
                              "[text.textContent, text.getBoundingClientRect().height]))")
        assert len(labels) == 2
        for chart in labels:
            texts = [text for text, _ in chart]
            assert "trials" in texts and len(texts) >= 5, texts
            assert len(set(texts)) == len(texts), f"labels repeat: {texts}"
            assert all(height >= 13 for _, height in chart), chart
        tab.close()
    tab = Tab(browser)
    tab.open(node, "")
    script = "import('/axis.js').then(({ticks}) => %s.map(([low, high]) => ticks(low, high, 5).map((tick) => tick.text)))"
    ranges = [[0, 1], [0.33331, 0.33335], [-3, 12], [0, 1e12], [1e-9, 2e-9], [5, 5], [224.1, 225.9]]
    for pair, texts in zip(ranges, tab.evaluate(script % json.dumps(ranges))):
        assert len(set(texts)) == len(texts) and (len(texts) >= 3) == (pair[0] < pair[1]), (pair, texts)
    # Steps that vanish beside the numbers, and decimals that no text can have.
    ranges = [[1.3999999999999997, 1.4], [1e20, 1e20 + 16384], [1e-120, 2e-120]]
    counts = [len(set(texts)) for texts in tab.evaluate(script % json.dumps(ranges))]
    assert counts[:2] == [0, 0] and counts[2] >= 3, counts
    script = "import('/words.js').then(({like}) => ['no value yet', 'invalid', '0.50'].map((text) => like(text, 1 / 3)))"
    assert tab.evaluate(script) == ["0.33333", "0.33333", "0.33"]


def runs_are_listed_once(browser):
    node = Node()
    tab = with_job(browser, node)
    answer = {"is": "results", "runs": node.runs, "last": True}
    node.broadcast(answer, answer, samples.job(trials="800000000"))
    tab.until("document.querySelector('#job').textContent.includes('800\u202f000\u202f000')")
    assert tab.evaluate("document.querySelectorAll('#runs li').length") == len(node.runs)


def listeners_are_not_interrupted(browser):
    node = Node()
    tab = with_job(browser, node)
    tab.until("document.querySelector('#announcement').textContent !== ''")
    tab.evaluate("window.told = 0; new MutationObserver(() => told += 1).observe(document.querySelector('#announcement'), "
                 "{childList: true, characterData: true, subtree: true})")
    for step in range(40):
        node.broadcast(samples.job(trials=str(800_000_000 + step)))
    tab.until("document.querySelector('#job').textContent.includes('800\u202f000\u202f039')")
    assert tab.evaluate("told") <= 1
    live = tab.evaluate("[...document.querySelectorAll('[aria-live], [role=status], [role=log], [role=alert]')].map((one) => one.id)")
    assert live == ["announcement"], live


def keys_reach_everything(browser):
    node = Node()
    tab = with_job(browser, node, ticket=node.lending)
    for landmark in ("header", "main", "aside", "footer", "h1"):
        assert tab.evaluate(f"document.querySelectorAll('{landmark}').length") == 1, landmark
    wanted = tab.evaluate("[...document.querySelectorAll('button, input, select, summary, [tabindex]')].filter((one) => one.checkVisibility()).length")
    seen = set()
    for _ in range(wanted + 3):
        tab.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", windowsVirtualKeyCode=9)
        tab.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", windowsVirtualKeyCode=9)
        place, outline = tab.evaluate("[[...document.querySelectorAll('*')].indexOf(document.activeElement), "
                                      "getComputedStyle(document.activeElement).outlineStyle]")
        if tab.evaluate("document.activeElement !== document.body"):
            assert outline == "solid", "the focus is invisible"
            seen.add(place)
    assert len(seen) == wanted, f"{len(seen)} of {wanted}"
    tree = tab.call("Accessibility.getFullAXTree")["nodes"]
    for one in tree:
        if one.get("role", {}).get("value") in ("button", "textbox", "combobox", "image", "progressbar"):
            assert one.get("name", {}).get("value"), one


def reports_open_and_print(browser):
    node = Node()
    tab = with_job(browser, node)
    tab.evaluate("document.querySelector('#runs button').focus()")
    tab.click("#runs button")
    tab.until_text("#report", "60b2ca84d088e9be211a926022bd3a9f1707ff1aae767d969a12d011070ea75d")
    for part in ("Coupon collector", "kinds 50", "224.82", "packets per kind", "albums 100\u202f000", "18446744073709551615",
                 "potluck run coupon-collector -p kinds=50 --trials 100000 --seed 18446744073709551615"):
        assert part in tab.text("#report"), part
    bins = [count for count in samples.collector()["readings"][2]["bins"]["counts"] if count != "0"]
    cells = [count for row in samples.collector()["readings"][5]["cells"]["rows"] for count in row if count != "0"]
    assert tab.evaluate("document.querySelectorAll('#report rect.bin').length") == len(bins) + len(cells)
    files = tab.evaluate("import('/save.js').then(async ({dataOf, chartsOf}) => { const job = %s; const root = document.querySelector('#report');"
                         " const files = [dataOf(job, []), ...await chartsOf(job, root)];"
                         " return Promise.all(files.map(async ({name, blob}) => [name, blob.type, blob.size, await blob.text()])); })"
                         % json.dumps(samples.collector()))
    # Of a run without a course, only the histograms and the series are drawn.
    assert [name for name, *_ in files] == [f"coupon-collector{end}" for end in (
        ".csv", "-packets-per-kind.svg", "-packets-per-kind.png", "-packets-by-then.svg", "-packets-by-then.png",
        "-first-and-last.svg", "-first-and-last.png")], files
    rows = files[0][3].splitlines()
    assert rows[0] == "trials,reading,value,low,high,exact,count,y low,y high" and len(rows) == 1 + 3 + 40 + 4 + 6, rows
    assert rows[-1].endswith(",160,15,30"), rows
    assert rows[1].startswith("100000,packets,224.81659,") and rows[3 + 6] == "100000,packets per kind,,3,3.5,,13738", rows
    assert rows[-7] == "100000,packets by then at 4,5.2,5.1,5.3,", rows
    assert all(size > 1000 for _, _, size, _ in files[1:]) and "var(" not in files[1][3], files[1]
    tab.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    shown = tab.evaluate("['header', 'aside', 'footer', '#live', '#report', '.tools'].filter((one) => document.querySelector(one).checkVisibility())")
    assert shown == ["#report"], shown
    assert tab.evaluate("getComputedStyle(document.querySelector('#report h2')).color") == "rgb(22, 25, 29)", "paper is light"
    tab.call("Emulation.setEmulatedMedia", media="")
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Escape", windowsVirtualKeyCode=27)
    tab.until("document.querySelector('#report').hidden && !document.querySelector('#live').hidden")
    assert tab.evaluate("document.activeElement === document.querySelector('#runs button')")
