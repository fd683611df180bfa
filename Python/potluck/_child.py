"""Starts the program, reads what it prints, and leaves no child behind."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
from types import FrameType
from typing import Callable, Mapping, Sequence

from . import _program
from ._json import UnexpectedOutput

#: How much is read at once: what a pipe holds.
PIECE = 1 << 16

#: The signals that end a run: the first lets it print what it has, and the second ends it at once. Each but the first
#: is sent only after another Ctrl-C.
STOPS = (signal.SIGINT, signal.SIGINT, signal.SIGKILL)


def stops(error: BaseException) -> tuple[signal.Signals, ...]:
    """Returns the signals to send, one after the other, because of an error."""
    return (signal.SIGKILL,) if isinstance(error, UnexpectedOutput) else STOPS


Hear = Callable[[bytes], object]


def communicate(
    words: Sequence[str], secrets: Mapping[str, str], hear: Hear, hear_error: Hear, stdin: int = subprocess.DEVNULL
) -> int:
    """Runs the program with these arguments, passes on what it prints, and returns its exit code."""
    with _Interrupts() as interrupts:
        process = _start(words, secrets, stdin)
        try:
            interrupts.pass_on()
            _read(process, hear, hear_error)
            return process.wait()
        except BaseException as error:
            _stop(process, stops(error))
            raise
        finally:
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()


def _start(words: Sequence[str], secrets: Mapping[str, str], stdin: int) -> "subprocess.Popen[bytes]":
    # In a session of its own, so that Ctrl-C in a terminal reaches only Python, which passes it on once.
    try:
        return subprocess.Popen(
            _program.command(words), env=_program.environment(secrets), stdin=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    except OSError as error:
        raise _program.cannot_start(error) from error


def _read(process: "subprocess.Popen[bytes]", hear: Hear, hear_error: Hear) -> None:
    """Passes on both pipes until both are closed."""
    with selectors.DefaultSelector() as selector:
        for pipe, take in ((process.stdout, hear), (process.stderr, hear_error)):
            if pipe is not None:
                selector.register(pipe, selectors.EVENT_READ, take)
        while selector.get_map():
            for key, _ in selector.select():
                octets = os.read(key.fd, PIECE)
                if octets:
                    key.data(octets)
                else:
                    selector.unregister(key.fileobj)


def _stop(process: "subprocess.Popen[bytes]", signals: Sequence[signal.Signals]) -> None:
    """Ends the program and waits for it. What it prints meanwhile is dropped, so that no full pipe holds it up."""
    sent = 0
    while process.returncode is None:
        try:
            if sent < len(signals):
                process.send_signal(signals[sent])
            sent += 1
            _read(process, len, len)
            process.wait()
        except KeyboardInterrupt:
            continue


class _Interrupts:
    """Keeps Ctrl-C back until it is known which process to stop."""

    def __init__(self) -> None:
        self._usual: Callable[[int, FrameType | None], object] | None = None
        self._seen = False

    def __enter__(self) -> _Interrupts:
        usual = signal.getsignal(signal.SIGINT)
        # Only the main thread is interrupted.
        if callable(usual) and threading.current_thread() is threading.main_thread():
            self._usual = usual
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *error: object) -> None:
        self.pass_on()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._seen = True

    def pass_on(self) -> None:
        """Lets Ctrl-C through from now on, and the one that came meanwhile."""
        usual, self._usual = self._usual, None
        if usual is not None:
            signal.signal(signal.SIGINT, usual)
            if self._seen:
                usual(signal.SIGINT, None)
