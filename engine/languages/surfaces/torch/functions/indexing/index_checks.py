"""What functions that take and put by places refuse of their indices, in PyTorch's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.surfaces.torch.errors import torch_error


def check_index_type(index: Any, name: str) -> None:
    """Raises: RuntimeError's message of PyTorch where places are no whole numbers."""
    if index.dtype.name not in ("int64", "int32"):
        raise torch_error(
            f"{name}(): Expected dtype int32/int64 for index", f"{name}() 的 index 必须是整数。"
        )


def check_within(index: Any, length: int, axis: int) -> None:
    """Raises: RuntimeError's message of PyTorch where a place lies beyond its axis."""
    array = index.array
    wrong = array[(array < 0) | (array >= length)]
    if wrong.size:
        raise torch_error(
            f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {length}",
            f"下标 {wrong.flat[0]} 超出了第 {axis} 维的长度 {length}。",
            code="index_out_of_range",
        )


def check_rank(index: Any, other: Any, what: str) -> None:
    """Raises: RuntimeError's message of PyTorch where an index has other axes than the tensor."""
    if max(index.form.ndim, 1) != max(other.form.ndim, 1):
        raise torch_error(
            f"Index tensor must have the same number of dimensions as {what} tensor",
            "index 的维数必须与张量相同。",
            code="shape_mismatch",
        )


def check_taken(index: Any, input: Any, axis: int) -> None:
    """Raises: RuntimeError's message of PyTorch where `gather` would read beside the tensor.

    Shapes: index no longer than input, apart from the axis.
    """
    check_rank(index, input, "input")
    for place, (length, most) in enumerate(zip(index.shape, input.shape, strict=False)):
        if place != axis and length > most:
            raise torch_error(
                f"Size does not match at dimension {place} expected index {list(index.shape)} to be no "
                f"larger than self {list(input.shape)} apart from dimension {axis}",
                f"index 的形状 {list(index.shape)} 在第 {place} 维超出了张量的形状 {list(input.shape)}。",
                code="shape_mismatch",
            )


def check_put(index: Any, input: Any, src: Any, axis: int) -> None:
    """Raises: RuntimeError's messages of PyTorch where `scatter` would write beside the tensor.

    src: what is written, None for a number. Shapes: index no longer than input (apart from the axis) and src.
    """
    if not index.form.size:
        return
    check_rank(index, input, "self")
    if src is not None:
        check_rank(index, src, "src")
    sizes = list(zip(index.shape, input.shape, strict=False))
    fits = all(place == axis or length <= most for place, (length, most) in enumerate(sizes))
    fits &= src is None or _is_no_larger(index.shape, src.shape)
    if not fits:
        of_src = "" if src is None else f" and to be no larger size than src {list(src.shape)}"
        raise torch_error(
            f"Expected index {list(index.shape)} to be no larger than self {list(input.shape)} apart from "
            f"dimension {axis}{of_src}",
            f"index 的形状 {list(index.shape)} 超出了张量或 src 的形状。",
            code="shape_mismatch",
        )


def check_source_type(function: str, input: Any, src: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where what is written is of another type."""
    if src.dtype is not input.dtype:
        raise torch_error(
            f"{function}(): Expected self.dtype to be equal to src.dtype",
            f"{function}() 的 src 必须与张量同类型，而不是 {src.dtype.name}。",
            code="dtype_mismatch",
        )


def check_parts(function: str, index: Any, input: Any, source: Any, axis: int) -> None:
    """Raises: the messages of PyTorch where there is not one part of a source for each place of an axis."""
    name, kind, tail = (
        ("index_add_", "RuntimeError", f": ({_length(source, axis)}), for dim: {axis}")
        if function == "index_add"
        else ("index_copy_", "IndexError", f" ({_length(source, axis)})")
    )
    if index.form.ndim > 1:
        raise torch_error(
            f"{name}(): Index should have dimension 1 or 0 (got {index.form.ndim})",
            "index 必须是一维的。",
            kind="IndexError",
        )
    count = index.form.size
    if count != _length(source, axis):
        raise torch_error(
            f"{name}(): Number of indices ({count}) should be equal to source.size(dim){tail}",
            f"有 {count} 个下标，而 source 在第 {axis} 维的长度是 {_length(source, axis)}。",
            kind=kind,
            code="shape_mismatch",
        )
    others = [[n for place, n in enumerate(one.shape) if place != axis] for one in (input, source)]
    if others[0] != others[1] and function == "index_add":
        raise torch_error(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
            f"self.shape = {list(input.shape)} source.shape = {list(source.shape)}",
            f"source 的形状 {list(source.shape)} 除第 {axis} 维外必须与 {list(input.shape)} 相同。",
            code="shape_mismatch",
        )


def _length(tensor: Any, axis: int) -> int:
    return tensor.shape[axis] if axis < tensor.form.ndim else 1


def _is_no_larger(a: Sequence[int], b: Sequence[int]) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=False))
