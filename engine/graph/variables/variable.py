"""Variables as TensorFlow 1 builds them: a buffer, its initial value, the Assign that fills it, a read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from engine.graph.graph import Graph
from engine.graph.variables.initial_values import guarded
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.tensors import Node, Operators, Shape, Tensor
from engine.ops.common.passing import identity
from engine.ops.sources import state

GLOBAL_VARIABLES = "variables"
TRAINABLE_VARIABLES = "trainable_variables"
LOCAL_VARIABLES = "local_variables"


class Variable(Operators):
    """A reference variable: `x`, `x/initial_value`, `x/Assign`, `x/read`.

    ref:         output of the VariableV2 node; the x of `gradients`, the target of updates.
    first_read:  the read that is made with it (`x/read`).
    initializer: the Assign node.
    reads_apart: whether the first read is placed by itself, not beside the variable.
    An initial value that is a function is called once, in the scope `Initializer`; one that depends on other
    variables is assigned as `guarded` makes it.
    """

    __slots__ = ("first_read", "initial_value", "initializer", "ref", "trainable")
    __hash__ = object.__hash__

    def __init__(
        self,
        initial_value: Any,
        *,
        dtype: str | None = None,
        name: str | None = None,
        trainable: bool = True,
        collections: Sequence[str] | None = None,
        reads_apart: bool = False,
    ) -> None:
        graph = current_graph()
        with graph.control_dependencies(None), graph.name_scope(name or "Variable") as scope:
            self._build(graph, initial_value, dtype, scope, reads_apart)
        self._register(trainable, collections)

    @classmethod
    def of_nodes(
        cls, initial_value: Tensor, ref: Tensor, initializer: Node, first_read: Tensor, *, trainable: bool
    ) -> Variable:
        """The variable of nodes that are there already."""
        made = cls.__new__(cls)
        made.initial_value, made.ref = initial_value, ref
        made.initializer, made.first_read = initializer, first_read
        made._register(trainable, None)
        return made

    def _build(
        self, graph: Any, initial_value: Any, dtype: str | None, scope: str, reads_apart: bool
    ) -> None:
        if callable(initial_value):
            with nullcontext() if graph.is_placed_here else graph.colocate_with(scope[:-1]):
                with graph.name_scope("Initializer"):
                    self.initial_value = convert_to_tensor(initial_value(), dtype=dtype, name="initial_value")
                self.ref = self._buffer(scope)
        else:
            self.initial_value = convert_to_tensor(initial_value, dtype=dtype, name="initial_value")
            self.ref = self._buffer(scope)
        graph.hold(self)
        first = guarded(graph, self.initial_value, scope)
        self.initializer: Node = state.assign.node(self.ref, first, use_locking=True)
        with nullcontext() if reads_apart else graph.colocate_with(self.ref.node):
            self.first_read: Tensor = identity(self.ref, name="read")

    def _buffer(self, scope: str) -> Tensor:
        shape, dtype = self.initial_value.shape, self.initial_value.dtype
        return state.variable_v2.node(shape=shape, dtype=dtype, name=scope).outputs[0]

    def _register(self, trainable: bool, collections: Sequence[str] | None) -> None:
        self.trainable = trainable
        for key in collections if collections is not None else [GLOBAL_VARIABLES]:
            self.graph.collection(key).append(self)
        if trainable and collections is None:
            self.graph.collection(TRAINABLE_VARIABLES).append(self)

    @property
    def graph(self) -> Graph:
        graph: Graph = self.ref.graph
        return graph

    @property
    def node(self) -> Node:
        return self.ref.node

    @property
    def is_gone_over(self) -> bool:
        """Whether a later turn of a loop has taken its node for another variable."""
        return self.ref.node.outputs[0] is not self.ref

    @property
    def name(self) -> str:
        return self.ref.name

    @property
    def dtype(self) -> str:
        return self.ref.dtype

    @property
    def shape(self) -> Shape:
        return self.ref.shape

    @property
    def read(self) -> Tensor:
        """What operations on the variable take."""
        return self.graph.reading(self)

    def as_tensor(self) -> Tensor:
        return self.read
