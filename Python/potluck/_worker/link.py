"""The connection to a gateway: it proves the ticket, guards every message, keeps the pace, and reconnects by itself."""

from __future__ import annotations

import json
import os
from collections import deque
from enum import Enum
from typing import Any, Callable, Optional, Protocol

from .fields import BrokenRule, Message
from .ticket import NONCE, Address, Conversation, ticket_id

#: The gateway sends something every 5 s. After three times that the connection is dead, even if the system thinks not.
SILENCE = 15.0
#: The gateway allows 512 messages at once and 200 a second; these are a little less.
BURST, PACE = 400.0, 180.0
#: A `fetch` counts as so many messages, because its answer takes as much of the gateway.
FETCH = 4
FIRST_DELAY, LONGEST_DELAY = 0.5, 5.0
#: A gateway that is full or has ended is asked later and later, so that a hall of laptops does not keep it busy.
LONGEST_DELAY_IF_AWAY = 60.0

#: Codes of closing frames, as the protocol of pages says.
BROKEN, UNKNOWN, SILENT = 4400, 4401, 4408


class State(Enum):
    CONNECTING = "connecting"
    OPEN = "open"
    LOST = "lost"
    #: The gateway has no place. It may have one later.
    FULL = "full"
    #: The session has ended. Its host may start it again.
    AWAY = "away"
    #: The ticket is not known. Only a person can help, who has another address.
    TICKET = "ticket"
    #: The host removed this worker.
    REMOVED = "removed"
    #: The same worker connected again, from elsewhere.
    ELSEWHERE = "elsewhere"
    #: The ticket is that of the host's page, which lends nothing.
    HOST = "host"

    @property
    def is_final(self) -> bool:
        return self in (State.TICKET, State.REMOVED, State.ELSEWHERE, State.HOST)


_STATES = {4401: State.TICKET, 4403: State.REMOVED, 4409: State.ELSEWHERE, 4410: State.AWAY, 4411: State.HOST,
           4429: State.FULL}


class Connection(Protocol):
    def send(self, octets: bytes) -> None: ...

    def close(self, code: int) -> None: ...


class Hooks(Protocol):
    def greeting(self) -> dict[str, Any]:
        """Returns the first message."""

    def changed(self) -> None:
        """The link's state is another one."""

    def arrived(self, message: Message) -> None:
        """A message arrived. A `BrokenRule` ends the connection."""


class Link:
    """Decides what happens on connections to one gateway, which it dials one after the other. `turn` must be called
    when it says, and after everything that happens."""

    def __init__(
        self, address: Address, dial: Callable[[Address, Link], Connection], hooks: Hooks, clock: Callable[[], float]
    ) -> None:
        self.state = State.CONNECTING
        #: How often in a row the gateway did not answer.
        self.failures = 0
        #: Why the latest connection ended, as the end of a sentence; empty if the state says it.
        self.why = ""
        #: When something last arrived; None before.
        self.heard: Optional[float] = None
        self.address = address
        self._dial, self._hooks, self._clock = dial, hooks, clock
        self._wire: Optional[Connection] = None
        self._conversation: Optional[Conversation] = None
        self._nonce = b""
        self._queue: deque[tuple[str, int]] = deque()
        self._allowed, self._counted = BURST, 0.0
        #: When to dial again; None while there is a wire, and at an end.
        self._again: Optional[float] = 0.0
        #: When the wire is dead unless something arrives.
        self._deadline = 0.0

    # MARK: Time

    def turn(self) -> float:
        """Does what is due. Returns when to call this again at the latest."""
        now = self._clock()
        if self._wire is not None and now >= self._deadline:
            self._drop(SILENT, "it does not answer")
        if self._again is not None and now >= self._again:
            self._connect()
        self._flush()
        if self._queue:
            return now + 0.05
        return self._again if self._again is not None else self._deadline if self._wire is not None else now + SILENCE

    def look_again(self, address: Address) -> None:
        """Dials at once, also after an end, because there is another address."""
        self.address, self.failures = address, 0
        if self._wire is not None:
            self._drop(1000, "")
        self._again = self._clock()
        self._become(State.CONNECTING)

    def leave(self) -> None:
        """Ends the connection for good."""
        self._again = None
        if self._wire is not None:
            self._wire.close(1001)
            self._wire = self._conversation = None

    # MARK: Messages

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message as soon as the pace allows it. Without a connection it is void."""
        if self._conversation is not None:
            text = json.dumps(message, separators=(",", ":"))
            self._queue.append((text, FETCH if message["do"] == "fetch" else 1))
            self._flush()

    def _flush(self) -> None:
        now = self._clock()
        self._allowed = min(BURST, self._allowed + (now - self._counted) * PACE)
        self._counted = now
        while self._queue and self._allowed >= self._queue[0][1] and self._wire and self._conversation:
            text, cost = self._queue.popleft()
            self._allowed -= cost
            self._wire.send(self._conversation.seal(text.encode()))

    # MARK: What the wire tells

    def opened(self, wire: Connection) -> None:
        if wire is self._wire:
            hello = {"potluck": 1, "ticket": ticket_id(self.address.ticket), "nonce": self._nonce.hex()}
            wire.send(json.dumps(hello).encode())

    def received(self, wire: Connection, octets: bytes) -> None:
        if wire is not self._wire:
            return
        try:
            if self._conversation is None:
                theirs = bytes.fromhex(Message.read(octets).digits("nonce", 2 * NONCE))
                self._conversation = Conversation(self.address.ticket, self._nonce, theirs)
                self.send(self._hooks.greeting())
                return
            text = self._conversation.open(octets)
            if text is None:
                return self._drop(UNKNOWN, "somebody else answers in its place")
            self._take(Message.read(text))
        except BrokenRule as error:
            self._drop(BROKEN, f"it broke the protocol: {error}")

    def _take(self, message: Message) -> None:
        self.heard = self._clock()
        self._deadline = self.heard + SILENCE
        if message.text("is") == "ping":
            self.send({"do": "pong"})
        if self.state is not State.OPEN and message.text("is") == "welcome":
            self.failures = 0
            self._become(State.OPEN)
        self._hooks.arrived(message)

    def ended(self, wire: Connection, code: Optional[int], why: str) -> None:
        if wire is self._wire:
            self._closed(_STATES.get(code or 0), why)

    def _drop(self, code: int, why: str) -> None:
        """Ends a wire without waiting for the other side. What this side ends is never final."""
        if self._wire is not None:
            self._wire.close(code)
        self._closed(None, why)

    def _closed(self, state: Optional[State], why: str) -> None:
        self._wire = self._conversation = None
        self._queue.clear()
        self.why = why
        if state is None:
            state = State.CONNECTING if self.heard is None else State.LOST
        if not state.is_final:
            most = LONGEST_DELAY_IF_AWAY if state in (State.FULL, State.AWAY) else LONGEST_DELAY
            # Beyond 2⁷ times the first delay every limit is reached.
            self._again = self._clock() + min(most, FIRST_DELAY * 2 ** min(self.failures, 7))
        self.failures += 1
        self._become(state)

    def _connect(self) -> None:
        self._again = None
        self._nonce = os.urandom(NONCE)
        self._conversation = None
        self._deadline = self._clock() + SILENCE
        self._allowed = BURST
        self._wire = self._dial(self.address, self)

    def _become(self, state: State) -> None:
        self.state = state
        self._hooks.changed()
