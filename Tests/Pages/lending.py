"""Checks of what a page computes: the digests of one machine, and an orderly end of everything that goes wrong."""
import json
import os
import subprocess
import time

import modules
import samples
from browser import PATIENCE, Tab
from node import Node
from work import Job

LENDS = {"name": "ida", "lends": "yes", "cores": "1"}
CASES = [("monty-hall", 10_000_000, {"doors": "5"}), ("pi", 5_000_000, {}), ("option-price", 1_000_000, {}),
         ("coupon-collector", 100_000, {}), ("primes", None, {"limit": "300000", "list": "yes"}), ("primes", None, {}),
         ("matrix-product", None, {"size": "48"})]
SEED = 2015


class Bench:
    """A node with one page that lends a core, and the program to compare with."""

    def __init__(self, browser, program, folder, remembered=None):
        self.browser, self.program, self.folder = browser, program, folder
        self.node, self.tab = Node(), Tab(browser)
        self.tab.call("Page.addScriptToEvaluateOnNewDocument", source=COUNTS_WORKERS)
        self.tab.open(self.node, self.node.lending, remembered=remembered or LENDS)
        self.page = self.node.joined()
        self.node.until("it lends", lambda: self.page.messages("lend"))
        self.page.cores = 1

    def file(self, name, vectors=True):
        """The module of a simulation; without vectors that without the module that it carries."""
        path = os.path.join(self.folder, f"{name}.wasm")
        if vectors:
            return path
        plain = os.path.join(self.browser.folder, f"{name}.wasm")
        with open(path, "rb") as whole, open(plain, "wb") as file:
            file.write(modules.without_lanes(whole.read()))
        return plain

    def job(self, name, trials=None, given=None, vectors=True, **more):
        with open(self.file(name, vectors), "rb") as file:
            return Job(name, file.read(), SEED, trials, given, **more)

    def endless(self):
        """A job whose first chunk no browser computes before the test ends."""
        return self.job("monty-hall", 4_000_000_000_000, blocks=30_000_000)

    def counted(self, module, blocks=64, **more):
        return Job("counted", module, SEED, blocks * modules.BLOCK, blocks=blocks, **more)

    def order(self, job, **changes):
        self.node.blobs.update(job.blobs)
        self.node.worker = job.work
        job_order = job.order
        job.order = lambda: job_order(**changes)
        self.page.send(job.order())

    def forget(self, job):
        self.page.send({"is": "forget", "job": job.job})

    def finish(self, job, **changes):
        """Orders a job and waits for its end."""
        self.order(job, **changes)
        self.node.until(f"{job.name} ends", lambda: job.is_done or job.failures or job.refusals)
        self.forget(job)
        return job

    def native(self, job, given, files=(), what=None):
        """The result of the program, computed natively or with a module's file."""
        words = [self.program, "run", what or job.name, "--seed", str(SEED), "--json", "--ephemeral", "--quiet", "--cores", "1"]
        if not job.kind.is_gathering:
            words += ["--trials", str(job.trials)]
        words += [f"-p{key}={value}" for key, value in given.items()] + list(files)
        done = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True)
        return json.loads(done.stdout)


def digests_are_the_native_ones(bench):
    for name, trials, given in CASES:
        for vectors in (False, True):
            job = bench.finish(bench.job(name, trials, given, vectors))
            assert not job.failures and not job.refusals, (name, job.failures, job.refusals)
            assert job.digest() == bench.native(job, given)["digest"], (name, vectors)


def a_browser_without_vectors_takes_the_plain_module(bench):
    """Lanes that no browser can compile are ignored. Others run: in the place of the module, these prepare other work."""
    with open(bench.file("monty-hall"), "rb") as file:
        whole = file.read()
    plain = modules.without_lanes(whole)
    assert len(plain) < len(whole), "it carries no lanes"
    damaged = modules.module()[:8] + b"\x01\x02\xff\xff"
    for lanes, works in ((damaged, True), (modules.module(imports=True), True), (modules.module(), False)):
        job = bench.finish(Job("monty-hall", modules.with_lanes(plain, lanes), SEED, 5_000_000, {}))
        assert bool(job.failures or job.refusals) != works, (works, job.failures, job.refusals)
        if works:
            assert job.digest() == bench.native(job, {})["digest"]


