"""However a run is interrupted, the program is told once and no child is left."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import potluck
from potluck import _child, _program

from .support import PATIENCE, SOURCES, FakeTest, ProgramTest, event, result

#: Prints an event and runs until it is told to stop, then prints what it has, as the program does.
UNTIL_TOLD = (
    ["out", json.dumps(event()) + "\n"], ["wait"], ["out", json.dumps(result(complete=False)) + "\n"],
    ["err", "potluck: to resume this run: potluck resume 1\n"], ["exit", 130])

SCRIPT = """
import os, sys, potluck
def tell(tally):
    print("running", flush=True)
try:
    potluck.run("monty-hall", callback=tell)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


class InterruptTests(FakeTest):
    def test_an_interrupt_stops_the_program_once(self) -> None:
        self.fake(*UNTIL_TOLD)
        sent: list[int] = []
        send = subprocess.Popen.send_signal

        def count(process: "subprocess.Popen[bytes]", number: int) -> None:
            sent.append(number)
            send(process, number)

        with mock.patch.object(subprocess.Popen, "send_signal", count), self.assertRaises(KeyboardInterrupt):
            potluck.run("monty-hall", callback=lambda tally: signal.raise_signal(signal.SIGINT))
        self.assertEqual(sent, [signal.SIGINT])
        self.assertEqual(self.noted()[1:], ["SIGINT"])
        self.assertNoChild()

    def test_an_error_of_the_callback_stops_the_program(self) -> None:
        self.fake(*UNTIL_TOLD)

        def fail(tally: potluck.Tally) -> None:
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            potluck.run("monty-hall", callback=fail)
        self.assertEqual(self.noted()[1:], ["SIGINT"])
        self.assertNoChild()

    def test_an_interrupt_while_the_program_starts_is_kept(self) -> None:
        self.fake(*UNTIL_TOLD)
        start = _child._start

        def interrupted(*given: Any) -> "subprocess.Popen[bytes]":
            process = start(*given)
            signal.raise_signal(signal.SIGINT)
            return process

        with mock.patch.object(_child, "_start", interrupted), self.assertRaises(KeyboardInterrupt):
            potluck.run("monty-hall")
        self.assertNoChild()
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_each_further_interrupt_is_stronger(self) -> None:
        # It heeds no signal, so only the third one ends it.
        self.fake(["out", json.dumps(event()) + "\n"], ["wait"], ["out", "."], ["wait"], ["out", "."], ["wait"])
        read = _child._read

        def interrupted(process: "subprocess.Popen[bytes]", hear: _child.Hear, hear_error: _child.Hear) -> None:
            def then(octets: bytes) -> None:
                hear(octets)
                if octets.endswith(b"."):
                    signal.raise_signal(signal.SIGINT)

            read(process, then, hear_error)

        with mock.patch.object(_child, "_read", interrupted), self.assertRaises(KeyboardInterrupt):
            potluck.run("monty-hall", callback=lambda tally: signal.raise_signal(signal.SIGINT))
        self.assertEqual(self.noted()[1:], ["SIGINT", "SIGINT"])
        self.assertNoChild()

    def script(self) -> "subprocess.Popen[str]":
        """Starts another Python with a run, in a group of its own, and waits until the run has begun."""
        self.set(PYTHONPATH=str(SOURCES))
        python = subprocess.Popen(
            [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(python.wait)
        self.addCleanup(python.kill)
        assert python.stdout is not None
        self.addCleanup(python.stdout.close)
        self.assertEqual(python.stdout.readline(), "running\n")
        return python

    def child(self, python: "subprocess.Popen[str]") -> int:
        """Returns the process that another Python has started."""
        children = Path(f"/proc/{python.pid}/task/{python.pid}/children").read_text(encoding="ascii").split()
        self.assertEqual(len(children), 1)
        return int(children[0])

    def test_ctrl_c_in_a_terminal_arrives_once(self) -> None:
        self.fake(*UNTIL_TOLD)
        python = self.script()
        assert python.stdout is not None
        # Signals of one kind are merged while they wait, so counting those that arrive is not enough.
        self.assertNotEqual(os.getpgid(self.child(python)), os.getpgid(python.pid))
        os.killpg(python.pid, signal.SIGINT)
        self.assertEqual(python.stdout.readline(), "interrupted\n")
        self.assertEqual(python.wait(PATIENCE), 0)
        self.assertEqual(self.noted()[1:], ["SIGINT"])

    @unittest.skipUnless(_program._leash(), "this machine's setpriv has no --pdeathsig")
    def test_the_program_ends_with_python(self) -> None:
        self.fake(*UNTIL_TOLD)
        python = self.script()
        child = os.pidfd_open(self.child(python))
        self.addCleanup(os.close, child)
        python.kill()
        self.assertEqual(select.select([child], [], [], PATIENCE)[0], [child])


class RealInterruptTests(ProgramTest):
    def test_the_program_is_stopped(self) -> None:
        # The program opens its output before it computes, and a pipe is opened once it has a reader.
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        main = threading.main_thread()

        def interrupt() -> None:
            with pipe.open("rb"):
                assert main.ident is not None
                signal.pthread_kill(main.ident, signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            potluck.run("primes", limit=10**12, list=True, output=pipe, force=True)
        thread.join()
        self.assertNoChild()

    def test_a_stopped_run_is_recorded(self) -> None:
        def interrupt(tally: potluck.Tally) -> None:
            # A run without a trial is not recorded.
            if tally.trials:
                signal.raise_signal(signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            potluck.run("monty-hall", trials=10**18, seed=1, callback=interrupt)
        self.assertEqual([run.ended for run in potluck.history()], ["stopped"])
        self.assertNoChild()
