"""The three stages of an optimizer as a graph: compute_gradients, (the user's own step), apply_gradients.

What is the same for every optimizer stands here once: gating, slots, hyper-parameter constants, the
update of each variable, and the train op that waits for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.differentiation import gradients
from engine.errors import NoGradientError, ValueRefused
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.variables.variable import TRAINABLE_VARIABLES
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import OpDef
from engine.ops.base.slices import IndexedSlices
from engine.ops.common.casting import cast
from engine.ops.common.passing import group, tuple_of
from engine.ops.sources.state import assign_add
from engine.optimizers.rows import sparse_twin, sum_rows
from engine.optimizers.rule import NONE, Rule
from engine.optimizers.slots import create_shared, create_slots

GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

Pair = tuple[Any, Any]  # gradient (or None) and variable


class Optimizer:
    """`tf.train.…Optimizer`: a rule, whose fields hold numbers or tensors, and the slots it has made."""

    GATE_NONE, GATE_OP, GATE_GRAPH = GATE_NONE, GATE_OP, GATE_GRAPH

    def __init__(
        self,
        rule: Rule,
        *,
        name: str | None = None,
        use_locking: bool = False,
        slot_names: Mapping[str, str | None] = NONE,
    ) -> None:
        self.rule = rule
        self.name = name or rule.name
        self.use_locking = use_locking
        self.slot_names = {slot: slot_names.get(slot) or self.name for slot in rule.slots}
        self.slots: dict[Variable, dict[str, Variable]] = {}
        self.shared: dict[tuple[Graph, str], Variable] = {}
        self.constants: dict[str, Tensor] = {}  # the hyper-parameters of the last apply_gradients

    # -- what a program asks for -----------------------------------------------------------------

    def minimize(
        self,
        loss: Any,
        global_step: Variable | None = None,
        var_list: Sequence[Variable] | Variable | None = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Node:
        """compute_gradients, then apply_gradients at once."""
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss
        )
        if all(gradient is None for gradient, _ in pairs):
            raise no_gradients(loss, [variable for _, variable in pairs])
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Sequence[Variable] | Variable | None = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[Pair]:
        """The (gradient, variable) pairs; a gradient is None where no path joins the variable to the loss."""
        graph: Graph = loss.graph
        variables = _variables(graph, var_list)
        found: list[Any] = gradients(
            loss,
            variables,
            grad_loss,
            gate=gate_gradients == GATE_OP,
            colocate=colocate_gradients_with_ops,
            aggregation_method=aggregation_method,
        )
        if gate_gradients == GATE_GRAPH:
            with graph.as_default(), graph.making("gradient"):
                found = tuple_of(found)
        return list(zip(found, variables, strict=True))

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Variable | None = None, name: str | None = None
    ) -> Node:
        """Add the update of every variable that has a gradient, and the train op that waits for them."""
        present = _present([(gradient, variable) for gradient, variable in grads_and_vars])
        graph: Graph = present[0][1].graph
        with graph.as_default(), graph.making("update"):
            self.create_state(graph, [variable for _, variable in present])
            with graph.name_scope(name or self.name) as scope:
                constants = self._prepare()
                self.constants = {key: constants[key] for key in self.rule.hyper_parameters}
                updates = [self._update(graph, constants, *pair) for pair in present]
                return self._finish(graph, updates, constants, global_step, scope)

    def get_slot(self, var: Variable, name: str) -> Variable | None:
        """The slot of this name that belongs to the variable, or None."""
        return self.slots.get(var, {}).get(name)

    def shown_slots(self, variable: Variable) -> Mapping[str, Variable]:
        """The slots of a variable that its framework has, too."""
        return self.rule.shown(self.slots.get(variable, {}), len(variable.shape or ()))

    def get_slot_names(self) -> list[str]:
        """The names of the slots made so far, in alphabetical order."""
        return sorted({name for slots in self.slots.values() for name in slots})

    def variables(self) -> list[Variable]:
        """All variables that this optimizer has made: the shared ones and the slots."""
        slots = [slot for slots in self.slots.values() for slot in slots.values()]
        return sorted([*self.shared.values(), *slots], key=lambda variable: variable.name)

    def shared_of(self, graph: Graph) -> dict[str, Variable]:
        """What all variables of a graph share, such as `beta1_power`."""
        return {name: variable for (home, name), variable in self.shared.items() if home is graph}

    # -- the nodes of apply_gradients, in order ----------------------------------------------------

    def create_state(self, graph: Graph, variables: Sequence[Variable]) -> None:
        """Slots and shared state, made once for each variable, outside of everything that waits."""
        with graph.control_dependencies(None):
            if self.rule.shared and not self.shared_of(graph):
                beside = min(variables, key=lambda variable: variable.name)
                shared = create_shared(self.rule, beside)
                self.shared.update({(graph, name): variable for name, variable in shared.items()})
            for variable in variables:
                made = self.slots.get(variable)
                self.slots[variable] = create_slots(self.rule, variable, self.slot_names, made)

    def _prepare(self) -> dict[str, Tensor]:
        """The hyper-parameters as constants of the graph, in the order in which the rule lists them."""
        constants: dict[str, Any] = {}
        for field in self.rule.hyper_parameters:
            value = getattr(self.rule, field)
            name = self.rule.constant_names.get(field, field)
            constants[field] = convert_to_tensor(value() if callable(value) else value, name=name)
        self.rule.prepare(constants)
        return constants

    def _update(
        self, graph: Graph, constants: Mapping[str, Tensor], gradient: Any, variable: Variable
    ) -> Node:
        with graph.name_scope(f"update_{variable.node.name}"), graph.colocate_with(variable.node):
            known: dict[str, Any] = {**self.shared_of(graph), **constants}
            slots = self.slots[variable]
            if isinstance(gradient, IndexedSlices):
                return self._update_rows(variable, gradient, slots, known)
            return self._apply(self.rule.apply_op, variable, slots, {**known, "g": gradient})

    def _update_rows(
        self,
        variable: Variable,
        rows: IndexedSlices,
        slots: Mapping[str, Variable],
        known: Mapping[str, Any],
    ) -> Node:
        """The update for a gradient of rows: the rule's own, the sparse op, or the dense one."""
        own = self.rule.update_rows(variable, rows, slots, known)
        if own is not None:
            return own
        sparse = sparse_twin(self.rule.apply_op)
        if sparse is None:
            return self._apply(self.rule.apply_op, variable, slots, {**known, "g": rows.densify()})
        summed = sum_rows(rows)
        found = {**known, "g": summed.values, "indices": summed.indices}
        return self._apply(sparse, variable, slots, found)

    def _apply(
        self, op: OpDef, variable: Variable, slots: Mapping[str, Variable], known: Mapping[str, Any]
    ) -> Node:
        behind = self.rule.takes.index("g") + 1 if "indices" in known else 0
        takes = (
            (*self.rule.takes[:behind], "indices", *self.rule.takes[behind:]) if behind else self.rule.takes
        )
        return apply_node(self.rule, op, variable, slots, known, takes, use_locking=self.use_locking)

    def _finish(
        self,
        graph: Graph,
        updates: Sequence[Node],
        constants: Mapping[str, Tensor],
        global_step: Variable | None,
        scope: str,
    ) -> Node:
        with graph.control_dependencies(updates):
            after = self.rule.advance(self.shared_of(graph), constants)
        finished: Any = group(*updates, *after, name="update" if global_step is not None else scope)
        if global_step is None:
            return finished  # type: ignore[no-any-return]
        with graph.control_dependencies([finished]), graph.colocate_with(global_step.node):
            one = convert_to_tensor(1, dtype=global_step.dtype, name="value")
            counted: Any = assign_add.node(global_step.ref, one, name=scope)
            return counted  # type: ignore[no-any-return]


