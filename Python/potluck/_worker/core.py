"""One core of a worker: a process that computes one chunk at a time. It speaks lines of JSON with the worker.

The tally of each chunk comes from a fresh instance in `_sandbox`, whose answers are compared with the order.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import queue
import struct
import sys
import threading
import time
from typing import Any, NoReturn, Union

from .. import _platform
from .._sandbox import Chunk, Module, ModuleError, ParameterError, TrialError, Writes
from .order import Order

#: Bytes of output in a message, as the protocol says.
PIECE = 32 << 10


class Core:
    def __init__(self) -> None:
        #: The jobs that this process can compute: what is needed to prepare them, and what was prepared.
        self._orders: dict[str, tuple[Order, Union[bytes, Module], bytes]] = {}
        self._ready: dict[str, Chunk] = {}
        self._tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        #: Whether the current chunk is to end at the next block.
        self._is_interrupted = False

    def listen(self) -> None:
        """Reads what the worker says. The process ends with the worker, however that ends."""
        for octets in sys.stdin.buffer:
            message = json.loads(octets)
            if message["do"] == "interrupt":
                self._is_interrupted = True
                continue
            if message["do"] == "chunk":
                # The worker gives a chunk when the one before has ended.
                self._is_interrupted = False
            self._tasks.put(message)
        os._exit(0)

    def run(self) -> NoReturn:
        while True:
            message = self._tasks.get()
            job: str = message["job"]
            if message["do"] == "prepare":
                self._forget(job)
                octets, tables = base64.b64decode(message["module"]), base64.b64decode(message["tables"])
                # Another process of this worker has compiled it.
                module = pickle.loads(octets) if message["isCompiled"] else octets
                self._orders[job] = (Order(**message["order"]), module, tables)
            elif message["do"] == "forget":
                self._forget(job)
            elif message["do"] == "check":
                self._check(job)
            else:
                self._compute(job, message["first"], message["first"] + message["blocks"])

    def _forget(self, job: str) -> None:
        self._orders.pop(job, None)
        self._ready.pop(job, None)

    def _check(self, job: str) -> None:
        """Says why a job cannot be computed here. If it can, the other processes need not compile the module again."""
        why, module = "", b""
        try:
            module = pickle.dumps(self._prepared(job).module, pickle.HIGHEST_PROTOCOL)
        except (ModuleError, ParameterError) as error:
            why = str(error)
        except MemoryError:
            why = "this machine has too little memory"
        tell({"is": "checked", "why": why, "module": base64.b64encode(module).decode()})

    def _prepared(self, job: str) -> Chunk:
        """Compiles and configures the module, unless it is."""
        if job not in self._ready:
            order, made, tables = self._orders[job]
            module = made if isinstance(made, Module) else Module(made, memory=order.memory, seconds=order.seconds)
            chunk = module.chunk(order.parameters, tables, memory=order.memory, seconds=order.seconds)
            ready = chunk.ready
            mine = (module.description.shape, ready.block_size, chunk.layout.slots, ready.writes != Writes.NOTHING)
            if mine != (order.shape, order.block, order.slots, order.writes):
                raise ModuleError("it prepares other work than the server says")
            self._ready[job] = chunk
        return self._ready[job]

    def _compute(self, job: str, first: int, end: int) -> None:
        begun = time.perf_counter()
        try:
            chunk, order = self._prepared(job), self._orders[job][0]
            until, tally = chunk.run(order.seed, first, end, lambda: self._is_interrupted, order.trials)
        except MemoryError:
            # That is not the module's fault.
            return tell({"is": "full", "why": "this machine has too little memory"})
        except TrialError as error:
            return tell({"is": "failed", "block": first if error.block is None else error.block, "why": str(error)})
        except (ModuleError, ParameterError) as error:
            return tell({"is": "failed", "block": first, "why": str(error)})
        # The output of a block has its length before it, so that blocks can be told apart.
        written = b"".join(struct.pack("<I", len(output)) + output for output in chunk.outputs)
        for at in range(0, len(written), PIECE):
            tell({"is": "output", "octets": base64.b64encode(written[at:at + PIECE]).decode()})
        tell({
            "is": "done", "end": until, "busy": time.perf_counter() - begun, "tally": base64.b64encode(tally).decode(),
            "output": len(written) if order.writes else None})


def tell(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


def main(priority: str) -> int:
    _platform.give_way(_platform.PRIORITIES[priority])
    core = Core()
    threading.Thread(target=core.listen, daemon=True).start()
    core.run()
