"""What workers and watchers have in common: a link, and what people hear of it."""

from __future__ import annotations

import os
import queue
from typing import Any, Callable, NamedTuple, Optional

from .. import _platform
from .fields import Message
from .link import Link, State
from .report import Report, time
from .ticket import Address
from .wire import Inbox, Wire

#: How often, in seconds, the state is shown. Nobody reads faster.
SHOWN = 1.0
#: How often to look at what may have changed on this machine: the source of power, a file with the address.
LOOK = 3.0
#: Who waits longer than this for a server has to do something: it may be at another address.
PATIENCE = 60.0
#: Characters of a name, as the protocol says.
LONGEST_NAME = 40


class Ending(NamedTuple):
    """It is over."""

    code: int
    #: The end of the sentence that begins with `potluck: `.
    why: str


class Guest:
    """Runs until Ctrl-C or an end. `again` returns the right address by now, if somebody may change it."""

    def __init__(
        self, address: Address, name: str, report: Report, again: Optional[Callable[[], Optional[Address]]] = None,
        clock: Callable[[], float] = _platform.clock
    ) -> None:
        self.report, self.clock = report, clock
        self.inbox: Inbox = queue.SimpleQueue()
        self.link = Link(address, self._dial, self, clock)
        #: The names of the session, of the gateway, and of this machine there. A welcome tells them.
        self.session, self.gateway, self.name = "", "", name
        self.ending: Optional[Ending] = None
        self._again = again
        self._client = os.urandom(16).hex()
        #: Since when there is no link; None while there is one.
        self._lost: Optional[float] = clock()
        self._shown = self._looked = clock() - LOOK

    def run(self) -> Ending:
        """Ctrl-C raises KeyboardInterrupt out of here."""
        try:
            while self.ending is None:
                due = self.turn()
                try:
                    happened = self.inbox.get(timeout=max(0.0, due - self.clock()))
                except queue.Empty:
                    continue
                happened()
        finally:
            self.link.leave()
            self.left()
        self.report.event("ended", why=self.ending.why)
        return self.ending

    def turn(self) -> float:
        """Does what is due. Returns when to call this again at the latest."""
        due = self.link.turn()
        now = self.clock()
        if now - self._looked >= LOOK:
            self._looked = now
            self.look()
        if now - self._shown >= SHOWN:
            self._shown = now
            self.show(self.absence())
        return min(due, self._shown + SHOWN)

    def _dial(self, address: Address, link: Link) -> Wire:
        return Wire(address.host, address.port, link, self.inbox)

    # MARK: What others add

    def welcomed(self, may_lend: bool) -> None:
        """The link is open."""

    def left(self) -> None:
        """There is no link any more."""

    def take(self, message: Message) -> None:
        """Takes a message about something else."""

    def show(self, absence: str) -> None:
        """Shows the state. `absence` says why there is no link, or nothing."""

    def look(self) -> None:
        if self._again is not None and self.link.state is not State.OPEN:
            address = self._again()
            if address is not None and address != self.link.address:
                self.link.look_again(address)

    # MARK: The link

    def greeting(self) -> dict[str, Any]:
        return {"do": "join", "client": self._client, "name": self.name[:LONGEST_NAME]}

    def changed(self) -> None:
        state = self.link.state
        if state is not State.OPEN:
            self.left()
            self._lost = self.clock() if self._lost is None else self._lost
        host = f"the host of {self.session}" if self.session else "the host"
        if state is State.REMOVED:
            self.ending = Ending(1, f"{host} removed this node; ask there if you think that this is a mistake")
        elif state is State.ELSEWHERE:
            self.ending = Ending(1, "the same node connected from elsewhere; only one can take part")
        elif state is State.HOST:
            self.ending = Ending(
                1, "this is the address of the host's page; ask the host for the one that 'potluck web' prints")
        elif state is State.TICKET and self._again is None:
            self.ending = Ending(
                1, "this address is no longer valid, or has a mistake; ask the host for the one that 'potluck web' "
                "prints")
        self.report.event("link", state=state.value, why=self.link.why or None)

    def arrived(self, message: Message) -> None:
        kind = message.text("is")
        if kind == "welcome":
            self.session, self.gateway = message.text("session"), message.text("gateway")
            self.name = message.text("you")
            self._lost = None
            self.report.event("welcome", session=self.session, gateway=self.gateway, name=self.name)
            self.welcomed(message.flag("mayLend"))
        elif kind == "news":
            by, text = message.text("by") if message.has("by") else None, message.text("text")
            self.report.say(text if by is None else f"{by}: {text}", "news", by=by, text=text)
        else:
            self.take(message)

    def absence(self) -> str:
        """Why there is no link, as a sentence; empty if there is one."""
        state, place = self.link.state, self.link.address.place
        if state is State.OPEN:
            return ""
        if self._lost is not None and self.clock() - self._lost > PATIENCE:
            return (f"No contact with the server for {time(self.clock() - self._lost)}; still trying. If the host has "
                    "started the session again, its address may be another one.")
        if state is State.FULL:
            return "The session is full; trying again."
        if state is State.AWAY:
            return f"{self.session} has ended; waiting for it to return."
        if state is State.TICKET:
            return "This address is no longer valid; waiting for another one."
        if state is State.CONNECTING:
            why = f": {self.link.why}" if self.link.why else ""
            return f"Waiting for the server at {place}{why}." if self.link.failures > 1 else f"Connecting to {place}."
        if self.link.failures > 2:
            return f"The server of {self.session} is gone; waiting for it to return."
        return "Connection lost; reconnecting."
