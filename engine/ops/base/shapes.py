"""Shape rules that many ops share, and what is known of a tensor's value before anything runs.

A shape is a tuple of lengths, with None for one that is not known; None alone means that not even
the rank is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.errors import GradlensError, ShapeError, ValueRefused, quoted
from engine.ops.base.tensors import Array, Node, Shape, Tensor, name_of

MAX_LENGTH = 2**31 - 1  # of one axis: shapes are int32
MOST_AXES = 64  # of a tensor, as of a numpy array
MAX_FOLDED_DEPTH = 50  # how many nodes deep a constant is followed
MAX_FOLDED_ELEMENTS = 4096  # and how large it may grow


def same(x: Shape) -> Shape:
    """Element by element: the output is shaped like the input."""
    return x


def scalar(*_: Shape) -> Shape:
    """One number."""
    return ()


def unknown_rank(*_: Shape) -> Shape:
    """Nothing is known of the shape."""
    return None


def broadcast(a: Shape, b: Shape) -> Shape:
    """Two shapes aligned at their last axes; a length of 1 is broadcast to the other's.

    Raises: ShapeError where two lengths differ and neither is 1.
    """
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    long_a: tuple[int | None, ...] = (1,) * (rank - len(a)) + a
    long_b: tuple[int | None, ...] = (1,) * (rank - len(b)) + b
    return tuple(_broadcast_length(m, n, a, b) for m, n in zip(long_a, long_b, strict=True))


def _broadcast_length(m: int | None, n: int | None, a: Shape, b: Shape) -> int | None:
    if m == 1:
        return n
    if n == 1 or m == n:
        return m
    if m is None:
        return n
    if n is None:
        return m
    raise ShapeError(
        f"The shapes {written(a)} and {written(b)} do not fit together: {m} is not {n}.",
        hint="Aligned at their last axes, two lengths must be equal, or one of them 1.",
        message_zh=f"形状 {written(a)} 与 {written(b)} 不匹配：{m} 不等于 {n}。",
        hint_zh="从最后一个轴对齐后，两个长度必须相等，或者其中一个为 1。",
    )


def is_shape(value: Any) -> bool:
    """Whether a value is a shape: None, or a tuple of lengths, each None or at most MAX_LENGTH."""
    return value is None or (isinstance(value, tuple) and all(map(_is_length, value)))


def _is_length(value: Any) -> bool:
    if value is None:
        return True
    return (
        isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= int(value) <= MAX_LENGTH
    )


def merge(a: Shape, b: Shape) -> Shape:
    """One shape that both describe. Raises: ShapeError where they contradict each other."""
    if a is None or b is None:
        return b if a is None else a
    if len(a) != len(b) or any(m != n for m, n in zip(a, b, strict=True) if None not in (m, n)):
        raise ShapeError(
            f"The shapes {written(a)} and {written(b)} must be equal.",
            message_zh=f"形状 {written(a)} 与 {written(b)} 必须相同。",
        )
    return tuple(n if m is None else m for m, n in zip(a, b, strict=True))


def written(shape: Shape) -> str:
    """A shape as a person reads it: `(4, ?)`."""
    if shape is None:
        return "(unknown)"
    inner = ", ".join("?" if n is None else str(n) for n in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def axes_of(axes: Array) -> tuple[int, ...]:
    """What a kernel is given as axes, one number or several, as numpy takes them.

    Raises: ShapeError for more than a tensor can have.
    """
    if np.size(axes) > MOST_AXES:
        raise too_many_axes(np.size(axes))
    return tuple(map(int, np.asarray(axes).ravel().tolist()))


def too_many_axes(given: int) -> ShapeError:
    """The error for more axes, or lengths of them, than a tensor can have."""
    return ShapeError(
        f"{given:,} axes are given; a tensor has at most {MOST_AXES}.",
        message_zh=f"给出了 {given:,} 个轴；张量最多有 {MOST_AXES} 个轴。",
    )


def axis_within(axis: int, x: tuple[int | None, ...]) -> int:
    """An axis of the shape x, which may count from the end, counted from 0. Raises: ShapeError."""
    if not -len(x) <= axis < len(x):
        raise ShapeError(
            f"There is no axis {axis} in a tensor of shape {written(x)}.",
            hint=f"Axes count from 0 to {len(x) - 1}, or from -1 backwards."
            if x
            else "A scalar has no axes; leave `axis` out.",
            message_zh=f"形状为 {written(x)} 的张量没有轴 {axis}。",
            hint_zh=f"轴从 0 数到 {len(x) - 1}，或从 -1 倒数。" if x else "标量没有轴；请省略 `axis`。",
            code="no_such_axis",
        )
    return axis % len(x)


MOST_EXACT = 2**53  # below it every whole number is one of float64


def whole_numbers(value: Any, what: str) -> Array:
    """A whole number or a list of them as int64, for the argument `what`; raises ValueRefused."""
    if type(value) in (list, tuple) and all(type(one) is int and abs(one) < MOST_EXACT for one in value):
        return np.array(value, dtype=np.int64)
    try:
        numbers = np.asarray(value, dtype=np.float64)
        fits = bool(np.all(numbers == np.floor(numbers)) and np.all(np.abs(numbers) < MOST_EXACT))
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueRefused(
            f"`{what}` takes whole numbers, not {quoted(value)}.",
            message_zh=f"`{what}` 需要整数，不能是 {quoted(value)}。",
        )
    return numbers.astype(np.int64)


def whole_number(value: Any, what: str) -> int:
    """One whole number, for the argument `what`; raises ValueRefused."""
    numbers = whole_numbers(value, what)
    if numbers.size != 1:
        raise ValueRefused(
            f"`{what}` takes one whole number, not {quoted(value)}.",
            message_zh=f"`{what}` 需要一个整数，不能是 {quoted(value)}。",
        )
    return int(numbers.item())


def real_number(value: Any, what: str) -> float:
    """One number, for the argument `what`; raises ValueRefused."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueRefused(
            f"`{what}` takes one number, not {quoted(value)}.",
            message_zh=f"`{what}` 需要一个数字，不能是 {quoted(value)}。",
        ) from None


