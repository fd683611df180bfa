"""The description of a class for the program that runs its module, and the tables for the runtime.

docs/PLUGINS.md defines the description. The tables are those of Tools/wasm/Python/Layout.swift: the kind of output, the
number of slots, then number and address of each table. Every number in them has eight bytes.

A class's code finds the table of an input at `Input.address`: its rows, its columns and the address of its numbers,
row by row, in four bytes each. The runtime puts them there before it calls `configure`.
"""

from __future__ import annotations

import struct

from .declaration import Declaration, Field, Parameter, Reading
from .link import Code, Program
from .wasm import I64, signed, unsigned

#: The version of the random streams, as docs/RANDOM.md defines them.
STREAMS = 1

_SHAPES = {"tally": 1, "collect": 2}
_WRITES = {"nothing": 0, "text": 1, "rows": 2}
_DOMAINS = {"integer": 1, "real": 2, "choice": 3, "flag": 4, "several": 5}
_FIELDS = {
    "count": 1, "sum": 2, "minimum": 3, "maximum": 4, "histogram": 5, "moments": 6, "comoments": 9, "pairs": 9,
    "quantiles": 10, "counts": 11, "series": 12, "histogram2d": 5,
}  # fmt: skip
_READINGS = {
    "proportion": 1, "mean": 2, "variance": 3, "derived": 4, "histogram": 5, "category": 6, "series": 7, "histogram2d": 8,
}  # fmt: skip
# The rules of Tools/wasm/Python/Layout.swift for derived readings.
_RULES = {
    "covariance": 17, "correlation": 18, "slope": 19, "intercept": 20, "means": 24, "quantile": 25, "shortfall": 26,
    "controlled": 27, "effective": 28,
}  # fmt: skip

# The bytes of an accumulator in memory, and its slots in a tally. A histogram has two counts more than bins.
_SIZES = {"count": 8, "sum": 96, "minimum": 8, "maximum": 8, "moments": 200}
_SLOTS = {"count": 1, "sum": 5, "minimum": 1, "maximum": 1, "moments": 11}

# The counts of quantiles, and the bytes of an exact sum.
QUANTILES, _SUM = 4100, 96

# What the runtime imports for a kind of field, of reading or of rule: the function's name, and how many parameters it has.
_IMPORTS = {
    "sum": ("sum", 3), "moments": ("moments", 3), "comoments": ("comoments", 4), "proportion": ("proportion", 3),
    "mean": ("mean", 3), "variance": ("variance", 3), "rule of pairs": ("pairs", 3), "means": ("means", 4),
    "quantile": ("quantile", 3), "shortfall": ("shortfall", 3), "category": ("category", 4), "series": ("series", 4),
    "reading of series": ("curve", 3), "controlled": ("controlled", 4), "effective": ("effective", 2),
}  # fmt: skip

# The table of an input, in the runtime's memory.
_INPUT = 12


def numbered(declaration: Declaration) -> list[Reading]:
    """Returns the readings in the order of their numbers: the class's own, then those that others are made from."""
    found = list(declaration.readings)
    for each in found:
        if each.source is not None and not any(each.source is other for other in found):
            found.append(each.source)
    return found


def describe(program: Program, declaration: Declaration) -> None:
    """Puts what a class declares into a program, and says where the fields and the tables of inputs are."""
    for field in declaration.fields:
        field.address = program.space(_size(field))
    for input in declaration.inputs:
        input.address = program.space(_INPUT)
    program.define("layout", Code([], b"\x41" + signed(_layout(program, declaration))))
    record = _description(declaration)
    index = program.add([], [I64])
    program.fill(index, Code([], b"\x42" + signed(program.data(record) << 32 | len(record))))
    program.export("potluck_describe", index)
    # The program counts the stack of functions that call themselves, and then calls potluck_too_deep.
    for name in ("potluck_abi", "potluck_alloc", "potluck_fault", "potluck_too_deep"):
        program.export(name, program.function(name))
    for name in ("configure", "run"):
        program.export(f"potluck_{name}", program.function(f"rt_{name}_{declaration.shape}"))
    program.export("potluck_read", program.function("rt_read"))
    kinds = {field.kind for field in declaration.fields}
    for reading in numbered(declaration):
        kinds |= {reading.rule or reading.kind}
    if "pairs" in kinds:
        kinds |= {"comoments"}
    if "series" in kinds:
        kinds |= {"moments", "reading of series"}
    if kinds & {"covariance", "correlation", "slope", "intercept"}:
        kinds |= {"rule of pairs"}
    for kind, (name, parameters) in _IMPORTS.items():
        if kind in kinds:
            function = program.function(f"rt_mean_{declaration.shape}" if kind == "mean" else f"rt_{name}")
            arguments = b"".join(b"\x20" + unsigned(place) for place in range(parameters))
            program.define(name, Code([], arguments + b"\x10" + unsigned(function)))
    program.export("potluck_log", program.function("rt_notes"))
    program.export("potluck_kept", program.function("potluck_kept"))


def numbers_at(field: Field) -> int:
    """Where the numbers are that are added to comoments next: behind the count and the sums."""
    return field.address + 8 + _SUM * _sums(field)


def time_at(field: Field) -> int:
    """Where the time is at which a number is added to a series next: behind the moments."""
    return field.address + field.bins * _SIZES["moments"]


def first_at(field: Field) -> int:
    """Where the first number of a pair is that is added to a histogram next: behind its slots."""
    return field.address + 8 * (field.bins + 2)


def _sums(field: Field) -> int:
    return field.bins + field.bins * (field.bins + 1) // 2