def tables_reach_the_module(bench):
    tables = {"a": [[1.5, -2.0, 0.1], [3.0, 1e-3, 7.0]], "b": [[0.7], [-1.25], [1e6]]}
    files = []
    for name, rows in tables.items():
        path = os.path.join(bench.browser.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(" ".join(map(repr, row)) + "\n" for row in rows)
        files.append(f"--input={name}={path}")
    job = bench.finish(bench.job("matrix-product", tables=tables))
    assert job.digest() == bench.native(job, {}, files)["digest"], job.failures


def several_cores_compute(bench):
    bench.tab.evaluate("document.querySelector('#cores').append(new Option(3)); document.querySelector('#cores').value = 3; document.querySelector('#cores').onchange()")
    bench.node.until("three cores", lambda: bench.page.messages("lend")[-1]["cores"] == 3)
    bench.page.cores = 3
    job = bench.finish(bench.job("pi", 20_000_000))
    assert job.digest() == bench.native(job, {})["digest"]
    assert workers(bench) == 3
    bench.tab.evaluate("document.querySelector('#cores').value = 1; document.querySelector('#cores').onchange()")
    bench.page.cores = 1
    bench.node.until("one core", lambda: bench.page.messages("lend")[-1]["cores"] == 1)
    until(lambda: workers(bench) == 1)


COUNTS_WORKERS = """window.working = new Set(); window.Worker = class extends Worker {
  constructor(...what) { super(...what); working.add(this); }
  terminate() { working.delete(this); super.terminate(); }
}"""


def workers(bench):
    """How many Web Workers the page has."""
    return bench.tab.evaluate("window.working.size")


def until(condition, patience=PATIENCE):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


def interrupted_chunks_end_early(bench):
    job = bench.endless()
    bench.order(job)
    bench.node.until("chunks are lent", lambda: len(job.loans) == 2)
    loans = dict(job.loans)
    bench.tab.until_text("#lend-state", "Computing Monty Hall")
    with bench.node.changed:
        # What the page returns is not lent again at once.
        bench.page.cores = 0
    bench.page.send({"is": "interrupt", "job": job.job})
    bench.node.until("both end", lambda: len(job.computed) >= 2)
    ended = {(first, end) for _, first, end, _ in job.computed[:2]}
    (_, first, last), (_, other, _) = loans.values()
    assert (other, other) in ended, f"the chunk that had not begun: {ended}"
    assert all(end < last for start, end in ended if start == first), ended
    with bench.node.changed:
        job.end_at(job.done + 800)
        bench.page.cores = 1
        job.lend(bench.page)
    bench.node.until("all is done", lambda: job.is_done)
    bench.forget(job)
    assert job.digest() == bench.native(job, {})["digest"]


def nothing_comes_of_dropped_chunks(bench):
    job = bench.endless()
    bench.order(job)
    bench.node.until("chunks are lent", lambda: len(job.loans) == 2)
    attempts = list(job.loans)
    bench.tab.until_text("#lend-state", "Computing Monty Hall")
    bench.page.send({"is": "drop", "attempts": attempts})
    with bench.node.changed:
        job.take_back(bench.page)
        job.end_at(1600)
        job.lend(bench.page)
    bench.node.until("all is done", lambda: job.is_done)
    bench.forget(job)
    assert not {message["attempt"] for message in bench.page.messages("done")} & set(attempts)
    assert job.digest() == bench.native(job, {})["digest"]


def forgotten_jobs_are_silent(bench):
    job = bench.endless()
    bench.order(job)
    bench.node.until("chunks are lent", lambda: len(job.loans) == 2)
    bench.forget(job)
    other = bench.finish(bench.job("pi", 1_000_000))
    assert other.digest() == bench.native(other, {})["digest"]
    assert not job.computed and not job.failures


def a_lost_connection_loses_no_block(bench):
    # Too many chunks to compute before the connection is cut. Then it gets an end.
    job = bench.job("option-price", 3_000_000_000, blocks=2)
    bench.order(job)
    bench.node.until("some chunks are done", lambda: len(job.computed) >= 2)
    joined = len([page for page in bench.node.pages if page.messages("join")])
    with bench.node.changed:
        job.take_back(bench.page)
        job.end_at(job.done + 20)
        bench.page.cut()
    bench.page = bench.node.joined(joined + 1)
    bench.node.until("all is done", lambda: job.is_done)
    bench.forget(job)
    assert {page for page, *_ in job.computed} == {bench.page, bench.node.pages[-2]}
    assert job.digest() == bench.native(job, {})["digest"]


def hanging_modules_are_ended(bench):
    for after, block in ((0, 0), (10, 10)):
        job = bench.finish(bench.counted(modules.module(after, modules.HANG)), seconds=0.2)
        assert job.failures == [(block, "one call took longer than 0.2 s; it hangs, or its blocks are too long: write blockSize, or in Python steps")], job.failures
    job = bench.finish(bench.counted(modules.module()))
    assert job.tally == [64], "the next job is computed"


CRASH = "it crashed: for example an index out of range, an overflow (Int has 32 bits in a plugin) or a failed precondition"
FAULTS = [
    ({"act": modules.TRAP}, CRASH), ({"act": modules.DIVIDE}, "it crashed: divide by zero"),
    ({"act": modules.TRAP, "fault": 1}, "it needs more than 256 MiB of memory"),
    ({"act": modules.TRAP, "fault": 2}, "it asked for random numbers of the system, which are the same in every run"),
    ({"act": modules.TRAP, "fault": 4}, "its calls within calls are too many for the stack of a plugin, which is the same everywhere"),
    ({"act": modules.TRAP, "why": "a probability above 1"}, "it crashed: a probability above 1"),
    ({"act": modules.TRAP, "why": "line 14: a division by zero"}, "line 14: a division by zero"),
    ({"act": modules.TRAP, "fault": 9}, CRASH), ({"act": modules.grow(4096)}, CRASH),
    ({"act": modules.answers(65_000, 8000)}, "potluck_run returned a wrong answer: 8000 bytes outside its memory"),
    ({"act": modules.answers(2**32 - 8, 8)}, "potluck_run returned a wrong answer: 8 bytes outside its memory"),
    ({"act": modules.answers(64, 63)}, "potluck_run returned a wrong answer: an incomplete slot"),
    ({"act": modules.answers(64, 72)}, "potluck_run returned a wrong answer: it is too long"),
    ({"act": modules.answers(64, 56)}, "potluck_run returned a wrong answer: it ends too early"),
]


def faults_of_modules_are_lines(bench):
    for place, (what, line) in enumerate(FAULTS):
        for after in (0, 5 + place):
            job = bench.finish(bench.counted(modules.module(after, **what)))
            assert job.failures == [(after, line)], job.failures
    grown = bench.finish(bench.counted(modules.module(5, modules.grow(4000)), blocks=6))
    assert grown.tally == [6], "so much memory it may have"


def a_browser_without_stack_gives_its_chunks_back(bench):
    for after in (0, 7):
        job = bench.finish(bench.counted(modules.module(after, modules.RECURSE)))
        assert not job.failures and job.refusals == ["this browser has too little stack"], (job.failures, job.refusals)
    job = bench.finish(bench.counted(modules.module()))
    assert job.tally == [64], "the next job is computed"


KEEPS = "it keeps something from one trial to the next; count in the tally, and let each trial start from nothing"


def what_modules_keep_is_told(bench):
    for mistake in (modules.COUNTS, modules.FIRST):
        job = bench.finish(bench.counted(modules.module(keeps=mistake), blocks=200))
        assert job.failures == [(0, KEEPS)], job.failures
    # What each call fills again changes nothing, but each block has fresh memory.
    job = bench.finish(bench.counted(modules.module(keeps=modules.FILLS), blocks=200))
    assert not job.failures and job.tally == [200], (job.failures, job.tally)


def what_a_browser_cannot_do_is_said(bench):
    fine = modules.module()
    cases = [
        (fine, {"shape": 4}, "browsers compute only tallies and gatherings"),
        (fine, {"layout": [{"kind": 7, "bins": 0}]}, "a part of its tally is unknown to this page; reload the page"),
        (fine, {"slots": 2}, "its tally is not what the server says"),
        (fine, {"layout": [{"kind": 5, "bins": 9998}], "slots": 10_000}, "its tally is too large for a browser"),
        (fine, {"memory": 65_535}, "it needs more than 0 MiB of memory"),
        (modules.module(pages=4097), {}, "it needs more than 256 MiB of memory"),
        (modules.module(imports=True), {}, "the module imports functions, and a plugin must not"),
        (modules.module(abi=2), {}, "the module uses version 2 of the interface instead of 1"),
        (modules.module(verdict=(0, 32)), {}, "it prepares other work than the order says"),
        (modules.module(verdict=(2, 0)), {}, "it does not accept the parameters"),
        (fine[:-3], {}, "the browser is too old for its module; update the browser"),
    ]
    for module, changes, why in cases:
        job = bench.finish(bench.counted(module), **changes)
        assert job.refusals == [why], (job.refusals, why)
    job = bench.counted(modules.module(3, modules.DIVIDE))
    digest = next(iter(job.blobs))
    bench.node.blobs.clear()
    for octets, why in ((None, "nobody has it"), (fine[:len(job.module)].ljust(len(job.module), b"\0"),
                                                  "the server sent something other than it announced")):
        known = job.order()["module"]
        other = Job("counted", job.module, SEED, 1024, blocks=64)
        other.order = lambda other=other, known=known: Job.order(other, module=known)
        bench.node.worker = other.work
        bench.node.blobs = {digest: octets} if octets else {}
        bench.page.send(other.order())
        bench.node.until("it declines", lambda: other.refusals)
        assert other.refusals == [why], other.refusals
    bench.tab.until_text("#lend-state", "This browser cannot compute Counted")


def a_device_says_where_it_stands(bench):
    """Whether the host has to approve it, has declined it or removed it, or the session is full."""
    tab, page = bench.tab, bench.page
    # The node has said that the page is a member.
    tab.until_text("#lend-state", "Ready")
    bench.node.standing = None
    for state, words in (("joining", "Joining"), ("asking", "Waiting for the host to approve"), ("full", "no more cores"),
                         ("member", "Ready, and waiting for work."), ("declined", "The host declined this device.")):
        page.send({"is": "lending", "state": state})
        tab.until_text("#lend-state", words)
        assert state == "member" or "Ready" not in tab.text("#lend-state")
    assert tab.text("#lend-button") == "Lend this device", "it lends nothing any more"
    tab.click("#lend-button")
    bench.node.until("it asks again", lambda: page.messages("lend")[-1]["cores"] == 1 and len(page.messages("lend")) >= 2)
    tab.until_text("#lend-state", "Joining")
    for code, words in ((4403, "The host removed this page"), (4410, "The session has ended")):
        bench.node.pages[-1].close(code)
        tab.until_text("#lend-state", words)
        assert "when the connection is back" not in tab.text("#lend-state")
        assert tab.evaluate("document.querySelector('#lend-button').disabled")
        tab.evaluate("document.querySelector('#retry').click()")
        tab.until_text("#state", "Live")
        assert not tab.evaluate("document.querySelector('#lend-button').disabled")
    bench.node.pages[-1].cut()
    tab.until_text("#lend-state", "It computes again when the connection is back.")


def lending_stops_at_once(bench):
    job = bench.endless()
    bench.order(job)
    bench.tab.until_text("#lend-state", "Computing Monty Hall on 1 core")
    assert workers(bench)
    bench.tab.click("#lend-button")
    bench.node.until("it tells", lambda: bench.page.messages("lend")[-1]["cores"] == 0)
    until(lambda: not workers(bench))
    bench.tab.until("document.querySelector('#lend-button').textContent === 'Lend this device'")
    bench.tab.click("#lend-button")
    bench.node.until("it lends again", lambda: bench.page.messages("lend")[-1]["cores"] == 1)
    small = bench.finish(bench.job("pi", 1_000_000))
    assert small.digest() == bench.native(small, {})["digest"], "everything is prepared again"
    assert not job.computed


def hidden_tabs_compute(bench):
    front = Tab(bench.browser)
    front.call("Page.bringToFront")
    bench.tab.until("document.visibilityState === 'hidden'")
    job = bench.finish(bench.job("pi", 20_000_000))
    front.close()
    assert job.digest() == bench.native(job, {})["digest"]


def measured(bench):
    """Figures, which are printed and not asserted: million trials in a second of CPU time, and the time to begin."""
    lines = []
    for name, trials, vectors in (("monty-hall", 100_000_000, False), ("monty-hall", 200_000_000, True),
                                  ("pi", 100_000_000, False), ("pi", 200_000_000, True), ("option-price", 5_000_000, False),
                                  ("option-price", 5_000_000, True)):
        bench.finish(bench.job(name, trials // 10, vectors=vectors))
        before = bench.browser.seconds()
        job = bench.finish(bench.job(name, trials, vectors=vectors, blocks=max(1, trials // 65_536 // 10)))
        title = name + (" with vectors" if vectors else "")
        ours = trials / (bench.browser.seconds() - before) / 1e6
        before = os.times()
        try:
            bench.native(job, {}, what=bench.file(name, vectors))
        except subprocess.CalledProcessError:
            lines.append(f"{title} {ours:.1f} M/s in Chromium; no wasmtime to compare with")
            continue
        after = os.times()
        theirs = trials / (after.children_user + after.children_system - before.children_user - before.children_system) / 1e6
        lines.append(f"{title} {ours:.1f} M/s in Chromium, {theirs:.1f} in potluck's sandbox: ratio {ours / theirs:.2f}")
    times = []
    for _ in range(3):
        fresh = object.__new__(Bench)
        fresh.__dict__ = {**bench.__dict__, "node": Node(), "tab": Tab(bench.browser)}
        job = fresh.job("monty-hall", 10_000_000)
        fresh.node.blobs.update(job.blobs)

        def work(page, message):
            if message["do"] == "lend":
                page.cores = 1
            job.work(page, message)
        fresh.node.worker = work
        fresh.node.greeting = [samples.members()]
        fresh.tab.open(fresh.node, fresh.node.lending, remembered=LENDS)
        fresh.node.until("the first chunk", lambda: job.computed)
        times.append(time.monotonic() - fresh.node.requests[0][0])
        fresh.tab.close()
    lines.append(f"request of the page to the first chunk done: {min(times) * 1000:.0f} ms (best of 3)")
    return "; ".join(lines)
