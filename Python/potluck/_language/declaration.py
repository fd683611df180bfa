"""What a class declares: its name, parameters, fields of the tally, readings and inputs.

Plain classes: the module `dataclasses` takes longer to import than a file takes to compile.
"""

from __future__ import annotations


class Parameter:
    """A value that a user may set before a run.

    `kind` is "integer", "real", "flag", "choice" or "several". The default of a choice is one of `names`, and that of several is
    a tuple of them.
    """

    __slots__ = ("attribute", "count", "default", "help", "high", "kind", "low", "names", "word")

    def __init__(
        self,
        attribute: str,
        word: str,
        help: str,
        kind: str,
        default: int | float | bool | str | tuple[str, ...],
        low: int | float = 0,
        high: int | float = 0,
        names: tuple[str, ...] = (),
        count: tuple[int, int] = (0, 0),
    ) -> None:
        self.attribute = attribute
        # The name that users type: the attribute with `-` in place of `_`.
        self.word = word
        self.help = help
        self.kind = kind
        self.default = default
        # The ends of the range of an integer or a real number.
        self.low = low
        self.high = high
        # The names of a choice or of several.
        self.names = names
        # How many names of several a user may choose: the least and the greatest number.
        self.count = count


class Rectangle:
    """The columns and rows of a histogram in two dimensions, and the ends of its ranges."""

    __slots__ = ("columns", "rows", "x", "y")

    def __init__(self, columns: int, rows: int, x: tuple[float, float], y: tuple[float, float]) -> None:
        self.columns = columns
        self.rows = rows
        self.x = x
        self.y = y


class Field:
    """A field of the tally. `kind` is a value of `declare.FIELDS`."""

    __slots__ = ("address", "attribute", "bins", "high", "kind", "low", "names", "rectangle")

    def __init__(
        self,
        attribute: str,
        kind: str,
        bins: int = 0,
        low: float = 0.0,
        high: float = 0.0,
        address: int = 0,
        names: tuple[str, ...] = (),
        rectangle: Rectangle | None = None,
    ) -> None:
        self.attribute = attribute
        self.kind = kind
        # The bins and the range of a histogram, or how many numbers comoments and pairs have, categories, or times.
        self.bins = bins
        self.low = low
        self.high = high
        # Where the field lies in the module's memory; `describe.py` decides it.
        self.address = address
        # The names of categories.
        self.names = names
        # Of a histogram in two dimensions, whose bins are the numbers of its cells.
        self.rectangle = rectangle


class Reading:
    """A number computed from the tally.

    `kind` is "proportion", "mean", "variance", "histogram", "histogram2d", "category", "series" or "derived". A derived reading has a function, which the module's
    `derived` computes: of the value of the reading `source`, of the means of a field, or of the whole tally if there is
    neither. Others with a field have the kit's rule in its place.
    """

    __slots__ = ("field", "has_exact", "has_function", "kind", "name", "part", "rule", "source")

    def __init__(
        self,
        name: str,
        kind: str,
        field: int | None = None,
        source: Reading | None = None,
        has_function: bool = False,
        has_exact: bool = False,
        rule: str = "",
        part: float = 0.0,
    ) -> None:
        self.name = name
        self.kind = kind
        # Of a derived reading with a field: "means", "quantile", "shortfall", or one of pairs.
        self.rule = rule
        # The part of a quantile, how many means there are, or the place of a category.
        self.part = part
        # The index of the field; None for a derived reading of the tally or of another reading.
        self.field = field
        self.source = source
        self.has_function = has_function
        # Whether the module's `exact` computes an exact answer, which may still be NaN for some parameters.
        self.has_exact = has_exact


class Input:
    """A table of numbers that is read from a file."""

    __slots__ = ("address", "attribute", "columns", "help", "word")

    def __init__(self, attribute: str, word: str, help: str, columns: tuple[str, ...], address: int = 0) -> None:
        self.attribute = attribute
        self.word = word
        self.help = help
        # The names of its columns; none for all columns of a file.
        self.columns = columns
        # Where the module's memory says where the table is; `describe.py` decides it.
        self.address = address


class Declaration:
    """All that a class declares. `shape` is "tally" for a simulation and "collect" for a gathering."""

    __slots__ = (
        "fields",
        "inputs",
        "name",
        "parameters",
        "readings",
        "shape",
        "source_hash",
        "summary",
        "writes",
    )

    def __init__(
        self,
        name: str,
        summary: str,
        source_hash: bytes,
        shape: str,
        writes: str,
        parameters: list[Parameter],
        fields: list[Field],
        readings: list[Reading],
        inputs: list[Input],
    ) -> None:
        self.name = name
        self.summary = summary
        # SHA-256 of the author's file.
        self.source_hash = source_hash
        self.shape = shape
        # "text", "rows" or "nothing": what a gathering writes; "nothing" for a simulation.
        self.writes = writes
        self.parameters = parameters
        self.fields = fields
        self.readings = readings
        self.inputs = inputs
