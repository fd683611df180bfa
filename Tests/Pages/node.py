"""A node that answers browsers as docs/PROTOCOL.md, "Pages", says: files, tickets, MACs. What it sends is the test's."""
import hashlib
import hmac
import json
import os
import re
import secrets
import socket
import struct
import threading
import time

import base64

from browser import PATIENCE
from frames import CLOSE, PING, PONG, TEXT, accept_key, frame, read_frame

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = os.path.join(HERE, "../../Pages")
POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
          "worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
# A part of a module or of tables has at most this many octets.
PART = 32 * 1024
# A page may send this many messages at once, and so many a second.
BURST, PACE = 512, 200
# The gateway sends a ping this often, in seconds.
BEAT = 5


def page_file(name):
    """A file of the page as the program contains it: Tools/PageFiles/embed leaves out comments and indentation."""
    with open(os.path.join(PAGES, name), "rb") as file:
        text = file.read()
    if name.endswith(".css"):
        text = re.sub(rb"(?m)^ *(?:/\*.*\*/$)?", b"", text)
        return re.sub(rb" ([{}])", rb"\1", re.sub(rb"([:;{]) ", rb"\1", text))
    return re.sub(rb"(?m)^ *(?://.*)?", b"", text) if name.endswith(".js") else text


def mac_of(key, count, text):
    return hmac.new(key, struct.pack("<Q", count) + text, hashlib.sha256).digest()[:16].hex().encode()


class Page:
    """One connection of a page."""

    def __init__(self, node, connection, stream):
        self.node, self.connection, self.stream = node, connection, stream
        self.sent = self.received = 0
        self.inbox, self.is_open, self.is_over, self.may_lend = [], False, False, False
        self.lock = threading.Lock()
        self.allowed, self.counted = BURST, time.monotonic()

    def keeps_pace(self):
        now = time.monotonic()
        self.allowed = min(BURST, self.allowed + (now - self.counted) * PACE) - 1
        self.counted = now
        return self.allowed >= 0

    def serve(self):
        """Speaks with the page until the socket ends."""
        self.converse()
        while self.read() is not None:
            pass

    def converse(self):
        hello = json.loads(self.read())
        ticket = next((one for one in self.node.tickets if self.node.id_of(one) == hello["ticket"]), None)
        if ticket is None:
            return self.close(4401)
        nonce = secrets.token_bytes(16)
        self.is_host = ticket == self.node.hosting
        both = hmac.digest(ticket, b"potluck/1 page" + bytes.fromhex(hello["nonce"]) + nonce, "sha256")
        self.key, self.page_key = (hmac.digest(both, name, "sha256") for name in (b"to gateway", b"to page"))
        self.may_lend = ticket == self.node.lending
        self.both = both
        answer = {"host": "bound" if self.node.device else "free"} if self.is_host else {}
        self.write(TEXT, json.dumps({"nonce": nonce.hex(), **answer}).encode())
        while (text := self.read()) is not None:
            if self.is_over:
                return
            body = text[32:]
            if not hmac.compare_digest(text[:32], mac_of(self.key, self.received, body)):
                return self.close(4401)
            self.received += 1
            if not self.keeps_pace():
                return self.close(4400)
            self.take(json.loads(body))

    def take(self, message):
        if message["do"] == "join":
            self.client, self.name = message["client"], message["name"]
            if self.node.refuses:
                return self.close(self.node.refuses)
            if self.is_host and not self.node.admits(message, self.both):
                return self.close(4411)
            self.send({"is": "welcome", "session": self.node.session, "gateway": "teacher", "you": self.name,
                       "mayLend": self.may_lend, "version": "9.9",
                       **({"isHost": True} if self.is_host else {"mayWrite": True} if self.node.takes_scripts else {})})
            self.is_open = True
            threading.Thread(target=self.ping, daemon=True).start()
            for picture in self.node.greeting:
                self.send(picture)
        elif message["do"] == "results":
            self.send({"is": "results", "runs": self.node.runs, "last": True})
        elif message["do"] == "lend" and message["cores"] > 0 and self.node.standing:
            self.send({"is": "lending", "state": self.node.standing})
        elif message["do"] == "fetch":
            self.answer_fetch(message)
        # What waits for a condition sees the message together with what the worker made of it.
        with self.node.changed:
            self.inbox.append(message)
            if self.node.worker:
                self.node.worker(self, message)
            self.node.changed.notify_all()

    def ping(self):
        while self.is_open and not self.node.is_mute:
            self.send({"is": "ping"})
            time.sleep(BEAT)

    def answer_fetch(self, message):
        octets = self.node.blobs.get(message["hash"])
        if octets is None:
            return self.send({"is": "lacking", "hash": message["hash"], "why": "nobody has it"})
        part = octets[message["from"]:message["from"] + PART]
        self.send({"is": "part", "hash": message["hash"], "from": message["from"], "octets": base64.b64encode(part).decode()})

    def send(self, message):
        text = json.dumps(message).encode()
        assert len(text) <= 65536
        with self.lock:
            code = mac_of(self.page_key, self.sent, text)
            self.sent += 1
            if self.node.forges:
                code = b"0" * 32
            self.write(TEXT, code + text)

    def write(self, kind, body):
        try:
            self.connection.sendall(frame(kind, body))
        except OSError:
            pass

    def read(self):
        """Returns the next text; None at the end."""
        while (found := read_frame(self.stream)) is not None:
            if found[0] == TEXT:
                return found[1]
            if found[0] == PING:
                self.write(PONG, found[1])
            if found[0] == CLOSE:
                break
        return None

    def close(self, code):
        self.write(CLOSE, struct.pack(">H", code))
        self.is_open, self.is_over = False, True
        try:
            # What the page still sends is read: else the system would end the connection before the page has the code.
            self.connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        """Ends the connection without a word, as a network that fails."""
        self.is_open = False
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def messages(self, do):
        return [message for message in self.inbox if message["do"] == do]


