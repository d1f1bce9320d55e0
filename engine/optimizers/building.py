"""The three stages of an optimizer as a graph: compute_gradients, (the user's own step), apply_gradients.

What is the same for every optimizer stands here once: gating, slots, hyper-parameter constants, the
update of each variable, and the train op that waits for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from engine.differentiation import gradients
from engine.errors import NoGradientError, ValueRefused
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.variables import TRAINABLE_VARIABLES
from engine.ops.arrays import cast
from engine.ops.building import convert_to_tensor
from engine.ops.control import group
from engine.ops.state import assign_add

Pair = tuple[Any, Variable]


class Rule(Protocol):
    """What an optimizer brings: its name, its hyper-parameters and the op that applies an update."""

    @property
    def name(self) -> str: ...
    @property
    def hyper_parameters(self) -> tuple[str, ...]: ...
    @property
    def apply_op(self) -> Any: ...


class Optimizer:
    """`tf.train.…Optimizer`: a rule and the values of its hyper-parameters (numbers or tensors)."""

    def __init__(self, rule: Rule, *, name: str | None = None, **values: Any) -> None:
        self.rule = rule
        self.name = name or rule.name
        self.values = values

    def minimize(
        self,
        loss: Any,
        global_step: Variable | None = None,
        var_list: Sequence[Variable] | None = None,
        name: str | None = None,
    ) -> Node:
        """compute_gradients, then apply_gradients at once."""
        pairs = self.compute_gradients(loss, var_list)
        if all(gradient is None for gradient, _ in pairs):
            raise _no_gradients(loss, [variable for _, variable in pairs])
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self, loss: Any, var_list: Sequence[Variable] | Variable | None = None, *, gate: bool = True
    ) -> list[Pair]:
        """The (gradient, variable) pairs; a gradient is None where no path joins the variable to the loss."""
        graph: Graph = loss.graph
        if var_list is None:
            variables = list(graph.collection(TRAINABLE_VARIABLES))
        else:
            variables = list(var_list) if isinstance(var_list, (list, tuple)) else [var_list]
        if not variables:
            raise ValueRefused(
                "There are no variables to optimise.",
                hint="Make at least one tf.Variable that the loss depends on.",
                message_zh="没有可优化的变量。",
                hint_zh="请至少创建一个损失所依赖的 tf.Variable。",
                code="no_variables",
            )
        return list(zip(gradients(loss, variables, gate=gate), variables, strict=True))

    def apply_gradients(
        self, pairs: Sequence[Pair], global_step: Variable | None = None, name: str | None = None
    ) -> Node:
        """Add the update of every variable that has a gradient, and the train op that waits for them."""
        pairs = [(gradient, variable) for gradient, variable in pairs]
        present = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        if not present:
            raise _no_gradients(None, [variable for _, variable in pairs])
        graph = present[0][1].graph
        with (
            graph.as_default(),
            graph.control_dependencies(None),
            graph.making("update"),
            graph.name_scope(name or self.name) as scope,
        ):
            constants = self._prepare(graph)
            updates = [self._update(graph, constants, *pair) for pair in present]
            return self._finish(graph, updates, global_step, scope)

    def _prepare(self, graph: Graph) -> list[Tensor]:
        """The hyper-parameters as constants of the graph, in the order in which the rule lists them."""
        return [convert_to_tensor(self.values[key], name=key) for key in self.rule.hyper_parameters]

    def _update(self, graph: Graph, constants: Sequence[Tensor], gradient: Any, variable: Variable) -> Node:
        with graph.name_scope(f"update_{variable.node.name}"), graph.colocate_with(variable.node):
            values = [cast(constant, variable.dtype) for constant in constants]
            node: Node = self.rule.apply_op.node(variable.ref, *values, gradient)
            return node

    def _finish(
        self, graph: Graph, updates: Sequence[Node], global_step: Variable | None, scope: str
    ) -> Node:
        if global_step is None:
            done: Node = group(*updates, name=scope)
            return done
        finished = group(*updates, name="update")
        with graph.control_dependencies([finished]), graph.colocate_with(global_step.node):
            one = convert_to_tensor(1, dtype=global_step.dtype, name="value")
            counted: Node = assign_add.node(global_step.ref, one, name=scope)
            return counted


def _no_gradients(loss: Any, variables: Sequence[Variable]) -> NoGradientError:
    names = ", ".join(variable.node.name for variable in variables)
    target = "the loss" if loss is None else loss.name
    return NoGradientError(
        f"None of the variables ({names}) is connected to {target}, so there is no gradient to apply.",
        hint="Compute the loss from the variables themselves, not from numpy values of them.",
        message_zh=f"变量（{names}）都没有连接到 {target}，因此没有可用的梯度。",
        hint_zh="请直接用变量计算损失，而不要用它们的 numpy 值。",
        code="no_gradients",
    )
