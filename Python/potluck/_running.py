"""Runs an order and waits for it."""

from __future__ import annotations

from . import _child, _program, _table
from ._order import Order
from ._result import Result
from ._talk import Talk, last


def run(order: Order) -> Result:
    """Runs it. If Python is interrupted, or the callback fails, it first stops the program."""
    talk, callback = Talk(order), order.callback

    def hear(octets: bytes) -> None:
        for tally in talk.hear(octets):
            if callback is not None:
                callback(tally)

    words = order.command(live=callback is not None and has_events())
    return finish(order, talk.end(_child.communicate(words, order.secrets, hear, talk.hear_error)))


def has_events() -> bool:
    """Whether the program tells how a run proceeds. One that does not gives only the last tally."""
    return _program.offers("run", "--progress-json")


def finish(order: Order, result: Result) -> Result:
    """Does what is due after a run: tells the last tally, and writes the file of comma-separated values."""
    if order.callback is not None:
        order.callback(last(result))
    if order.csv is not None:
        _table.write(order.csv, [result.to_row()])
    return result
