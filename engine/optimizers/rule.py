"""What an optimizer's rule is: its hyper-parameters, its state, and the pure function from step to step.

A rule is a frozen dataclass; the graph around it (slots, constants, train op) is built in `building.py`
from what the rule declares here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from engine.graph import Node, Tensor, Variable
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array, Shape

Scalar = float | Array  # a number, or an array of the variable's element type
Slots = Mapping[str, Any]
NONE: Mapping[str, str] = MappingProxyType({})


class Rule(ABC):
    """The part of an optimizer that differs from optimizer to optimizer.

    name:             the scope and the train op, such as `Adam`.
    hyper_parameters: the fields that become constants of the graph, in TensorFlow's order.
    constant_names:   what such a constant is called where it is not called like its field.
    exact:            those that stay float64, whatever the variable's element type.
    slots:            the state of each variable: what holds the slot's first value. Below `Initializer/`
                      it belongs to the slot; else it is a node of the surrounding scope.
    takes:            the inputs of the Apply op after the variable: `slots.<name>`, hyper-parameters, and
                      `g` for the gradient.
    latex:            the update, one formula a line.
    doc_zh:           the first paragraph of the documentation in Chinese.
    """

    __slots__ = ()

    name: ClassVar[str]
    hyper_parameters: ClassVar[tuple[str, ...]]
    constant_names: ClassVar[Mapping[str, str]] = NONE
    exact: ClassVar[tuple[str, ...]] = ()
    latex: ClassVar[tuple[str, ...]]
    doc_zh: ClassVar[str] = ""

    @property
    def slots(self) -> Mapping[str, str]:
        """Slot name -> the name of the node that holds its first value. None, unless a rule says."""
        return NONE

    @property
    @abstractmethod
    def takes(self) -> tuple[str, ...]:
        """The inputs of the Apply op after the variable."""

    @property
    @abstractmethod
    def apply_name(self) -> str:
        """The op whose kernel is `update` (see `apply_ops.py`)."""

    @property
    def apply_op(self) -> OpDef:
        """The same op itself."""
        return REGISTRY[self.apply_name]

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Attributes of the Apply op."""
        return NONE

    @property
    def shared(self) -> tuple[str, ...]:
        """State that all variables share, as further variables of the graph (Adam's beta powers)."""
        return ()

    def init(self, theta: Array) -> Slots:
        """The state before the first step: the slots of one variable, and what is shared."""
        return {}

    @abstractmethod
    def update(self, theta: Any, g: Any, slots: Slots) -> tuple[Any, Slots]:
        """One step: the new value of the variable and the new state."""

    def shown(self, slots: Mapping[str, Any], axes: int) -> Mapping[str, Any]:
        """The slots that a learner sees, of a variable with so many axes: all of them, unless a rule says."""
        return slots

    def completed(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Slots that a learner gives, and what follows from them for those that are not shown."""
        return given

    def prepare(self, constants: dict[str, Tensor]) -> None:
        """Add what the updates share beside the constants. Nothing, unless a rule says."""
        return

    def inputs(self, found: Mapping[str, Any]) -> Mapping[str, Any]:
        """Add what one variable's update needs beside slots and constants, inside its scope."""
        return found

    def update_rows(
        self,
        variable: Variable,
        rows: IndexedSlices,
        slots: Mapping[str, Variable],
        known: Mapping[str, Any],
    ) -> Node | None:
        """The update for a gradient of rows where it is not `apply_op` on these rows; None where it is."""
        return None

    def advance(self, shared: Mapping[str, Variable], constants: Mapping[str, Tensor]) -> Sequence[Node]:
        """The nodes that move the shared state on, made where they wait for every update."""
        return ()


def like_variable(var: Shape, *_: Shape) -> Shape:
    """Shape rule of every Apply op: the variable keeps its shape."""
    return var


WRITES_A_VARIABLE = ("it writes a variable; differentiate the loss instead", "它写入变量；请改为对损失求导")
