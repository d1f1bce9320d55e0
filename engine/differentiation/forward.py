"""Forward mode: dual numbers, that is every value together with its rate of change along one direction.

One sweep gives the derivative of everything along one direction of the inputs (a Jacobian-vector
product); reverse mode gives in one sweep the derivative of one output in all directions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.differentiation.gradients import gradients
from engine.differentiation.walk import kernel, values_beside, walk
from engine.errors import NoGradientError
from engine.graph import Graph, Node, Tensor
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import FLOATS, Array
from engine.ops.common.constants import constant, placeholder


class Dual(NamedTuple):
    """A value v + v' ε with ε² = 0. The tangent v' is None where nothing changes."""

    value: Array
    tangent: Array | None = None


def jvp(
    ys: Sequence[Tensor], xs: Sequence[Tensor], tangents: Sequence[Any], known: Mapping[Tensor, Array]
) -> list[Array]:
    """How the ys change when the xs move along the tangents: the Jacobian-vector product.

    known:   the values of the xs, and of the variables and placeholders that the ys need beside them.
    Shapes:  each tangent like its x, each result like its y.
    Raises:  NoGradientError for an op on the way that has no derivative.
    Source:  Griewank & Walther, Evaluating Derivatives, 2nd ed., ch. 3.1.
    """
    beside = values_beside(ys, xs, known, kernel)
    start = {tensor: Dual(np.asarray(value)) for tensor, value in beside.items()}
    for x, tangent in zip(xs, tangents, strict=True):
        start[x] = Dual(np.asarray(known[x]), np.asarray(tangent, dtype=x.dtype))
    found = walk(ys, start, dual_step)
    return [_tangent_or_zeros(found[y]) for y in ys]


def dual_step(node: Node, arguments: Sequence[Dual]) -> list[Dual]:
    """One op on dual numbers: its values, and their tangents by the op's own rule."""
    values = kernel(node, [dual.value for dual in arguments])
    if all(dual.tangent is None for dual in arguments) or node.op.name == "StopGradient":
        return [Dual(value) for value in values]
    tangents = _rule_for(node)(node, arguments, values)
    return [
        Dual(value, tangent if output.dtype in FLOATS else None)
        for output, value, tangent in zip(node.outputs, values, tangents, strict=True)
    ]


Step = Callable[[Node, Sequence[Dual], Sequence[Array]], Sequence[Array | None]]


def _rule_for(node: Node) -> Step:
    if node.op.partials is not None:
        return _elementwise
    return {"linear": _linear, "bilinear": _product}.get(node.op.form, _by_transposing)


def _elementwise(node: Node, arguments: Sequence[Dual], values: Sequence[Array]) -> list[Array | None]:
    """Each input's tangent times how the output varies with that input, summed."""
    factors = node.op.partials(*(dual.value for dual in arguments), values[0])
    parts = [
        factor * dual.tangent
        for factor, dual in zip(factors, arguments, strict=True)
        if dual.tangent is not None
    ]
    total = np.zeros_like(values[0])
    return [np.asarray(sum(parts, total), dtype=values[0].dtype)]


def _linear(node: Node, arguments: Sequence[Dual], values: Sequence[Array]) -> list[Array | None]:
    """A linear op does to the tangents what it does to the values."""
    moved = [
        _tangent_or_zeros(dual) if tensor.dtype in FLOATS else dual.value
        for tensor, dual in zip(node.inputs, arguments, strict=True)
    ]
    return list(kernel(node, moved))


def _product(node: Node, arguments: Sequence[Dual], values: Sequence[Array]) -> list[Array | None]:
    """(a b)' = a' b + a b'."""
    a, b = arguments
    (left,) = kernel(node, [_tangent_or_zeros(a), b.value])
    (right,) = kernel(node, [a.value, _tangent_or_zeros(b)])
    return [left + right]


