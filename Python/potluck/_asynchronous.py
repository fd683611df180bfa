"""Runs an order, or a sweep, without blocking the event loop."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generic, Sequence, TypeVar

from . import _platform, _program
from ._child import PIECE, STOPS, stops
from ._errors import PotluckError
from ._running import Job
from ._talk import Item, Outcome

T = TypeVar("T")


class Watch(Generic[Item, Outcome]):
    """A run whose tallies are awaited: `async for tally in potluck.watch("pi", trials=1e9)`. Or a sweep's points.

    Leaving the loop early stops the program when the watch is closed: at the end of `async with`, by `aclose()`, or
    when the event loop ends. If another task closes it, the loop ends as soon as the program has ended.
    """

    def __init__(self, make: Callable[[], Job[Item, Outcome]]) -> None:
        self._make = make
        self._result: Outcome | None = None
        self._items = self._run()
        #: The program, once it has started.
        self._child: _Child | None = None
        #: Done when the task that is inside `_items` leaves. None if no task is; a generator takes one at a time.
        self._inside: asyncio.Future[None] | None = None
        self._is_closed = False

    @property
    def result(self) -> Outcome:
        """The result, after the last tally or point."""
        if self._result is None:
            raise PotluckError("the run has no result yet; take its tallies or points to the end")
        return self._result

    def __aiter__(self) -> AsyncIterator[Item]:
        return self

    async def __anext__(self) -> Item:
        """Waits for the next tally or point."""
        if self._is_closed:
            if self._inside is not None:
                await asyncio.shield(self._inside)
            raise StopAsyncIteration
        if self._inside is not None:
            raise RuntimeError("another task waits for the next tally or point")
        return await self._enter(self._items.__anext__())

    async def aclose(self) -> None:
        """Stops the program if it still runs. If another task waits for the next tally or point, its loop ends."""
        self._is_closed = True
        if self._inside is None:
            await self._enter(self._items.aclose())
            return
        # That task takes what the program still prints, and leaves when it has ended.
        if self._child is not None:
            self._child.begin_stop(STOPS)
        await _until(self._inside, self._stop_again)

    async def _enter(self, step: Awaitable[T]) -> T:
        """Takes a step of `_items`, in which no other task is."""
        self._inside = inside = asyncio.get_running_loop().create_future()
        try:
            return await step
        finally:
            self._inside = None
            inside.set_result(None)

    def _stop_again(self) -> None:
        if self._child is not None:
            self._child.stop(STOPS)

    async def __aenter__(self) -> Watch[Item, Outcome]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _run(self) -> AsyncGenerator[Item, None]:
        job = self._make()
        talk = job.talk
        with job.stdin() as stdin:
            child = self._child = _Child(await _start(job, stdin), talk.hear_error)
        if self._is_closed:
            child.begin_stop(STOPS)
        try:
            while octets := await child.read():
                # Another task has closed it, and waits until the program has ended.
                if self._is_closed:
                    continue
                for item in talk.hear(octets):
                    job.tell(item)
                    yield item
            code = await child.wait()
        except BaseException as error:
            await child.end(stops(error))
            raise
        if self._is_closed:
            return
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
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, **_platform.apart())
    except OSError as error:
        raise _program.cannot_start(error) from error


async def _pass(pipe: asyncio.StreamReader, hear: Callable[[bytes], object]) -> None:
    while octets := await pipe.read(PIECE):
        hear(octets)


async def _until(done: asyncio.Future[T], again: Callable[[], object]) -> None:
    """Waits for this, even if the task is cancelled. Each cancellation calls `again`, and the last one is passed on
    afterwards."""
    cancelled: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError as error:
            cancelled = error
            again()
    if cancelled is not None:
        raise cancelled


class _Child:
    """The program, once it has started."""

    def __init__(self, process: asyncio.subprocess.Process, hear_error: Callable[[bytes], object]) -> None:
        assert process.stdout is not None and process.stderr is not None
        self._process = process
        self._stdout, self._stderr = process.stdout, process.stderr
        self._errors = asyncio.ensure_future(_pass(process.stderr, hear_error))
        #: How often it was told to stop.
        self._told = 0

    async def read(self) -> bytes:
        """Returns what it prints next; nothing at the end."""
        return await self._stdout.read(PIECE)

    async def wait(self) -> int:
        """Returns its exit code, after it has printed everything."""
        await self._errors
        return await self._process.wait()

    def begin_stop(self, signals: Sequence[int]) -> None:
        """Tells it to stop, unless somebody has done so."""
        if self._told == 0:
            self.stop(signals)

    def stop(self, signals: Sequence[int]) -> None:
        """Tells it to stop, by a stronger signal each time."""
        if self._told < len(signals) and self._process.returncode is None:
            self._process.send_signal(signals[self._told])
        self._told += 1

    async def end(self, signals: Sequence[int]) -> None:
        """Ends it and waits for it. Each signal after the first needs another cancellation."""
        ended = asyncio.gather(_pass(self._stdout, len), self._rest_of_stderr(), self._process.wait())
        self.begin_stop(signals)
        await _until(ended, lambda: self.stop(signals))

    async def _rest_of_stderr(self) -> None:
        # A cancellation ends the task that reads it, too, if `wait` waits for it or the event loop ends.
        await asyncio.wait({self._errors})
        await _pass(self._stderr, len)
