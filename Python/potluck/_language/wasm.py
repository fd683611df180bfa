"""Reading and writing of WebAssembly modules, as far as the runtime and what is linked to it need it."""

from __future__ import annotations

import re
from typing import Iterator, NamedTuple, Sequence

I32, I64, F64 = 0x7F, 0x7E, 0x7C

HEAD = b"\0asm\1\0\0\0"
PAGE = 65536

# Numbers of sections.
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)

END = b"\x0b"


class WasmError(Exception):
    """A module that is damaged, or that has something which a runtime never has."""


def unsigned(number: int) -> bytes:
    """Returns a number that is not negative in LEB128."""
    if number < 0x80:
        return bytes((number,))
    octets = bytearray()
    while number >= 0x80:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)


def signed(number: int) -> bytes:
    """Returns a number in signed LEB128."""
    octets = bytearray()
    while not -0x40 <= number < 0x40:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number & 0x7F)
    return bytes(octets)


def sized(octets: bytes) -> bytes:
    """Returns bytes with their number in front."""
    return unsigned(len(octets)) + octets


def vector(items: Sequence[bytes]) -> bytes:
    """Returns items with their number in front."""
    return unsigned(len(items)) + b"".join(items)


def section(number: int, octets: bytes) -> bytes:
    return bytes((number,)) + sized(octets)


def function_type(parameters: Sequence[int], results: Sequence[int]) -> bytes:
    return b"\x60" + sized(bytes(parameters)) + sized(bytes(results))


