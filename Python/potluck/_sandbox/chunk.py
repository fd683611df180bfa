"""Computes blocks of a module, in calls of about 20 ms, by the rules of the program for Linux (ModuleRunner.swift).

Every chunk has an instance of its own, so it takes nothing over from another chunk. A module that keeps something from one
block to the next fails: its results would depend on where chunks end.
"""

from __future__ import annotations

import time
from typing import Callable, NamedTuple, Optional, Sequence

from . import limits
from .description import Shape, Writes
from .errors import KEEPS_STATE, Keeps, ModuleError, ParameterError, TrialError
from .instance import Instance
from .module import Module, Reading, configuration
from .records import Record, numbers, octets

#: The sizes of a block, of trials and of units.
_SMALLEST, _LARGEST, _LARGEST_GATHERED = 16, 65_536, 1 << 20
#: The verdicts about parameters.
_READY, _WRONG_COUNT, _OUT_OF_RANGE, _CONFLICT = range(4)
#: Bytes of a sentence about a conflict.
_LINE = 500
#: The numbers of trials that a simulation begins with. A block has an even number, so what every second trial leaves to the
#: next one is gone after it.
_ODD = (255, 129)


class Ready(NamedTuple):
    """What a module says when it is configured."""

    block_size: int
    #: The number of units in all; None for trials, which have no end.
    units: Optional[int]
    writes: Writes


class Answer(NamedTuple):
    tally: bytes
    output: bytes


class _Asked(NamedTuple):
    """A request to compute blocks."""

    seed: int
    first: int
    blocks: int
    trials: int


class _Part:
    """What has been computed of a chunk."""

    def __init__(self, end: int, tally: bytes) -> None:
        self.end, self.tally = end, tally
        self.outputs: list[bytes] = []

    def copy(self) -> _Part:
        made = _Part(self.end, self.tally)
        made.outputs = list(self.outputs)
        return made


