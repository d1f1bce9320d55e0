"""What TensorFlow 1 says when an operation of a session's run does not fit its inputs, in frequent ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Node
from engine.languages.interpreter.classes.builtin_exceptions import SAID_IN_RUNS
from engine.ops.control_flow.printing import summary

Rule = Callable[[Node, Sequence[Any]], str | None]


def said(error: GradlensError, node: Node, values: Sequence[Any]) -> str | None:
    """The message, where it is one of these; None for any other.

    values: what went into the node.
    """
    if error.code == "division_by_zero":
        return "Integer division by zero"
    if any(value is None for value in values):
        return None
    rule = RULES.get(node.op.name)
    if rule is not None:
        return rule(node, values)
    if error.code == "shape_mismatch" and len(values) == 2:
        return f"Incompatible shapes: {_shape(values[0])} vs. {_shape(values[1])}"
    return None


SAID_IN_RUNS.append(said)


def _shape(value: Any) -> str:
    return _lengths(np.shape(value))


def _lengths(shape: Sequence[Any]) -> str:
    return f"[{','.join(map(str, shape))}]"


def _product(node: Node, values: Sequence[Any]) -> str | None:
    a, b = values
    if min(np.ndim(a), np.ndim(b)) < 2:
        place = 0 if np.ndim(a) < 2 else 1
        return f"In[{place}] ndims must be >= 2: {np.ndim(values[place])}"
    if node.op.name == "MatMul":
        return f"Matrix size-incompatible: In[0]: {_shape(a)}, In[1]: {_shape(b)}"
    if np.ndim(a) != np.ndim(b):
        return f"In[0] and In[1] has different ndims: {_shape(a)} vs. {_shape(b)}"
    flags = [bool(node.attrs.get(name)) for name in ("adj_x", "adj_y")]
    inner = np.shape(a)[-2 if flags[0] else -1], np.shape(b)[-1 if flags[1] else -2]
    if inner[0] == inner[1]:
        return None
    return (
        f"In[0] mismatch In[1] shape: {inner[0]} vs. {inner[1]}: {_shape(a)} {_shape(b)} "
        f"{int(flags[0])} {int(flags[1])}"
    )


def _reshaped(node: Node, values: Sequence[Any]) -> str | None:
    lengths = [int(n) for n in np.ravel(values[1])]
    open_ones = [place for place, length in enumerate(lengths) if length == -1]
    if len(open_ones) > 1:
        return f"Only one input size may be -1, not both {open_ones[0]} and {open_ones[1]}"
    count, asked = np.size(values[0]), prod(n for n in lengths if n != -1)
    wanted = f"requires a multiple of {asked}" if open_ones else f"has {asked}"
    return f"Input to reshape is a tensor with {count} values, but the requested shape {wanted}"


def _not_among(indices: Any, count: int) -> str | None:
    """The first index that lies outside, by its place."""
    found = np.argwhere((np.asarray(indices) < 0) | (np.asarray(indices) >= count))
    if not len(found):
        return None
    place = _lengths(found[0]) if np.ndim(indices) else ""
    return f"indices{place} = {int(np.asarray(indices)[tuple(found[0])])} is not in [0, {count})"


def _gathered(node: Node, values: Sequence[Any]) -> str | None:
    axis = int(values[2]) if len(values) > 2 else 0
    return _not_among(values[1], np.shape(values[0])[axis])


def _rows_written(node: Node, values: Sequence[Any]) -> str | None:
    return _not_among(values[1], len(values[0]))


def _by_positions(word: str) -> Rule:
    def rule(node: Node, values: Sequence[Any]) -> str | None:
        shape, indices = np.shape(values[0]), np.asarray(values[1])
        rows = indices.reshape(-1, indices.shape[-1])
        outside = [any(not 0 <= n < length for n, length in zip(row, shape, strict=False)) for row in rows]
        if True not in outside:
            return None
        row = outside.index(True)
        shown = ", ".join(str(n) for n in np.unravel_index(row, indices.shape[:-1]))
        where = f"[{shown}]" if indices.ndim > 1 else ""
        return f"indices{where} = {_lengths(rows[row])} does not index into {word}{_lengths(shape)}"

    return rule


def _joined(node: Node, values: Sequence[Any]) -> str | None:
    *parts, _ = values
    first = np.shape(parts[0])
    for place, part in enumerate(parts):
        if np.ndim(part) != len(first):
            what = "Ranks of all input tensors"
        elif np.shape(part) != first:
            what = "Dimensions of inputs"
        else:
            continue
        shapes = f"shape[0] = {_lengths(first)} vs. shape[{place}] = {_shape(part)}"
        return f"ConcatOp : {what} should match: {shapes}"
    return None


def _stacked(node: Node, values: Sequence[Any]) -> str | None:
    first = np.shape(values[0])
    for place, part in enumerate(values):
        if np.shape(part) != first:
            return (
                f"Shapes of all inputs must match: values[0].shape = {_lengths(first)} != "
                f"values[{place}].shape = {_shape(part)}"
            )
    return None


def _sparse_labels(node: Node, values: Sequence[Any]) -> str | None:
    logits, labels = values
    if len(logits) != len(labels):
        return (
            "logits and labels must have the same first dimension, got logits shape "
            f"{_shape(logits)} and labels shape {_shape(labels)}"
        )
    count = np.shape(logits)[-1]
    outside = next((label for label in labels if not 0 <= label < count), None)
    if outside is None:
        return None
    every = " ".join(str(label) for label in labels)
    return (
        f"Received a label value of {outside} which is outside the valid range of [0, {count}).  "
        f"Label values: {every}"
    )


def _dense_labels(node: Node, values: Sequence[Any]) -> str:
    logits, labels = values
    return (
        f"logits and labels must be broadcastable: logits_size={_shape(logits)} labels_size={_shape(labels)}"
    )


def _biased(node: Node, values: Sequence[Any]) -> str:
    value, bias = values
    return (
        "Must provide as many biases as the last dimension of the input tensor: "
        f"{_shape(bias)} vs. {_shape(value)}"
    )


def _sliced(node: Node, values: Sequence[Any]) -> str | None:
    value, begins, sizes = values
    for place, (length, begin, size) in enumerate(zip(np.shape(value), begins, sizes, strict=False)):
        if not 0 <= begin <= length:
            return f"Expected begin[{place}] in [0, {length}], but got {begin}"
        if not -1 <= size <= length - begin:
            return f"Expected size[{place}] in [0, {length - begin}], but got {size}"
    return None


def _indexed(node: Node, values: Sequence[Any]) -> str | None:
    value, begins = values[:2]
    shrunk = int(node.attrs.get("shrink_axis_mask", 0))
    for place, (length, begin) in enumerate(zip(np.shape(value), begins, strict=False)):
        if shrunk >> place & 1 and not -length <= begin < length:
            return f"slice index {begin} of dimension {place} out of bounds."
    return None


def _split(node: Node, values: Sequence[Any]) -> str:
    axis, value = int(values[0]), values[1]
    return (
        "Number of ways to split should evenly divide the split dimension, but got split_dim "
        f"{axis} (size = {np.shape(value)[axis]}) and num_split {len(node.outputs)}"
    )


def _tiled(node: Node, values: Sequence[Any]) -> str | None:
    rank, given = np.ndim(values[0]), np.size(values[1])
    if rank == given:
        return None
    return f"Expected multiples argument to be a vector of length {rank} but got length {given}"


def _transposed(node: Node, values: Sequence[Any]) -> str | None:
    rank, given = np.ndim(values[0]), np.size(values[1])
    if rank == given:
        return None
    return f"transpose expects a vector of size {rank}. But input(1) is a vector of size {given}"


def _alike(first: int) -> Rule:
    """Operations whose inputs, from a place on, have one shape."""

    def rule(node: Node, values: Sequence[Any]) -> str | None:
        shape = np.shape(values[first])
        for place in range(first + 1, len(values)):
            if np.shape(values[place]) != shape:
                begin = 0 if node.op.name == "AddN" else 1
                shapes = f"{_lengths(shape)} != input {place}: {_shape(values[place])}"
                return (
                    f"Inputs to operation {node.name} of type {node.op.name} must have the same size and "
                    f"shape.  Input {first - begin}: {shapes}"
                )
        return None

    return rule


def _assigned(node: Node, values: Sequence[Any]) -> str:
    shapes = f"lhs shape= {_lengths(node.inputs[0].shape or ())} rhs shape= {_shape(values[1])}"
    return f"Assign requires shapes of both tensors to match. {shapes}"


def _squeezed(node: Node, values: Sequence[Any]) -> str | None:
    shape = np.shape(values[0])
    for axis in node.attrs.get("squeeze_dims", ()):
        if not -len(shape) <= axis < len(shape):
            return f"Tried to squeeze dim index {axis} for tensor with {len(shape)} dimensions."
        if shape[axis] != 1:
            return f"Can not squeeze dim[{axis}], expected a dimension of 1, got {shape[axis]}"
    return None


def _expanded(node: Node, values: Sequence[Any]) -> str:
    return f"Tried to expand dim index {int(values[1])} for tensor with {np.ndim(values[0])} dimensions."


def _reduced(node: Node, values: Sequence[Any]) -> str | None:
    rank = np.ndim(values[0])
    axis = next((int(n) for n in np.ravel(values[1]) if not -rank <= n < rank), None)
    return None if axis is None else f"Invalid reduction dimension ({axis} for input with {rank} dimension(s)"


def _largest(node: Node, values: Sequence[Any]) -> str:
    rank = np.ndim(values[0])
    return f"Expected dimension in the range [{-rank}, {rank}), but got {int(values[1])}"


def _top(node: Node, values: Sequence[Any]) -> str:
    count, wanted = np.shape(values[0])[-1], int(values[1])
    return f"input must have at least k columns. Had {count}, needed {wanted}"


def _convolved(node: Node, values: Sequence[Any]) -> str | None:
    images, kernel = map(np.shape, values)
    if len(images) != 4 or images[-1] % kernel[2] == 0:
        return None
    return f"input depth must be evenly divisible by filter depth: {images[-1]} vs {kernel[2]}"


def _padded(node: Node, values: Sequence[Any]) -> str | None:
    if len(values[1]) == np.ndim(values[0]):
        return None
    return (
        f"The first dimension of paddings must be the rank of inputs{_shape(values[1])} {_shape(values[0])}"
    )


def _filled(node: Node, values: Sequence[Any]) -> str | None:
    negative = next((int(n) for n in values[0] if n < 0), None)
    return None if negative is None else f"Dimension {negative} must be >= 0"


def _counted(node: Node, values: Sequence[Any]) -> str | None:
    start, limit, delta = values
    if delta == 0:
        return "Requires delta != 0: 0"
    sign, word = ("<=", "> 0") if delta > 0 else (">=", "< 0")
    return f"Requires start {sign} limit when delta {word}: {start}/{limit}"


def _inverted(node: Node, values: Sequence[Any]) -> str:
    matrix = np.shape(values[0])
    is_square = len(matrix) > 1 and matrix[-1] == matrix[-2]
    return "Input is not invertible." if is_square else "Input matrix must be square."


def _asserted(node: Node, values: Sequence[Any]) -> str:
    shown = (summary(np.asarray(value), int(node.attrs.get("summarize", 3))) for value in values[1:])
    return f"assertion failed: {' '.join(shown)}"


def _reversed(node: Node, values: Sequence[Any]) -> str | None:
    rank = np.ndim(values[0])
    for place, axis in enumerate(np.ravel(values[1])):
        if not -rank <= axis < rank:
            return f"'axis'[{place}] = {axis} is out of valid range [0, {rank - 1}"
    return None


def _in_segments(node: Node, values: Sequence[Any]) -> str | None:
    ids = np.asarray(values[1])
    if len(values[0]) != len(ids):
        return "segment_ids should be the same size as dimension 0 of input."
    return "segment ids are not increasing" if np.any(np.diff(ids) < 0) else None


REDUCTIONS = ("All", "Any", "Max", "Mean", "Min", "Prod", "Sum")
RULES: Mapping[str, Rule] = {
    "AddN": _alike(0),
    "ArgMax": _largest,
    "ArgMin": _largest,
    "Assert": _asserted,
    "Assign": _assigned,
    "AssignAdd": lambda node, values: "Parameters and update must be the same size",
    "AssignSub": lambda node, values: "Parameters and update must be the same size",
    "BatchMatMul": _product,
    "BatchMatMulV2": _product,
    "BiasAdd": _biased,
    "Cholesky": lambda node, values: (
        "Cholesky decomposition was not successful. The input might not be valid."
    ),
    "ConcatV2": _joined,
    "Conv2D": _convolved,
    "ExpandDims": _expanded,
    "Fill": _filled,
    "GatherNd": _by_positions("param shape "),
    "GatherV2": _gathered,
    "MatMul": _product,
    "MatrixInverse": _inverted,
    "MatrixSolve": lambda node, values: "Input matrix is not invertible.",
    "OneHot": lambda node, values: f"depth must be non-negative, got: {int(values[1])}",
    "Pack": _stacked,
    "Pad": _padded,
    "Range": _counted,
    "Reshape": _reshaped,
    "ReverseV2": _reversed,
    "Select": _alike(1),
    "Slice": _sliced,
    "SoftmaxCrossEntropyWithLogits": _dense_labels,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_labels,
    "Split": _split,
    "Squeeze": _squeezed,
    "StridedSlice": _indexed,
    "Tile": _tiled,
    "TopKV2": _top,
    "Transpose": _transposed,
    **dict.fromkeys(REDUCTIONS, _reduced),
    **dict.fromkeys(("SegmentSum", "SegmentMean", "SegmentMax", "SegmentMin"), _in_segments),
    **dict.fromkeys(
        (f"Scatter{word}" for word in ("Update", "Add", "Sub", "Mul", "Div", "Max", "Min")), _rows_written
    ),
    **dict.fromkeys((f"ScatterNd{word}" for word in ("Update", "Add", "Sub")), _by_positions("shape ")),
}
