"""The author's file: the class of the simulation, and the names around it."""

from __future__ import annotations

import ast
import math
import warnings

from .errors import Place, Refused, close, kept
from .listing import check_names, is_listing

BASES = {"potluck.Simulation": "tally", "potluck.Gathering": "collect"}


class Source:
    """A file that was read, and never run."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.text = text
        # What an imported name stands for, such as "potluck.Count" or "math".
        self.imports: dict[str, str] = {}
        # Functions and values that are assigned once, at the top level of the file.
        self.functions: dict[str, ast.FunctionDef] = {}
        self.constants: dict[str, ast.expr] = {}
        # Names that are assigned more than once, or within an `if`, with the place of an assignment.
        self.variables: dict[str, ast.AST] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        # What is wrong with the file outside of functions.
        self.errors: list[Refused] = []
        for statement in tree.body:
            self.read(statement)
        self.simulation, self.shape = self.find(tree)
        self.methods: dict[str, ast.FunctionDef] = {}
        self.attributes: dict[str, ast.expr] = {}
        self.places: dict[str, ast.AST] = {}
        # What adds to the list of readings, in order: loops, and additions outside of them.
        self.listing: list[ast.stmt] = []
        for member in self.simulation.body:
            with kept(self.errors):
                self.member(member)
        for member in self.listing:
            with kept(self.errors):
                if isinstance(member, ast.For):
                    check_names(self, member)

    def read(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                self.imports[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                if alias.name == "*":
                    for name in EXPORTED.get(statement.module or "", ()):
                        self.imports[name] = f"{statement.module}.{name}"
                elif statement.module in EXPORTED and not statement.level:
                    known = [*EXPORTED[statement.module], *(RUNNING if statement.module == "potluck" else ())]
                    if alias.name not in known:
                        sentence = f"{statement.module} has no '{alias.name}'{close(alias.name, known)}"
                        self.errors.append(Refused(statement, sentence))
                self.imports[alias.asname or alias.name] = f"{statement.module}.{alias.name}"
        elif isinstance(statement, ast.FunctionDef):
            self.functions[statement.name] = statement
        elif isinstance(statement, ast.ClassDef):
            self.classes[statement.name] = statement
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                self.assign(target, statement.value, statement)
        else:
            for inner in ast.walk(statement):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    self.variables.setdefault(inner.id, inner)

    def assign(self, target: ast.expr, value: ast.expr | None, statement: ast.stmt) -> None:
        if isinstance(target, ast.Name) and value is not None:
            if target.id in self.constants:
                self.variables.setdefault(target.id, statement)
            self.constants[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            for inner, part in zip(target.elts, value.elts):
                self.assign(inner, part, statement)
        elif isinstance(target, (ast.Tuple, ast.List)) and value is not None:
            for place, inner in enumerate(target.elts):
                part = ast.Subscript(value, ast.Constant(place), ast.Load())
                self.assign(inner, ast.fix_missing_locations(ast.copy_location(part, value)), statement)

    def find(self, tree: ast.Module) -> tuple[ast.ClassDef, str]:
        found = [
            (each, BASES[name])
            for each in self.classes.values()
            for name in [self.meaning(base) for base in each.bases]
            if name in BASES
        ]
        if not found:
            for each in self.classes.values():
                methods = {member.name for member in each.body if isinstance(member, ast.FunctionDef)}
                for base in each.bases:
                    name = ast.unparse(base)
                    if name in ("Simulation", "Gathering", *BASES):
                        raise Refused(base, f"{name.split('.')[0]} is not imported; write 'import potluck' at the top")
                if methods & {"trial", "block"}:
                    base_name = "Simulation" if "trial" in methods else "Gathering"
                    raise Refused(each, f"{each.name} is no simulation; write 'class {each.name}(potluck.{base_name}):'")
            raise Refused(
                Place(1, 1),
                "there is no simulation in this file; write 'import potluck' and a class such as"
                " 'class Craps(potluck.Simulation):' with a method 'trial'",
            )
        if len(found) > 1:
            raise Refused(
                found[1][0],
                f"two simulations in one file, {found[0][0].name} and {found[1][0].name}; put each in a file of its own",
                (found[0][0], "the first one is here"),
            )
        return found[0]

    def member(self, member: ast.stmt) -> None:
        if isinstance(member, ast.FunctionDef):
            self.define(member.name, member)
            self.methods[member.name] = member
        elif isinstance(member, ast.AnnAssign):
            if isinstance(member.target, ast.Name) and member.value is not None:
                self.define(member.target.id, member)
                self.attributes[member.target.id] = member.value
        elif isinstance(member, ast.Assign):
            for target in member.targets:
                if isinstance(target, ast.Name):
                    self.define(target.id, member)
                    self.attributes[target.id] = member.value
                elif (
                    isinstance(target, ast.Tuple)
                    and isinstance(member.value, ast.Tuple)
                    and len(target.elts) == len(member.value.elts)
                    and all(isinstance(part, ast.Name) for part in target.elts)
                ):
                    for part, value in zip(target.elts, member.value.elts):
                        if isinstance(part, ast.Name):
                            self.define(part.id, part)
                            self.attributes[part.id] = value
                else:
                    raise Refused(member, "a class assigns its parameters and fields one by one: write name = value")
        elif is_listing(member):
            if not isinstance(self.attributes.get("readings"), ast.List):
                raise Refused(member, "the list of readings does not exist yet; write readings = [] before this line")
            self.listing.append(member)
        elif isinstance(member, (ast.Pass, ast.Expr)) and (
            isinstance(member, ast.Pass) or isinstance(member.value, ast.Constant)
        ):
            return
        elif isinstance(member, ast.AsyncFunctionDef):
            raise Refused(member, "a simulation waits for nothing; write 'def' without 'async'")
        else:
            raise Refused(
                member,
                "a simulation's class has parameters, fields of its tally and methods only; move this into 'prepare' or a method",
            )

    def define(self, name: str, member: ast.AST) -> None:
        if name in self.places:
            raise Refused(
                member, f"{name} is defined twice in the class", (self.places[name], f"{name} is defined here first")
            )
        self.places[name] = member

    def missing(self, node: ast.expr) -> str | None:
        """The name of `potluck` that a call uses and that the file does not import."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        name = node.func.id
        is_known = name in self.imports or name in self.functions or name in self.classes or name in self.constants
        return None if is_known or name not in EXPORTED["potluck"] else name

    def meaning(self, node: ast.expr) -> str | None:
        """What a name from outside stands for, such as "math.sqrt"; None for anything else."""
        if isinstance(node, ast.Name):
            return self.imports.get(node.id)
        if isinstance(node, ast.Attribute):
            before = self.meaning(node.value)
            return None if before is None else f"{before}.{node.attr}"
        return None


