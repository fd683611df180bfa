"""The command of the compiler, which the program starts: `compile` and `reference`."""

from __future__ import annotations

import sys

USAGE = (
    "usage: compile FILE --label LABEL --runtime RUNTIME --out OUT, or"
    " reference FILE --label LABEL --seed S --first BLOCK --blocks N --trials T [-p WORD=VALUE …]"
)


def main(arguments: list[str]) -> None:
    verb, *rest = arguments or [""]
    if verb == "compile":
        sys.exit(compile(rest))
    if verb == "reference":
        sys.exit(reference(rest))
    sys.exit(USAGE)


def options(rest: list[str], names: tuple[str, ...]) -> tuple[str, dict[str, str], list[str]]:
    """The file, the options with a value, and what else there is."""
    file, found, others = "", {}, []
    left = list(rest)
    while left:
        each = left.pop(0)
        if each in names and left:
            found[each] = left.pop(0)
        elif each == "-p" and left:
            others.append(left.pop(0))
        elif not file:
            file = each
        else:
            sys.exit(USAGE)
    if not file or any(name not in found for name in names):
        sys.exit(USAGE)
    return file, found, others


def compile(rest: list[str]) -> int:
    """Compiles a file. Prints what is wrong with it, one error on each line."""
    from .compile import compiled
    from .errors import RefusedAll
    from .wasm import WasmError

    file, found, _ = options(rest, ("--label", "--runtime", "--out"))
    label = found["--label"]
    try:
        with open(file, "rb") as input:
            octets = input.read()
        with open(found["--runtime"], "rb") as input:
            runtime = input.read()
    except OSError as error:
        return failed(f"cannot read {error.filename}: {error.strerror}")
    try:
        # Deep expressions need deep recursion; deeper ones are refused below.
        sys.setrecursionlimit(20000)
        made = compiled(octets, runtime)
    except RefusedAll as all_errors:
        return failed("\n".join(line for error in all_errors.errors for line in error.lines(label)))
    except RecursionError:
        return failed(f"{label}:1:1: error: an expression is nested too deeply; write it in several lines")
    except WasmError as error:
        return failed(f"{label}: error: {error}")
    except Exception as error:
        # No author can use a backtrace.
        what = " ".join(f"{type(error).__name__} {error}".split())
        return failed(
            f"{label}: error: the compiler failed: {what};"
            " this is a mistake of Potluck, please report it with the file"
        )
    try:
        with open(found["--out"], "wb") as output:
            output.write(made)
    except OSError as error:
        return failed(f"cannot write {error.filename}: {error.strerror}")
    return 0


def failed(text: str) -> int:
    sys.stderr.write(text + "\n")
    return 1


def reference(rest: list[str]) -> int:
    """Plays blocks in plain Python, and prints the tally. The file may do nothing else."""
    import functools
    import json
    import os

    # What an author's file imports must be there before the fence closes.
    import potluck

    from . import fence
    from .reference import play

    names = ("--label", "--seed", "--first", "--blocks", "--trials")
    file, found, given = options(rest, names)
    seed, first, blocks, trials = (int(found[name]) for name in names[1:])
    parameters = dict(each.split("=", 1) for each in given)
    fenced = functools.partial(fence.close, os.getcwd())
    print(json.dumps(play(file, found["--label"], seed, first, blocks, trials, parameters, fenced)))
    return 0
