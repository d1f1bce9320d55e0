"""Covariances, counts, different elements, extremes so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.autograd.examples import check_fixed_shape
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL, DTYPES
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing.taking import _into_zeros
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.operands import as_floats, axis_of, has_nan, plain
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.reductions import mean
from engine.languages.surfaces.torch.functions.shaping import squeeze, t, to
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers


@torch_function("cov", method=True)
def cov(input: Any, *, correction: Any = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariances of variables, one a row.

    fweights: how often each observation came; aweights: how much it counts.
    """
    rows = as_floats(_as_rows(input))
    count: Any = rows.shape[1]
    weights = _product([one for one in (fweights, aweights) if one is not None])
    if weights is None:
        middle, weighted = mean(rows, 1, True), None
    else:
        count = OPERATORS["sum"](weights)
        middle = OPERATORS["sum"](rows * weights, 1, True) / count
        if aweights is not None:
            count = count - int(plain(correction)) * OPERATORS["sum"](weights * aweights) / count
    centred = rows - middle
    weighted = centred if weights is None else centred * weights
    freedom = count if aweights is not None else count - int(plain(correction))
    return squeeze(matmul(weighted, t(centred)) / max(plain(freedom), 0))


def _as_rows(input: Any) -> Any:
    if input.array.ndim > 2:
        raise torch_error(
            "cov(): expected input to have two or fewer dimensions but got an input with "
            f"{input.array.ndim} dimensions",
            f"cov() 的张量至多二维，但它有 {input.array.ndim} 维。",
        )
    return input if input.array.ndim == 2 else OPERATORS["reshape"](input, (1, -1))


def _product(weights: Any) -> Any:
    return None if not weights else weights[0] if len(weights) == 1 else weights[0] * weights[1]


@torch_function("corrcoef", method=True)
def corrcoef(input: Any) -> Any:
    """The correlations of variables, one a row."""
    found = cov(input)
    if found.array.ndim == 0:
        return found / found
    spread = OPERATORS["sqrt"](OPERATORS["diag"](found))
    return OPERATORS["clamp"](found / OPERATORS["unsqueeze"](spread, 1) / spread, -1, 1)


