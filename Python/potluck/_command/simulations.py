"""`potluck simulations`: lists the simulations or explains one."""

from __future__ import annotations

import sys
from typing import Any, Sequence

from .. import _sandbox
from .._sandbox import ModuleError, ParameterError, Shape
from . import bundle, readings_json, values
from .arguments import Arguments, Command, Option
from .canvas import Canvas, width
from .chosen import OPTIONS, Chosen, choose
from .failures import SUCCESS
from .spelling import shell

JSON = Option("json", "print JSON", "Output")

COMMAND = Command(
    "simulations", "list simulations or explain one",
    (("[NAME]", "a simulation or its file (default: list all)"),), (JSON, *OPTIONS))

_KINDS = {
    "proportion": "a proportion of all trials", "mean": "a mean", "variance": "a variance",
    "derived": "a number computed from the tally", "histogram": "a histogram",
    "category": "a category's part of all", "series": "a curve", "histogram2d": "a histogram in two dimensions"}


def run(arguments: Arguments) -> int:
    canvas, is_json = Canvas.of(sys.stdout), arguments.has(JSON)
    if arguments.words:
        chosen = choose(arguments)
        sys.stdout.write(readings_json.text(_members(chosen)) + "\n" if is_json else canvas.text(_explained(chosen, canvas)))
        return SUCCESS
    # A module tells its name and summary only when it is compiled.
    all = [choose(Arguments({}, {}, [name])) for name in bundle.names()]
    if is_json:
        sys.stdout.write(readings_json.text([_members(chosen) for chosen in all]) + "\n")
        return SUCCESS
    rows = [(chosen.name, chosen.description.summary) for chosen in all]
    ending = canvas.wrapped("Explain one: potluck simulations NAME. Run one: potluck run NAME.")
    sys.stdout.write(canvas.text([*_entries(rows, canvas, 0), "", *ending]))
    return SUCCESS


def _standard(chosen: Chosen) -> tuple[Any, list[Any]]:
    """Returns what the module says with its standard parameters: the size of a block, and the exact answers."""
    parameters = [parameter.standard for parameter in chosen.description.parameters]
    try:
        chunk = chosen.module.chunk(parameters, memory=chosen.memory, seconds=chosen.seconds)
        readings: list[_sandbox.Reading] = chunk.read(chosen.description.layout.empty, 0)
        return chunk.ready.block_size, [reading.exact for reading in readings]
    except (ModuleError, ParameterError):
        return None, [None] * len(chosen.description.readings)


def _members(chosen: Chosen) -> dict[str, Any]:
    block_size, exact = _standard(chosen)
    description = chosen.description
    return {
        "name": chosen.name, "summary": description.summary, "source": chosen.source, "module": chosen.module.hash,
        "blockSize": block_size, "ends": description.shape != Shape.TALLY,
        "parameters": [_parameter(parameter) for parameter in description.parameters],
        "readings": [{"name": name, "kind": kind, "exact": answer}
                     for (name, kind), answer in zip(description.readings, exact)]}


def _parameter(parameter: _sandbox.Parameter) -> dict[str, Any]:
    members: dict[str, Any] = {"name": parameter.name, "help": parameter.help, "kind": parameter.kind}
    if parameter.names:
        members["choices"] = list(parameter.names)
    if parameter.kind not in ("choice", "flag"):
        members.update(minimum=parameter.low, maximum=parameter.high)
    members["default"] = values.plain(parameter, parameter.standard)
    return members


def _explained(chosen: Chosen, canvas: Canvas) -> list[str]:
    block_size, exact = _standard(chosen)
    description = chosen.description
    lines = canvas.wrapped(f"{chosen.name}: {description.summary}")
    if description.parameters:
        rows = [(each.name, f"{each.help}: {values.domain(each)} (default: {values.text(each, each.standard)})")
                for each in description.parameters]
        lines += ["", "parameters", *_entries(rows, canvas, 2)]
    if description.inputs:
        rows = [(each.name, f"{each.help} (--input {each.name}=FILE)") for each in description.inputs]
        lines += ["", "inputs", *_entries(rows, canvas, 2)]
    rows = [(name, _KINDS[kind] + ", compared with the exact answer" * (answer is not None))
            for (name, kind), answer in zip(description.readings, exact)]
    lines += ["", "readings", *_entries(rows, canvas, 2), ""]
    if chosen.is_search:
        lines += canvas.wrapped("A search: it ends when the best solution is proven.")
    elif block_size is not None:
        lines += canvas.wrapped(f"Block size: {block_size} {chosen.unit}s.")
    if description.shape == Shape.COLLECT:
        lines += canvas.wrapped("Save its output with --output FILE, or print it with --output -.")
    words = [f"Run it: potluck run {shell(chosen.typed)}"]
    words += [f"-p {each.name}={values.text(each, each.standard)}" for each in description.parameters]
    words += [f"--input {each.name}=FILE" for each in description.inputs]
    return lines + canvas.wrapped(" ".join(words))


def _entries(rows: Sequence[tuple[str, str]], canvas: Canvas, indent: int) -> list[str]:
    """Names in the margin with the text beside them, or below if there is no room."""
    margin = indent + 3 + max((width(name) for name, _ in rows), default=0)
    if canvas.columns < margin + 30:
        return [line for name, text in rows for line in (name, *canvas.wrapped(text, 2))]
    return [f"{' ' * indent + (name if place == 0 else ''):{margin}}{line}" for name, text in rows
            for place, line in enumerate(canvas.beside(margin).wrapped(text))]