# What `from … import *` gives.
EXPORTED = {
    # Older versions of Python have no `cbrt`; a trial has it with each.
    "math": tuple(sorted({"cbrt", *(name for name in dir(math) if not name.startswith("_"))})),
    "potluck": (
        "Simulation", "Gathering", "Count", "ExactSum", "Moments", "Minimum", "Maximum", "Histogram", "Histogram2D",
        "Comoments", "Pairs", "Quantiles", "Counts", "Series", "Parameter", "Table", "WeightedChoice", "Empirical", "Lattice", "Random",
        "proportion", "mean", "variance", "histogram", "derived", "covariance", "correlation", "slope", "intercept", "ratio",
        "quantile", "median", "expected_shortfall", "proportions", "series", "controlled", "effective", "normal_below",
        "normal_quantile", "student_quantile", "cholesky",
    ),
}  # fmt: skip

# What else `potluck` has: names that run simulations, and that no trial uses.
RUNNING = (
    "CellCounts", "Difference", "HistogramCounts", "History", "Node", "Order", "Output", "PairedReading",
    "ParameterDescription", "Played", "Point", "PotluckError", "PotluckWarning", "ProgramNotFound", "Reading",
    "ReadingRule", "Readings", "Result", "Run", "Sensitivity", "SeriesMeans", "Setting", "SimulationDescription",
    "SobolIndices", "Sweep", "SweepOrder", "Tally", "UsageError", "Watch", "difference", "history", "order",
    "program", "run", "run_async", "sensitivity", "simulation", "simulations", "sweep", "sweep_async", "sweep_order",
    "watch", "watch_sweep",
)  # fmt: skip


def read(text: str) -> Source:
    """Parses a file."""
    try:
        with warnings.catch_warnings():
            # The compiler has sentences of its own for what Python warns of.
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            # A tree may still have what Python refuses, such as a `break` outside of a loop.
            compile(tree, "the file", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Refused(Place(error.lineno or 1, error.offset or 1), f"Python cannot read this: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused(Place(1, 1), f"Python cannot read this file: {str(error) or type(error).__name__}") from None
    return Source(text, tree)
