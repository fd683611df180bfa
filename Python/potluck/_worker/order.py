"""Orders of jobs, as a gateway gives them."""

from __future__ import annotations

from typing import NamedTuple, Optional

from .blobs import Reference
from .fields import Message, big, count

#: Bytes of a module, and of tables: a gateway sends no larger ones to a page.
LARGEST_MODULE, LARGEST_TABLES = 512 << 10, 4 << 20
#: The slots of a tally that fits, in base64, into a message.
MOST_SLOTS = 5_600
#: Bytes of memory that a module may use, whatever the gateway says: the native program's limit.
MOST_MEMORY = 256 << 20
#: Seconds that one call may take, whatever the gateway says: a gateway says 20.
MOST_SECONDS = 60.0

TALLY, COLLECT = 1, 2


class Order(NamedTuple):
    """What a worker needs to know of a job."""

    job: str
    name: str
    shape: int
    module: Reference
    tables: Optional[Reference]
    parameters: list[int]
    seed: int
    block: int
    trials: Optional[int]
    writes: bool
    slots: int
    memory: int
    seconds: float

    @staticmethod
    def read(message: Message) -> Order:
        tables = message.optional("tables")
        return Order(
            job=message.text("job"), name=message.text("name"), shape=message.count("shape"),
            module=Reference.read(message.object("module"), LARGEST_MODULE),
            tables=None if tables is None else Reference.read(tables, LARGEST_TABLES),
            parameters=[big(value) for value in message.items("parameters")], seed=message.big("seed"),
            block=message.count("block"), trials=message.big("trials") if message.has("trials") else None,
            writes=message.flag("writes"), slots=message.count("slots"),
            memory=min(message.count("memory"), MOST_MEMORY), seconds=min(message.real("seconds"), MOST_SECONDS))

    @property
    def refusal(self) -> str:
        """Why no worker of this kind can compute it; empty if there is no such reason."""
        if self.shape != TALLY and (self.shape != COLLECT or self.trials is None):
            return "workers in Python compute only tallies and gatherings"
        if self.slots > MOST_SLOTS:
            return "its tally is too large for a worker in Python"
        return ""


class Chunk(NamedTuple):
    """Blocks to compute."""

    attempt: str
    first: int
    blocks: int

    @staticmethod
    def read(message: Message) -> list[Chunk]:
        chunks = []
        for values in message.items("chunks"):
            attempt, first, blocks = values if isinstance(values, list) and len(values) == 3 else ("", "", 0)
            chunks.append(Chunk(str(attempt), big(first), count(blocks)))
        return chunks
