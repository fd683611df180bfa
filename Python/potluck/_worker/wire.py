"""The socket to a gateway: a thread dials, opens the WebSocket and reads. It decides nothing."""

from __future__ import annotations

import base64
import hashlib
import os
import queue
import socket
import threading
from functools import partial
from typing import Callable, Optional, Protocol

from . import frames

#: Seconds for a connection, and for the gateway's answer. A gateway that is reachable answers at once.
PATIENCE = 5.0
#: Seconds until a gateway that takes nothing counts as gone. The link notices a silent one sooner.
STUCK = 15.0
#: Bytes of an answer to the request. Ours have 150.
LONGEST_ANSWER = 4096
_PIECE = 1 << 16
_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

#: What happens is put here, for the main thread.
Inbox = queue.SimpleQueue[Callable[[], None]]


class Hearer(Protocol):
    """What a wire tells of itself, on the main thread."""

    def opened(self, wire: Wire) -> None: ...

    def received(self, wire: Wire, text: bytes) -> None: ...

    def ended(self, wire: Wire, code: Optional[int], why: str) -> None:
        """`code` is that of a closing frame. `why` is the end of a sentence, or empty."""


class Wire:
    """One connection. Dials as soon as it is made."""

    def __init__(self, host: str, port: int, hearer: Hearer, inbox: Inbox) -> None:
        self._hearer, self._inbox = hearer, inbox
        self._socket: Optional[socket.socket] = None
        self._is_closed = False
        self._lock = threading.Lock()
        threading.Thread(target=self._run, args=(host, port), daemon=True).start()

    def send(self, octets: bytes) -> None:
        """Sends a message. If the gateway is gone, the wire ends."""
        self._write(frames.frame(frames.TEXT, octets))

    def close(self, code: int) -> None:
        """Ends the wire without waiting for the other side, which may be gone. It tells nothing any more."""
        self._is_closed = True
        taken = self._socket
        if taken is not None:
            try:
                # Nothing waits for a gateway that takes nothing.
                taken.settimeout(0)
                taken.sendall(frames.closing(code))
            except OSError:
                pass
            _shut(taken)

    # MARK: The thread

    def _run(self, host: str, port: int) -> None:
        code, why = None, ""
        try:
            rest = self._dial(host, port)
            self._tell(lambda: self._hearer.opened(self))
            code = self._listen(rest)
        except frames.FrameError as error:
            why = f"it broke the protocol: {error}"
        except OSError as error:
            why = _words(error)
        finally:
            if self._socket is not None:
                self._socket.close()
        self._tell(lambda: self._hearer.ended(self, code, why))

    def _tell(self, happened: Callable[[], None]) -> None:
        if not self._is_closed:
            self._inbox.put(happened)

    def _dial(self, host: str, port: int) -> bytes:
        """Opens the WebSocket. Returns what came after the gateway's answer."""
        taken = socket.create_connection((host, port), PATIENCE)
        self._socket = taken
        if self._is_closed:
            raise OSError
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The gateway wants to be called by its address, and not by a name that may be somebody else's.
        peer = taken.getpeername()[0].split("%")[0]
        called = f"[{peer}]:{port}" if ":" in peer else f"{peer}:{port}"
        key = base64.b64encode(os.urandom(16))
        taken.sendall(
            f"GET /link HTTP/1.1\r\nHost: {called}\r\nOrigin: http://{called}\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key.decode()}\r\n\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            piece = taken.recv(_PIECE)
            answer += piece
            if not piece or (len(answer) > LONGEST_ANSWER and b"\r\n\r\n" not in answer[:LONGEST_ANSWER]):
                raise NoPage("something other than Potluck answers there")
        head, rest = answer.split(b"\r\n\r\n", 1)
        status, *lines = head.split(b"\r\n")
        if not status.startswith(b"HTTP/1.1 101"):
            number = status[9:12].decode("ascii", "replace")
            raise NoPage(
                "it serves no page; start it with --web" if number == "404" else f"it refuses workers (HTTP {number})")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
        if headers.get(b"sec-websocket-accept") != base64.b64encode(hashlib.sha1(key + _MAGIC).digest()):
            raise NoPage("something other than Potluck answers there")
        taken.settimeout(STUCK)
        return rest

    def _listen(self, octets: bytes) -> Optional[int]:
        """Reads until the other side ends. Returns the code with which it did."""
        assert self._socket is not None
        reader = frames.Reader()
        while True:
            for kind, body in reader.read(octets):
                if kind == frames.TEXT:
                    self._tell(partial(self._hearer.received, self, body))
                elif kind == frames.PING:
                    self._write(frames.frame(frames.PONG, body))
                elif kind == frames.CLOSE:
                    return frames.code_of(body)
            octets = self._socket.recv(_PIECE)
            if not octets:
                return None

    def _write(self, octets: bytes) -> None:
        with self._lock:
            try:
                if self._socket is not None:
                    self._socket.sendall(octets)
            except OSError:
                # Part of a frame may be gone, so nothing else can follow. The thread notices.
                _shut(self._socket)


class NoPage(OSError):
    """Something else than a gateway answers."""


def _shut(taken: Optional[socket.socket]) -> None:
    try:
        if taken is not None:
            taken.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def _words(error: OSError) -> str:
    """Returns why a connection ended, as the end of a sentence."""
    if isinstance(error, socket.timeout):
        return "it does not answer"
    if isinstance(error, socket.gaierror):
        return "nobody knows this name"
    if isinstance(error, ConnectionRefusedError):
        return "nothing answers there"
    return str(error.strerror or error)
