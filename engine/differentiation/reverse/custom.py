"""Gradients of a program's own: in place of an op's rule, or for a function of several ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import NoGradientError
from engine.graph import Graph, Node, Tensor
from engine.ops.base.building import convert_to_tensor
from engine.ops.common.passing import identity, identity_n

Build = Callable[..., tuple[Any, Callable[..., Any]]]


def as_rule(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """A function of (op, gradients…) as a rule: one gradient for each input of the op.

    Raises: NoGradientError where it returns another number.
    """

    def rule(node: Node, *dys: Any) -> list[Any]:
        return _one_for_each(function(node, *dys), len(node.inputs), node)

    return rule


def custom_gradient(graph: Graph, build: Build, arguments: Sequence[Any]) -> Any:
    """`tf.custom_gradient`: results and arguments pass an IdentityN, whose gradient is the function's own.

    build: makes the results and gives, with them, the function that turns their gradients into the
           arguments'.
    """
    taken = [convert_to_tensor(argument) for argument in arguments]
    result, gradient = build(*taken)
    several = isinstance(result, (list, tuple))
    results = [convert_to_tensor(item) for item in (result if several else [result])]
    for item in results:
        identity(item)  # TensorFlow leaves these in the graph
    name = f"CustomGradient-{len(graph.nodes)}"
    graph.gradient_rules[name] = _rule(gradient, len(results), len(taken))
    with graph.gradient_override_map({"IdentityN": name}):
        passed = identity_n.node([*results, *taken]).outputs[: len(results)]
    return list(passed) if several else passed[0]


def _rule(gradient: Callable[..., Any], results: int, arguments: int) -> Callable[..., list[Any]]:
    def rule(node: Node, *dys: Tensor) -> list[Any]:
        return [None] * results + _one_for_each(gradient(*dys[:results]), arguments, node)

    return rule


def _one_for_each(given: Any, count: int, node: Node) -> list[Any]:
    found = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(found) != count:
        raise NoGradientError(
            f"The gradient of {node.name} returns {len(found)} values, but there are {count} inputs.",
            hint="Return one gradient for each input, None where there is none.",
            message_zh=f"{node.name} 的梯度返回了 {len(found)} 个值，但有 {count} 个输入。",
            hint_zh="请为每个输入返回一个梯度；没有梯度的写 None。",
            node=node.name,
        )
    return found