def _by_transposing(node: Node, arguments: Sequence[Dual], values: Sequence[Array]) -> list[Array | None]:
    """The tangents by way of the op's reverse rule, for ops whose block says no more than that.

    The rule gives dx = Jᵀ dy, which is linear in dy for whatever dy is. Differentiating <dx, tangent> by
    dy therefore gives J tangent, exactly. It is done in a graph of its own with this one op.
    """
    if node.op.gradient_rule is None:
        return _without_rule(node, values)
    with Graph().as_default() as graph:
        xs = [_copied(tensor, dual.value) for tensor, dual in zip(node.inputs, arguments, strict=True)]
        copy = graph.create_node(node.op, xs, node.attrs, "op")
        dys = [_seed(output, value) for output, value in zip(copy.outputs, values, strict=True)]
        tangents = _transposed(node.op.gradient_rule(copy, *dys), dys, arguments)
    known = dict(zip(xs, (dual.value for dual in arguments), strict=True))
    known |= {dy: np.zeros_like(value) for dy, value in zip(dys, values, strict=True)}
    found = walk([tangent for tangent in tangents if tangent is not None], known, kernel)
    return [None if tangent is None else found[tangent] for tangent in tangents]


def _transposed(dxs: Sequence[Any], dys: Sequence[Any], arguments: Sequence[Dual]) -> list[Tensor | None]:
    """The nodes of J tangent: what <dx, tangent> gives when it is differentiated by dy."""
    pairs = [
        (convert_to_tensor(dx), dual.tangent)
        for dx, dual in zip(dxs, arguments, strict=True)
        if dx is not None and dual.tangent is not None
    ]
    if not pairs:
        return [None] * len(dys)
    found = gradients([dx for dx, _ in pairs], dys, [tangent for _, tangent in pairs])
    return [dense(tangent) for tangent in found]


def _copied(tensor: Tensor, value: Array) -> Any:
    """A float input as a placeholder, another one as the constant that it is."""
    if tensor.dtype in FLOATS:
        return placeholder(value.dtype.name, value.shape)
    return constant(value, dtype=tensor.dtype)


def dense(gradient: Any) -> Tensor | None:
    """A gradient as one tensor, also where it is given row by row; None stays None."""
    return None if gradient is None else convert_to_tensor(gradient)


def _seed(output: Tensor, value: Array) -> Any:
    if output.dtype in FLOATS:
        return placeholder(output.dtype, value.shape)
    return constant(np.zeros_like(value), dtype=output.dtype)


def _without_rule(node: Node, values: Sequence[Array]) -> list[Array | None]:
    """Ops whose outputs do not vary carry no tangent; others say why they have none."""
    if all(output.dtype not in FLOATS for output in node.outputs) or node.op.ends_path:
        return [None] * len(values)
    raise NoGradientError(
        f"{node.op.name} has no derivative: {node.op.no_gradient}.",
        message_zh=f"{node.op.name} 没有导数：{node.op.no_gradient_zh}。",
        node=node.name,
    )


def _tangent_or_zeros(dual: Dual) -> Array:
    return np.zeros_like(dual.value) if dual.tangent is None else dual.tangent


# -- whole matrices --------------------------------------------------------------------------------


def jacobian(y: Tensor, x: Tensor, known: Mapping[Tensor, Array]) -> Array:
    """All partial derivatives of y by x, one forward sweep for each element of x.

    Shapes: y (*S), x (*T) -> (*S, *T).
    """
    value = np.asarray(known[x])
    directions = np.eye(value.size, dtype=value.dtype)
    columns = [jvp([y], [x], [direction.reshape(value.shape)], known)[0] for direction in directions]
    stacked = np.stack(columns, axis=-1)
    return stacked.reshape((*columns[0].shape, *value.shape))


def hessian(y: Tensor, x: Tensor, known: Mapping[Tensor, Array]) -> Array:
    """All second derivatives of a scalar y by x: forward mode over the gradient that reverse mode built.

    Adds the gradient's nodes to the graph. Shapes: y (), x (*S) -> (*S, *S).
    """
    with y.graph.as_default():
        dy = dense(gradients(y, [x])[0])
    if dy is None:
        size = np.asarray(known[x])
        return np.zeros((*size.shape, *size.shape), dtype=size.dtype)
    return jacobian(dy, x, known)
