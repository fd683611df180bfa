"""Runs an order, or a sweep, without blocking the event loop."""

from __future__ import annotations

import asyncio
import signal
from types import TracebackType
from typing import AsyncIterator, Awaitable, Callable, Generic, Sequence

from . import _program
from ._child import PIECE, stops
from ._errors import PotluckError
from ._running import Job
from ._talk import Item, Outcome


class Watch(Generic[Item, Outcome]):
    """A run whose tallies are awaited: `async for tally in potluck.watch("pi", trials=1e9)`. Or a sweep's points.

    Leaving the loop early stops the program when the watch is closed: at the end of `async with`, by `aclose()`, or
    when the event loop ends.
    """

    def __init__(self, make: Callable[[], Job[Item, Outcome]]) -> None:
        self._make = make
        self._result: Outcome | None = None
        self._items = self._run()

    @property
    def result(self) -> Outcome:
        """The result, after the last tally or point."""
        if self._result is None:
            raise PotluckError("the run has no result yet; take its tallies or points to the end")
        return self._result

    def __aiter__(self) -> AsyncIterator[Item]:
        return self._items

    async def aclose(self) -> None:
        """Stops the program if it still runs."""
        close: Callable[[], Awaitable[None]] = getattr(self._items, "aclose")
        await close()

    async def __aenter__(self) -> Watch[Item, Outcome]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _run(self) -> AsyncIterator[Item]:
        job = self._make()
        talk = job.talk
        with job.stdin() as stdin:
            process = await _start(job, stdin)
        assert process.stdout is not None and process.stderr is not None
        errors = asyncio.ensure_future(_pass(process.stderr, talk.hear_error))
        try:
            while octets := await process.stdout.read(PIECE):
                for item in talk.hear(octets):
                    job.tell(item)
                    yield item
            await errors
            code = await process.wait()
        except BaseException as error:
            await _stop(process, errors, stops(error))
            raise
        self._result = talk.end(code)
        for item in job.finish(self._result):
            job.tell(item)
            yield item


async def run(make: Callable[[], Job[Item, Outcome]]) -> Outcome:
    """Runs it. If the task is cancelled, or the callback fails, it first stops the program."""
    async with Watch(make) as watch:
        async for _ in watch:
            pass
        return watch.result


async def _start(job: Job[Item, Outcome], stdin: int) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *_program.command(job.words), env=_program.environment(job.secrets), stdin=stdin,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True)
    except OSError as error:
        raise _program.cannot_start(error) from error


async def _pass(pipe: asyncio.StreamReader, hear: Callable[[bytes], object]) -> None:
    while octets := await pipe.read(PIECE):
        hear(octets)


async def _stop(
    process: asyncio.subprocess.Process, errors: asyncio.Future[None], signals: Sequence[signal.Signals]
) -> None:
    """Ends the program and waits for it. Each signal after the first needs another cancellation."""
    assert process.stdout is not None
    ended = asyncio.gather(_pass(process.stdout, len), errors, process.wait())
    sent = 0
    while not ended.done():
        if sent < len(signals) and process.returncode is None:
            process.send_signal(signals[sent])
        sent += 1
        try:
            await asyncio.shield(ended)
        except asyncio.CancelledError:
            continue
