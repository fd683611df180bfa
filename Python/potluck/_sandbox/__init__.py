"""Runs simulations in WebAssembly, with the package wasmtime. The one place that knows it.

    module = Module(octets)                          # compiles it; raises ModuleError
    chunk = module.chunk(parameters, payload)        # configures it; raises ParameterError
    end, tally = chunk.run(seed, first, end, stop)   # raises TrialError
    chunk.output                                     # what the blocks wrote

Limits, checks and sentences are those of the program for Linux. Only the standard library and `_platform` are imported.
"""

from . import limits
from .chunk import Chunk, Ready
from .description import Description, Input, Parameter, Shape, Writes
from .errors import ModuleError, ParameterError, TrialError
from .layout import Field, FieldKind, Layout
from .module import Module, Reading

__all__ = [
    "Chunk", "Description", "Field", "FieldKind", "Input", "Layout", "Module", "ModuleError", "Parameter", "ParameterError",
    "Reading", "Ready", "Shape", "TrialError", "Writes", "limits",
]