class Reader:
    """Reads a part of a module from its beginning to its end."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets
        self.at = 0

    def octet(self) -> int:
        if self.at >= len(self.octets):
            raise WasmError("it ends too early")
        self.at += 1
        return self.octets[self.at - 1]

    def number(self) -> int:
        """Reads a number of 32 bits that is not negative."""
        number = shift = 0
        while True:
            octet = self.octet()
            number |= (octet & 0x7F) << shift
            if octet < 0x80:
                break
            shift += 7
            if shift > 28:
                raise WasmError("a number is too long")
        if number >= 1 << 32:
            raise WasmError("a number is too large")
        return number

    def integer(self) -> int:
        """Reads a signed number of at most 64 bits."""
        number = shift = 0
        while True:
            octet = self.octet()
            number |= (octet & 0x7F) << shift
            shift += 7
            if octet < 0x80:
                return number - (1 << shift) if octet & 0x40 else number
            if shift > 63:
                raise WasmError("a number is too long")

    def take(self, count: int) -> bytes:
        if count > len(self.octets) - self.at:
            raise WasmError("it ends too early")
        self.at += count
        return self.octets[self.at - count : self.at]

    def sized(self) -> bytes:
        return self.take(self.number())

    def text(self) -> str:
        name = self.sized().decode(errors="replace")
        if not name.isprintable() or "\ufffd" in name:
            raise WasmError("a name is not text")
        return name

    def expect(self, octets: bytes, what: str) -> None:
        if self.take(len(octets)) != octets:
            raise WasmError(what)

    @property
    def is_done(self) -> bool:
        return self.at == len(self.octets)

    def repeated(self) -> Iterator[int]:
        """Counts the items of a vector, after which the part must end."""
        yield from range(self.number())
        if not self.is_done:
            raise WasmError("a section has bytes after its end")


class Import(NamedTuple):
    module: str
    name: str
    type: int


class Segment(NamedTuple):
    """Bytes that are in memory when the module starts."""

    address: int
    octets: bytes


class Module:
    """The parts of a module."""

    def __init__(self, octets: bytes) -> None:
        self.types: list[bytes] = []
        self.imports: list[Import] = []
        # The types of the module's own functions, and their bodies.
        self.functions: list[int] = []
        self.bodies: list[bytes] = []
        self.pages = 0
        # Each with its type, whether it changes, and its initial value.
        self.globals: list[bytes] = []
        # The initial values of the globals that are numbers of 32 bits.
        self.constants: dict[int, int] = {}
        # Indices of functions and of globals by name.
        self.exports: dict[str, int] = {}
        self.exported_globals: dict[str, int] = {}
        # What the table of indirect calls begins with: a place, and the functions from there on.
        self.elements: list[tuple[int, list[int]]] = []
        self.segments: list[Segment] = []
        self.table = b"\0"
        self._read(octets)

    def _read(self, octets: bytes) -> None:
        reader = Reader(octets)
        reader.expect(HEAD, "it is no module of WebAssembly")
        read = {
            TYPE: self._types,
            IMPORT: self._imports,
            FUNCTION: self._functions,
            MEMORY: self._memory,
            GLOBAL: self._globals,
            EXPORT: self._exports,
            ELEMENT: self._elements,
            CODE: self._code,
            DATA: self._data,
        }
        while not reader.is_done:
            number = reader.octet()
            content = reader.sized()
            if number in read:
                read[number](Reader(content))
            elif number == TABLE:
                self.table = content
            elif number not in (CUSTOM, DATA_COUNT):
                raise WasmError(f"it has a section {number}")
        if len(self.bodies) != len(self.functions):
            raise WasmError("a function has no code")

    def _types(self, reader: Reader) -> None:
        for _ in reader.repeated():
            start = reader.at
            reader.expect(b"\x60", "a type is no function's")
            reader.sized()
            reader.sized()
            self.types.append(reader.octets[start : reader.at])

    def _imports(self, reader: Reader) -> None:
        for _ in reader.repeated():
            module, name = reader.text(), reader.text()
            reader.expect(b"\0", f"its import {name} is no function")
            self.imports.append(Import(module, name, self._type(reader)))

    def _type(self, reader: Reader) -> int:
        index = reader.number()
        if index >= len(self.types):
            raise WasmError("a function has an unknown type")
        return index

    def _index(self, reader: Reader) -> int:
        index = reader.number()
        if index >= len(self.imports) + len(self.functions):
            raise WasmError("it names a function that it does not have")
        return index

    def _functions(self, reader: Reader) -> None:
        for _ in reader.repeated():
            self.functions.append(self._type(reader))

    def _memory(self, reader: Reader) -> None:
        for _ in reader.repeated():
            reader.expect(b"\0", "its memory has a limit")
            self.pages = reader.number()

    def _globals(self, reader: Reader) -> None:
        for index in reader.repeated():
            start = reader.at
            reader.take(2)
            reader.expect(b"\x41", "a global is no number of 32 bits")
            self.constants[index] = reader.integer() & 0xFFFFFFFF
            reader.expect(END, "a global's value is no constant")
            self.globals.append(reader.octets[start : reader.at])

    def _exports(self, reader: Reader) -> None:
        for _ in reader.repeated():
            name, kind = reader.text(), reader.octet()
            if kind == 0:
                self.exports[name] = self._index(reader)
            elif kind == 3:
                self.exported_globals[name] = reader.number()
            else:
                reader.number()

    def _elements(self, reader: Reader) -> None:
        for _ in reader.repeated():
            reader.expect(b"\0\x41", "its table is filled in an unknown way")
            place = reader.integer()
            reader.expect(END, "its table is filled in an unknown way")
            self.elements.append((place, [self._index(reader) for _ in range(reader.number())]))

    def _code(self, reader: Reader) -> None:
        for _ in reader.repeated():
            self.bodies.append(reader.sized())

    def _data(self, reader: Reader) -> None:
        for _ in reader.repeated():
            reader.expect(b"\0\x41", "its data has no fixed place")
            address = reader.integer()
            reader.expect(END, "its data has no fixed place")
            self.segments.append(Segment(address, reader.sized()))


class Calls(NamedTuple):
    """What a function calls: functions, each with the place of its number, and types of functions in the table."""

    functions: list[tuple[int, int, int]]
    types: list[int]


def _class(*ranges: tuple[int, int]) -> bytes:
    return b"[" + b"".join(b"\\x%02x-\\x%02x" % each for each in ranges) + b"]"


# One pattern knows what follows each instruction, because a loop in Python over all instructions takes thirty times as
# long. A number in LEB128 ends with the first byte below 0x80.
_NUMBER = rb"[\x80-\xff]*[\x00-\x7f]"
_PLAIN = b"|".join(
    (
        # Without an immediate: control, drop and select, comparisons and arithmetic.
        _class((0x00, 0x01), (0x05, 0x05), (0x0B, 0x0B), (0x0F, 0x0F), (0x1A, 0x1B), (0x45, 0xC4)),
        # A type of a block, a depth, a local or global, the memory's number, or an integer.
        _class((0x02, 0x04), (0x0C, 0x0D), (0x20, 0x24), (0x3F, 0x42)) + _NUMBER,
        # Loads and stores: alignment and offset.
        _class((0x28, 0x3E)) + _NUMBER + _NUMBER,
        rb"\x43.{4}",
        rb"\x44.{8}",
        # Conversions that saturate; memory.copy and memory.fill.
        rb"\xfc[\x00-\x07]",
        rb"\xfc\x0a..",
        rb"\xfc\x0b.",
    )
)
_CALL = re.compile(
    rb"(?:"
    + _PLAIN
    + rb")*(?:\x10("
    + _NUMBER
    + rb")|\x11("
    + _NUMBER
    + rb")"
    + _NUMBER
    + rb"|\x0e("
    + _NUMBER
    + rb"))",
    re.DOTALL,
)
_REST = re.compile(rb"(?:" + _PLAIN + rb")*", re.DOTALL)
_NUMBERS = re.compile(_NUMBER, re.DOTALL)


def _value(octets: bytes) -> int:
    value = 0
    for octet in reversed(octets):
        value = value << 7 | octet & 0x7F
    return value


def renumbered(body: bytes, found: Calls, numbers: Sequence[int]) -> bytes:
    """Returns the body of a function with other numbers of the functions that it calls."""
    parts = []
    at = 0
    for function, start, end in found.functions:
        parts += [body[at:start], unsigned(numbers[function])]
        at = end
    return b"".join(parts) + body[at:]


def calls(body: bytes) -> Calls:
    """Returns what a function's body calls."""
    reader = Reader(body)
    for _ in range(reader.number()):
        reader.number()
        reader.octet()
    at = reader.at
    found = Calls([], [])
    match = _CALL.match(body, at)
    while match:
        function, type, branches = match.groups()
        at = match.end()
        if function is not None:
            found.functions.append((_value(function), match.start(1), at))
        elif type is not None:
            found.types.append(_value(type))
        else:
            # A jump table: so many depths, and one for all other cases.
            for _ in range(_value(branches) + 1):
                depth = _NUMBERS.match(body, at)
                if depth is None:
                    raise WasmError("a function ends too early")
                at = depth.end()
        match = _CALL.match(body, at)
    rest = _REST.match(body, at)
    if rest is None or rest.end() != len(body):
        raise WasmError("a function has an unknown instruction")
    return found
