"""Points where a function has a corner or no slope, and what each library gives there as a gradient.

What TensorFlow 1.15.5, PyTorch 2.13 and JAX gave is recorded in `tests/data/corners.json` (at the bounds of
`clamp` PyTorch 2.14, which gives 0 there), which the tests hold beside this table; it has the corners where
they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Node, Tensor
from engine.graph.reachability import ancestors, in_order
from engine.ops.base.tensors import Array
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome

Json = dict[str, Any]
At = Callable[[Sequence[Array]], bool]


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner of an op.

    title:  whose slope it is, and where, in both languages.
    slopes: by framework, as text; of two inputs, or of several elements, one after the other.
    at:     whether the op's inputs are there.
    fits:   whether a node of the op is meant.
    """

    name: str
    op: str
    title: tuple[str, str]
    slopes: Mapping[str, str]
    at: At
    fits: Callable[[Node], bool] = lambda node: True


def _slopes(tensorflow: str, torch: str, jax: str) -> Mapping[str, str]:
    return {"tensorflow": tensorflow, "torch": torch, "jax": jax}


def _at_zero(given: Sequence[Array]) -> bool:
    return bool((given[0] == 0).any())


def _both_zero(given: Sequence[Array]) -> bool:
    return bool(np.any((given[0] == 0) & (given[1] == 0)))


def _equal(given: Sequence[Array]) -> bool:
    return bool(np.any(given[0] == given[1]))


def _halfway(given: Sequence[Array]) -> bool:
    return True  # the slope is meant at every number


def _is_clip(op: str) -> Callable[[Node], bool]:
    """Whether a bound is applied to what another bound gives, as `clip_by_value` does."""
    return lambda node: any(tensor.node.op.name == op for tensor in node.inputs)


def _is_no_clip(op: str) -> Callable[[Node], bool]:
    return lambda node: not _is_clip(op)(node)


def _of_squares(node: Node) -> bool:
    """Whether a root is that of a sum of squares."""
    source = node.inputs[0].node
    if source.op.name != "Sum":
        return False
    squared = source.inputs[0].node
    return squared.op.name == "Square" or (squared.op.name == "Mul" and len(set(squared.inputs)) == 1)


def _of_mean_of_squares(node: Node) -> bool:
    """Whether a root is a standard deviation."""
    source = node.inputs[0].node
    return source.op.name == "Mean" and source.inputs[0].node.op.name in ("Square", "SquaredDifference")


def _has_root(node: Node) -> bool:
    return any(tensor.node.op.name == "Sqrt" for tensor in node.inputs[1:])