@torch_function("unique", method=True)
def unique(
    input: Any, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """The different elements in order, perhaps with where each stands and how often it comes."""
    check_fixed_shape(input, "_unique2")
    if not isinstance(sorted, bool):
        raise torch_error(
            f"_unique2(): argument 'sorted' must be bool, not {python_name(sorted)}",
            f"unique() 的第二个参数 sorted 必须是 True 或 False，不能是 {python_name(sorted)}。",
            kind="TypeError",
            hint="Name the axis: torch.unique(x, dim=0).",
            hint_zh="请写出轴的名字：torch.unique(x, dim=0)。",
        )
    found = np.unique(input.array, return_inverse=True, return_counts=True, axis=dim, equal_nan=False)
    values, inverse, counts = found
    parts = [of_numbers(values)]
    if return_inverse:
        shape = input.array.shape if dim is None else (input.shape[dim],)
        parts.append(of_numbers(np.asarray(inverse).reshape(shape)))
    if return_counts:
        parts.append(of_numbers(counts))
    return tuple(parts) if len(parts) > 1 else parts[0]


@torch_function("unique_consecutive", method=True)
def unique_consecutive(
    input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """The elements, or the parts along an axis, without those that equal the one before."""
    axis = 0 if dim is None else axis_of(dim, input.array.ndim)
    parts = np.moveaxis(input.array, axis, 0) if dim is not None else input.array.reshape(-1)
    count = len(parts)
    begins = np.ones(count, dtype=bool)
    if count:
        begins[1:] = np.any((parts[1:] != parts[:-1]).reshape(count - 1, -1), axis=1)
    found = [of_numbers(np.array(np.moveaxis(parts[begins], 0, axis)))]
    if return_inverse:
        shape = input.array.shape if dim is None else (count,)
        found.append(of_numbers((np.cumsum(begins) - 1).reshape(shape)))
    if return_counts:
        found.append(of_numbers(np.diff([*np.flatnonzero(begins), count])))
    return tuple(found) if len(found) > 1 else found[0]


@torch_function("isin")
def isin(elements: Any, test_elements: Any, *, assume_unique: Any = False, invert: Any = False) -> Any:
    """Which elements are among others; with `invert` which are not."""
    if not isinstance(elements, Tensor) and not isinstance(test_elements, Tensor):
        raise TypeError
    sought, among = (
        one.array if isinstance(one, Tensor) else np.asarray(one) for one in (elements, test_elements)
    )
    return of_numbers(np.asarray(np.isin(sought, among, invert=bool(invert))))


@torch_function("histc", method=True)
def histc(input: Any, bins: Any = 100, min: Any = 0, max: Any = 0) -> Any:
    """How many elements fall into each of so many equal stretches."""
    if not input.dtype.is_floating:
        raise torch_error(
            f"\"histogram_cpu\" not implemented for '{input.dtype.scalar_name}'",
            "histc 需要浮点张量。",
            kind="NotImplementedError",
        )
    if int(bins) <= 0:
        raise torch_error(
            f"torch.histogram(): bins must be > 0, but got {int(bins)} for dimension 0", "bins 必须大于 0。"
        )
    if plain(min) > plain(max):
        raise torch_error("torch.histc: max must be larger than min", "max 必须大于 min。")
    array = input.array
    bounds = (array.min(), array.max()) if min == max == 0 else (plain(min), plain(max))
    state().graph.meter.check_elements((int(bins),))
    counts, _ = np.histogram(array, bins=int(bins), range=bounds)
    return of_numbers(counts.astype(input.dtype.held_as))


@torch_function("searchsorted")
def searchsorted(
    sorted_sequence: Any,
    input: Any,
    *,
    out_int32: Any = False,
    right: Any = False,
    side: Any = None,
    sorter: Any = None,
) -> Any:
    """Where each value would stand in a row that is in order, or in its own of several rows.

    sorter: the places of the elements in order, where the rows themselves are not.
    """
    if side is not None and (side not in ("left", "right") or (right and side == "left")):
        raise torch_error(*_wrong_side(side))
    rows = sorted_sequence if sorter is None else OPERATORS["gather"](sorted_sequence, -1, sorter)
    values = input.array if isinstance(input, Tensor) else np.asarray(input)
    if rows.array.ndim != 1 and rows.shape[:-1] != values.shape[:-1]:
        raise torch_error(*_other_rows(rows, values))
    found = _stretches(rows.array, values, "right" if right or side == "right" else "left")
    return of_numbers(found.astype(np.int32 if out_int32 else np.int64))


def _stretches(rows: Any, values: Any, side: Any) -> Any:
    """Bisection, step by step as PyTorch goes, which decides what becomes of nan and of rows in disorder."""
    is_enough = np.greater if side == "right" else np.greater_equal
    low, high = np.zeros(values.shape, np.int64), np.full(values.shape, rows.shape[-1])
    while np.any(open_ := low < high):
        middle = (low + high) // 2
        at = np.minimum(middle, rows.shape[-1] - 1)
        met = is_enough(rows[at] if rows.ndim == 1 else np.take_along_axis(rows, at, -1), values)
        low = np.where(open_ & ~met, middle + 1, low)
        high = np.where(open_ & met, middle, high)
    return low


def _wrong_side(side: Any) -> tuple[str, str]:
    if side == "left":
        return (
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right "
            "was True",
            "searchsorted() 的 side='left' 与 right=True 矛盾。",
        )
    return (
        f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}",
        "searchsorted() 的 side 只能是 'left' 或 'right'。",
    )


def _other_rows(rows: Any, values: Any) -> tuple[str, str]:
    chinese = "要查找的值与有序的各行必须有相同的前几维。"
    if values.ndim == 0:
        return (
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, "
            f"but we got boundaries tensor dim({rows.array.ndim}) and input value's dim(0) numel(1)",
            chinese,
        )
    return (
        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of "
        "boundaries tensor and input value tensor must match, but we got boundaries tensor "
        f"{list(rows.shape)} and input value tensor {list(values.shape)}",
        chinese,
    )


@torch_function("bucketize", method=True)
def bucketize(input: Any, boundaries: Any, *, out_int32: Any = False, right: Any = False) -> Any:
    """The stretch that each value falls into."""
    if boundaries.array.ndim != 1:
        raise torch_error(
            f"boundaries tensor must be 1 dimension, but got dim({boundaries.array.ndim})",
            "boundaries 必须是一维张量。",
        )
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


def _so_far(name: str, node_name: str, better: Any) -> None:
    """The largest or smallest so far along an axis, and where it stands."""

    @differentiable(node_name, saves="self dim indices", outputs="values (indices)")
    def function(self: Any, dim: int) -> Any:
        nan_wins = has_nan(self)
        parts = ops.unstack(self, self.array.shape[dim], dim)
        values, places = [parts[0]], [ops.zeros_like(ops.cast(parts[0], "int64"))]
        for place, part in enumerate(parts[1:], 1):
            taken = better(part, values[-1])
            taken = ops.logical_or(taken, ops.is_nan(part)) if nan_wins else taken
            here = ops.add(ops.zeros_like(places[0]), np.int64(place))
            values.append(ops.select(taken, part, values[-1]))
            places.append(ops.select(taken, here, places[-1]))
        return ops.stack(values, axis=dim), ops.stack(places, axis=dim)

    @function.backward
    def backward(saved: Any, grad: Any, _: Any) -> Any:
        return _into_zeros(grad, saved.self.shape, saved.dim, saved.indices)

    def call(input: Any, dim: Any, *, out: Any = None) -> Any:
        axis = axis_of(dim, input.array.ndim)
        if input.dtype is BOOL:
            values, places = function(to(input, DTYPES["uint8"]), axis)
            return named_result(name, to(values, BOOL), places)
        return named_result(name, *function(input, axis))

    call.__doc__ = "The extreme elements so far along an axis, with their places."
    torch_function(name, method=True)(call)


_so_far("cummax", "CummaxBackward0", ops.greater_equal)
_so_far("cummin", "CumminBackward0", ops.less_equal)
