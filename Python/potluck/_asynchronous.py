"""Runs an order without blocking the event loop."""

from __future__ import annotations

import asyncio
import signal
from types import TracebackType
from typing import AsyncIterator, Awaitable, Callable, Sequence

from . import _program
from ._child import PIECE, stops
from ._errors import PotluckError
from ._order import Order
from ._result import Result
from ._running import finish, has_events
from ._tally import Tally
from ._talk import Talk, last


class Watch:
    """A run whose tallies are awaited: `async for tally in potluck.watch("pi", trials=1e9)`.

    Leaving the loop early stops the program when the watch is closed: at the end of `async with`, by `aclose()`, or
    when the event loop ends.
    """

    def __init__(self, order: Order) -> None:
        self._order = order
        self._result: Result | None = None
        self._tallies = self._run()

    @property
    def result(self) -> Result:
        """The result, after the last tally."""
        if self._result is None:
            raise PotluckError("the run has no result yet; take its tallies to the end")
        return self._result

    def __aiter__(self) -> AsyncIterator[Tally]:
        return self._tallies

    async def aclose(self) -> None:
        """Stops the program if it still runs."""
        close: Callable[[], Awaitable[None]] = getattr(self._tallies, "aclose")
        await close()

    async def __aenter__(self) -> Watch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _run(self) -> AsyncIterator[Tally]:
        order, talk = self._order, Talk(self._order)
        process = await _start(order)
        assert process.stdout is not None and process.stderr is not None
        errors = asyncio.ensure_future(_pass(process.stderr, talk.hear_error))
        try:
            while octets := await process.stdout.read(PIECE):
                for tally in talk.hear(octets):
                    if order.callback is not None:
                        order.callback(tally)
                    yield tally
            await errors
            code = await process.wait()
        except BaseException as error:
            await _stop(process, errors, stops(error))
            raise
        self._result = finish(order, talk.end(code))
        yield last(self._result)


async def run(order: Order) -> Result:
    """Runs it. If the task is cancelled, or the callback fails, it first stops the program."""
    async with Watch(order) as watch:
        async for _ in watch:
            pass
        return watch.result


async def _start(order: Order) -> asyncio.subprocess.Process:
    words = _program.command(order.command(live=has_events()))
    try:
        return await asyncio.create_subprocess_exec(
            *words, env=_program.environment(order.secrets), stdin=asyncio.subprocess.DEVNULL,
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