def written_lengths(given: Any) -> Shape:
    """A shape as a program writes it: a number for one axis, None for any length or, alone, any shape.

    Raises: ValueRefused for what is no whole number; ShapeError for a length that no tensor can have.
    """
    if given is None:
        return None
    lengths = given if isinstance(given, (list, tuple)) else np.atleast_1d(given).tolist()
    found = tuple([n if n is None or type(n) is int else whole_number(n, "shape") for n in lengths])
    if any(n is not None and not 0 <= n <= MAX_LENGTH for n in found):
        raise ShapeError(
            f"A length is at least 0 and at most {MAX_LENGTH}, but this shape is {written(found)}.",
            message_zh=f"长度至少为 0，至多为 {MAX_LENGTH}，而这个形状是 {written(found)}。",
        )
    return found


def known_lengths(given: Any) -> tuple[int, ...]:
    """The same where every length has to be known; raises ShapeError where one is not."""
    lengths = written_lengths(given)
    if lengths is None or None in lengths:
        raise ShapeError(
            f"Every length of the shape has to be known here, but it is {written(lengths)}.",
            hint="None stands for “any length” in placeholders only.",
            message_zh=f"这里形状的每个长度都必须已知，但它是 {written(lengths)}。",
            hint_zh="只有占位符的形状里才能用 None 表示“任意长度”。",
        )
    return lengths  # type: ignore[return-value]  # no length is None here


def is_static(*shapes: Shape) -> bool:
    """Whether every length of every shape is known: neither a rank nor a length is None."""
    return all(shape is not None and None not in shape for shape in shapes)


def element_count(shape: Shape) -> int | None:
    """How many elements a shape has: the product of its lengths, 1 for (); None where a length is unknown."""
    if shape is None or None in shape:
        return None
    return math.prod(shape)  # type: ignore[arg-type]  # no length is None here; a long product stays exact


def constant_value(tensor: Tensor) -> Array | None:
    """The value of a tensor that depends on constants only. Nothing stateful is folded.

    Returns: an array shaped like the tensor; None where it depends on more, or is too deep or too large.
    """
    return _constant(tensor, MAX_FOLDED_DEPTH, {})


Known = dict[tuple[int, int], Array | None]  # by identity and depth


def _constant(tensor: Tensor, depth: int, known: Known) -> Array | None:
    """The same as far as so many inputs back; each tensor is looked at once from each depth."""
    key = id(tensor), depth
    if key not in known:
        known[key] = _worked_out(tensor, depth, known)
    return known[key]


def _worked_out(tensor: Tensor, depth: int, known: Known) -> Array | None:
    node = tensor.node
    if node.op.name == "Const":
        value: Array = node.attrs["value"]
        return value
    if node.op.name in ("Shape", "Size", "Rank"):
        found = _of_shape(node.op.name, node.inputs[0].shape, tensor.dtype)
        if found is not None or (node.op.name == "Shape" and depth == MAX_FOLDED_DEPTH):
            return found  # how a shape would come out is followed only on the way to something else
    if depth == 0 or node.op.stateful or node.op.writes or not node.inputs:
        return None
    arguments = []
    for source in node.inputs:
        value_of_source = _constant(source, depth - 1, known)
        if value_of_source is None or value_of_source.size > MAX_FOLDED_ELEMENTS:
            return None
        arguments.append(value_of_source)
    return _folded(node, arguments, tensor)