class Node:
    """Listens on a port of its own. `greeting` is sent to each page after `welcome`."""

    def __init__(self, port=0):
        self.session = "Monty"
        self.viewing, self.lending, self.hosting = (secrets.token_bytes(15) for _ in range(3))
        # The secret of the browser that opened the host's page first.
        self.device = None
        self.pages, self.greeting, self.runs, self.blobs, self.requests = [], [], [], {}, []
        # What a page hears when it lends; None for nothing.
        self.standing = "member"
        self.refuses, self.forges, self.worker, self.is_mute = None, False, None, False
        # Whether the host takes what guests write.
        self.takes_scripts = False
        # How often a file is refused before it is sent.
        self.failing = {}
        self.changed = threading.Condition()
        self.listen(port)

    @property
    def tickets(self):
        return [self.viewing, self.lending, self.hosting]

    def admits(self, message, both):
        """Whether the browser of a `join` may have the host's page, as docs/PROTOCOL.md says."""
        if self.device is None and message.get("device"):
            mask = hmac.digest(both, b"potluck/1 device", "sha256")
            self.device = bytes(a ^ b for a, b in zip(bytes.fromhex(message["device"]), mask))
        if self.device is None:
            return False
        return message.get("proof") == hmac.digest(self.device, b"potluck/1 device" + both, "sha256")[:16].hex()

    @staticmethod
    def id_of(ticket):
        return hmac.digest(ticket, b"potluck/1 ticket", "sha256")[:8].hex()

    def fragment(self, ticket):
        number = int.from_bytes(ticket, "big")
        symbols = ["0123456789abcdefghjkmnpqrstvwxyz"[number >> 5 * place & 31] for place in reversed(range(24))]
        return "#" + "-".join("".join(symbols[at:at + 4]) for at in range(0, 24, 4))

    def listen(self, port):
        self.socket = socket.create_server(("127.0.0.1", port), backlog=64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.socket,), daemon=True).start()

    def accept(self, listening):
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def stop(self):
        """Ends like a program that was killed."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        for page in self.pages:
            page.cut()

    def serve(self, connection):
        stream = connection.makefile("rb")
        try:
            while (line := stream.readline()):
                path = line.split()[1].decode().split("?")[0]
                headers = {}
                while (header := stream.readline().strip()):
                    name, value = header.decode().split(":", 1)
                    headers[name.lower()] = value.strip()
                self.requests.append((time.monotonic(), path))
                if path == "/link":
                    return self.link(connection, stream, headers)
                self.file(connection, path)
        except (OSError, ValueError, IndexError):
            pass
        finally:
            stream.close()
            connection.close()

    def file(self, connection, path):
        name = path.lstrip("/") or "index.html"
        known = name in os.listdir(PAGES)
        if self.failing.get(name):
            self.failing[name] -= 1
            known = False
        body = page_file(name) if known else b"not found\n"
        kind = TYPES.get(os.path.splitext(name)[1], "text/plain") if known else "text/plain"
        head = (f"HTTP/1.1 {'200 OK' if known else '404 Not Found'}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                f"Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                "Cache-Control: no-cache\r\n\r\n")
        connection.sendall(head.encode() + body)

    def link(self, connection, stream, headers):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answer = ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  f"Sec-WebSocket-Accept: {accept_key(headers['sec-websocket-key'])}\r\n\r\n")
        connection.sendall(answer.encode())
        page = Page(self, connection, stream)
        with self.changed:
            self.pages.append(page)
        page.serve()
        page.is_open = False
        with self.changed:
            self.changed.notify_all()

    def until(self, what, condition, patience=PATIENCE):
        """Waits until a condition on what arrived holds, and returns its value."""
        found = []
        with self.changed:
            if not self.changed.wait_for(lambda: found.append(condition()) or found[-1], patience):
                raise AssertionError(f"not within {patience} s: {what}")
        return found[-1]

    def joined(self, count=1):
        """Waits for the page that joined as number `count` of this node, and returns it."""
        pages = self.until("a page joins", lambda: [page for page in self.pages if page.messages("join")][count - 1:])
        return pages[0]

    def broadcast(self, *messages):
        for page in self.pages:
            if page.is_open:
                for message in messages:
                    page.send(message)
