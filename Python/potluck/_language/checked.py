"""Puts the checks of `checks.py` in place of an author's operations.

Names, loops and comparisons stay Python's own. The order in which Python evaluates the parts of a statement is kept,
because a draw may be in any of them.
"""

from __future__ import annotations

import ast
import operator
from typing import Any, Callable

from . import sentences
from .checked_math import MODULE

#: The name of the module `checks` in the author's file. No name of an author has a dot.
CHECKS = "potluck.checks"
MATH = "potluck.math"
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor}
#: A power of literals with such an exponent is computed when the file is compiled; with a larger one, when it runs.
MOST_EXPONENT = 128
#: The checks of operations that need more than a check of their result.
OPERATIONS: dict[type[ast.operator], str] = {
    ast.Mult: "multiply", ast.Div: "divide", ast.FloorDiv: "floor_divide", ast.Mod: "modulo", ast.Pow: "raised",
    ast.LShift: "shift_left", ast.RShift: "shift_right"}


def checked(body: list[ast.stmt]) -> ast.Module:
    """Returns the statements of an author's file with checks."""
    module = ast.Module(body=body, type_ignores=[])
    functions = {each.name for each in body if isinstance(each, ast.FunctionDef)}
    _Checking(_assigned_names(body), functions).visit(module)
    return ast.fix_missing_locations(module)


def _assigned_names(body: list[ast.stmt]) -> set[str]:
    """The names of constants, of a file or of a class. What a call makes is none, such as a parameter."""
    found: set[str] = set()
    for each in body:
        is_made = any(isinstance(part, ast.Call) for part in ast.walk(each))
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and not is_made:
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            found |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return found


