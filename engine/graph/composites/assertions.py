"""`tf.assert_…` of TensorFlow 1: operations that stop a run where a comparison does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError, ShapeError
from engine.graph.control_flow.building import assert_true
from engine.graph.graph import Graph
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import element_count, literal_value, written
from engine.ops.base.tensors import FLOATS, Array, Node, Tensor
from engine.ops.common import measuring
from engine.ops.common.passing import identity, no_op
from engine.ops.common.reducing import reduce_all
from engine.ops.control_flow import asserting
from engine.ops.elementwise import comparison, signs


@dataclass(frozen=True, slots=True)
class Comparison:
    """One of them: its sign, the op that compares, and the same of arrays."""

    sign: str
    compare: Callable[..., Tensor]
    holds: Callable[..., Any]


BETWEEN: Mapping[str, Comparison] = {
    "assert_equal": Comparison("==", comparison.equal, np.equal),
    "assert_none_equal": Comparison("!=", comparison.not_equal, np.not_equal),
    "assert_less": Comparison("<", comparison.less, np.less),
    "assert_less_equal": Comparison("<=", comparison.less_equal, np.less_equal),
    "assert_greater": Comparison(">", comparison.greater, np.greater),
    "assert_greater_equal": Comparison(">=", comparison.greater_equal, np.greater_equal),
}
WITH_ZERO: Mapping[str, tuple[str, bool, tuple[str, ...]]] = {
    "assert_positive": ("assert_less", True, ("Condition x > 0 did not hold element-wise:", "x ({}) = ")),
    "assert_non_negative": (
        "assert_less_equal",
        True,
        ("Condition x >= 0 did not hold element-wise:", "x ({}) = "),
    ),
    "assert_negative": ("assert_less", False, ("Condition x < 0 did not hold element-wise:", "x ({}) = ")),
    "assert_non_positive": (
        "assert_less_equal",
        False,
        ("Condition x <= 0 did not hold element-wise:x ({}) = ",),
    ),
}  # what compares, whether 0 comes first, and the message: TensorFlow's own texts
COMPARED_AT_ONCE = 1_000_000  # pairs of constants; more of them are compared in a run only
EPSILONS = 10  # how many roundings of its type `assert_near` allows by default
RANKS: Mapping[str, tuple[str, Callable[..., Tensor], Callable[[int, int], bool]]] = {
    "assert_rank": ("must have rank", comparison.equal, lambda rank, wanted: rank == wanted),
    "assert_rank_at_least": (
        "must have rank at least",
        comparison.greater_equal,
        lambda rank, wanted: rank >= wanted,
    ),
}


def assert_between(
    graph: Graph,
    kind: str,
    x: Any,
    y: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Node:
    """A comparison that holds for every pair of elements, or the run stops with message and data.

    Raises: ProgramError at once where both are known and it does not hold.
    """
    if kind == "assert_equal":
        with name_scope(name, kind):
            if x is y:
                return no_op.node()
    rule = BETWEEN[kind]
    with name_scope(name, kind):
        x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
        if data is None:
            condition = f"Condition x {rule.sign} y did not hold element-wise:"
            data = [condition, f"x ({x.name}) = ", x, f"y ({y.name}) = ", y]
        before = [] if message is None else [message]
        compared = rule.compare(x, y)
        holds = reduce_all(compared)
        a, b = literal_value(x), literal_value(y)
        if a is not None and b is not None and (element_count(compared.shape) or 0) <= COMPARED_AT_ONCE:
            _stop_unless(rule.holds(a, b), f"x {rule.sign} y", x=a, y=b)
        return assert_true(graph, holds, [*before, *data], summarize=summarize or 3)


def assert_with_zero(
    graph: Graph,
    kind: str,
    x: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Node:
    """Every element stands so to 0, or the run stops."""
    compare, zero_first, texts = WITH_ZERO[kind]
    with name_scope(name, kind):
        x = convert_to_tensor(x, name="x")
        if data is None:
            data = [message or "", *(text.format(x.name) for text in texts), x]
        zero = convert_to_tensor(0, dtype=x.dtype)
        a, rule = literal_value(x), BETWEEN[compare]
        if a is not None:
            sign = rule.sign.replace("<", ">") if zero_first else rule.sign
            _stop_unless(rule.holds(0, a) if zero_first else rule.holds(a, 0), f"x {sign} 0", x=a)
        first, second = (zero, x) if zero_first else (x, zero)
        return assert_between(graph, compare, first, second, data, summarize)


def assert_near(
    graph: Graph,
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Node:
    """|x - y| < atol + rtol · |y| for every pair of elements, or the run stops."""
    with name_scope(name, "assert_near"):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype=x.dtype, name="y")
        least = EPSILONS * np.finfo(x.dtype).eps if x.dtype in FLOATS else 0
        rtol = convert_to_tensor(least if rtol is None else rtol, dtype=x.dtype, name="rtol")
        atol = convert_to_tensor(least if atol is None else atol, dtype=x.dtype, name="atol")
        if data is None:
            condition = f"x and y not equal to tolerance rtol = {_shown(rtol)}, atol = {_shown(atol)}"
            data = [message or "", condition, f"x ({x.name}) = ", x, f"y ({y.name}) = ", y]
        bound = atol + rtol * signs.absolute(y)
        near = comparison.less(signs.absolute(x - y), bound)
        return assert_true(graph, reduce_all(near), data, summarize=summarize or 3)


def assert_rank(
    graph: Graph,
    kind: str,
    x: Any,
    rank: int,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Node:
    """So many axes, or the run stops. Raises: ShapeError at once where the rank is known and another."""
    requirement, compare, fits = RANKS[kind]
    with name_scope(name, kind):
        x = convert_to_tensor(x, name="x")
        wanted = convert_to_tensor(rank, name="rank")
        shape = measuring.shape_of(x)
        with name_scope(None, "assert_type"):
            no_op.node(name="statically_determined_correct_type")
        if x.shape is not None:
            if not fits(len(x.shape), rank):
                raise _other_rank(x, rank)
            return no_op.node(name="static_checks_determined_all_ok")
        if data is None:
            data = [message or "", f"Tensor {x.name} {requirement}", wanted, "Received shape: ", shape]
        holds = compare(measuring.rank_of(x, name="Rank_1"), wanted)
        return assert_true(graph, holds, data, summarize=summarize or 3)


def all_finite(graph: Graph, x: Any, message: str, name: str | None = None) -> Tensor:
    """`tf.verify_tensor_all_finite`: the tensor, once a run has found nothing infinite in it."""
    with name_scope(name, "VerifyFinite"):
        x = convert_to_tensor(x, name="t")
        with graph.colocate_with(x.node):
            check = asserting.check_numerics(x, message=message)
            with graph.control_dependencies([check]):
                return identity(x, name="control_dependency")


def _stop_unless(holds: Any, condition: str, **values: Array) -> None:
    """Raises: ProgramError with the values where the condition fails for any element."""
    if np.all(holds):
        return
    listed = ", ".join(f"{name} = {value.tolist()!s:.200}" for name, value in values.items())
    raise ProgramError(
        f"{condition} does not hold for every element: {listed}.",
        message_zh=f"{condition} 并非对每个元素都成立：{listed}。",
        code="assertion_failed",
    )


def _shown(tensor: Tensor) -> str:
    return f'Tensor("{tensor.name}", shape=(), dtype={tensor.dtype})'


def _other_rank(x: Tensor, rank: int) -> ShapeError:
    return ShapeError(
        f"This tensor was to have {rank} axes, but its shape is {written(x.shape)}.",
        message_zh=f"这个张量应有 {rank} 个轴，但它的形状是 {written(x.shape)}。",
    )
