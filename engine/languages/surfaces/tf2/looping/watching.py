"""Watching statements as they run: what they read from outside, and whether that decides all that they do.

Statements are steady where everything in them is a recorded call of an eager graph's turn, or depends on the
names that it reads and on nothing else. With the same objects under these names, they do the same again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.graph import Tensor
from engine.languages.interpreter.builtins.sequences import zip_
from engine.languages.interpreter.callables import BoundMethod, Check, Native, UserFunction
from engine.languages.interpreter.dispatch import Evaluation, Execution
from engine.languages.interpreter.functions import running
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import SCALARS
from engine.languages.interpreter.scope import MISSING, Scope
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.keras.optimizers.optimizer import KerasOptimizer, apply_gradients
from engine.languages.surfaces.tf1.functions.ops import RECORDED
from engine.languages.surfaces.tf2.tape import ProgramTape, gradient, gradient_tape
from engine.languages.surfaces.tf2.variables import EagerVariable

CONSTANT = SCALARS | {str, type(None)}
OWN_CALLS = frozenset({gradient_tape, gradient, apply_gradients, zip_})
LASTING = (Module, Native, EagerVariable, Tensor, np.ndarray, KerasOptimizer)


def is_lasting(value: Any) -> bool:
    """Whether the same object does the same again, but for the elements of an array."""
    if type(value) is UserFunction:
        return all(type(one) in CONSTANT for one in value.defaults.values())
    if type(value) in (list, tuple):
        return all(not isinstance(one, np.ndarray) and is_lasting(one) for one in value)
    return type(value) in CONSTANT or isinstance(value, LASTING)


def looked_up(scope: Scope | None, name: str) -> tuple[Any, Scope | None]:
    """The value of a name from a scope on, and the scope that has it; MISSING for one that has none."""
    while scope is not None:
        value = scope.names.get(name, MISSING)
        if value is not MISSING:
            return value, scope
        if scope.redirected or name in scope.local_names:
            break
        scope = scope.parent
    return MISSING, None


@dataclass(slots=True)
class Watch:
    """What statements did that began in this scope.

    reads:   the values of names from outside, by the scope that was asked, and the name.
    written: the names of the first scope that they bound.
    tapes:   those that they made, in order.
    own:     the scopes of the functions that they called.
    """

    scope: Scope
    is_steady: bool = True
    reads: dict[tuple[Scope, str], Any] = field(default_factory=dict)
    written: dict[str, None] = field(default_factory=dict)
    tapes: list[ProgramTape] = field(default_factory=list)
    own: set[Scope] = field(default_factory=set)
    _values: dict[ast.AST, Any] = field(default_factory=dict)
    _active: list[UserFunction] = field(default_factory=list)

    def expression(self, interpreter: Interpreter, node: ast.expr, evaluate: Evaluation) -> Evaluation:
        """The same as `evaluate`, watched."""
        look = self.looks.get(type(node))

        def watched() -> Any:
            value = self._values[node] = evaluate()
            if look is None or not look(self, interpreter, node, value):
                self.is_steady = False
            return value

        return watched

    def statement(self, interpreter: Interpreter, node: ast.stmt, execute: Execution) -> Execution:
        """The same as `execute`, watched."""

        def watched() -> Any:
            ended = execute()
            if type(node) not in STATEMENTS or not self._binds(
                interpreter.scope, STATEMENTS[type(node)](node)
            ):
                self.is_steady = False
            return ended

        return watched

    def _binds(self, scope: Scope, targets: Sequence[ast.expr | None]) -> bool:
        names = [name for target in targets if target is not None for name in _parts(target)]
        if scope.redirected or not all(isinstance(name, ast.Name) for name in names):
            return False
        if scope is self.scope:
            self.written.update((name.id, None) for name in names if isinstance(name, ast.Name))
        return scope is self.scope or scope in self.own or not names

    # -- expressions -----------------------------------------------------------------------------

    @property
    def looks(self) -> Mapping[type[ast.AST], Look]:
        """What looks at each kind of expression."""
        return LOOKS

    def constant(self, interpreter: Interpreter, node: ast.Constant, value: Any) -> bool:
        """A constant of the text."""
        return type(value) in CONSTANT

    def name(self, interpreter: Interpreter, node: ast.Name, value: Any) -> bool:
        """A name: of a function that was called, bound before, or from outside."""
        scope: Scope | None = interpreter.scope
        while scope in self.own and node.id not in scope.names:
            scope = scope.parent
        if scope is None or scope in self.own:
            return scope is not None
        found, holder = looked_up(scope, node.id)
        if holder is self.scope and node.id in self.written:
            return True
        self.reads.setdefault((scope, node.id), value)
        return found is value and self.lasts(value)

    def lasts(self, value: Any) -> bool:
        """Whether the same object does the same again."""
        return is_lasting(value)

    def display(self, interpreter: Interpreter, node: ast.List | ast.Tuple, value: Any) -> bool:
        """A list or tuple that is written out."""
        return not any(isinstance(one, ast.Starred) for one in node.elts)

    def binary(self, interpreter: Interpreter, node: ast.BinOp, value: Any) -> bool:
        """An operator: a recorded call, or on two numbers."""
        sides = [self._values[node.left], self._values[node.right]]
        if any(isinstance(one, (Tensor, EagerVariable)) for one in sides):
            return all(
                isinstance(one, (Tensor, EagerVariable, np.ndarray)) or type(one) in SCALARS for one in sides
            )
        return all(type(one) in SCALARS for one in sides)

    def unary(self, interpreter: Interpreter, node: ast.UnaryOp, value: Any) -> bool:
        """A sign."""
        operand = self._values[node.operand]
        return type(node.op) is ast.USub and (
            isinstance(operand, (Tensor, EagerVariable)) or type(operand) in SCALARS
        )

    def attribute(self, interpreter: Interpreter, node: ast.Attribute, value: Any) -> bool:
        """A member of a module, or a method of one of our types."""
        if type(self._values[node.value]) is Module:
            return not interpreter.names_in_modules and isinstance(value, (Module, Native))
        return type(value) is BoundMethod

    def calling(self, interpreter: Interpreter, node: ast.Call, value: Any) -> bool:
        """A call whose arguments are all written out; `called` has looked at the function."""
        if type(value) is ProgramTape:
            self.tapes.append(value)
        spread = any(isinstance(one, ast.Starred) for one in node.args)
        return not spread and all(keyword.arg is not None for keyword in node.keywords)

    # -- calls -----------------------------------------------------------------------------------

    def called(self, function: Any) -> None:
        """A function is about to be called."""
        if type(function) is UserFunction:
            steady = isinstance(function.body, list) and not function.is_generator and is_lasting(function)
            steady = steady and function not in self._active
        else:
            native = function.method if type(function) is BoundMethod else function
            own = native.function if type(native) is Native else None
            steady = own is not None and (own in OWN_CALLS or own in RECORDED)
        self.is_steady &= steady

    def returned(self, function: Any) -> None:
        """The function that was called last has returned."""

    def run_of(self, interpreter: Interpreter, function: UserFunction) -> UserFunction:
        """The same function with its body watched."""
        if not isinstance(function.body, list) or function.is_generator:
            return function
        run = running(interpreter, function.body, False)

        def watched() -> Any:
            self._active.append(function)
            try:
                return run()
            finally:
                self._active.pop()

        return replace(function, run=watched)


def _parts(target: ast.expr) -> Sequence[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple) else [target]


Look = Callable[[Watch, Interpreter, Any, Any], bool]
LOOKS: Mapping[type[ast.AST], Look] = {
    ast.Constant: Watch.constant,
    ast.Name: Watch.name,
    ast.List: Watch.display,
    ast.Tuple: Watch.display,
    ast.BinOp: Watch.binary,
    ast.UnaryOp: Watch.unary,
    ast.Attribute: Watch.attribute,
    ast.Call: Watch.calling,
}
STATEMENTS: Mapping[type[ast.AST], Callable[[Any], Sequence[ast.expr | None]]] = {
    ast.Expr: lambda node: (),
    ast.Pass: lambda node: (),
    ast.Return: lambda node: (),
    ast.Assign: lambda node: node.targets,
    ast.With: lambda node: [item.optional_vars for item in node.items],
}
WITHOUT_LOOKS = (ast.expr_context, ast.operator, ast.unaryop, ast.keyword, ast.withitem)
KNOWN = (*LOOKS, *STATEMENTS, *WITHOUT_LOOKS)


def may_be_steady(statement: ast.stmt) -> bool:
    """Whether there is nothing in a statement that never is."""
    return all(isinstance(node, KNOWN) for node in ast.walk(statement))


class Watching(Interpreter):
    """An interpreter while it watches what it runs."""

    watch: Watch

    def expression(self, node: ast.expr) -> Evaluation:
        """What evaluates an expression, watched."""
        known = self._compiled.get(node)
        if known is None:
            known = self._compiled[node] = self.watch.expression(self, node, super().expression(node))
        return known

    def statement(self, node: ast.stmt) -> Execution:
        """What executes a statement, watched."""
        known = self._compiled.get(node)
        if known is None:
            known = self._compiled[node] = self.watch.statement(self, node, super().statement(node))
        return known

    def call(
        self,
        function: Any,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        checks: Sequence[Check] | None = None,
    ) -> Any:
        """Call a function, watched."""
        self.watch.called(function)
        if type(function) is UserFunction:
            function = self.watch.run_of(self, function)
        found = super().call(function, args, keywords, checks)
        self.watch.returned(function)
        return found

    def inside(self, scope: Scope, run: Callable[..., Any], *args: Any) -> Any:
        """Run something one call deeper, in a scope of its own."""
        self.watch.own.add(scope)
        return super().inside(scope, run, *args)


def watched(interpreter: Interpreter, watch: Watch, statements: list[ast.stmt]) -> Any:
    """Run statements, watched. Returns: how they ended."""
    looking: Any = interpreter
    kind, compiled = type(interpreter), interpreter._compiled
    looking.__class__, looking._compiled, looking.watch = Watching, {}, watch
    try:
        return interpreter.block(statements)()
    finally:
        looking.__class__, looking._compiled = kind, compiled
        del looking.watch