def _size(field: Field) -> int:
    if field.kind in ("comoments", "pairs"):
        return 8 + _SUM * _sums(field) + 8 * field.bins
    if field.kind == "quantiles":
        return 8 * QUANTILES
    if field.kind == "series":
        return time_at(field) + 8 - field.address
    if field.kind == "counts":
        return 8 * field.bins
    if field.kind == "histogram2d":
        return first_at(field) + 8 - field.address
    return 8 * (field.bins + 2) if field.kind == "histogram" else _SIZES[field.kind]


def _slots(field: Field) -> int:
    if field.kind in ("comoments", "pairs"):
        return 1 + 5 * _sums(field)
    if field.kind == "quantiles":
        return QUANTILES
    if field.kind == "series":
        return field.bins * _SLOTS["moments"]
    if field.kind == "counts":
        return field.bins
    return field.bins + 2 if field.kind in ("histogram", "histogram2d") else _SLOTS[field.kind]


def _number(number: int) -> bytes:
    return struct.pack("<Q", number & 0xFFFF_FFFF_FFFF_FFFF)


def _real(number: float) -> bytes:
    return struct.pack("<d", number)


def _text(text: str) -> bytes:
    octets = text.encode()
    return _number(len(octets)) + octets + bytes(-len(octets) % 8)


def _layout(program: Program, declaration: Declaration) -> int:
    """Writes the tables, and returns the address of their head."""
    parameters = b"".join(_limits(each) for each in declaration.parameters)
    fields = b"".join(
        _number(_FIELDS[each.kind]) + _number(each.address) + _number(_slots(each)) + b"".join(map(_real, _ends(each)))
        for each in declaration.fields
    )
    inputs = b"".join(_number(each.address) for each in declaration.inputs)
    readings = b""
    order = numbered(declaration)
    for reading in order:
        source = [index for index, each in enumerate(order, 1) if each is reading.source]
        part = reading.part
        rectangle = None if reading.field is None else declaration.fields[reading.field].rectangle
        if rectangle is not None:
            part = float(program.data(_number(rectangle.columns) + b"".join(map(_real, rectangle.y))))
        readings += _number(_RULES.get(reading.rule, _READINGS[reading.kind])) + _number(reading.field or 0)
        readings += _number(source[0] if source else 0) + _number(reading.has_exact) + _real(part)
    head = _number(_WRITES[declaration.writes]) + _number(sum(_slots(each) for each in declaration.fields))
    for count, table in (
        (len(declaration.parameters), parameters),
        (len(declaration.fields), fields),
        (len(declaration.inputs), inputs),
        (len(declaration.readings), readings),
    ):
        head += _number(count) + _number(program.data(table))
    return program.data(head)


def _ends(field: Field) -> tuple[float, float]:
    """The range of a histogram's reading: of its bins, or of its columns."""
    return (field.low, field.high) if field.rectangle is None else field.rectangle.x


def _limits(parameter: Parameter) -> bytes:
    """Returns the row of a parameter in the runtime's table. A choice and a flag are integers there."""
    if parameter.kind == "real":
        return _number(_DOMAINS["real"]) + _real(parameter.low) + _real(parameter.high) + _number(0)
    if parameter.kind == "several":
        least, most = parameter.count
        row = (_DOMAINS["several"], least, most, len(parameter.names))
    elif parameter.kind == "choice":
        row = (_DOMAINS["integer"], 0, len(parameter.names) - 1, 0)
    elif parameter.kind == "flag":
        row = (_DOMAINS["integer"], 0, 1, 0)
    else:
        row = (_DOMAINS["integer"], int(parameter.low), int(parameter.high), 0)
    return b"".join(map(_number, row))


def _description(declaration: Declaration) -> bytes:
    parts = [
        _number(_SHAPES[declaration.shape]),
        _number(STREAMS),
        _text(declaration.name),
        _text(declaration.summary),
        _text(declaration.source_hash.hex()),
        _number(len(declaration.parameters)),
    ]
    for parameter in declaration.parameters:
        parts += _parameter(parameter)
    parts.append(_number(len(declaration.fields)))
    for field in declaration.fields:
        parts += [_text(field.attribute), _number(_FIELDS[field.kind]), _number(field.bins)]
        parts += [_real(field.low), _real(field.high)]
    parts.append(_number(len(declaration.readings)))
    for reading in declaration.readings:
        parts += [_text(reading.name), _number(_READINGS[reading.kind])]
    if declaration.shape != "tally" or declaration.inputs:
        parts.append(_number(len(declaration.inputs)))
        for input in declaration.inputs:
            parts += [_text(input.word), _text(input.help)]
        if any(input.columns for input in declaration.inputs):
            for input in declaration.inputs:
                parts += [_number(len(input.columns)), *map(_text, input.columns)]
    return b"".join(parts)


def _parameter(parameter: Parameter) -> list[bytes]:
    parts = [_text(parameter.word), _text(parameter.help), _number(_DOMAINS[parameter.kind])]
    names = [_number(len(parameter.names)), *map(_text, parameter.names)]
    default = parameter.default
    if parameter.kind == "integer":
        return [*parts, _number(int(parameter.low)), _number(int(parameter.high)), _number(_integer(default))]
    if parameter.kind == "real":
        return [*parts, _real(parameter.low), _real(parameter.high), _real(float(_scalar(default)))]
    if parameter.kind == "flag":
        return [*parts, _number(_integer(default))]
    if parameter.kind == "choice":
        return [*parts, *names, _number(parameter.names.index(str(default)))]
    least, most = parameter.count
    chosen = default if isinstance(default, tuple) else ()
    bits = sum(1 << parameter.names.index(name) for name in chosen)
    return [*parts, *names, _number(least), _number(most), _number(bits)]


def _scalar(default: object) -> int | float:
    assert isinstance(default, (int, float))
    return default


def _integer(default: object) -> int:
    return int(_scalar(default))
