"""`tf.gradients`: what it is asked for, and how the sweep is made.

The sweep itself is `reverse/sweep.py`. In a large graph the same one is written down first, and made when
somebody looks at the graph (`lazy/`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.differentiation.lazy.sweep import lazy_gradients
from engine.differentiation.reverse.aggregation import ADD_N, method_of
from engine.differentiation.reverse.sweep import Sweep
from engine.errors import NoGradientError, ValueRefused
from engine.graph import Tensor, Variable
from engine.ops.base.tensors import FLOATS
from engine.ops.common.constants import zeros_like


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    *,
    name: str = "gradients",
    gate: bool = False,
    colocate: bool = False,
    stop_gradients: Sequence[Any] | None = None,
    unconnected_gradients: str = "none",
    aggregation_method: int | None = None,
) -> list[Any]:
    """Add to the graph the nodes that compute d(sum of ys)/dx for each x.

    Visits the nodes between xs and ys once, first in first out among those whose consumers have all
    reported; a tensor with several consumers receives the sum of their contributions. With `gate`,
    the gradients of one node are given out together, as `compute_gradients` asks for. The
    `aggregation_method` says with which nodes the contributions to a tensor are added.

    Shapes:  each result is shaped like its x; grad_ys like ys (ones when omitted).
    Returns: per x one tensor, or IndexedSlices where x was only looked up by row, or None without a path.
    Raises:  NoGradientError if a node on a path has no gradient rule.
    Source:  Griewank & Walther, Evaluating Derivatives, 2nd ed., ch. 3.
    """
    y_list = [_source(y) for y in _as_list(ys)]
    x_list = [_target(x) for x in _as_list(xs)]
    _check_floats(y_list)
    _check_count(y_list, grad_ys)
    graph = (y_list + x_list)[0].graph
    method = method_of(aggregation_method)
    is_plain = grad_ys is None and method == ADD_N and unconnected_gradients == "none"
    if is_plain and not (gate or colocate or stop_gradients):
        lazy = lazy_gradients(graph, name, y_list, x_list)
        if lazy is not None:
            return lazy
    stops = {_target(stop).node for stop in _as_list(stop_gradients or [])}
    with graph.as_default(), graph.making("gradient"):
        with graph.name_scope(name) as scope:
            graph.names.unique("uid")
            sweep = Sweep(graph, scope, y_list, x_list, stops, gate=gate, colocate=colocate, method=method)
            sweep.seed(_as_list(grad_ys) if grad_ys is not None else [None] * len(y_list))
            sweep.run()
            found = [sweep.total(x) for x in x_list]
        if unconnected_gradients == "zero":
            return [zeros_like(x) if g is None else g for g, x in zip(found, x_list, strict=True)]
        return found


def _check_count(y_list: list[Tensor], grad_ys: Any) -> None:
    given = None if grad_ys is None else len(_as_list(grad_ys))
    if given not in (None, len(y_list)):
        raise ValueRefused(
            f"There are {given} grad_ys for {len(y_list)} ys.",
            hint="Give one for each y.",
            message_zh=f"有 {len(y_list)} 个 y，却给了 {given} 个 grad_ys。",
            hint_zh="请为每个 y 给出一个。",
        )


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _source(y: Any) -> Tensor:
    tensor = y.as_tensor() if isinstance(y, Variable) else y
    if not isinstance(tensor, Tensor):
        raise ValueRefused(
            "The ys of tf.gradients are tensors.",
            hint="Differentiate what an operation returned, not a Python number.",
            message_zh="tf.gradients 的 ys 必须是张量。",
            hint_zh="请对运算返回的张量求导，而不是 Python 数字。",
        )
    return tensor


def _target(x: Any) -> Tensor:
    """What the gradient is asked for: a variable's buffer, or the tensor itself."""
    return x.ref if isinstance(x, Variable) else _source(x)


def _check_floats(ys: Iterable[Tensor]) -> None:
    for y in ys:
        if y.dtype not in FLOATS:
            raise NoGradientError(
                f"{y.name} is {y.dtype}; only floats have gradients.",
                hint="Make it a float, for example with tf.cast(…, tf.float32) or a decimal point.",
                message_zh=f"{y.name} 的类型是 {y.dtype}；只有浮点数才有梯度。",
                hint_zh="请把它变为浮点数，例如用 tf.cast(…, tf.float32) 或写上小数点。",
                code="integer_gradient",
            )
