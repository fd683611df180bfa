"""The parameters of built-in simulations that have no effect beside a file or another parameter (VoidParameters.swift)."""

from __future__ import annotations

from typing import Mapping

_CITIES = {"cities": "20", "draw": "1"}


def names(simulation: str, values: Mapping[str, str], has_files: bool) -> set[str]:
    """Returns the names of those among these parameters."""
    unused: dict[str, str] = {}
    if simulation == "matrix-product" and has_files:
        unused = {"size": "256", "draw": "1"}
    elif simulation == "tsp" and has_files:
        unused = {**_CITIES, "airports": "none"}
    elif simulation == "tsp":
        unused = {"distance": "plane", **(_CITIES if values.get("airports") != "none" else {})}
    return {name for name, value in unused.items() if values.get(name) == value}
