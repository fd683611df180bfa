"""Addresses of pages, and the messages between a worker and its gateway: each has a MAC and a number."""

from __future__ import annotations

import hmac
import re
import struct
from typing import NamedTuple, Optional
from urllib.parse import urlsplit

#: The octets of a nonce.
NONCE = 16
#: The digits of a MAC.
MAC = 32

#: Digits and letters without those that look alike. Each stands for five bits.
_SYMBOLS = "0123456789abcdefghjkmnpqrstvwxyz"
#: The octets of a ticket, and the symbols that they make.
_OCTETS, _LENGTH = 15, 24


class AddressError(ValueError):
    """A text is no address of a page. The message says why, and what to do."""


class Address(NamedTuple):
    """Where a session's page is, and the ticket that it asks for."""

    host: str
    port: int
    ticket: bytes

    @property
    def place(self) -> str:
        """The address without its ticket, which screens and logs must not show."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def ticket(text: str) -> Optional[bytes]:
    """Returns the ticket that somebody typed, with or without the `#` before it; None if it is none."""
    plain = re.sub(r"[-\s]", "", text.strip().lstrip("#").lower()).translate(str.maketrans("oil", "011"))
    if len(plain) != _LENGTH or any(symbol not in _SYMBOLS for symbol in plain):
        return None
    number = 0
    for symbol in plain:
        number = number << 5 | _SYMBOLS.index(symbol)
    return number.to_bytes(_OCTETS, "big")


def address(text: str) -> Address:
    """Parses `http://ana.local:7079/#ticket`."""
    place = server(text)
    found = ticket(urlsplit(text.strip()).fragment)
    if found is None:
        raise AddressError(
            "the address is not complete; it must end with # and six groups of four characters, as 'potluck web' prints it")
    return Address(*place, found)


def server(text: str) -> tuple[str, int]:
    """Returns the host and the port of an address, with or without a ticket."""
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
        parts = urlsplit("")
    if parts.scheme != "http" or not host or port == 0 or parts.username is not None:
        raise AddressError("not an address of a page; use one like http://10.0.0.1:7077/#…, as 'potluck web' prints it")
    return host, port or 80


def ticket_id(ticket: bytes) -> str:
    """How a worker names its ticket without telling it."""
    return hmac.digest(ticket, b"potluck/1 ticket", "sha256")[:8].hex()


class Conversation:
    """The two directions of one connection."""

    def __init__(self, ticket: bytes, worker: bytes, gateway: bytes) -> None:
        """The nonces are those of the two sides."""
        both = hmac.digest(ticket, b"potluck/1 page" + worker + gateway, "sha256")
        self._outgoing = hmac.digest(both, b"to gateway", "sha256")
        self._incoming = hmac.digest(both, b"to page", "sha256")
        self._sent = self._received = 0

    def seal(self, text: bytes) -> bytes:
        """Returns the next message to the gateway with its MAC."""
        self._sent += 1
        return _mac(self._outgoing, self._sent - 1, text) + text

    def open(self, message: bytes) -> Optional[bytes]:
        """Returns the text of the gateway's next message; None if its MAC is wrong."""
        self._received += 1
        text = message[MAC:]
        return text if hmac.compare_digest(message[:MAC], _mac(self._incoming, self._received - 1, text)) else None


def _mac(key: bytes, count: int, text: bytes) -> bytes:
    return hmac.digest(key, struct.pack("<Q", count) + text, "sha256")[:MAC // 2].hex().encode()
