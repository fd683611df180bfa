"""Lets a module count the stack of those functions that may call themselves, directly or through others (ModuleStack.swift).

It ends at the same depth in every engine then. Other functions stay as they are, and so does a module without such functions.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence

#: The most bytes, and those that are counted for a call beside its locals.
_LIMIT, _FRAME = 640 << 10, 64
#: The bytes that are counted for a local or a parameter: a number, and a vector, whose type this is.
_WORD, _VECTOR, _VECTOR_TYPE = 8, 16, 0x7B
#: The export that is called at the end of the stack.
_END = b"potluck_too_deep"
_HEADER = 8
_TYPE, _IMPORT, _FUNCTION, _GLOBAL, _EXPORT, _CODE = 1, 2, 3, 6, 7, 10


class _Unknown(Exception):
    """The module is not of the kind that the compiler makes."""


class _Reader:
    """Reads the contents of a section."""

    def __init__(self, octets: bytes, at: int = 0) -> None:
        self.octets, self.at = octets, at

    @property
    def rest(self) -> bytes:
        return self.octets[self.at:]

    def octet(self) -> int:
        return self.take(1)[0]

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.octets):
            raise _Unknown
        self.at += count
        return self.octets[self.at - count:self.at]

    def number(self) -> int:
        value, shift = 0, 0
        while True:
            octet = self.octet()
            value |= (octet & 0x7F) << shift
            if octet < 0x80:
                return value
            shift += 7

    def counted(self) -> bytes:
        return self.take(self.number())


class _Body(NamedTuple):
    """A function: its type, its code, and what counting it needs."""

    type: int
    code: bytes
    #: Where the instructions begin.
    start: int
    declarations: int
    locals: int
    size: int
    calls: frozenset[int]
    #: Where it returns before its end: the place of the instruction, and how many blocks are around it.
    returns: tuple[tuple[int, int], ...]


def counted(module: bytes) -> bytes:
    """Returns the module with its stack counted; the same if no function may call itself."""
    try:
        return _Parts(module).counted() or module
    except _Unknown:
        return module


def _size(types: Sequence[int]) -> int:
    return sum(_VECTOR if type == _VECTOR_TYPE else _WORD for type in types)


class _Parts:
    """The parts of a module that counting its stack changes."""

    def __init__(self, module: bytes) -> None:
        self._header = module[:_HEADER]
        self._sections: list[tuple[int, bytes]] = []
        self._types: list[tuple[bytes, bytes]] = []
        self._bodies: list[_Body] = []
        self._globals, self._end = 0, -1
        reader, declared = _Reader(module, _HEADER), []
        while reader.at < len(module):
            kind = reader.octet()
            self._sections.append((kind, reader.counted()))
        for kind, contents in self._sections:
            if kind == 0:
                continue
            inner = _Reader(contents)
            for place in range(inner.number()):
                if kind == _IMPORT:
                    raise _Unknown
                if kind == _TYPE:
                    if inner.octet() != 0x60:
                        raise _Unknown
                    self._types.append((inner.counted(), inner.counted()))
                elif kind == _FUNCTION:
                    declared.append(inner.number())
                elif kind == _EXPORT:
                    name, of, index = inner.counted(), inner.octet(), inner.number()
                    self._end = index if of == 0 and name == _END else self._end
                elif kind == _CODE:
                    self._bodies.append(_body(declared[place], inner.counted()))
                elif kind == _GLOBAL:
                    # Only their number matters.
                    self._globals = _Reader(contents).number()
                    break
                else:
                    break

    def _is_cyclic(self, index: int) -> bool:
        """Whether a function may call itself."""
        seen: set[int] = set()
        rest = list(self._bodies[index].calls)
        while rest:
            called = rest.pop()
            if called == index:
                return True
            if called < len(self._bodies) and called not in seen:
                seen.add(called)
                rest += self._bodies[called].calls
        return False

    def counted(self) -> Optional[bytes]:
        """The module with its stack counted; None if nothing is to be counted."""
        cyclic = {index for index in range(len(self._bodies)) if self._is_cyclic(index)}
        is_plain = all(len(self._types[self._bodies[index].type][1]) <= 1 for index in cyclic)
        if self._end < 0 or not cyclic or not is_plain or self._globals == 0:
            return None
        codes = [self._counting(body) if index in cyclic else body.code for index, body in enumerate(self._bodies)]
        made = self._header
        for kind, contents in self._sections:
            if kind == _GLOBAL:
                reader = _Reader(contents)
                reader.number()
                # The rest of the stack: an i32 that changes.
                contents = _number(self._globals + 1) + reader.rest + b"\x7f\x01" + _constant(_LIMIT) + b"\x0b"
            elif kind == _CODE:
                contents = _number(len(codes)) + b"".join(_number(len(code)) + code for code in codes)
            made += bytes([kind]) + _number(len(contents)) + contents
        return made

    def _counting(self, body: _Body) -> bytes:
        """The code of a function that counts its frame. Its instructions become a block, so that jumps to its end still lead
        to what follows."""
        parameters, results = self._types[body.type]
        size = _constant(_FRAME + body.size + _size(parameters))
        left, before = _number(self._globals), _number(len(parameters) + body.locals)
        reader = _Reader(body.code[:body.start])
        reader.number()
        # One more local keeps the rest of the stack before the call.
        code = _number(body.declarations + 1) + reader.rest + b"\x01\x7f"
        # before = left; left = before - size; if before < size { end() }
        code += b"\x23" + left + b"\x22" + before + size + b"\x6b\x24" + left
        code += b"\x20" + before + size + b"\x48\x04\x40\x10" + _number(self._end) + b"\x0b"
        code += b"\x02" + (results[:1] or b"\x40")
        place = body.start
        for at, depth in body.returns:
            code += body.code[place:at] + b"\x0c" + _number(depth)
            place = at + 1
        # left = before
        return code + body.code[place:] + b"\x20" + before + b"\x24" + left + b"\x0b"


def _body(type: int, code: bytes) -> _Body:
    reader, locals, size = _Reader(code), 0, 0
    declarations = reader.number()
    for _ in range(declarations):
        count, kind = reader.number(), reader.octet()
        locals, size = locals + count, size + count * _size([kind])
    start = reader.at
    calls, returns = _flow(reader)
    return _Body(type, code, start, declarations, locals, size, calls, returns)


def _flow(reader: _Reader) -> tuple[frozenset[int], tuple[tuple[int, int], ...]]:
    """Takes all instructions of a function. Returns the functions that it calls directly, and where it returns early."""
    calls, returns, depth = set(), [], 0
    while reader.at < len(reader.octets):
        at, code = reader.at, reader.octet()
        if code == 0x10:
            calls.add(reader.number())
        elif 0x02 <= code <= 0x04:
            # Blocks and loops, with their type.
            depth += 1
            reader.number()
        elif code == 0x0B:
            depth -= 1
        elif code == 0x0F:
            returns.append((at, depth))
        else:
            _skip(reader, code)
    if depth != -1:
        raise _Unknown
    return frozenset(calls), tuple(returns)


#: Instructions without a number after them, those with one, and loads, stores and calls through a table with two.
_NONE = {0x00, 0x01, 0x05, 0x1A, 0x1B, 0xD1, *range(0x45, 0xC5)}
_ONE = {0x0C, 0x0D, *range(0x20, 0x27), 0x3F, 0x40, 0x41, 0x42, 0xD0, 0xD2}
_TWO = {0x11, *range(0x28, 0x3F)}


def _skip(reader: _Reader, code: int) -> None:
    """Skips what follows an instruction."""
    if code in _NONE:
        return
    if code in (0x43, 0x44):
        reader.take(4 if code == 0x43 else 8)
        return
    if code == 0x1C:
        reader.counted()
        return
    numbers = 1 if code in _ONE else 2 if code in _TWO else 0
    if code == 0x0E:
        numbers = reader.number() + 1
    elif code == 0xFC:
        # Conversions, and operations on much memory and on tables.
        more = reader.number()
        numbers = 0 if more <= 7 else 2 if more in (8, 10, 12, 14) else 1
    elif code == 0xFD:
        numbers = _vector(reader)
    elif not numbers:
        raise _Unknown
    for _ in range(numbers):
        reader.number()


def _vector(reader: _Reader) -> int:
    """Skips the octets of an operation on vectors, and returns how many numbers it has. Its lane comes after them."""
    more = reader.number()
    if more in (12, 13):
        reader.take(16)
    elif 21 <= more <= 34:
        reader.take(1)
    elif 84 <= more <= 91:
        # A lane has fewer than 128 values, so it is a number, too.
        return 3
    return 2 if more <= 11 or more in (92, 93) else 0


def _number(value: int) -> bytes:
    octets = []
    while value >= 0x80:
        octets.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*octets, value])


def _constant(value: int) -> bytes:
    """The instruction that gives a number, which is not negative."""
    octets = [0x41]
    while value >= 0x40:
        octets.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*octets, value])
