"""Refuses a run that would never end, and show nothing."""

from __future__ import annotations

from ._ask import ask
from ._errors import PotluckError, UsageError
from ._order import Order

#: The words that end a run.
LIMITS = ("--trials=", "--until=", "--for=")


def refuse(order: Order) -> None:
    """Raises if the run would go on until somebody stops it. One with a callback shows what it computes."""
    if order.callback is not None or any(word.startswith(LIMITS) for word in order.words):
        return
    try:
        declared = ask(["simulations", "--json", "--", order.simulation], order.translate)
    except PotluckError:
        # The run itself says what is wrong.
        return
    if not isinstance(declared, dict) or declared.get("ends") is not False:
        return
    known = {parameter.get("name") for parameter in declared.get("parameters", ())}
    # The run itself says which parameter it does not know, and ends.
    if all(name in known for name in order.parameters):
        raise UsageError(
            f"{declared.get('name')} runs until it is stopped; give trials=, until= or for_=, or watch it with "
            "potluck.watch or callback=")
