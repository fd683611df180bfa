"""Gives functions the arguments of an order, of a run or of a sweep."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Callable, TypeVar

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    P = ParamSpec("P")

Order = TypeVar("Order")
T = TypeVar("T")


def takes(order: Callable[P, Order]) -> Callable[[Callable[[Order], T]], Callable[P, T]]:
    """Decorates a function of an order, so that it takes what `order` takes and shows it in its help."""

    def decorate(function: Callable[[Order], T]) -> Callable[P, T]:
        @functools.wraps(function)
        def wrapper(*given: P.args, **named: P.kwargs) -> T:
            return function(order(*given, **named))

        signature = inspect.signature(order).replace(return_annotation=inspect.signature(function).return_annotation)
        about = inspect.cleandoc(order.__doc__ or "").partition("\n")[2]
        setattr(wrapper, "__signature__", signature)
        wrapper.__doc__ = f"{function.__doc__}\n{about}"
        return wrapper

    return decorate
