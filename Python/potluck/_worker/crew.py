"""The processes of a worker, one for each core, and the chunks that wait for them."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import threading
from collections import deque
from functools import partial
from typing import Any, Callable, NamedTuple, Optional

from .. import _apart, _platform
from .._sandbox.library import VARIABLE, find
from .order import Chunk, Order
from .wire import Inbox

#: Characters of a reason, as the protocol says.
LONGEST_LINE = 300

Settle = Callable[[str], None]


def line(text: str) -> str:
    """Returns a text of this system as a line of the protocol."""
    return "".join(character if character.isprintable() else " " for character in text)[:LONGEST_LINE]


class _Task(NamedTuple):
    job: str
    #: What to compute; None to prepare the job, and to call `settle`.
    chunk: Optional[Chunk]
    settle: Settle = lambda why: None


class _Job:
    """A job that can be computed, or of which a process sees whether it can."""

    def __init__(self, order: Order, module: bytes, tables: bytes) -> None:
        self.order = order
        self._message: dict[str, Any] = {
            "do": "prepare", "job": order.job, "order": order._asdict(), "tables": base64.b64encode(tables).decode(),
            "module": base64.b64encode(module).decode(), "isCompiled": False}
        self.line = json.dumps(self._message).encode()

    def compiled(self, module: str) -> None:
        """Takes the module as a process has compiled it, for the others."""
        self._message.update(module=module, isCompiled=True)
        self.line = json.dumps(self._message).encode()


class _Core:
    """A process that computes one task at a time."""

    def __init__(
        self, priority: str, library: str, hear: Callable[[_Core, dict[str, Any]], None], inbox: Inbox
    ) -> None:
        self.task: Optional[_Task] = None
        #: Whether nothing is to come of its task any more.
        self.is_void = False
        self.jobs: set[str] = set()
        self._hear, self._inbox = hear, inbox
        self._process = subprocess.Popen(
            _apart.command("potluck._worker.core:main", priority), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={**os.environ, VARIABLE: library}, **_platform.apart())
        threading.Thread(target=self._read, daemon=True).start()

    def is_about(self, job: str) -> bool:
        return self.task is not None and self.task.job == job

    def send(self, message: dict[str, Any]) -> None:
        self.send_line(json.dumps(message).encode())

    def send_line(self, octets: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(octets + b"\n")
            self._process.stdin.flush()
        except OSError:
            # It has ended, which the thread tells.
            pass

    def _read(self) -> None:
        assert self._process.stdout is not None
        for octets in self._process.stdout:
            self._inbox.put(partial(self._hear, self, json.loads(octets)))
        code = self._process.wait()
        self._inbox.put(partial(self._hear, self, {"is": "stopped", "why": f"its process ended with code {code}"}))

    def end(self) -> None:
        _apart.end(self._process)


class Crew:
    def __init__(self, priority: str, send: Callable[[dict[str, Any]], None], inbox: Inbox) -> None:
        self.size = 0
        #: Trials that this worker has computed.
        self.trials = 0
        self._priority, self._send, self._inbox = priority, send, inbox
        #: The library that runs modules. The processes need not look for it.
        self._library = str(find())
        self._cores: list[_Core] = []
        self._waiting: deque[_Task] = deque()
        #: The process that prepares a job. It does not give way to others, because on a busy machine a module would
        #: then take minutes to compile. It computes nothing, so no chunk keeps it from that.
        self._preparing: Optional[_Core] = None
        self._unprepared: deque[_Task] = deque()
        self._jobs: dict[str, _Job] = {}

    @property
    def current(self) -> list[str]:
        """The jobs of the chunks that are being computed."""
        return sorted({core.task.job for core in self._cores if core.task is not None and core.task.chunk is not None})

    def resize(self, size: int) -> None:
        """Sets how many cores compute. With 0 all work in hand is forgotten at once."""
        self.size = size
        if size == 0:
            cores, self._cores = self._cores, []
            for core in [*cores, *([self._preparing] if self._preparing is not None else [])]:
                core.end()
            self._preparing = None
            self._waiting.clear()
            self._unprepared.clear()
            self._jobs.clear()
        self._work()

    def prepare(self, order: Order, module: bytes, tables: bytes, settle: Settle) -> None:
        """Makes a job known. `settle` is called with why it cannot be computed here, or with nothing."""
        self.forget(order.job)
        self._jobs[order.job] = _Job(order, module, tables)
        self._unprepared.append(_Task(order.job, None, settle))
        self._work()

    def add(self, job: str, chunks: list[Chunk]) -> None:
        if job in self._jobs:
            self._waiting.extend(_Task(job, chunk) for chunk in chunks)
            self._work()

    def drop(self, attempts: list[Any]) -> None:
        self._cancel(lambda task: task.chunk is not None and task.chunk.attempt in attempts)

    def interrupt(self, job: str) -> None:
        """Chunks of the job end at the next block. Those that have not begun have no blocks from now on."""
        self._waiting = deque(
            task._replace(chunk=task.chunk._replace(blocks=0)) if task.chunk is not None and task.job == job else task
            for task in self._waiting)
        for core in self._cores:
            if core.is_about(job):
                core.send({"do": "interrupt"})

    def forget(self, job: str) -> None:
        self._jobs.pop(job, None)
        self._unprepared = deque(task for task in self._unprepared if task.job != job)
        if self._preparing is not None and self._preparing.is_about(job):
            self._preparing.end()
            self._preparing = None
        self._cancel(lambda task: task.job == job)
        for core in self._cores:
            if job in core.jobs:
                core.jobs.remove(job)
                core.send({"do": "forget", "job": job})
        self._work()

    def _cancel(self, is_gone: Callable[[_Task], bool]) -> None:
        """Ends tasks of which nothing is to come."""
        self._waiting = deque(task for task in self._waiting if not is_gone(task))
        for core in self._cores:
            if core.task is not None and is_gone(core.task):
                core.is_void = True
                core.send({"do": "interrupt"})

    def _work(self) -> None:
        if self._unprepared and self._preparing is None:
            self._preparing = self._hire("interactive")
            self._begin(self._preparing, self._unprepared.popleft())
        while self._waiting:
            idle = next((core for core in self._cores if core.task is None), None)
            if idle is None and len(self._cores) < self.size:
                idle = self._hire(self._priority)
                self._cores.append(idle)
            if idle is None:
                break
            self._begin(idle, self._waiting.popleft())
        # A smaller crew lets those go that have nothing to do.
        for core in [core for core in self._cores if core.task is None][:max(0, len(self._cores) - self.size)]:
            self._cores.remove(core)
            core.end()

    def _hire(self, priority: str) -> _Core:
        return _Core(priority, self._library, self._hear, self._inbox)

    def _begin(self, core: _Core, task: _Task) -> None:
        if task.job not in core.jobs:
            core.jobs.add(task.job)
            core.send_line(self._jobs[task.job].line)
        core.task, core.is_void = task, False
        if task.chunk is None:
            core.send({"do": "check", "job": task.job})
        else:
            core.send({"do": "chunk", "job": task.job, "first": task.chunk.first, "blocks": task.chunk.blocks})

    def _hear(self, core: _Core, message: dict[str, Any]) -> None:
        """Takes what a process says of its task."""
        if core is self._preparing:
            return self._prepared(core, message)
        if core not in self._cores:
            return
        task, kind = core.task, message["is"]
        if kind == "stopped":
            self._cores.remove(core)
            core.end()
        if task is None or task.chunk is None:
            return
        if kind == "output":
            return self._tell(core, task.chunk, {"do": "output", "octets": message["octets"]})
        if kind == "done":
            done = message["end"] - task.chunk.first
            self.trials += done * self._jobs[task.job].order.block if task.job in self._jobs else 0
            self._tell(core, task.chunk, {
                "do": "done", "end": str(message["end"]), "busy": message["busy"], "tally": message["tally"],
                "output": message["output"]})
        elif kind == "full":
            self._tell(core, task.chunk, {"do": "unable", "job": task.job, "why": message["why"]})
            self.forget(task.job)
        else:
            block = message.get("block", task.chunk.first)
            self._tell(core, task.chunk, {"do": "failed", "block": str(block), "why": line(message["why"])})
        core.task = None
        self._work()

    def _prepared(self, core: _Core, message: dict[str, Any]) -> None:
        """Takes whether a job can be computed here."""
        self._preparing = None
        core.end()
        if core.task is not None:
            if not message["why"]:
                self._jobs[core.task.job].compiled(message["module"])
            core.task.settle(message["why"])
        self._work()

    def _tell(self, core: _Core, chunk: Chunk, message: dict[str, Any]) -> None:
        if not core.is_void:
            self._send({**message, "attempt": chunk.attempt})
