"""A worker of a session: what it does with the messages of its gateway, and what people see of it."""

from __future__ import annotations

import os
import queue
from typing import Any, Callable, NamedTuple, Optional

from . import machine
from .fields import Message
from .lend import Lender
from .link import Link, State
from .report import Report, amount, count, time
from .ticket import Address
from .wire import Inbox, Wire

#: How often, in seconds, the work is shown. Nobody reads faster.
SHOWN = 1.0
#: How often to look at the source of power, and at a file with the address.
LOOK = 3.0
#: Who waits longer than this for a server has to do something: it may be at another address.
PATIENCE = 60.0
#: Characters of a name, as the protocol says.
LONGEST_NAME = 40


class Ending(NamedTuple):
    """The worker is over."""

    code: int
    #: The end of the sentence that begins with `potluck: `.
    why: str


class Offer(NamedTuple):
    """What a worker offers."""

    name: str
    cores: int
    priority: str
    runs_on_battery: bool


class Worker:
    """Runs until Ctrl-C or an end. `again` returns the address that is the right one by now, if somebody may change it."""

    def __init__(
        self, address: Address, offer: Offer, report: Report, again: Optional[Callable[[], Optional[Address]]] = None,
        clock: Callable[[], float] = machine.clock
    ) -> None:
        self._offer, self._report, self._again, self._clock = offer, report, again, clock
        self._client = os.urandom(16).hex()
        self._inbox: Inbox = queue.SimpleQueue()
        self._link = Link(address, self._dial, self, clock)
        self._lender = Lender(offer.cores, offer.priority, self._link.send, self._told, self._inbox)
        self._session, self._gateway, self._name = "", "", offer.name
        self._refusal = ""
        self._ending: Optional[Ending] = None
        self._began = clock()
        self._lost: Optional[float] = self._began
        self._shown, self._looked = 0.0, -LOOK
        #: The trials when the work was last shown, and the time.
        self._before = (0, self._began)
        self._rate = 0.0
        #: The names of the jobs that were computed lately.
        self._work: list[str] = []

    def run(self) -> Ending:
        """Works until the end. Ctrl-C raises KeyboardInterrupt out of here."""
        self._report.event(
            "started", name=self._offer.name, server=self._link.address.place, cores=self._offer.cores)
        try:
            while self._ending is None:
                due = self.turn()
                try:
                    happened = self._inbox.get(timeout=max(0.0, due - self._clock()))
                except queue.Empty:
                    continue
                happened()
        finally:
            self._link.leave()
            self._lender.forget_all()
        return self._ending

    def turn(self) -> float:
        """Does what is due. Returns when to call this again at the latest."""
        due = self._link.turn()
        now = self._clock()
        if now - self._looked >= LOOK:
            self._looked = now
            self._look()
        if now - self._shown >= SHOWN:
            self._show(now)
        return min(due, self._shown + SHOWN)

    def _dial(self, address: Address, link: Link) -> Wire:
        return Wire(address.host, address.port, link, self._inbox)

    def _look(self) -> None:
        if not self._offer.runs_on_battery:
            self._lender.rest(machine.power() is machine.Power.BATTERY)
        if self._again is not None and self._link.state is not State.OPEN:
            address = self._again()
            if address is not None and address != self._link.address:
                self._link.look_again(address)

    # MARK: The link

    def greeting(self) -> dict[str, Any]:
        return {"do": "join", "client": self._client, "name": self._offer.name[:LONGEST_NAME]}

    def changed(self) -> None:
        state = self._link.state
        if state is not State.OPEN:
            self._lender.forget_all()
            self._lost = self._clock() if self._lost is None else self._lost
        host = f"the host of {self._session}" if self._session else "the host"
        if state is State.REMOVED:
            self._ending = Ending(1, f"{host} removed this node; ask there if you think that this is a mistake")
        elif state is State.ELSEWHERE:
            self._ending = Ending(1, "the same worker connected from elsewhere; only one can take part")
        elif state is State.TICKET and self._again is None:
            self._ending = Ending(
                1, "this address is no longer valid, or has a mistake; ask the host for the one that 'potluck web' prints")
        self._report.event("link", state=state.value, why=self._link.why or None)

    def arrived(self, message: Message) -> None:
        kind = message.text("is")
        if kind == "welcome":
            self._welcomed(message)
        elif kind == "news" and message.has("by"):
            self._report.say(f"{message.text('by')}: {message.text('text')}", "said", name=message.text("by"),
                             text=message.text("text"))
        else:
            standing = self._lender.standing
            self._lender.take(message)
            self._stands(standing)

    def _welcomed(self, message: Message) -> None:
        self._session, self._gateway, self._name = message.text("session"), message.text("gateway"), message.text("you")
        self._lost = None
        self._report.event("welcome", session=self._session, gateway=self._gateway, name=self._name)
        if message.flag("mayLend"):
            self._lender.offer()
        else:
            self._ending = Ending(1, "this address is for watching only; use the one that 'potluck web' prints without --view")

    def _stands(self, before: str) -> None:
        standing = self._lender.standing
        if standing == before:
            return
        self._report.event("lending", state=standing)
        if standing == "declined":
            self._ending = Ending(1, f"the host of {self._session} declined this node")

    # MARK: What people see

    def _told(self, name: str, why: str) -> None:
        self._refusal = f"This machine cannot compute {name}: {why}." if why else ""
        if why:
            self._report.say(self._refusal, "unable", simulation=name, why=why)
        else:
            self._report.event("ready", simulation=name)

    def _show(self, now: float) -> None:
        trials, (before, at) = self._lender.trials, self._before
        self._rate = (trials - before) / max(now - at, SHOWN / 2)
        self._before, self._shown = (trials, now), now
        self._work = self._lender.work or (self._work if trials > before else [])
        if self._work:
            self._report.event("computing", simulations=self._work, trials=trials, rate=self._rate)
        self._report.status(self._state(), self._figures())

    def _figures(self) -> str:
        if self._lender.trials == 0:
            return ""
        rate = f", {amount(self._rate)}/s" if self._rate > 0 else ""
        return f"{amount(self._lender.trials)} trials{rate}"

    def _state(self) -> str:
        """What the worker does or waits for, as a sentence."""
        state, place, session = self._link.state, self._link.address.place, self._session
        if state is not State.OPEN:
            if self._lost is not None and self._clock() - self._lost > PATIENCE:
                return (f"No contact with the server for {time(self._clock() - self._lost)}; still trying. If the host has "
                        "started the session again, its address may be another one.")
            if state is State.FULL:
                return "The session is full; trying again."
            if state is State.AWAY:
                return f"{session} has ended; waiting for it to return."
            if state is State.TICKET:
                return "This address is no longer valid; waiting for another one."
            why = f": {self._link.why}" if self._link.why else ""
            if state is State.CONNECTING:
                return f"Waiting for the server at {place}{why}." if self._link.failures > 1 else f"Connecting to {place}."
            return (f"The server of {session} is gone; waiting for it to return." if self._link.failures > 2 else
                    "Connection lost; reconnecting.")
        if self._lender.cores == 0:
            return "This machine runs on battery and computes nothing; it continues on mains power."
        standing = self._lender.standing
        if standing == "asking":
            return f"Waiting for approval by the host of {session}."
        if standing == "full":
            return "The session takes no more cores at the moment; waiting for a place."
        if standing != "member":
            return f"Joining {session}."
        if self._work:
            return f"Computing {' and '.join(self._work)} on {count(self._lender.cores, 'core')}."
        return self._refusal or f"Nothing to do: waiting for {self._gateway} to start a simulation."