class Chunk:
    """A module that is configured. Each `run` has a fresh instance.

    Raises ParameterError if the module refuses the parameters or the tables.
    """

    def __init__(
        self, module: Module, parameters: Sequence[int], payload: bytes = b"", *, memory: int = limits.MEMORY,
        seconds: float = limits.SECONDS,
    ) -> None:
        self.module, self.layout = module, module.description.layout
        self.shape = module.description.shape
        self._count, self._record = len(parameters), configuration(parameters, payload)
        self._memory, self._seconds = memory, seconds
        self._kept = module.kept(self._record)
        self.ready: Ready = module.with_instance(self._configured, memory=memory, seconds=seconds)
        #: What each block of the latest run wrote.
        self.outputs: list[bytes] = []

    @property
    def output(self) -> bytes:
        """What the blocks of the latest run wrote, one after the other."""
        return b"".join(self.outputs)

    def run(
        self, seed: int, first: int, end: int, stop: Callable[[], bool], trials: Optional[int] = None
    ) -> tuple[int, bytes]:
        """Computes blocks until `stop` says so, or much is written. Returns the block after the last one, and the tally.

        trials: those of the whole run, if that has an end; the last block may be short
        """
        if self.shape == Shape.SPACE:
            raise TrialError(None, "it is a search, which has no blocks")
        part = _Part(first, self.layout.empty)
        most = limits.MOST_BLOCKS if self.ready.writes == Writes.NOTHING else 1
        error = self._attempt(seed, end, most, stop, part, trials)
        if error is not None:
            # An instance begins with a single block, so a failure of its first call concerns that block.
            if part.end == first or isinstance(error, Keeps):
                raise TrialError(part.end, str(error))
            # Run the rest one by one to find the block that fails.
            again = self._attempt(seed, end, 1, stop, part, trials)
            if again is None:
                raise TrialError(None, f"{error}, {KEEPS_STATE}")
            raise TrialError(part.end, str(again))
        self.outputs = part.outputs
        return part.end, part.tally

    def checked(
        self, seed: int, first: int, end: int, stop: Callable[[], bool], trials: Optional[int] = None
    ) -> tuple[int, bytes]:
        """The same, and now and then computes the blocks again in two parts, each in an instance of its own. Of a module that
        cannot tell what it keeps, nothing else finds that."""
        begun = time.thread_time()
        done, tally = self.run(seed, first, end, stop, trials)
        if not self._kept.allows(time.thread_time() - begun) or done <= first + 1:
            return done, tally
        outputs, middle = self.outputs, first + (done - first) // 2
        parts = self.layout.empty
        written: list[bytes] = []
        for begin, last in ((first, middle), (middle, done)):
            until, half = self.run(seed, begin, last, stop, trials)
            if until < last:
                self.outputs = outputs
                return done, tally
            parts, written = self.layout.merged(parts, half), written + self.outputs
        self.outputs = outputs
        if (parts, written) != (tally, outputs):
            raise TrialError(
                None, f"blocks {first} to {done - 1} give another tally when they are computed in two parts; the "
                "simulation keeps something from one block to the next (potluck check)")
        return done, tally

    def instance(self, canonical: bool) -> Instance:
        """Returns an instance that is configured, for work that is no blocks. The caller ends it."""
        instance = self.module.instance(canonical, self._memory, self._seconds)
        self._configured(instance)
        return instance

    def read(self, tally: bytes, trials: int) -> list[Reading]:
        """Makes the readings of a tally."""
        request = numbers(trials, self.layout.slots) + tally

        def body(instance: Instance) -> list[Reading]:
            self._configured(instance)
            return self.module.readings(instance.record("potluck_read", request))

        return self.module.with_instance(body, memory=self._memory, seconds=self._seconds)

    def trials(self, first: int, blocks: int, trials: Optional[int]) -> int:
        """Returns the number of trials in some blocks. The last one of a run may be short."""
        full = blocks * self.ready.block_size
        ends = [most for most in (trials, self.ready.units) if most is not None]
        return max(0, min([full, *(most - first * self.ready.block_size for most in ends)]))

    def _configured(self, instance: Instance) -> Ready:
        record = Record("potluck_configure", instance.record("potluck_configure", self._record))
        verdict = record.number()
        if verdict == _READY:
            return self._ready(record)
        if verdict == _WRONG_COUNT:
            raise ParameterError("wrong number of parameters")
        if verdict == _OUT_OF_RANGE:
            place = record.number()
            if place >= self._count:
                raise record.wrong("no such parameter")
            raise ParameterError("a parameter is out of range", place)
        if verdict == _CONFLICT:
            raise ParameterError(record.line("the problem", _LINE))
        raise record.wrong("an unknown verdict")

    def _ready(self, record: Record) -> Ready:
        size = record.number()
        least, most = (_SMALLEST, _LARGEST) if self.shape == Shape.TALLY else (1, _LARGEST_GATHERED)
        if bin(size).count("1") != 1 or not least <= size <= most:
            raise record.wrong(f"blockSize is {size}; it must be a power of two from {least} to {most}")
        units, writes = None, Writes.NOTHING
        if self.shape != Shape.TALLY:
            units = record.number()
            if not 1 <= units <= limits.MOST_TRIALS:
                raise record.wrong(f"{units} units; there must be from 1 to {limits.MOST_TRIALS}")
            kind = record.number()
            if kind not in list(Writes):
                raise record.wrong("an unknown kind of output")
            writes = Writes(kind)
            if self.shape == Shape.SPACE and (size, units, writes) != (1, 1 << 52, Writes.NOTHING):
                raise record.wrong("another space than that of searches")
        record.end()
        return Ready(size, units, writes)

    def _with_chunk(self, body: Callable[[Instance], Answer]) -> Answer:
        """Calls `body` with a fresh instance that is configured, and must answer as it did before."""
        def ready(instance: Instance) -> Answer:
            try:
                is_same = self._configured(instance) == self.ready
            except ParameterError:
                is_same = False
            if not is_same:
                raise ModuleError("its answer to the parameters is wrong: a different answer than before")
            return body(instance)

        return self.module.with_instance(ready, memory=self._memory, seconds=self._seconds, is_chunk=True)

    def _asked(self, seed: int, first: int, blocks: int, trials: Optional[int]) -> _Asked:
        return _Asked(seed, first, blocks, self.trials(first, blocks, trials))

    def _ask(self, asked: _Asked, instance: Instance) -> Answer:
        request = numbers(self.shape, *asked, 0) + octets(b"")
        record = Record("potluck_run", instance.record("potluck_run", request))
        if record.number() != self.shape:
            raise record.wrong("a different kind of work")
        blocks, more, _ = record.number(), record.number(), record.number()
        if more > 1:
            raise record.wrong("an unknown state")
        count = record.count("slots", self.layout.slots)
        if count != self.layout.slots:
            raise record.wrong(f"{count} slots instead of {self.layout.slots}")
        tally, output, rest = record.slots(count), record.octets(limits.LARGEST_ANSWER), record.octets(limits.LARGEST_ANSWER)
        record.end()
        if self.shape == Shape.TALLY and (output or rest or more):
            raise record.wrong("more than a tally")
        if rest or more:
            raise record.wrong("more than its output")
        if self.ready.writes == Writes.NOTHING and output:
            raise record.wrong("output that it did not declare")
        if self.ready.writes == Writes.ROWS and len(output) % (8 * max(1, asked.trials)) != 0:
            raise record.wrong(f"{len(output)} bytes, which are not {asked.trials} rows of equal length")
        if blocks != asked.blocks:
            raise record.wrong(f"{blocks} blocks instead of {asked.blocks}")
        return Answer(tally, output)

    def _attempt(
        self, seed: int, end: int, most: int, stop: Callable[[], bool], part: _Part, trials: Optional[int]
    ) -> Optional[ModuleError]:
        """Runs blocks, at most `most` in a call, and adds them to the part. Returns the error, if there is one."""
        before = part.copy()

        def restore() -> None:
            part.end, part.tally, part.outputs = before.end, before.tally, list(before.outputs)

        try:
            if part.end < end:
                self._probe(self._asked(seed, part.end, 1, trials))
            if not self._kept.is_suspect:
                is_clean = False

                def together(instance: Instance) -> Answer:
                    nonlocal is_clean
                    # This may be called twice.
                    restore()
                    is_clean = self._together(seed, end, most, stop, part, trials, instance)
                    return Answer(b"", b"")

                self._with_chunk(together)
                if is_clean:
                    return None
                restore()
            self._singly(seed, end, stop, part, trials)
            return None
        except ModuleError as error:
            return error

    def _probe(self, asked: _Asked) -> None:
        """Raises if a few trials leave something to later ones."""
        if self.shape != Shape.TALLY or not self._kept.is_unprobed():
            return
        for most in _ODD:
            few = asked._replace(trials=min(most, max(1, asked.trials) - 1 | 1))

            def body(instance: Instance, few: _Asked = few) -> Answer:
                kept = instance.kept()
                if kept is None:
                    return Answer(b"", b"")
                answer = self._ask(few, instance)
                self._judge(few, answer, instance, kept, is_whole=False)
                return answer

            self._with_chunk(body)

    def _together(
        self, seed: int, end: int, most: int, stop: Callable[[], bool], part: _Part, trials: Optional[int],
        instance: Instance,
    ) -> bool:
        """Runs blocks in one instance. Returns false if they may depend on each other: then none of them counts."""
        start, batch, written = part.end, 1, 0
        kept = instance.kept()
        while part.end < end and written < limits.MOST_WRITTEN and not stop():
            blocks = min(batch, most, end - part.end)
            begun = time.thread_time()
            asked = self._asked(seed, part.end, blocks, trials)
            answer = self._ask(asked, instance)
            if part.end == start:
                self._judge(asked, answer, instance, kept)
            written += self._add(answer, blocks, part)
            taken = time.thread_time() - begun
            if taken < limits.CALL / 2:
                batch = min(2 * blocks, limits.MOST_BLOCKS)
            else:
                batch = max(1, blocks // 2) if taken > limits.CALL else blocks
        if kept is None or part.end == start:
            return True
        now = instance.kept()
        return now is None or now == kept or self._kept.knows(now)

    def _singly(self, seed: int, end: int, stop: Callable[[], bool], part: _Part, trials: Optional[int]) -> None:
        """Runs each block in an instance of its own, so that it can find nothing of another."""
        # Once it is known that such a module only fills its memory again, few blocks are judged.
        is_known, written = self._kept.is_suspect, 0
        while part.end < end and written < limits.MOST_WRITTEN and not stop():
            asked = self._asked(seed, part.end, 1, trials)

            def body(instance: Instance, asked: _Asked = asked) -> Answer:
                kept, begun = instance.kept(), time.thread_time()
                answer = self._ask(asked, instance)
                if not is_known or self._kept.allows(time.thread_time() - begun):
                    self._judge(asked, answer, instance, kept)
                return answer

            written += self._add(self._with_chunk(body), 1, part)

    def _judge(
        self, asked: _Asked, answer: Answer, instance: Instance, before: Optional[int], *, is_whole: bool = True
    ) -> None:
        """Raises if an instance that has computed a block, and had kept `before`, now remembers it.

        What a block prepares once is there when the same block is computed again, and what each trial fills again has the
        same contents. So nothing differs then, unless something is kept. `is_whole`: these are all trials of the block.
        """
        after = instance.kept() if before is not None else None
        if before is None or after is None or after == before or self._kept.knows(after):
            return
        seen = [after]
        for _ in range(2):
            now = instance.kept() if self._ask(asked, instance) == answer else None
            if now is None:
                raise Keeps
            if now in seen:
                is_steady = self._is_steady(asked, instance, after)
                self._kept.learn(seen, is_steady=is_steady or not is_whole)
                return
            seen.append(now)
        raise Keeps

    def _is_steady(self, asked: _Asked, instance: Instance, left: int) -> bool:
        """Whether the block beside this one leaves the same in an instance of its own. Raises if it gives another tally in the
        instance that has computed this one: a value that the first trial decides is the same whenever a block is repeated."""
        other, size = asked._replace(first=asked.first + asked.blocks), self.ready.block_size
        if self.ready.units is not None:
            following = asked.first + asked.blocks
            if asked.first == 0 and following >= self.ready.units // size:
                return True
            other = _Asked(asked.seed, asked.first - 1 if asked.first > 0 else following, 1, size)
        after = self._ask(other, instance)
        is_same = False

        def fresh(made: Instance) -> Answer:
            nonlocal is_same
            if self._ask(other, made) != after:
                raise Keeps
            is_same = made.kept() == left
            return after

        self._with_chunk(fresh)
        return is_same

    def _add(self, answer: Answer, blocks: int, part: _Part) -> int:
        """Adds the answer about some blocks. Returns the length of their output."""
        part.tally = self.layout.merged(part.tally, answer.tally)
        part.end += blocks
        if self.ready.writes == Writes.NOTHING:
            return 0
        part.outputs.append(answer.output)
        return len(answer.output)
