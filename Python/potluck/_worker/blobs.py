"""Modules and tables, which arrive in parts and are known by their SHA-256."""

from __future__ import annotations

import hashlib
from typing import Any, Callable, NamedTuple, Optional

from .fields import Message

#: As many finished blobs are kept for the next job.
MOST_KEPT = 8

#: Called with the octets, or with None and why they do not come.
Settle = Callable[[Optional[bytes], str], None]


class Reference(NamedTuple):
    hash: str
    size: int

    @staticmethod
    def read(message: Message, most: int) -> Reference:
        return Reference(message.digits("hash", 64), message.count("size", most))


class _Coming:
    """A blob under way."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.octets = bytearray()
        self.waiting: list[Settle] = []


class Blobs:
    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self._send = send
        self._coming: dict[str, _Coming] = {}
        self._kept: dict[str, bytes] = {}

    def get(self, blob: Reference, settle: Settle) -> None:
        """Calls `settle` once, perhaps at once."""
        kept = self._kept.get(blob.hash)
        if kept is not None:
            return settle(kept, "")
        known = self._coming.get(blob.hash)
        if known is None:
            self._coming[blob.hash] = known = _Coming(blob.size)
            self._send({"do": "fetch", "hash": blob.hash, "from": 0})
        known.waiting.append(settle)

    def take(self, message: Message) -> None:
        """Takes a part, or the message that there is none."""
        name = message.digits("hash", 64)
        blob = self._coming.get(name)
        if blob is None:
            return
        if message.text("is") == "lacking":
            return self._settle(name, None, message.text("why"))
        if message.count("from") != len(blob.octets):
            return
        part = message.octets("octets")
        if not 0 < len(part) <= blob.size - len(blob.octets):
            return self._settle(name, None, "the server sent a wrong part")
        blob.octets += part
        if len(blob.octets) < blob.size:
            self._send({"do": "fetch", "hash": name, "from": len(blob.octets)})
        elif hashlib.sha256(blob.octets).hexdigest() != name:
            self._settle(name, None, "the server sent something other than it announced")
        else:
            self._kept[name] = bytes(blob.octets)
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._settle(name, self._kept[name], "")

    def stop(self) -> None:
        """Forgets what is under way: its answers do not come any more."""
        for name in list(self._coming):
            self._settle(name, None, "the connection was lost")

    def _settle(self, name: str, octets: Optional[bytes], why: str) -> None:
        for settle in self._coming.pop(name).waiting:
            settle(octets, why)
