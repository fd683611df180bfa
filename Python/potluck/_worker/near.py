"""The sessions in this network, as their beacons tell (docs/PROTOCOL.md, "The beacon"). Listens, and announces nothing.

A beacon says where a node is, and not whether it serves a page, so each is asked for its page by HTTP.
"""

from __future__ import annotations

import http.client
import socket
import threading
import time
from typing import NamedTuple, Optional

from .._sandbox.errors import is_fit

PORT = 17077
#: Seconds to listen. A node that is present says so once a second, plus or minus a tenth.
LISTENS = 2.3
#: Seconds for the answer about a page.
PATIENCE = 2.0
#: The nodes that are asked. Nobody has as many sessions near, and anybody may announce some.
MOST = 16

_MAGIC, _VERSION, _PRESENT, _NEW = b"PTLK", 1, 0, 1
_SERVER, _PEER = 1, 3
#: Where the names begin, and the octets of the tag at the end, which only members can check.
_NAMES, _TAG = 37, 16
_LONGEST, _LONGEST_NAME = 400, 63

_ADVICE = "ask the host for the address that 'potluck web' prints"


class Near(NamedTuple):
    """A node that may serve a page. Nothing proves what it says."""

    session: str
    name: str
    host: str
    port: int

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}/"


def read(datagram: bytes, host: str) -> Optional[Near]:
    """Returns the node of a beacon from this host. None: another datagram, or a node that hides or hosts nothing."""
    if not _NAMES + 2 + _TAG <= len(datagram) <= _LONGEST or datagram[:5] != _MAGIC + bytes([_VERSION]):
        return None
    kind, mode, port = datagram[5], datagram[6], int.from_bytes(datagram[7:9], "little")
    if kind not in (_PRESENT, _NEW) or mode not in (_SERVER, _PEER) or port == 0:
        return None
    body = datagram[:-_TAG]
    session, at = _text(body, _NAMES)
    name, _ = _text(body, at)
    return Near(session, name, host, port) if session and name else None


def _text(body: bytes, at: int) -> tuple[str, int]:
    """Returns the text at this place, and the place behind it; an empty one if there is none that can be shown."""
    length = body[at] if at < len(body) else _LONGEST
    end = at + 1 + length
    if length > _LONGEST_NAME or end > len(body):
        return "", len(body)
    try:
        text = body[at + 1:end].decode()
    except UnicodeDecodeError:
        return "", end
    return text if all(map(is_fit, text)) else "", end


def listen(seconds: float = LISTENS, port: int = PORT, most: int = MOST) -> list[Near]:
    """Returns the nodes that are heard within so many seconds, at most so many."""
    found: set[Near] = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        # Other nodes of this machine listen, too.
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            ear.bind(("", port))
        except OSError as error:
            raise NoneNear(f"cannot look for sessions: {error.strerror}; {_ADVICE}") from None
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and len(found) < most:
            ear.settimeout(left)
            try:
                octets, (host, _) = ear.recvfrom(_LONGEST + 1)
            except socket.timeout:
                break
            near = read(octets, host)
            if near is not None:
                found.add(near)
    return sorted(found)


def with_pages(nodes: list[Near]) -> list[Near]:
    """Returns the nodes that serve a page."""
    serving: list[Near] = []

    def ask(near: Near) -> None:
        asked = http.client.HTTPConnection(near.host, near.port, timeout=PATIENCE)
        try:
            asked.request("HEAD", "/")
            if asked.getresponse().status == 200:
                serving.append(near)
        except (OSError, http.client.HTTPException):
            pass
        finally:
            asked.close()

    threads = [threading.Thread(target=ask, args=(near,)) for near in nodes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(serving)


class NoneNear(Exception):
    """No page was found. The message says which sessions are near, and what to do."""


def find(wanted: str, nodes: list[Near], serving: list[Near]) -> Near:
    """Returns the node whose page is that of the wanted session. Capitals make no difference."""
    named = [near for near in nodes if near.session.lower() == wanted.lower()]
    pages = [near for near in named if near in serving]
    # A machine is heard over each of its networks.
    if len({near.name for near in pages}) == 1:
        return pages[0]
    if pages:
        places = ", ".join(f"{near.name} at {near.address}" for near in pages)
        raise NoneNear(f"several nodes serve {wanted}: {places}; choose one by its address")
    if named:
        raise NoneNear(
            f"{named[0].name} serves {wanted} without a page; start it there with 'potluck serve {wanted} --web'")
    others = sorted({near.session for near in nodes})
    if others:
        raise NoneNear(f"no session called '{wanted}' is near, but {', '.join(others)}; {_ADVICE}")
    raise NoneNear(f"no session is near; {_ADVICE}")
