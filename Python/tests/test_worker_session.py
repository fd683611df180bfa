"""A worker with its processes, and the gateway with which the page is tested."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any, NoReturn, Optional

from potluck._worker.report import Report
from potluck._command.failures import UsageError
from potluck._worker import join, place
from potluck._worker.guest import Ending
from potluck._worker.worker import Offer, Worker

from .support import PATIENCE, SOURCES, ProgramTest
from .worker_gateway import GatewayTest, Job, address, counted, frames, modules, order


class Running:
    """A worker in a thread of the test."""

    def __init__(self, node: Any, cores: int = 1) -> None:
        self.out, self.ending = io.StringIO(), None  # type: io.StringIO, Optional[Ending]
        self.worker = Worker(address(node), Offer("ida", cores, "interactive", True), Report(True, self.out))
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        self.ending = self.worker.run()

    def events(self, name: str) -> list[Any]:
        return [event for event in map(json.loads, self.out.getvalue().splitlines()) if event["event"] == name]


class SessionTest(GatewayTest):
    def begin(self, cores: int = 1) -> Any:
        """Starts a worker. Returns its connection."""
        self.running = Running(self.node, cores)
        self.addCleanup(self.end)
        page = self.node.joined()
        self.node.until("it lends", lambda: page.messages("lend"))
        page.cores = cores
        return page

    def end(self) -> None:
        for page in self.node.pages:
            page.close(4403)
        self.node.refuses = 4403
        self.running.thread.join(PATIENCE)
        self.assertFalse(self.running.thread.is_alive())

    def finish(self, page: Any, job: Any, **changes: Any) -> Any:
        order(self.node, page, job, **changes)
        self.node.until(f"{job.name} ends", lambda: job.is_done or job.failures or job.refusals)
        page.send({"is": "forget", "job": job.job})
        return job


class ComputingTests(SessionTest):
    def test_all_blocks_are_counted_once(self) -> None:
        page = self.begin(cores=2)
        for blocks, chunk in ((1, 1), (64, 3), (500, 500), (1000, 77)):
            job = self.finish(page, counted(modules.module(), blocks, chunk))
            self.assertEqual((job.tally, job.failures, job.refusals), ([blocks], [], []))

    def test_a_lost_connection_loses_no_block(self) -> None:
        page = self.begin()
        job = counted(modules.module(), 4_000_000, 1000)
        order(self.node, page, job)
        self.node.until("some chunks are done", lambda: len(job.computed) >= 2)
        with self.node.changed:
            job.take_back(page)
            job.end_at(job.done + 2000)
            page.cut()
        page = self.node.joined(2)
        self.node.until("all is done", lambda: job.is_done)
        self.assertEqual(job.tally, [job.count])
        self.assertEqual({one for one, *_ in job.computed}, {page, self.node.pages[-2]})

    def test_interrupted_chunks_end_early(self) -> None:
        page = self.begin()
        job = counted(modules.module(), 1 << 40, 1 << 31)
        order(self.node, page, job)
        self.node.until("chunks are lent", lambda: len(job.loans) == 2)
        with self.node.changed:
            page.cores = 0
        page.send({"is": "interrupt", "job": job.job})
        self.node.until("both end", lambda: len(job.computed) >= 2)
        (_, first, end, _), (_, second, last, _) = sorted(job.computed, key=lambda chunk: chunk[1])
        self.assertLess(end, 1 << 31)
        self.assertEqual((second, last), (1 << 31, 1 << 31), "the chunk that had not begun")
        self.assertEqual(job.tally, [end - first])

    def test_nothing_comes_of_dropped_chunks_and_forgotten_jobs(self) -> None:
        page = self.begin()
        for forgets in (False, True):
            job = counted(modules.module(), 1 << 40, 1 << 31)
            order(self.node, page, job)
            self.node.until("chunks are lent", lambda: len(job.loans) == 2)
            attempts = list(job.loans)
            page.send({"is": "forget", "job": job.job} if forgets else {"is": "drop", "attempts": attempts})
            other = self.finish(page, counted(modules.module(), 10, 10))
            self.assertEqual(other.tally, [10])
            self.assertFalse({message["attempt"] for message in page.messages("done")} & set(attempts))

    def test_faults_of_modules_are_lines(self) -> None:
        page = self.begin()
        crash = "it crashed: for example an index out of range"
        for what, why in (
            ({"act": modules.TRAP}, crash), ({"act": modules.DIVIDE}, "it crashed: "),
            ({"act": modules.TRAP, "fault": 1}, "it needs more than 256 MiB of memory"),
            ({"act": modules.TRAP, "why": "line 14: a division by zero"}, "line 14: a division by zero"),
            ({"act": modules.answers(2**32 - 8, 8)}, "its result of a block is wrong: 8 bytes outside its memory"),
        ):
            for after in (0, 9):
                job = self.finish(page, counted(modules.module(after, **what)))
                self.assertEqual([block for block, _ in job.failures], [after])
                self.assertIn(why, job.failures[0][1])
        job = self.finish(page, counted(modules.module(10, modules.HANG)), seconds=0.2)
        self.assertIn("one call took longer than 0.2 seconds", job.failures[0][1])
        self.assertEqual(self.finish(page, counted(modules.module())).tally, [64], "the next job is computed")

    def test_what_a_worker_cannot_compute_is_said(self) -> None:
        page, fine = self.begin(), modules.module()
        for module, changes, why in (
            (fine, {"shape": 4}, "workers in Python compute only tallies and gatherings"),
            (fine, {"slots": 2}, "it prepares other work than the server says"),
            (fine, {"block": 32}, "it prepares other work than the server says"),
            (fine, {"slots": 10_000}, "its tally is too large for a worker in Python"),
            (fine, {"parameters": ["7"]}, None),
            (modules.module(pages=4097), {}, "it needs more than 256 MiB of memory"),
            (modules.module(imports=True), {}, "the module imports functions, and a plugin must not"),
            (modules.module(abi=2), {}, "it is a program with ranks"),
            (fine[:-3], {}, "not a WebAssembly module"), (b"GIF89a", {}, "not a WebAssembly module"),
        ):
            job = self.finish(page, counted(module), **changes)
            self.assertEqual(len(job.refusals), why is not None, (why, job.refusals))
            if why is not None:
                self.assertIn(why, job.refusals[0])
        self.assertEqual({event["simulation"] for event in self.running.events("unable")}, {"counted"})

    def test_only_what_the_hash_names_is_used(self) -> None:
        page, fine = self.begin(), modules.module()
        other = modules.module(3, modules.DIVIDE)
        name = hashlib.sha256(fine).hexdigest()
        for octets, why in (
            (other[:len(fine)].ljust(len(fine), b"\0"), "the server sent something other than it announced"),
            (fine + b"\0", "the server sent a wrong part"), (None, "nobody has it"),
        ):
            job = counted(fine)
            self.node.worker, self.node.blobs = job.work, {} if octets is None else {name: octets}
            page.send(job.order())
            self.node.until("it declines", lambda: job.refusals)
            self.assertEqual(job.refusals, [why])
        tables = {"a": [[1.5, -2.0, 0.1], [3.0, 1e-3, 7.0]], "b": [[0.7], [-1.25], [1e6]]}
        job = Job("matrix-product", fine, tables=tables)
        tables_name = hashlib.sha256(job.payload).hexdigest()
        self.node.worker, self.node.blobs = job.work, {name: fine, tables_name: bytes(len(job.payload))}
        page.send(job.order())
        self.node.until("it declines", lambda: job.refusals)
        self.assertEqual(job.refusals, ["the server sent something other than it announced"])

    def test_a_process_that_is_killed_is_replaced(self) -> None:
        page = self.begin()
        job = counted(modules.module(), 1 << 40, 1 << 31)
        order(self.node, page, job)
        self.node.until("chunks are lent", lambda: len(job.loans) == 2)
        lent = list(job.loans)
        while not self.running.worker.computes:
            # It answers when it has done all that came before.
            count = len(page.messages("pong"))
            page.send({"is": "ping"})
            self.node.until("it answers", lambda count=count: len(page.messages("pong")) > count)
        for child in children():
            os.kill(child, signal.SIGKILL)
        self.node.until("the chunk failed", lambda: job.failures)
        self.assertEqual(job.failures[0], (0, f"its process ended with code {-signal.SIGKILL}"))
        page.send({"is": "drop", "attempts": lent})
        self.assertEqual(self.finish(page, counted(modules.module(), 10, 10)).tally, [10])


def children() -> list[int]:
    """The processes that compute."""
    task = Path(f"/proc/{os.getpid()}/task")
    return [int(child) for thread in task.iterdir() for child in (thread / "children").read_text().split()]


class EnemyTests(SessionTest):
    def begin_alone(self) -> None:
        self.running = Running(self.node)
        self.addCleanup(self.end)

    def end(self) -> None:
        self.node.forges, self.node.worker = False, None
        super().end()

    def states(self) -> list[str]:
        return [event["state"] for event in self.running.events("link")]

    def test_a_gateway_without_the_ticket_is_not_believed(self) -> None:
        self.node.forges = True
        self.begin_alone()
        self.node.until("it tries again", lambda: len(self.node.pages) >= 2)
        self.assertEqual(self.running.events("welcome"), [])
        self.assertIn("somebody else answers in its place", self.running.out.getvalue())

    def test_broken_frames_and_messages_end_only_the_connection(self) -> None:
        page = self.begin()
        for number, octets in enumerate((
            b"\x82\x01a", b"\x81\x7f" + b"\xff" * 8, b"\x01\x01a",
            worker_text(page, b"[]"), worker_text(page, b'{"is": 5}'),
            worker_text(page, b'{"is": "prepare", "job": 5}'), worker_text(page, b'{"is": "chunks", "job": []}'),
            worker_text(page, b'{"is": "part", "hash": "x"}'), frames.frame(frames.TEXT, b"short"), b"\x81",
        )):
            page.connection.sendall(octets)
            if octets == b"\x81":
                page.cut()
            page = self.node.joined(number + 2)
        self.node.until("it lends", lambda: page.messages("lend"))
        page.cores = 1
        self.assertEqual(self.finish(page, counted(modules.module(), 10, 10)).tally, [10])

    def test_endings_are_sentences(self) -> None:
        for code, why in (
            (4401, "this address is no longer valid"), (4403, "removed this node"), (4409, "connected from elsewhere"),
            (4411, "the address of the host's page"),
        ):
            self.node.refuses = code
            running = Running(self.node)
            running.thread.join(PATIENCE)
            assert running.ending is not None
            self.assertEqual(running.ending.code, 1)
            self.assertIn(why, running.ending.why)

    def test_a_worker_that_may_only_watch_says_so(self) -> None:
        self.node.lending = self.node.viewing
        self.node.viewing = bytes(15)
        where = address(self.node)
        self.node.viewing, self.node.lending = where.ticket, bytes(15)
        worker = Worker(where, Offer("ida", 1, "interactive", True), Report(True, io.StringIO()))
        self.assertIn("is for watching only", worker.run().why)

    def test_a_declined_worker_ends(self) -> None:
        self.node.standing = "declined"
        running = Running(self.node)
        running.thread.join(PATIENCE)
        assert running.ending is not None
        self.assertIn("declined this node", running.ending.why)


def worker_text(page: Any, text: bytes) -> bytes:
    """A frame with a right MAC, of the message that is the next one after `send`s of the test."""
    from node import mac_of

    return bytes(frames.frame(frames.TEXT, mac_of(page.page_key, page.sent, text) + text))


def _raise(kind: type[BaseException]) -> NoReturn:
    raise kind


#: Starts the command as on Windows, as far as Linux can lack what Windows lacks.
BARE = """
import os, signal, sys, time
for module, names in (
    (os, ["nice", "sched_getaffinity", "getuid", "fork", "setpriority"]), (signal, ["SIGXCPU", "SIGALRM"]),
    (time, ["clock_gettime", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC"]),
):
    for name in names:
        delattr(module, name)
sys.modules["resource"] = None
from potluck import _platform
_platform.SYSTEM = _platform.System("win32", "x86_64")
from potluck._command.main import main
sys.exit(main(sys.argv[1:]))
"""


class CommandTests(GatewayTest, ProgramTest):
    """The command, in a process of its own."""

    def start(self, *words: str, by: tuple[str, ...] = ("-m", "potluck._command")) -> subprocess.Popen[str]:
        text = f"http://127.0.0.1:{self.node.port}/{self.node.fragment(self.node.lending)}"
        return subprocess.Popen(
            [sys.executable, "-X", "faulthandler", *by, "join", text, *words], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=SOURCES)

    def left(self, process: subprocess.Popen[str]) -> tuple[str, str]:
        """Waits until the command has ended. Returns what it wrote; if it does not end, this shows where it is."""
        try:
            return process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)
            self.fail(f"it did not leave: {process.communicate()[1]}")

    def test_it_leaves_at_once(self) -> None:
        for number, (wanted, code) in enumerate(((signal.SIGINT, 130), (signal.SIGTERM, 143))):
            process = self.start("--json", "--priority", "interactive")
            page = self.node.joined(number + 1)
            page.cores = 2
            job = counted(modules.module(), 1 << 40, 1 << 31)
            self.node.until("it lends", lambda: page.messages("lend"))
            order(self.node, page, job)
            self.node.until("chunks are lent", lambda: job.loans)
            process.send_signal(wanted)
            out, errors = self.left(process)
            self.assertEqual((process.returncode, errors), (code, ""))
            self.assertTrue(all(json.loads(line)["event"] for line in out.splitlines()))

    def test_a_signal_waits_for_the_event_in_hand(self) -> None:
        """An exception in the middle of an event could get lost, and the worker would go on."""
        for number, raised in ((signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)):
            before = signal.signal(number, lambda number, frame: _raise(raised))
            self.addCleanup(signal.signal, number, before)
            worker = Worker(address(self.node), Offer("ida", 1, "normal", True), Report(True, io.StringIO()))
            steps: list[str] = []

            def event() -> None:
                os.kill(os.getpid(), number)
                steps.append("the event goes on")

            worker.inbox.put(event)
            with self.assertRaises(raised):
                place.run(worker)
            self.assertEqual(steps, ["the event goes on"])

    def test_a_second_signal_does_not_wait(self) -> None:
        worker = Worker(address(self.node), Offer("ida", 1, "normal", True), Report(True, io.StringIO()))
        worker.inbox.put(lambda: [os.kill(os.getpid(), signal.SIGINT) for _ in range(2)])
        worker.inbox.put(lambda: self.fail("the second signal has not ended it"))
        with self.assertRaises(KeyboardInterrupt):
            place.run(worker)

    def test_a_system_that_lacks_much_computes(self) -> None:
        process = self.start("--json", "--priority", "interactive", by=("-c", BARE))
        page = self.node.joined()
        page.cores = os.cpu_count()
        self.node.until("it lends", lambda: page.messages("lend"))
        job = counted(modules.module(), 100, 10)
        order(self.node, page, job)
        self.node.until("it computes", lambda: job.is_done or job.failures or job.refusals)
        self.assertEqual((job.tally, job.failures, job.refusals), ([100], [], []))
        process.send_signal(signal.SIGINT)
        self.assertEqual((self.left(process)[1], process.returncode), ("", 130))

    def test_usage_is_explained(self) -> None:
        for words, why in (
            (["--cores", "0"], "invalid value '0' for --cores: must be from 1 to 64"),
            (["--cores", "x"], "invalid value 'x' for --cores: not a whole number"),
            (["--priority", "high"], "invalid value 'high' for --priority: must be one of interactive, normal"),
            (["--on-battery", "maybe"], "invalid value 'maybe' for --on-battery: must be pause or run"),
            (["--name", ""], "invalid value '' for --name"), (["--name"], "--name needs a value; usage: --name NAME"),
            (["--json=yes"], "--json takes no value"), (["--colour"], "unknown option '--colour'"),
            (["second"], "unexpected argument 'second'; usage: potluck join [ADDRESS] [OPTIONS]"),
            (["--connect-file", "x"], "ADDRESS and --connect-file cannot be used together"),
            (["--json", "--json"], "--json is given twice"),
        ):
            with self.assertRaises(UsageError, msg=words) as raised, redirect_stderr(io.StringIO()):
                join.main(["http://10.0.0.1:7077/#000g-40r4-0m30-e209-185g-r38e", *words])
            self.assertTrue(str(raised.exception).startswith(why), raised.exception)
            self.assertNotIn("\n", str(raised.exception))

    def test_a_missing_address_is_asked_for(self) -> None:
        for words in ([], [""]):
            with self.assertRaisesRegex(UsageError, "^an address is missing: type .* such as potluck join Monty$"):
                join.main(words)

    def test_a_file_with_another_address_is_followed(self) -> None:
        path = self.folder / "address"
        text = f"http://127.0.0.1:{self.node.port}/"
        path.write_text(text + self.node.fragment(bytes(15)))
        process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "potluck._command", "join", "--connect-file", str(path)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=SOURCES)
        self.node.until("it was refused", lambda: self.node.pages and not self.node.pages[0].is_open)
        path.write_text(text + self.node.fragment(self.node.lending) + "\n")
        self.node.joined()
        process.send_signal(signal.SIGINT)
        _, errors = self.left(process)
        self.assertEqual((process.returncode, errors), (130, ""))
