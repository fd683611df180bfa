"""A worker of a session: what it offers, and what people see of its work."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional

from .. import _platform
from . import machine
from .fields import Message
from .guest import Ending, Guest
from .lend import Lender
from .report import Report, amount, count
from .ticket import Address


class Offer(NamedTuple):
    """What a worker offers."""

    name: str
    cores: int
    priority: str
    runs_on_battery: bool


class Worker(Guest):
    def __init__(
        self, address: Address, offer: Offer, report: Report, again: Optional[Callable[[], Optional[Address]]] = None,
        clock: Callable[[], float] = _platform.clock
    ) -> None:
        super().__init__(address, offer.name, report, again, clock)
        self._runs_on_battery = offer.runs_on_battery
        self._lender = Lender(offer.cores, offer.priority, self.link.send, self._told, self.inbox)
        self._refusal = ""
        #: The names of the jobs that were computed lately.
        self._work: list[str] = []
        #: The trials when the work was last shown, and the time.
        self._before = (0, clock())
        report.event("started", name=offer.name, server=address.place, cores=offer.cores)

    @property
    def computes(self) -> bool:
        """Whether a chunk is being computed."""
        return bool(self._lender.work)

    def look(self) -> None:
        super().look()
        if not self._runs_on_battery:
            self._lender.rest(machine.power() is machine.Power.BATTERY)

    def welcomed(self, may_lend: bool) -> None:
        if may_lend:
            self._lender.offer()
        else:
            self.ending = Ending(
                1, "this address is for watching only; use the one that 'potluck web' prints without --view")

    def left(self) -> None:
        self._lender.forget_all()

    def take(self, message: Message) -> None:
        before = self._lender.standing
        self._lender.take(message)
        standing = self._lender.standing
        if standing != before:
            self.report.event("lending", state=standing)
        if standing == "declined":
            self.ending = Ending(1, f"the host of {self.session} declined this node")

    def _told(self, name: str, why: str) -> None:
        self._refusal = f"This machine cannot compute {name}: {why}." if why else ""
        if why:
            self.report.say(self._refusal, "unable", simulation=name, why=why)
        else:
            self.report.event("ready", simulation=name)

    def show(self, absence: str) -> None:
        now, trials, (before, at) = self.clock(), self._lender.trials, self._before
        self._before = (trials, now)
        rate = (trials - before) / (now - at) if now > at else 0.0
        self._work = self._lender.work or (self._work if trials > before else [])
        if self._work:
            self.report.event("computing", simulations=self._work, trials=trials, rate=rate)
        state, figures = absence or self._state(), f" {amount(trials)} trials" if trials > 0 else ""
        self.report.status([state], [f"{state}{figures}, {amount(rate)}/s" if rate > 0 else f"{state}{figures}"])

    def _state(self) -> str:
        """What the worker does or waits for, as a sentence."""
        if self._lender.cores == 0:
            return "This machine runs on battery and computes nothing; it continues on mains power."
        standing = self._lender.standing
        if standing == "asking":
            return f"Waiting for approval by the host of {self.session}."
        if standing == "full":
            return "The session takes no more cores at the moment; waiting for a place."
        if standing != "member":
            return f"Joining {self.session}."
        if self._work:
            return f"Computing {' and '.join(self._work)} on {count(self._lender.cores, 'core')}."
        return self._refusal or f"Nothing to do: waiting for {self.gateway} to start a simulation."
