"""What the language has not, and what to write instead."""

from __future__ import annotations

import ast

# None, as a value.
NOTHING = "write a number that stands for nothing, such as -1"
NO_DICTIONARIES = "a trial has no dictionaries; use a list whose index is the key: count = [0] * n"
NO_SETS = "a trial has no sets; write a tuple, as in 'x in (7, 11)', or a list: seen = [False] * n"
# Expressions and statements.
SYNTAX: dict[type, str] = {
    ast.Dict: NO_DICTIONARIES,
    ast.DictComp: NO_DICTIONARIES,
    ast.Set: NO_SETS,
    ast.SetComp: NO_SETS,
    ast.GeneratorExp: "a generator stands only in sum, min, max, any, all, list and sorted; write a list: [… for …]",
    ast.Lambda: "a function is made outside the trial; write a method or a function of the file",
    ast.Await: "a trial waits for nothing",
    ast.Yield: "a trial makes no generators; make a list",
    ast.YieldFrom: "a trial makes no generators; make a list",
    ast.JoinedStr: 'a text can only be noted: self.note(f"…")',
    ast.Starred: "'*' does not stand here; write the items one by one",
    ast.FunctionDef: "a function within a function is not possible; write a method of the class or a function of the file",
    ast.AsyncFunctionDef: "a trial waits for nothing; write 'def' without 'async'",
    ast.ClassDef: "a class within a function is not possible; use tuples and lists of numbers",
    ast.Delete: "'del' is not possible; lists keep their length",
    ast.With: "'with' is not possible; a trial has no files and nothing else to close",
    ast.AsyncWith: "'with' is not possible; a trial has no files and nothing else to close",
    ast.AsyncFor: "a trial waits for nothing; write 'for' without 'async'",
    ast.Try: "'try' is not possible; an error ends the run, so test before: if y != 0",
    ast.Import: "write imports at the top of the file",
    ast.ImportFrom: "write imports at the top of the file",
    ast.Global: "a global cannot change: each trial begins with the same state; count in the tally",
    ast.Nonlocal: "a function within a function is not possible; write a method of the class or a function of the file",
}
if hasattr(ast, "Match"):
    SYNTAX[ast.Match] = "'match' is not possible; write if and elif"
if hasattr(ast, "TryStar"):
    SYNTAX[ast.TryStar] = SYNTAX[ast.Try]
# Constants of the file; {} is the name.
DICTIONARY = "a dictionary, which a trial cannot read; write a list of its values, whose index is the key"
SET = "a set, which a trial cannot read; write a tuple: {} = (7, 11)"
FUNCTION = "a function without a name; write 'def {}(x):' and 'return …'"
CONSTANTS: dict[type, str] = {
    ast.Dict: DICTIONARY, ast.DictComp: DICTIONARY, ast.Set: SET, ast.SetComp: SET, ast.Lambda: FUNCTION,
}  # fmt: skip
# Functions of Python that a trial cannot call, with what to write instead.
FUNCTIONS = {
    "print": "'print' writes nowhere in a trial; write self.note(f\"…\"), which 'potluck replay' shows",
    "input": "a trial asks nobody; declare a Parameter",
    "open": "a trial has no files; numbers of a file come from a potluck.Table",
    "dict": NO_DICTIONARIES,
    "set": NO_SETS,
    "frozenset": NO_SETS,
    "str": 'a trial has no texts; compute with numbers, and note texts with self.note(f"…")',
    "repr": 'a trial has no texts; note them with self.note(f"…")',
    "format": 'a trial has no texts; note them with self.note(f"…")',
    "complex": "a trial has no complex numbers; compute with two real numbers",
    "map": "write a list: [f(x) for x in …]",
    "filter": "write a list: [x for x in … if …]",
    "isinstance": "each variable has one type, so there is nothing to ask",
    "type": "each variable has one type, so there is nothing to ask",
    "hash": "a hash differs from one machine to another",
    "id": "an address differs from one machine to another",
    "iter": "write a loop over the list",
    "next": "write a loop over the list; random.next() draws 32 random bits",
    "super": "a simulation has no class above it",
    "getattr": "write self.name",
    "setattr": "attributes are assigned in 'prepare': self.name = …",
    "exec": "a trial cannot run texts",
    "eval": "a trial cannot run texts",
    "bytes": "a trial has no bytes; use a list of whole numbers",
    "bytearray": "a trial has no bytes; use a list of whole numbers",
    "object": "a trial has no objects; use tuples and lists",
    "slice": "write list[a:b]",
    "chr": "a trial has no texts",
    "ord": "a trial has no texts",
    "hex": "a trial has no texts",
    "bin": "a trial has no texts; count bits with a loop",
    "vars": "attributes are known by name: self.name",
    "globals": "a trial has no globals that change",
    "locals": "variables are known by name",
    "exit": "write 'raise RuntimeError(\"why\")' to end the run",
    "quit": "write 'raise RuntimeError(\"why\")' to end the run",
    "__import__": "write imports at the top of the file",
    "Exception": "write 'raise Exception(\"why\")' to end the run",
}
# Functions of `math`; all others have no short way.
MATH = {
    "fsum": "write sum(…)",
    "prod": "multiply in a loop",
    "dist": "write math.sqrt((x - a) ** 2 + (y - b) ** 2)",
    "exp2": "write 2.0 ** x",
}
MODULES = {
    "numpy": "numpy is not there: a trial is compiled and travels without packages; use lists, loops, sum and math",
    "random": "Python's module 'random' is not there; draw from the argument of 'trial': random.unit(), random.below(n)",
    "time": "a trial has no clock: it gives the same result everywhere and at any time",
    "datetime": "a trial has no clock: it gives the same result everywhere and at any time",
    "os": "a trial has no files and no system; numbers of a file come from a potluck.Table",
    "sys": "a trial has no system around it",
    "statistics": "the module 'statistics' is not there; add numbers to a field such as Moments(), or compute with sum and len",
    "collections": "the module 'collections' is not there; use lists of numbers",
    "heapq": "the module 'heapq' is not there; keep the numbers in a list, and look for the least in a loop",
    "itertools": "the module 'itertools' is not there; write loops",
    "scipy": "scipy is not there: a trial is compiled and travels without packages; use lists, loops and math",
    "pandas": "pandas is not there: a trial is compiled and travels without packages; data comes from a potluck.Table",
    "secrets": "random numbers come from the argument of 'trial', so that every trial can be repeated: random.below(n)",
}
# Draws of Python's module `random`, and what they are called here.
DRAWS = {
    "random": "random.unit()",
    "randint": "random.integer(a, b)",
    "randrange": "random.below(n)",
    "uniform": "random.real(a, b)",
    "gauss": "random.normal(mean, deviation)",
    "normalvariate": "random.normal(mean, deviation)",
    "expovariate": "random.exponential(mean)",
    "gammavariate": "random.gamma(shape, scale)",
    "betavariate": "random.beta(a, b)",
    "lognormvariate": "random.log_normal(mean, deviation)",
    "weibullvariate": "random.weibull(shape, scale)",
    "binomialvariate": "random.binomial(n, p)",
    "seed": "--seed when it runs; a trial does not choose its seed",
    "next64": "random.next() twice",
}


def draw(name: str) -> str | None:
    """What to write in place of a draw of Python's module `random`."""
    return f"random.{name} is of Python's module; write {DRAWS[name]}" if name in DRAWS else None
