"""A module of the interface of version 1: configures it, runs blocks and takes its records apart (docs/PLUGINS.md)."""

from __future__ import annotations

import struct
from typing import NamedTuple, Optional, Sequence

from .sandbox import Instance, OutOfFuel, Sandbox, Trap

#: What a module computes, as its interface numbers it.
TALLY, COLLECT = 1, 2


class Answer(NamedTuple):
    """What some blocks gave: slots and output, or the sentence that ended them."""

    slots: list[int]
    output: bytes
    failure: Optional[str]


class Conflict(Exception):
    """The parameters do not fit together; the text says why."""


class Failed(Exception):
    """`prepare` stopped the module; the text says why."""


class Record:
    """Reads an answer from its beginning."""

    def __init__(self, octets: bytes) -> None:
        self.octets, self.at = octets, 0

    def number(self) -> int:
        value = struct.unpack_from("<Q", self.octets, self.at)[0]
        self.at += 8
        return int(value)

    def real(self) -> float:
        return float(struct.unpack("<d", struct.pack("<Q", self.number()))[0])

    def bytes(self) -> bytes:
        count = self.number()
        value = self.octets[self.at:self.at + count]
        self.at += (count + 7) // 8 * 8
        return value

    def end(self) -> None:
        assert self.at == len(self.octets), f"the record goes on after {self.at} of {len(self.octets)} bytes"


class Module:
    """A module's instance, ready to run blocks. Use it in a `with` statement."""

    def __init__(self, sandbox: Sandbox, octets: bytes) -> None:
        self.instance = Instance(sandbox, octets)
        assert self.instance.call("potluck_abi") == 1

    def __enter__(self) -> Module:
        return self

    def __exit__(self, *words: object) -> None:
        self.instance.__exit__(*words)

    def _bytes(self, answer: int) -> bytes:
        return self.instance.read(answer >> 32, answer & 0xFFFFFFFF)

    def _ask(self, name: str, request: bytes) -> Record:
        address = self.instance.call("potluck_alloc", len(request))
        assert address, "no memory for a request"
        self.instance.write(address, request)
        return Record(self._bytes(self.instance.call(name, address, len(request))))

    def why(self) -> str:
        """Returns why the module stopped, after a trap."""
        return self._bytes(self.instance.call("potluck_why")).decode()

    def log(self) -> str:
        """Returns what trials noted and drew since the first call, which turns the log on."""
        return self._bytes(self.instance.call("potluck_log")).decode()

    def describe(self) -> bytes:
        return self._bytes(self.instance.call("potluck_describe"))

    def configure(self, parameters: Sequence[int]) -> tuple[int, int]:
        """Gives the parameters' slots. Returns the size of a block and, for a gathering, the number of units."""
        request = struct.pack(f"<{len(parameters) + 2}Q", len(parameters), *parameters, 0)
        try:
            record = self._ask("potluck_configure", request)
        except OutOfFuel:
            raise Failed("it never ends") from None
        except Trap as trap:
            raise Failed(self.why() or str(trap)) from None
        verdict = record.number()
        if verdict == 3:
            raise Conflict(record.bytes().decode())
        assert verdict == 0, f"the verdict is {verdict}"
        size = record.number()
        return size, record.number() if record.at < len(record.octets) else 0

    def run(self, shape: int, seed: int, first: int, blocks: int, trials: int) -> Answer:
        """Runs blocks in one call."""
        request = struct.pack("<7Q", shape, seed, first, blocks, trials, 0, 0)
        try:
            record = self._ask("potluck_run", request)
        except OutOfFuel:
            return Answer([], b"", "it never ends")
        except Trap as trap:
            return Answer([], b"", self.why() or str(trap))
        assert (record.number(), record.number(), record.number(), record.number()) == (shape, blocks, 0, 0)
        slots = [record.number() for _ in range(record.number())]
        output = record.bytes()
        assert record.bytes() == b""
        record.end()
        return Answer(slots, output, None)

    def read(self, trials: int, slots: Sequence[int]) -> list[list[Optional[float]]]:
        """Makes the readings of a tally: of each the value, the ends of its interval, and the exact answer."""
        return [numbers for numbers, _ in self._readings(trials, slots)]

    def bins(self, trials: int, slots: Sequence[int]) -> list[list[int]]:
        """Makes the readings of a tally: of each the counts of a histogram, or the words of a series."""
        return [bins for _, bins in self._readings(trials, slots)]

    def _readings(self, trials: int, slots: Sequence[int]) -> list[tuple[list[Optional[float]], list[int]]]:
        record = self._ask("potluck_read", struct.pack(f"<{len(slots) + 2}Q", trials, len(slots), *slots))
        found = []
        for _ in range(record.number()):
            has = record.number()
            value, low, high, exact, _, _ = (record.real() for _ in range(6))
            bins = [record.number() for _ in range(record.number())]
            # Of numbers that were all alike an interval without width says nothing.
            shown = has & 2 and (has & 8 or low != high)
            found.append(([value if has & 1 else None, low if shown else None, high if shown else None,
                           exact if has & 4 else None], bins))
        record.end()
        return found
