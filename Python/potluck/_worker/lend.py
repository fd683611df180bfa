"""Lending this machine: the jobs that a worker prepares and computes."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Optional

from .blobs import Blobs
from .crew import Crew, line
from .fields import Message
from .order import Chunk, Order
from .wire import Inbox

class Lender:
    """What this machine does for a session. `told` is called with a job's name and why it cannot be computed here, or
    with nothing when it is ready."""

    def __init__(
        self, cores: int, priority: str, send: Callable[[dict[str, Any]], None], told: Callable[[str, str], None],
        inbox: Inbox
    ) -> None:
        self._send, self._told = send, told
        self._blobs = Blobs(send)
        self._crew = Crew(priority, send, inbox)
        #: The orders of jobs that the gateway wants prepared.
        self._orders: dict[str, Order] = {}
        self._cores = cores
        self._rests = False
        #: What the gateway said of this worker's offer.
        self.standing = "joining"

    @property
    def trials(self) -> int:
        return self._crew.trials

    @property
    def cores(self) -> int:
        """The cores that compute."""
        return 0 if self._rests else self._cores

    @property
    def work(self) -> list[str]:
        """The names of the jobs that are being computed."""
        return [self._orders[job].name for job in self._crew.current if job in self._orders]

    def rest(self, rests: bool) -> None:
        """Lends nothing while the machine runs on battery."""
        if rests != self._rests:
            self._rests = rests
            self.offer()

    def offer(self) -> None:
        """Says what this machine lends: after each welcome, and when it changes."""
        self.standing = "joining"
        if self.cores == 0:
            self.forget_all()
        self._crew.resize(self.cores)
        self._send({"do": "lend", "cores": self.cores})

    def forget_all(self) -> None:
        """Ends the work in hand, which goes to other nodes."""
        self._crew.resize(0)
        self._orders.clear()
        self._blobs.stop()

    def take(self, message: Message) -> None:
        """Takes a message, unless it is about something else."""
        kind = message.text("is")
        if kind == "lending":
            self.standing = message.text("state")
        elif kind == "prepare":
            self._prepare(Order.read(message))
        elif kind in ("part", "lacking"):
            self._blobs.take(message)
        elif kind == "chunks" and message.text("job") in self._orders:
            self._crew.add(message.text("job"), Chunk.read(message))
        elif kind == "drop":
            self._crew.drop(message.items("attempts"))
        elif kind == "interrupt":
            self._crew.interrupt(message.text("job"))
        elif kind == "forget":
            self._orders.pop(message.text("job"), None)
            self._crew.forget(message.text("job"))

    # MARK: Preparing

    def _prepare(self, order: Order) -> None:
        self._orders[order.job] = order
        if order.refusal:
            return self._decide(order, order.refusal)
        self._blobs.get(order.module, partial(self._has_module, order))

    def _has_module(self, order: Order, module: Optional[bytes], why: str) -> None:
        if module is None:
            self._decide(order, why)
        elif order.tables is None:
            self._has_all(order, module, b"", "")
        else:
            self._blobs.get(order.tables, partial(self._has_all, order, module))

    def _has_all(self, order: Order, module: bytes, tables: Optional[bytes], why: str) -> None:
        if tables is None:
            self._decide(order, why)
        elif self._orders.get(order.job) is order:
            self._crew.prepare(order, module, tables, partial(self._decide, order))

    def _decide(self, order: Order, why: str) -> None:
        """Says whether this machine computes the job. Meanwhile it may be over, or ordered once more."""
        if self._orders.get(order.job) is not order:
            return
        if why:
            del self._orders[order.job]
            self._crew.forget(order.job)
        self._told(order.name, why)
        self._send({"do": "unable", "job": order.job, "why": line(why)} if why else {"do": "ready", "job": order.job})
