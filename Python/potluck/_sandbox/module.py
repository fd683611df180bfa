"""A module that is compiled for this machine, and what it says about itself."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Callable, NamedTuple, Optional, Sequence, TypeVar

from . import compiling, errors, limits
from .cells import cells
from .description import Description, Shape, unknown_shape
from .engine import Code, engine, flags
from .errors import ModuleError
from .instance import Instance
from .kept import KeptMemory
from .library import Failure
from .records import Record, numbers, octets

if TYPE_CHECKING:
    from .chunk import Chunk

Value = TypeVar("Value")

#: The bytes at the start of every module.
_MAGIC, _HEADER = b"\0asm", b"\0asm\1\0\0\0"
_LANES = b"potluck.lanes"
#: What programs with ranks import from.
_RANKS = "potluck_comm"
#: The counts of a histogram: at most those of a tally.
_MOST_BINS = 65_536
#: The parts that a reading may have.
_HAS_VALUE, _HAS_INTERVAL, _HAS_EXACT, _VARIES, _SPOILT, _HAS_RANGE = 1, 2, 4, 8, 16, 32


class Reading(NamedTuple):
    """What one reading of a tally says. None stands for a part that it does not have."""

    name: str
    kind: str
    value: Optional[float]
    interval: Optional[tuple[float, float]]
    exact: Optional[float]
    #: Whether the trials differed.
    varies: bool
    #: Whether a number was added that must not be.
    is_spoilt: bool
    #: The counts of a histogram: below its range, the bins, above it. Three words for each time of a series: the mean and
    #: the ends of its interval, as bits of real numbers. Those of `cells` for a histogram in two dimensions.
    bins: tuple[int, ...]
    range: Optional[tuple[float, float]]

    @property
    def is_number(self) -> bool:
        """Whether it is one number, and no picture of many."""
        return self.kind not in ("histogram", "series", "histogram2d")


class Module:
    """A simulation in WebAssembly. If the module carries one with lanes, that one runs. A copy that is pickled need not be
    compiled again.

    uses_lanes: whether lanes run; `potluck check` compares both
    """

    def __init__(
        self, module: bytes, *, memory: int = limits.MEMORY, seconds: float = limits.SECONDS, uses_lanes: bool = True
    ) -> None:
        if len(module) > limits.LARGEST_MODULE:
            raise ModuleError(f"the module is larger than {limits.LARGEST_MODULE // 1024} KiB")
        if not module.startswith(_MAGIC):
            raise ModuleError("not a WebAssembly module: its header is wrong")
        self.octets = module
        lanes = lanes_of(module) if uses_lanes else None
        #: The module without lanes, if this one has some.
        self.outer = module if lanes is not None else None
        try:
            self._codes = {False: compiling.compiled(module if lanes is None else lanes)}
        except ModuleError as error:
            raise error if lanes is None or "wasmtime" in str(error) else ModuleError(f"its lanes: {error}") from None
        self._source = module if lanes is None else lanes
        self._prepare()
        self.description = self._described(memory, seconds)

    def _prepare(self) -> None:
        #: The SHA-256 of the module.
        self.hash = hashlib.sha256(self.octets).hexdigest()
        self._restored: dict[bool, Code] = {}
        self._makes_nans = False
        self._kept: dict[bytes, KeptMemory] = {}
        self._expect_no_imports()

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in ("octets", "outer", "_source", "_codes", "description")}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def _expect_no_imports(self) -> None:
        spaces = self._code(False).imports()
        if spaces == {_RANKS}:
            raise ModuleError("it is a program with ranks; start it with 'potluck launch'")
        if spaces:
            raise ModuleError("the module imports functions, and a plugin must not; link it without them")

    def _code(self, canonical: bool) -> Code:
        if canonical not in self._restored:
            if canonical not in self._codes:
                self._codes[canonical] = compiling.compiled(self._source, canonical)
            try:
                self._restored[canonical] = engine(canonical).restored(self._codes[canonical])
            except Failure:
                raise ModuleError("not a WebAssembly module: its code cannot be read") from None
        return self._restored[canonical]

    def _described(self, memory: int, seconds: float) -> Description:
        def describe(instance: Instance) -> Description:
            try:
                record = instance.record("potluck_describe")
            except ModuleError as error:
                raise errors.undescribed(error) from None
            return Description.of(record)

        description = self.with_instance(describe, memory=memory, seconds=seconds)
        if description.shape in (Shape.SEARCH, Shape.RANKS):
            raise unknown_shape(description.shape)
        return description

    def with_instance(
        self, body: Callable[[Instance], Value], *, memory: int, seconds: float, is_chunk: bool = False
    ) -> Value:
        """Calls `body` with a fresh instance, so that nothing is left of earlier calls.

        The bits of a NaN differ between processors, and a module can look at them. So if the instance made any, the result
        is dropped, and `body` is called again with an instance whose NaNs are the same everywhere.
        """
        if flags().work and not (is_chunk and self._makes_nans):
            with Instance(self._code(False), memory, seconds) as instance:
                failure: Optional[ModuleError] = None
                try:
                    value = body(instance)
                except ModuleError as error:
                    failure = error
                made_nan = instance.made_nan
            if not made_nan:
                if failure is not None:
                    raise failure
                return value
            self._makes_nans = self._makes_nans or is_chunk
        with Instance(self._code(True), memory, seconds) as instance:
            return body(instance)

    def chunk(
        self, parameters: Sequence[int], payload: bytes = b"", *, memory: int = limits.MEMORY,
        seconds: float = limits.SECONDS,
    ) -> Chunk:
        """Configures the module with the slots of its parameters, and its tables."""
        from .chunk import Chunk

        return Chunk(self, parameters, payload, memory=memory, seconds=seconds)

    def instance(self, canonical: bool, memory: int, seconds: float) -> Instance:
        """Returns a fresh instance. `canonical`: its NaNs have the same bits on every processor."""
        return Instance(self._code(canonical or not flags().work), memory, seconds)

    def without_lanes(self) -> Module:
        """The same module without lanes, which is compiled for the first caller."""
        return self if self.outer is None else Module(self.outer, uses_lanes=False)

    def kept(self, configuration: bytes) -> KeptMemory:
        """What is known of the memory that the module leaves behind with these parameters and tables."""
        return self._kept.setdefault(configuration, KeptMemory())

    def readings(self, answer: bytes) -> list[Reading]:
        """Takes an answer of `potluck_read` apart, and compares it with the readings that the module declared."""
        declared = self.description.readings
        record = Record("potluck_read", answer)
        if record.number() != len(declared):
            raise record.wrong("a different number of readings than declared")
        found = [_reading(record, name, kind) for name, kind in declared]
        record.end()
        return found


def configuration(parameters: Sequence[int], payload: bytes = b"") -> bytes:
    """Returns the request to configure a module."""
    return numbers(len(parameters), *parameters) + octets(payload)


def _reading(record: Record, name: str, kind: str) -> Reading:
    parts = record.number()
    value, interval = record.finite(f"the value of {name}"), record.range(f"the interval of {name}")
    exact, ends = record.finite(f"the exact value of {name}"), record.range(f"the range of {name}")
    bins = [record.number() for _ in range(record.count("bins", _MOST_BINS))]
    has_range = bool(parts & _HAS_RANGE)
    if kind == "histogram2d":
        if cells(bins, ends if has_range else None) is None:
            raise record.wrong(f"the words of {name} are not those of a histogram in two dimensions")
        is_right = True
    elif kind == "series":
        is_right = len(bins) > 0 and len(bins) % 3 == 0 and has_range
    else:
        is_right = len(bins) > 2 and has_range if kind == "histogram" else not bins and not has_range
    if not is_right:
        raise record.wrong(f"{name} is a histogram or a series without bins, or has bins without being one")
    return Reading(
        name, kind, value if parts & _HAS_VALUE else None, interval if parts & _HAS_INTERVAL else None,
        exact if parts & _HAS_EXACT else None, bool(parts & _VARIES), bool(parts & _SPOILT), tuple(bins),
        ends if has_range else None)


def lanes_of(module: bytes) -> Optional[bytes]:
    """Returns the module with lanes that a module carries in a custom section; None if it carries none."""
    at = len(_HEADER)
    while at < len(module):
        kind, (size, body) = module[at], _number(module, at + 1)
        at = body + size
        if size < 0 or at > len(module):
            return None
        if kind != 0:
            continue
        length, name = _number(module, body)
        if length == len(_LANES) and module[name:name + length] == _LANES:
            lanes = module[name + length:at]
            return lanes if lanes.startswith(_HEADER) else None
    return None


def _number(module: bytes, at: int) -> tuple[int, int]:
    """Returns a number of up to 32 bits, and the place behind it; a negative number if there is none."""
    value = 0
    for place, octet in enumerate(module[at:at + 5]):
        value |= (octet & 0x7F) << 7 * place
        if octet < 0x80:
            return value, at + place + 1
    return -1, at