CORNERS: tuple[Corner, ...] = (
    Corner("abs", "Abs", ("the slope of |x| at 0", "|x| 在 0 处的斜率"), _slopes("0", "0", "1"), _at_zero),
    Corner(
        "leaky_relu",
        "LeakyRelu",
        ("the slope of `leaky_relu(x, 0.2)` at 0", "`leaky_relu(x, 0.2)` 在 0 处的斜率"),
        _slopes("0.2", "0.2", "1"),
        _at_zero,
    ),
    Corner(
        "maximum",
        "Maximum",
        ("the slopes of max(x, y) by x and y where x = y", "max(x, y) 在 x = y 处对 x 和 y 的斜率"),
        _slopes("1 and 0", "0.5 and 0.5", "0.5 and 0.5"),
        _equal,
        _is_no_clip("Minimum"),
    ),
    Corner(
        "minimum",
        "Minimum",
        ("the slopes of min(x, y) by x and y where x = y", "min(x, y) 在 x = y 处对 x 和 y 的斜率"),
        _slopes("1 and 0", "0.5 and 0.5", "0.5 and 0.5"),
        _equal,
        _is_no_clip("Maximum"),
    ),
    Corner(
        "norm",
        "Sqrt",
        (
            "the slopes of the norm of (0, 0): `tf.norm`, `torch.norm`, `jnp.linalg.norm`",
            "(0, 0) 的范数的斜率：`tf.norm`、`torch.norm`、`jnp.linalg.norm`",
        ),
        _slopes("NaN and NaN", "0 and 0", "NaN and NaN"),
        _at_zero,
        _of_squares,
    ),
    Corner(
        "pow_base",
        "Pow",
        ("the slopes of x^y by x and y at (0, 0)", "x^y 在 (0, 0) 处对 x 和 y 的斜率"),
        _slopes("NaN and 0", "0 and 0", "NaN and 0"),
        _both_zero,
    ),
    Corner(
        "clip_low",
        "Maximum",
        ("the slope of a clipped x at the lower bound", "裁剪后的 x 在下界处的斜率"),
        _slopes("1", "0", "0.5"),
        _equal,
        _is_clip("Minimum"),
    ),
    Corner(
        "clip_high",
        "Minimum",
        ("the slope of a clipped x at the upper bound", "裁剪后的 x 在上界处的斜率"),
        _slopes("1", "0", "0.5"),
        _equal,
        lambda node: False,  # the lower bound stands for both
    ),
    Corner(
        "atan2",
        "Atan2",
        ("the slopes of atan2(y, x) at (0, 0)", "atan2(y, x) 在 (0, 0) 处的斜率"),
        _slopes("NaN and NaN", "0 and 0", "NaN and NaN"),
        _both_zero,
    ),
    Corner(
        "std",
        "Sqrt",
        ("the slopes of the standard deviation of equal numbers", "一组相同数字的标准差的斜率"),
        _slopes("NaN and NaN", "0 and 0", "NaN and NaN"),
        _at_zero,
        _of_mean_of_squares,
    ),
    Corner(
        "floor", "Floor", ("the slope of floor(x)", "floor(x) 的斜率"), _slopes("None", "0", "0"), _halfway
    ),
    Corner(
        "round", "Round", ("the slope of round(x)", "round(x) 的斜率"), _slopes("None", "0", "0"), _halfway
    ),
    Corner(
        "where_sqrt",
        "Select",
        (
            "the slope of where(x > 0, √x, 0) at 0, by way of the branch that is not taken",
            "where(x > 0, √x, 0) 在 0 处的斜率（经过没有选中的那一支）",
        ),
        _slopes("0", "NaN", "NaN"),
        lambda given: bool((given[1] == 0).any()),
        _has_root,
    ),
)


def written(slopes: Sequence[Any]) -> str:
    """Recorded slopes as the table has them."""
    flat = [each for one in slopes for each in (one if isinstance(one, list) else [one])]
    return " and ".join(_number(one) for one in flat)


def _number(slope: Any) -> str:
    if slope is None:
        return "None"
    if isinstance(slope, str):
        return {"nan": "NaN", "inf": "∞", "-inf": "−∞"}[slope]
    return f"{abs(slope) if slope == 0 else slope:.4g}"


def corners_of(outcome: Outcome, values: Values, left: str, right: str) -> list[Json]:
    """The corners of a program's ops at which two frameworks differ."""
    if outcome.target is None:
        return []
    nodes = in_order(ancestors([outcome.target]))
    found = []
    for corner in CORNERS:
        meant = [node for node in nodes if node.op.name == corner.op and corner.fits(node)]
        sides = [corner.slopes.get(level) for level in (left, right)]
        if meant and sides[0] != sides[1] and None not in sides:
            here = any(_is_at(corner, node, values) for node in meant)
            title = {"en": corner.title[0], "zh": corner.title[1]}
            found.append({"op": corner.op, "title": title, "left": sides[0], "right": sides[1], "here": here})
    return found


def _is_at(corner: Corner, node: Node, values: Values) -> bool:
    given = [_value(tensor, values) for tensor in node.inputs]
    return all(one is not None for one in given) and corner.at([np.asarray(one) for one in given])


def _value(tensor: Tensor, values: Values) -> Array | None:
    return np.asarray(tensor.node.attrs["value"]) if tensor.node.op.name == "Const" else values.get(tensor)
