"""Streams that a trial begins: `arrivals = random.stream("arrivals")` and `mirror = random.mirrored()`."""

from __future__ import annotations

import ast

from . import draws
from .errors import Refused
from .nodes import Begun, Const, Draw, Drop
from .scope import Scope, describe
from .stream_names import key
from .types import INT
from .values import Special


def begin(scope: Scope, node: ast.Assign) -> bool:
    """Reads an assignment that begins a stream; False if it is another one.

    The name stands for this stream from here on, so that nothing else may have it.
    """
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    kind, parent = call.func.attr, call.func.value
    if kind not in ("stream", "mirrored") or not isinstance(parent, ast.Name):
        return False
    owner = scope.value(parent)
    if not isinstance(owner, Special) or owner.kind != "random":
        return False
    if scope.unit.mode != "trial":
        raise Refused(node, "only a trial draws")
    args = draws.given(call, kind)
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Name):
        raise Refused(node, f"give the stream one name: arrivals = {draws.EXAMPLES[kind]}")
    found = scope.program.streams.get((scope.unit, call))
    if found is None:
        source = owner.what if kind == "mirrored" else None
        is_mirrored = kind == "mirrored" and not (source is not None and source.is_mirrored)
        found = scope.program.streams[scope.unit, call] = Begun(is_mirrored, source)
    name, before = target.id, scope.specials.get(target.id)
    is_other = before is not None and not (isinstance(before, Special) and before.what is found)
    if is_other or name in (scope.state.reaching if scope.state else ()):
        has = describe(before) if before is not None else "something else"
        raise Refused(target, f"'{name}' is {has} before; give the stream a name that nothing else has")
    text = args[0] if args else None
    if kind == "mirrored":
        begun = Draw("mirror", INT, node.lineno, stream=found)
    elif not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        raise Refused(call, f"the name of a stream is a constant text: {draws.EXAMPLES[kind]}")
    elif owner.what is not None:
        raise Refused(call, "only the stream that a trial is given has named ones; write random.stream(…)")
    else:
        begun = Draw("named", INT, node.lineno, Const(INT, signed(key(text.value)), node.lineno), stream=found)
    scope.body.does.add("draw")
    scope.out.append(Drop(begun, values=0))
    scope.specials[name] = Special("random", found)
    if scope.state is not None:
        scope.state.sure.add(name)
    return True


def signed(word: int) -> int:
    """The whole number with the bits of a word."""
    return word - (1 << 64) if word >> 63 else word
