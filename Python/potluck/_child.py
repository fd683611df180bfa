"""Starts the program, reads what it prints, and leaves no child behind."""

from __future__ import annotations

import os
import queue
import selectors
import signal
import subprocess
import threading
from types import FrameType
from typing import Callable, Iterator, Mapping, Sequence

from . import _platform, _program
from ._json import UnexpectedOutput

#: How much is read at once: what a pipe holds.
PIECE = 1 << 16

#: The signals that end a run: the first lets it print what it has, and the second ends it at once. Each but the first
#: is sent only after another Ctrl-C.
STOPS = (_platform.ask_to_stop(), _platform.ask_to_stop(), _platform.kill())

#: Seconds after which Ctrl-C is looked at, where waiting for a pipe cannot be interrupted.
LOOK = 0.1


def stops(error: BaseException) -> tuple[int, ...]:
    """Returns the signals to send, one after the other, because of an error."""
    return (_platform.kill(),) if isinstance(error, UnexpectedOutput) else STOPS


Hear = Callable[[bytes], object]


def communicate(
    words: Sequence[str], secrets: Mapping[str, str], hear: Hear, hear_error: Hear, stdin: int = subprocess.DEVNULL
) -> int:
    """Runs the program with these arguments, passes on what it prints, and returns its exit code."""
    with _Interrupts() as interrupts:
        process = _start(words, secrets, stdin)
        pieces = _pieces(process)
        try:
            interrupts.pass_on()
            _read(pieces, hear, hear_error)
            return process.wait()
        except BaseException as error:
            _stop(process, pieces, stops(error))
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
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **_platform.apart())
    except OSError as error:
        raise _program.cannot_start(error) from error


class _Pieces:
    """What the program prints, piece by piece: the octets, and whether they are of stderr. Ends when both pipes are closed,
    and goes on where an error left it."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]
        self._stderr = process.stderr

    def __iter__(self) -> Iterator[tuple[bytes, bool]]:
        with selectors.DefaultSelector() as selector:
            for pipe in self._pipes:
                selector.register(pipe, selectors.EVENT_READ)
            while self._pipes:
                for key, _ in selector.select():
                    octets = os.read(key.fd, PIECE)
                    if octets:
                        yield octets, key.fileobj is self._stderr
                    else:
                        selector.unregister(key.fileobj)
                        self._pipes = [pipe for pipe in self._pipes if pipe is not key.fileobj]


class _ThreadedPieces:
    """The same where no selector takes pipes: a thread reads each."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._queue: "queue.Queue[tuple[bytes, bool]]" = queue.Queue()
        self._open = 0
        for pipe, is_stderr in ((process.stdout, False), (process.stderr, True)):
            if pipe is not None:
                self._open += 1
                threading.Thread(target=self._read, args=(pipe.fileno(), is_stderr), daemon=True).start()

    def _read(self, pipe: int, is_stderr: bool) -> None:
        octets = b"-"
        while octets:
            octets = os.read(pipe, PIECE)
            self._queue.put((octets, is_stderr))

    def __iter__(self) -> Iterator[tuple[bytes, bool]]:
        while self._open:
            try:
                octets, is_stderr = self._queue.get(timeout=LOOK)
            except queue.Empty:
                continue
            if octets:
                yield octets, is_stderr
            else:
                self._open -= 1


def _pieces(process: "subprocess.Popen[bytes]") -> "_Pieces | _ThreadedPieces":
    return _ThreadedPieces(process) if _platform.SYSTEM.is_windows else _Pieces(process)


def _read(pieces: "_Pieces | _ThreadedPieces", hear: Hear, hear_error: Hear) -> None:
    """Passes on both pipes until both are closed."""
    for octets, is_stderr in pieces:
        (hear_error if is_stderr else hear)(octets)


def _stop(
    process: "subprocess.Popen[bytes]", pieces: "_Pieces | _ThreadedPieces", signals: Sequence[int]
) -> None:
    """Ends the program and waits for it. What it prints meanwhile is dropped, so that no full pipe holds it up."""
    sent = 0
    while process.returncode is None:
        try:
            if sent < len(signals):
                process.send_signal(signals[sent])
            sent += 1
            _read(pieces, len, len)
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