KEPT = frozenset({"g", "indices", "squares", "t", "iterations"})
# keep their own element type: what belongs to the gradient, and step counts


def apply_node(
    rule: Rule,
    op: OpDef,
    variable: Variable,
    slots: Mapping[str, Variable],
    known: Mapping[str, Any],
    takes: Sequence[str],
    *,
    use_locking: bool = False,
) -> Node:
    """One Apply node, its inputs gathered by name and cast to the variable's type."""
    found = {**rule.inputs(known), **{f"slots.{name}": slot.ref for name, slot in slots.items()}}
    inputs = []
    for key in takes:
        keeps_type = key in KEPT or key in rule.exact or key.startswith("slots.")
        inputs.append(found[key] if keeps_type else cast(found[key], variable.dtype))
    made: Any = op.node(variable.ref, *inputs, use_locking=use_locking, **rule.attributes)
    node: Node = made
    return node


def _variables(graph: Graph, var_list: Any) -> list[Any]:
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
    return variables


def _present(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with a gradient. Raises: where there are none, or where something is no variable."""
    if not pairs:
        raise ValueRefused(
            "apply_gradients was given no (gradient, variable) pairs.",
            hint="Pass what compute_gradients returned, or zip(gradients, variables).",
            message_zh="apply_gradients 没有收到任何（梯度，变量）对。",
            hint_zh="请传入 compute_gradients 的返回值，或 zip(gradients, variables)。",
            code="no_variables",
        )
    for _, variable in pairs:
        if not isinstance(variable, Variable):
            raise _not_a_variable(variable)
    present = [pair for pair in pairs if pair[0] is not None]
    if not present:
        raise no_gradients(None, [variable for _, variable in pairs])
    return present


def _not_a_variable(value: Any) -> ValueRefused:
    shown = getattr(value, "name", type(value).__name__)
    return ValueRefused(
        f"Only variables can be updated, but a pair holds {shown}.",
        hint="The pairs are (gradient, variable), in this order.",
        message_zh=f"只有变量才能更新，但某个对中是 {shown}。",
        hint_zh="每一对的顺序是（梯度，变量）。",
        code="not_a_variable",
    )


def no_gradients(loss: Any, variables: Sequence[Any]) -> NoGradientError:
    """The error for a loss that no variable leads to."""
    names = ", ".join(getattr(variable, "name", "?").partition(":")[0] for variable in variables)
    target = "the loss" if loss is None else loss.name
    target_zh = "损失" if loss is None else f" {loss.name} "
    return NoGradientError(
        f"None of the variables ({names}) is connected to {target}, so there is no gradient to apply.",
        hint="Compute the loss from the variables themselves, not from numpy values of them.",
        message_zh=f"变量（{names}）都没有连接到{target_zh}，因此没有可用的梯度。",
        hint_zh="请直接用变量计算损失，而不要用它们的 numpy 值。",
        code="no_gradients",
    )
