"""Frames of WebSocket (RFC 6455), as a client sends and receives them."""

from __future__ import annotations

import os
import struct
from typing import Optional

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

#: Bytes of a message, as the protocol of pages says.
LONGEST = 64 << 10
#: Bytes of a control frame (RFC 6455).
LONGEST_CONTROL = 125


class FrameError(Exception):
    """The other side broke a rule of RFC 6455 or of the protocol of pages."""


def frame(kind: int, body: bytes) -> bytes:
    """Returns a whole frame. A client masks its frames, so that no proxy takes them for something else."""
    mask = os.urandom(4)
    length = len(body)
    if length < 126:
        head = bytes((0x80 | kind, 0x80 | length))
    elif length < 1 << 16:
        head = struct.pack(">BBH", 0x80 | kind, 0x80 | 126, length)
    else:
        head = struct.pack(">BBQ", 0x80 | kind, 0x80 | 127, length)
    return head + mask + _masked(body, mask)


def closing(code: int) -> bytes:
    return frame(CLOSE, struct.pack(">H", code))


def code_of(body: bytes) -> Optional[int]:
    """Returns the code in the body of a closing frame; None without one."""
    return int.from_bytes(body[:2], "big") if len(body) >= 2 else None


def _masked(body: bytes, mask: bytes) -> bytes:
    key = (mask * (len(body) // 4 + 1))[:len(body)]
    return (int.from_bytes(body, "big") ^ int.from_bytes(key, "big")).to_bytes(len(body), "big")


class Reader:
    """Takes what a gateway sends apart into frames. A gateway sends each message in one frame, without a mask."""

    def __init__(self) -> None:
        self._octets = bytearray()

    def read(self, octets: bytes) -> list[tuple[int, bytes]]:
        """Takes a piece of what arrives. Returns the kinds and bodies of the frames that it completes."""
        self._octets += octets
        frames = []
        while (found := self._next()) is not None:
            frames.append(found)
        return frames

    def _next(self) -> Optional[tuple[int, bytes]]:
        if len(self._octets) < 2:
            return None
        first, second = self._octets[0], self._octets[1]
        kind, length, start = first & 0x0F, second & 0x7F, 2
        if kind not in (TEXT, CLOSE, PING, PONG) or first & 0xF0 != 0x80 or second & 0x80:
            raise FrameError("a frame that the protocol does not have")
        if kind != TEXT and length > LONGEST_CONTROL:
            raise FrameError("a control frame that is too long")
        if length >= 126:
            start += 2 if length == 126 else 8
            if len(self._octets) < start:
                return None
            length = int.from_bytes(self._octets[2:start], "big")
        if length > LONGEST:
            raise FrameError("a message that is too long")
        if len(self._octets) < start + length:
            return None
        body = bytes(self._octets[start:start + length])
        del self._octets[:start + length]
        return kind, body
