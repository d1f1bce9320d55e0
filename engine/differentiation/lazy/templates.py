"""What the gradient rule of an element-wise op adds, found once and added as often as it is needed.

The rule of an op that works element by element sees nothing of its inputs but their types and shapes: run
twice on inputs of the same kinds, it adds the same nodes twice. So it is run once, in a graph of its own,
and what it added there is kept as a template: for each node its op, its attributes, its name inside the scope
of the rule, and where its inputs come from. A test puts every op of the registry to this proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from engine.errors import GradlensError
from engine.graph import Graph, Node, Tensor
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.shapes import broadcast, is_static, same
from engine.ops.base.tensors import FLOATS, Shape
from engine.ops.common.constants import placeholder

Kind = tuple[str, Shape]  # of a tensor: its type and its shape
Axes = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class TemplateNode:
    """One node of a template.

    sources: the places of its inputs among the tensors at hand: the inputs of the forward node, its output,
             the upstream gradient, and then the outputs of the template's own nodes, one after the other.
    waits:   the places of tensors whose nodes it waits for.
    """

    op: OpDef
    attrs: Mapping[str, Any]
    name: str
    sources: tuple[int, ...]
    waits: tuple[int, ...]
    outputs: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class GradientTemplate:
    """What a rule adds for one kind of node.

    passed:   for each input, the number of the node that holds its gradient; UPSTREAM or NOTHING.
    names:    how often each name is used inside the rule's scope.
    finds:    axes of broadcasting that the rule finds once in a graph, and adds nodes for.
    """

    nodes: tuple[TemplateNode, ...]
    passed: tuple[int, ...]
    names: Mapping[str, int]
    finds: Mapping[Any, Axes]


UPSTREAM = -1
NOTHING = -2


def is_elementwise(op: OpDef) -> bool:
    """Whether all that an op's gradient rule sees of the inputs is their types and shapes."""
    return op.shape_rule in (same, broadcast) and op.gradient_rule is not None and not op.attributes


@lru_cache(maxsize=1024)
def templates_for(
    op: OpDef, inputs: tuple[Kind, ...], twice: bool, default_float: str
) -> tuple[GradientTemplate, GradientTemplate] | None:
    """The template for the first such node in a graph and the one for all further ones.

    twice:   whether both inputs are the same tensor.
    Returns: None where the rule does anything that a template cannot say.
    """
    if not is_elementwise(op) or any(dtype not in FLOATS or not is_static(shape) for dtype, shape in inputs):
        return None
    laboratory = Graph(default_float=default_float)
    try:
        with laboratory.as_default():
            first = _observed(op, inputs, twice)
            return first, _observed(op, inputs, twice) if first.finds else first
    except (GradlensError, _NoTemplate):
        return None


def prepare_templates() -> None:
    """Find the templates of all ops for single numbers, so that no program has to wait for their first use.

    For a process that will take programs: it costs as long as importing a module.
    """
    for dtype, op in product(("float32", "float64"), filter(is_elementwise, REGISTRY.values())):
        numbers: tuple[Kind, ...] = ((dtype, ()),) * len(op.types)
        for twice in (False, True)[: len(numbers)]:
            templates_for(op, numbers, twice, dtype)


class _NoTemplate(Exception):
    """The rule did something that a template cannot say."""


def _observed(op: OpDef, kinds: tuple[Kind, ...], twice: bool) -> GradientTemplate:
    """Run the rule on a new node of this kind, and take down what it adds."""
    inputs = [placeholder(*kind) for kind in kinds[: 1 if twice else None]] * (2 if twice else 1)
    node = op.node(*inputs)
    y = node.outputs[0]
    dy = placeholder(y.dtype, y.shape)
    graph: Graph = dy.graph
    known = dict(graph.broadcast_cache)
    first, names = len(graph.nodes), dict(graph.names.counts)
    with graph.making("gradient", of=node), graph.name_scope(f"{node.name}_grad") as scope:
        found = [] if op.gradient_rule is None else list(op.gradient_rule(node, dy))
    added = graph.nodes[first:]
    hand = [*inputs, y, dy, *(output for one in added for output in one.outputs)]
    return GradientTemplate(
        tuple(_template_node(one, hand, scope) for one in added),
        tuple(_passed(x, gradient, dy, first) for x, gradient in zip(inputs, found, strict=True)),
        _new_names(graph.names.counts, names, scope.lower()),
        {pair: axes for pair, axes in graph.broadcast_cache.items() if pair not in known},
    )


def _template_node(node: Node, hand: Sequence[Tensor], scope: str) -> TemplateNode:
    plain = not node.colocate and not node.device and node.context is None
    if not plain or not node.outputs or not node.name.startswith(scope):
        raise _NoTemplate
    return TemplateNode(
        node.op,
        node.attrs,
        node.name.removeprefix(scope),
        tuple(hand.index(tensor) for tensor in node.inputs),
        tuple(hand.index(waited.outputs[0]) for waited in node.control_inputs),
        tuple((output.dtype, output.shape) for output in node.outputs),
    )


def _passed(x: Tensor, gradient: Any, dy: Tensor, first: int) -> int:
    if gradient is None:
        return NOTHING
    if not isinstance(gradient, Tensor) or (gradient.dtype, gradient.shape) != (x.dtype, x.shape):
        raise _NoTemplate
    if gradient is dy:
        return UPSTREAM
    if gradient.node.index < first or len(gradient.node.outputs) > 1:
        raise _NoTemplate
    return gradient.node.index - first


def _new_names(now: Mapping[str, int], before: Mapping[str, int], scope: str) -> dict[str, int]:
    """The names used inside the rule's scope. (The scope's own is taken anew for each node.)"""
    used = {name: count for name, count in now.items() if before.get(name) != count and name != scope[:-1]}
    if not all(name.startswith(scope) and "_grad" not in name.removeprefix(scope) for name in used):
        raise _NoTemplate  # a rule of another node could take the same name
    return {name.removeprefix(scope): count for name, count in used.items()}
