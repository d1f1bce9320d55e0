"""Which statements of a training loop are steady: with the same objects under the names that they read, they
make the same calls of a turn again, and leave the same behind.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.objects import UserMethod, UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import SCALARS
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.tf2.looping.watching import CONSTANT, LOOKS, Watch
from engine.languages.surfaces.torch.classes import Method
from engine.languages.surfaces.torch.dtypes import DType
from engine.languages.surfaces.torch.optim.optimizer import zero_grad
from engine.languages.surfaces.torch.registry import TorchFunction
from engine.languages.surfaces.torch.tensor import Tensor
from engine.ops.base.building import current_graph

OWN_CALLS = frozenset({zero_grad})  # which compute nothing; what they leave is looked at
LASTING = (Module, Native, Tensor, UserObject, DType)


@dataclass(slots=True)
class TorchWatch(Watch):
    """What a statement of a program of PyTorch did."""

    _positions: list[Any] = field(default_factory=list)  # where the turn was when the calls under way began

    @property
    def looks(self) -> Mapping[type[ast.AST], Any]:
        """What looks at each kind of expression."""
        return TORCH_LOOKS

    def lasts(self, value: Any) -> bool:
        """Whether the same object does the same again, as long as what it holds is the same."""
        if type(value) is UserFunction:
            return all(type(one) in CONSTANT for one in value.defaults.values())
        if type(value) in (list, tuple):
            return all(self.lasts(one) for one in value)
        return type(value) in CONSTANT or isinstance(value, LASTING)

    def binary(self, interpreter: Interpreter, node: ast.BinOp, value: Any) -> bool:
        """An operator on tensors and numbers."""
        sides = [self._values[node.left], self._values[node.right]]
        return all(isinstance(one, Tensor) or type(one) in SCALARS for one in sides)

    def unary(self, interpreter: Interpreter, node: ast.UnaryOp, value: Any) -> bool:
        """A sign."""
        operand = self._values[node.operand]
        return type(node.op) is ast.USub and (isinstance(operand, Tensor) or type(operand) in SCALARS)

    def attribute(self, interpreter: Interpreter, node: ast.Attribute, value: Any) -> bool:
        """A member of a module, a method of a tensor, or a field of an object."""
        owner = self._values[node.value]
        if type(owner) is Module:
            return not interpreter.names_in_modules and isinstance(value, (Module, Native, DType))
        if isinstance(owner, UserObject):
            return type(value) in (BoundMethod, UserMethod) or self.lasts(value)
        return isinstance(owner, Tensor) and type(value) is BoundMethod

    def called(self, function: Any) -> None:
        """A function is about to be called."""
        self._positions.append(position_now())
        if type(function) is UserFunction:
            steady = isinstance(function.body, list) and not function.is_generator and self.lasts(function)
            self.is_steady &= steady and function not in self._active

    def returned(self, function: Any) -> None:
        """It has returned: one of ours is steady where it made calls of the turn."""
        has_computed = self._positions.pop() != position_now()
        native = function.method if type(function) is BoundMethod else function
        if isinstance(native, (TorchFunction, Method)):
            self.is_steady &= has_computed or native.function in OWN_CALLS
        else:
            self.is_steady &= isinstance(native, (UserFunction, UserMethod, UserObject))


def position_now() -> Any:
    """How far the graph's turn is."""
    graph: Any = current_graph()
    return graph.turn_number, getattr(graph.turn, "position", None)


TORCH_LOOKS: Mapping[type[ast.AST], Any] = {
    **LOOKS,
    ast.BinOp: TorchWatch.binary,
    ast.UnaryOp: TorchWatch.unary,
    ast.Attribute: TorchWatch.attribute,
}
KINDS = (*TORCH_LOOKS, ast.Expr, ast.Assign, ast.expr_context, ast.operator, ast.unaryop, ast.keyword)


def may_be_steady(statement: ast.stmt) -> bool:
    """Whether there is nothing in a statement that never is."""
    return all(isinstance(node, KINDS) for node in ast.walk(statement))
