"""Covariances, counts, different elements, extremes so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.examples import check_fixed_shape
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing.taking import _into_zeros
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.operands import axis_of, has_nan, plain
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.reductions import mean
from engine.languages.surfaces.torch.functions.shaping import squeeze, t
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers


@torch_function("cov", method=True)
@takes_only(fweights=(None,), aweights=(None,))
def cov(input: Any, *, correction: Any = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariances of variables, one a row."""
    rows = OPERATORS["reshape"](input, (1, -1)) if input.array.ndim < 2 else input
    centred = rows - mean(rows, 1, True)
    made = matmul(centred, t(centred)) / max(rows.shape[1] - int(plain(correction)), 0)
    return squeeze(made)


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
@takes_only(dim=(None,))
def unique_consecutive(
    input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """The elements without those that equal the one before."""
    flat = input.array.reshape(-1)
    begins = np.concatenate([[True], flat[1:] != flat[:-1]]) if flat.size else np.zeros(0, dtype=bool)
    parts = [of_numbers(flat[begins])]
    if return_inverse:
        parts.append(of_numbers((np.cumsum(begins) - 1).reshape(input.array.shape)))
    if return_counts:
        parts.append(of_numbers(np.diff([*np.flatnonzero(begins), flat.size])))
    return tuple(parts) if len(parts) > 1 else parts[0]


@torch_function("isin")
def isin(elements: Any, test_elements: Any) -> Any:
    """Which elements are among others."""
    among = test_elements.array if isinstance(test_elements, Tensor) else test_elements
    return of_numbers(np.isin(elements.array, among))


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
def searchsorted(sorted_sequence: Any, input: Any, *, right: Any = False, side: Any = None) -> Any:
    """Where each value would stand in a row that is in order."""
    where_: Any = "right" if right or side == "right" else "left"
    values = input.array if isinstance(input, Tensor) else np.asarray(input)
    return of_numbers(np.asarray(np.searchsorted(sorted_sequence.array, values, side=where_)))


@torch_function("bucketize", method=True)
def bucketize(input: Any, boundaries: Any, *, right: Any = False) -> Any:
    """The stretch that each value falls into."""
    return searchsorted(boundaries, input, right=right)


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

    def call(input: Any, dim: Any) -> Any:
        return named_result(name, *function(input, axis_of(dim, input.array.ndim)))

    call.__doc__ = "The extreme elements so far along an axis, with their places."
    torch_function(name, method=True)(call)


_so_far("cummax", "CummaxBackward0", ops.greater_equal)
_so_far("cummin", "CumminBackward0", ops.less_equal)