def _of_shape(op_name: str, shape: Shape, dtype: str) -> Array | None:
    """What follows from a static shape alone."""
    if shape is None or (op_name != "Rank" and None in shape):
        return None
    facts = {"Shape": shape, "Size": element_count(shape), "Rank": len(shape)}
    return np.asarray(facts[op_name], dtype=dtype)


def stand_in(value: Any) -> Any:
    """A stand-in for a Const tensor that holds a value: all that shape rules look at."""
    array = np.asarray(value)
    node = SimpleNamespace(op=SimpleNamespace(name="Const"), attrs={"value": array}, inputs=())
    return SimpleNamespace(node=node, index=0, shape=array.shape, dtype=name_of(array.dtype))


def _folded(node: Any, arguments: Sequence[Any], tensor: Tensor) -> Array | None:
    count = element_count(tensor.shape)
    if count is not None and count > MAX_FOLDED_ELEMENTS:
        return None
    parameters = node.op.parameters(node.attrs)
    try:
        shapes = node.op.infer_shapes([stand_in(value) for value in arguments], node.attrs)
        made = shapes if isinstance(shapes, list) else [shapes]
        if any((element_count(shape) or 0) > MAX_FOLDED_ELEMENTS for shape in made):
            return None
        with np.errstate(all="ignore"):
            result = node.op.kernel(*arguments, **parameters)
    except (GradlensError, ValueError, IndexError, TypeError, ArithmeticError):
        return None  # the node itself says so when it runs
    results = result if isinstance(result, (list, tuple)) else [result]
    return np.asarray(results[tensor.index], dtype=tensor.dtype)


LITERAL = frozenset(
    {"Const", "Shape", "Size", "Rank", "Range", "Cast", "ConcatV2", "Pack", "Fill", "Equal", "NotEqual"}
)


def literal_value(tensor: Tensor) -> Array | None:
    """As constant_value, but only through the few ops that TensorFlow's Python layer looks through.

    Gradient rules decide by it which nodes they add, so it must not see more than TensorFlow does.
    """
    pending = [tensor.node]
    while pending:
        node = pending.pop()
        if node.op.name not in LITERAL:
            return None
        if node.op.name not in ("Shape", "Size", "Rank"):
            pending.extend(source.node for source in node.inputs)
    return constant_value(tensor)


def constant_length(tensor: Tensor) -> int | None:
    """The length that an integer tensor without axes stands for, where it is known."""
    value = constant_value(tensor)
    return None if value is None else int(value)


def constant_shape(tensor: Tensor) -> Shape:
    """The shape that a one-dimensional integer tensor stands for, as far as it is known; -1 is unknown.

    Raises: ShapeError where it has more lengths than a tensor can have axes.
    """
    if tensor.shape is not None and len(tensor.shape) == 1 and (tensor.shape[0] or 0) > MOST_AXES:
        raise too_many_axes(tensor.shape[0] or 0)
    found = _partial_shape(tensor)
    if found is None and tensor.shape is not None and len(tensor.shape) == 1 and tensor.shape[0] is not None:
        return (None,) * tensor.shape[0]
    return found


def _partial_shape(tensor: Tensor) -> Shape:
    """Followed through the few ops that may know it in part; None where it is not known."""
    value = constant_value(tensor)
    if value is not None:
        return tuple(None if n < 0 else int(n) for n in np.atleast_1d(value))
    node = tensor.node
    if node.op.name in ("Shape", "ShapeN"):
        source: Shape = node.inputs[tensor.index].shape
        return source
    if node.op.name == "Cast":
        return _partial_shape(node.inputs[0])
    if node.op.name == "Pack":
        return tuple(_length(part) for part in node.inputs)
    if node.op.name == "StridedSlice":
        return _sliced_shape(node)
    if node.op.name == "ConcatV2":
        parts = [constant_shape(part) for part in node.inputs[:-1]]
        return None if None in parts else tuple(n for part in parts if part is not None for n in part)
    return None


def _sliced_shape(node: Node) -> Shape:
    """Part of a partly known shape, where it is taken by a plain slice."""
    whole, bounds = _partial_shape(node.inputs[0]), [constant_value(part) for part in node.inputs[1:]]
    masks = ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    if whole is None or any(bound is None for bound in bounds) or any(node.attrs[mask] for mask in masks):
        return None
    begin, end, step = (int(bound[0]) for bound in bounds if bound is not None)
    start = None if node.attrs["begin_mask"] & 1 else begin
    return whole[start : None if node.attrs["end_mask"] & 1 else end : step]


def _length(tensor: Tensor) -> int | None:
    value = constant_value(tensor)
    if value is None or int(value) < 0:
        return None
    return int(value)