def _literal(node: ast.expr) -> object:
    """The value of an expression of literals, which Python computes once, with whole numbers of any size on the way.
    None for any other, and for one without a value, such as 1 / 0."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, (bool, int, float)) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner: Any = _literal(node.operand)
        return None if inner is None else -inner if isinstance(node.op, ast.USub) else +inner
    if not isinstance(node, ast.BinOp) or type(node.op) not in _OPERATORS:
        return None
    left, right = _literal(node.left), _literal(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, (ast.Pow, ast.LShift)) and not (isinstance(right, int) and 0 <= right < MOST_EXPONENT):
        return None
    if isinstance(node.op, ast.Pow) and isinstance(left, float):
        return None
    try:
        value = _OPERATORS[type(node.op)](left, right)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return value if isinstance(value, (int, float)) else None


def _is_literal(node: ast.expr) -> bool:
    return _literal(node) is not None


def _name(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


def _check(function: str, *arguments: ast.expr, at: ast.AST) -> ast.Call:
    """A call of a function of `checks`."""
    check = ast.Attribute(value=_name(CHECKS), attr=function, ctx=ast.Load())
    return ast.copy_location(ast.Call(func=check, args=list(arguments), keywords=[]), at)


def _constant(value: Any) -> ast.Constant:
    return ast.Constant(value=value)


def _line(node: Any) -> ast.Constant:
    return _constant(node.lineno)


class _Checking(ast.NodeTransformer):
    def __init__(self, constants: set[str], functions: set[str]) -> None:
        self._temporaries = 0
        #: The names of the file's constants and of the class's.
        self._constants = constants
        self._own: set[str] = set()
        #: The names of the file's functions and of the class's methods.
        self._functions = functions
        self._methods: set[str] = set()
        #: The variables of the function that is visited.
        self._locals: set[str] = set()
        #: Whether it is in a function, and not in what a class or a file computes once.
        self._is_inside = False

    def _temporary(self) -> str:
        self._temporaries += 1
        return f"potluck.{self._temporaries}"

    # --- expressions -----------------------------------------------------------

    def _operation(self, op: ast.operator, left: ast.expr, right: ast.expr, at: ast.AST) -> ast.expr:
        """An operation of two checked expressions."""
        if not isinstance(op, tuple(OPERATIONS)):
            return _check("whole", ast.copy_location(ast.BinOp(left=left, op=op, right=right), at), _line(at), at=at)
        return _check(OPERATIONS[type(op)], left, right, _line(at), at=at)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if _is_literal(node):
            return node
        is_constant = isinstance(node.op, ast.Pow) and self._is_constant(node.right)
        made = self._operation(node.op, self.visit(node.left), self.visit(node.right), node)
        if is_constant and isinstance(made, ast.Call):
            made.args.append(_constant(True))
        return made

    def _is_constant(self, node: ast.expr) -> bool:
        """Whether the compiler knows a whole number: a negative exponent that it knows gives a real number."""
        if isinstance(node, ast.Name):
            return node.id in self._constants and node.id not in self._locals
        if isinstance(node, ast.Attribute):
            return isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self._own
        if isinstance(node, ast.BinOp):
            is_folded = isinstance(node.op, (ast.Add, ast.Sub, ast.Mult))
            return _is_literal(node) or is_folded and self._is_constant(node.left) and self._is_constant(node.right)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, (ast.USub, ast.UAdd)) and self._is_constant(node.operand)
        return isinstance(node, ast.Constant)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if _is_literal(node):
            return node
        if isinstance(node.op, ast.USub):
            return _check("negative", self.visit(node.operand), _line(node), at=node)
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        # A count goes up to 2⁶⁴ - 1.
        is_count = node.attr == "value" and isinstance(node.ctx, ast.Load)
        return _check("whole", node, _line(node), at=node) if is_count else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        return _check("item", self.visit(node.value), self._index(node.slice), _line(node), at=node)

    def _index(self, index: ast.expr) -> ast.expr:
        """An index, or a slice as an object."""
        if isinstance(index, ast.Slice):
            ends = (index.lower, index.upper, index.step)
            parts: list[ast.expr] = [_constant(None) if end is None else self.visit(end) for end in ends]
            return ast.Call(func=_name("slice"), args=parts, keywords=[])
        made: ast.expr = self.visit(index)
        return made

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        """A number in a text, as a gathering writes it."""
        value = self.visit(node.value)
        # The name of a reading is what Python writes.
        node.value = _check("shown", value, at=node.value) if self._is_inside else value
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "pow" and len(node.args) == 2:
            return self.visit(ast.copy_location(ast.BinOp(left=node.args[0], op=ast.Pow(), right=node.args[1]), node))
        if self._is_authors(node.func):
            # It has checks of its own. A direct call may be as deep as Python allows.
            return self.generic_visit(node)
        function, arguments = self.visit(node.func), [self.visit(each) for each in node.args]
        keywords = [ast.keyword(arg=each.arg, value=self.visit(each.value)) for each in node.keywords]
        made = _check("call", _line(node), function, *arguments, at=node)
        made.keywords = keywords
        return made

    def _is_authors(self, function: ast.expr) -> bool:
        """Whether a call is of a function of the file or of a method of the class."""
        if isinstance(function, ast.Name):
            return function.id in self._functions and function.id not in self._locals
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return False
        return function.value.id == "self" and function.attr in self._methods

    # --- statements ------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        value: ast.expr = self.visit(node.value)
        if len(node.targets) == 1:
            return self._assigned(node.targets[0], value, node)
        name = self._temporary()
        statements = self._assigned(ast.Name(id=name, ctx=ast.Store()), value, node)
        for target in node.targets:
            statements += self._assigned(target, _name(name), node)
        return statements

    def _assigned(self, target: ast.expr, value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
        """Gives a target a value that has been checked."""
        if isinstance(target, ast.Subscript):
            stored = _check("put", value, self.visit(target.value), self._index(target.slice), _line(at), at=target)
            return [ast.copy_location(ast.Expr(value=stored), at)]
        if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(each, ast.Starred) for each in target.elts):
            return [ast.copy_location(ast.Assign(targets=[target], value=value), at)]
        name = self._temporary()
        unpacked = _check("unpack", value, _constant(len(target.elts)), _line(at), at=at)
        statements = self._assigned(ast.Name(id=name, ctx=ast.Store()), unpacked, at)
        for place, each in enumerate(target.elts):
            part = ast.Subscript(value=_name(name), slice=_constant(place), ctx=ast.Load())
            statements += self._assigned(each, part, at)
        return statements

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        # Nothing evaluates an annotation.
        return None if node.value is None else self._assigned(node.target, self.visit(node.value), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        target, statements = node.target, []
        if isinstance(target, ast.Subscript):
            # The list and the index are evaluated once.
            names = [self._temporary(), self._temporary()]
            for name, part in zip(names, (self.visit(target.value), self._index(target.slice))):
                statements += self._assigned(ast.Name(id=name, ctx=ast.Store()), part, node)
            old: ast.expr = _check("item", _name(names[0]), _name(names[1]), _line(target), at=node)
            new = self._operation(node.op, old, self.visit(node.value), node)
            stored = _check("put", new, _name(names[0]), _name(names[1]), _line(node), at=node)
            return [*statements, ast.copy_location(ast.Expr(value=stored), node)]
        if isinstance(target, ast.Attribute):
            old = ast.Attribute(value=target.value, attr=target.attr, ctx=ast.Load())
        else:
            old = ast.copy_location(_name(target.id), target)
        return self._assigned(target, self._operation(node.op, old, self.visit(node.value), node), node)

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        text = _constant(sentences.ASSERTION) if node.msg is None else self.visit(node.msg)
        raised = ast.Raise(exc=_check("stop", _line(node), text, at=node), cause=None)
        test = ast.UnaryOp(op=ast.Not(), operand=self.visit(node.test))
        return ast.copy_location(ast.If(test=test, body=[raised], orelse=[]), node)

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        text: ast.expr
        if isinstance(node.exc, ast.Call) and node.exc.args:
            text = self.visit(node.exc.args[0])
        else:
            kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            text = _constant(sentences.RAISED if kind is None else ast.unparse(kind))
        return ast.copy_location(ast.Raise(exc=_check("stop", _line(node), text, at=node), cause=None), node)

    # --- functions and imports -------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        self._own = _assigned_names(node.body)
        self._methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        gives_value = _gives_value(node)
        self._strip(node.args)
        node.returns = None
        outer, self._locals, self._is_inside = self._locals, self._locals | _variables(node), True
        self.generic_visit(node)
        self._locals, self._is_inside = outer, False
        if gives_value:
            failed = _check("Failure", _line(node), _constant(sentences.NO_VALUE), at=node)
            node.body.append(ast.copy_location(ast.Raise(exc=failed, cause=None), node))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        # The compiler knows the arguments that have a default.
        names = [each.arg for each in node.args.args]
        known = set(names[len(names) - len(node.args.defaults):])
        outer = self._constants, self._locals, self._is_inside
        self._constants, self._locals, self._is_inside = self._constants | known, self._locals | set(names) - known, True
        node.body = self.visit(node.body)
        self._constants, self._locals, self._is_inside = outer
        return node

    def _strip(self, arguments: ast.arguments) -> None:
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if each is not None:
                each.annotation = None

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """Gives the language's `math` in place of Python's."""
        statements: list[ast.stmt] = []
        for alias in node.names:
            if alias.name == "math":
                statements += self._assigned(ast.Name(id=alias.asname or "math", ctx=ast.Store()), _name(MATH), node)
            else:
                statements.append(ast.copy_location(ast.Import(names=[alias]), node))
        return statements

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if node.module != "math":
            return node
        statements: list[ast.stmt] = []
        for alias in _each_name(node):
            if not hasattr(MODULE, alias.name):
                # No trial uses it: the compiler refuses that.
                statements.append(ast.copy_location(ast.ImportFrom(module="math", names=[alias], level=0), node))
                continue
            value = ast.Attribute(value=_name(MATH), attr=alias.name, ctx=ast.Load())
            statements += self._assigned(ast.Name(id=alias.asname or alias.name, ctx=ast.Store()), value, node)
        return statements


def _each_name(node: ast.ImportFrom) -> list[ast.alias]:
    """Returns the names that an import from `math` gives."""
    if node.names[0].name != "*":
        return node.names
    return [ast.alias(name=name, asname=None) for name in vars(MODULE)]


def _variables(function: ast.FunctionDef) -> set[str]:
    names = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return names | {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}


def _gives_value(function: ast.FunctionDef) -> bool:
    """Whether a function has a `return` with a value, so that its end must not be reached."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return False
