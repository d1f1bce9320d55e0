"""Quantiles and medians, of all elements or of those that are numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers
from engine.ops.base.tensors import Array

INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


@torch_function("quantile", method=True)
def quantile(
    input: Any,
    q: Any,
    dim: Any = None,
    keepdim: Any = False,
    *,
    interpolation: Any = "linear",
    out: Any = None,
) -> Any:
    """The element below which a share of all lies; nan where one of them is no number.

    Shapes: input (*A, n, *B), q () -> (*A, *B); q (k,) -> (k, *A, *B).
    """
    return _quantile("quantile", input, q, dim, bool(keepdim), interpolation, skip_nan=False)


@torch_function("nanquantile", method=True)
def nanquantile(
    input: Any,
    q: Any,
    dim: Any = None,
    keepdim: Any = False,
    *,
    interpolation: Any = "linear",
    out: Any = None,
) -> Any:
    """The same of those elements that are numbers."""
    return _quantile("nanquantile", input, q, dim, bool(keepdim), interpolation, skip_nan=True)


def _quantile(
    name: str, input: Tensor, q: Any, dim: Any, keepdim: bool, interpolation: Any, *, skip_nan: bool
) -> Any:
    shares = _shares(name, input, q, interpolation)
    rank = input.form.ndim
    axis = None if dim is None else axis_of(dim, rank)
    flat = OPERATORS["reshape"](input, (-1,)) if axis is None else OPERATORS["movedim"](input, axis, -1)
    values = OPERATORS["sort"](flat, -1)[0]  # nan comes last
    below, above, weight = _places(values.array, shares, interpolation, skip_nan)
    low, high = (OPERATORS["gather"](values, -1, of_numbers(one)) for one in (below, above))
    made = low if interpolation in ("lower", "higher", "nearest") else OPERATORS["lerp"](low, high, weight)
    if keepdim:
        shape = (1,) * rank if axis is None else (*made.shape[:axis], 1, *made.shape[axis:-1])
        made = OPERATORS["reshape"](OPERATORS["movedim"](made, -1, 0), (shares.size, *shape))
    else:
        made = OPERATORS["movedim"](made, -1, 0)
    made = made if shares.ndim else OPERATORS["squeeze"](made, 0)
    return _named(made, "SqueezeBackward4")


def _named(made: Tensor, name: str) -> Tensor:
    """A result whose node has PyTorch's name."""
    if made.node is not None:
        made.node.name = name
    return made


def _shares(name: str, input: Tensor, q: Any, interpolation: Any) -> Array:
    """The shares as an array. Raises: RuntimeError's messages of PyTorch."""
    if input.dtype.name not in ("float32", "float64"):
        raise torch_error(
            f"{name}() input tensor must be either float or double dtype",
            f"{name}() 的输入必须是 float 或 double 类型的张量。",
        )
    if interpolation not in INTERPOLATIONS:
        raise torch_error(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            f"{interpolation}",
            f"{name}() 的 interpolation 必须是 {'、'.join(INTERPOLATIONS)} 之一。",
        )
    if not isinstance(q, Tensor):
        return _within(name, np.asarray(float(q), input.dtype.held_as))
    if q.dtype is not input.dtype:
        raise torch_error(
            f"{name}() q tensor must be same dtype as the input tensor", f"{name}() 的 q 必须与输入同类型。"
        )
    if q.form.ndim > 1:
        raise torch_error(
            f"{name}() q must be a scalar or 1D tensor", f"{name}() 的 q 必须是一个数或一维张量。"
        )
    return _within(name, q.array)


def _within(name: str, shares: Array) -> Array:
    if not np.all((shares >= 0) & (shares <= 1)):
        value = f" but got {shares.item():g}" if shares.ndim == 0 else ""
        raise torch_error(
            f"{name}() q {'must be' if value else 'values must be'} in the range [0, 1]{value}",
            f"{name}() 的 q 必须在 0 与 1 之间。",
        )
    return shares


def _places(values: Array, shares: Array, interpolation: str, skip_nan: bool) -> tuple[Array, Array, Tensor]:
    """Between which elements of each sorted row each share falls, and how far. Shapes: values (*A, n)."""
    no_number = np.isnan(values)
    missing = no_number.sum(-1, keepdims=True)
    last = values.shape[-1] - 1 - (missing if skip_nan else 0)
    rank = shares.reshape(-1) * np.maximum(last, 0).astype(values.dtype)
    rank = np.broadcast_to(rank, (*values.shape[:-1], shares.size))
    rank = np.where(missing == values.shape[-1] if skip_nan else missing > 0, values.shape[-1] - 1.0, rank)
    rounded: Any = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}.get(interpolation)
    rank = rank if rounded is None else rounded(rank)
    below, above = np.floor(rank).astype(np.int64), np.ceil(rank).astype(np.int64)
    weight = np.full_like(rank, 0.5) if interpolation == "midpoint" else rank - below
    return below, above, of_numbers(weight.astype(values.dtype))


@torch_function("nanmedian", method=True)
def nanmedian(input: Any, dim: Any = None, keepdim: Any = False, *, out: Any = None) -> Any:
    """The middle element of those that are numbers, the lower of two; along an axis with its place."""
    if not input.dtype.is_floating or not np.isnan(input.array).any():
        if dim is None:
            return _named(OPERATORS["median"](input), "NanmedianBackward0")
        values, indices = OPERATORS["median"](input, dim, keepdim)
        return named_result("nanmedian", _named(values, "NanmedianBackward1"), indices)
    if dim is None:
        flat = OPERATORS["reshape"](input, (-1,))
        return _named(OPERATORS["select"](flat, 0, int(_middles(flat.array))), "NanmedianBackward0")
    axis = axis_of(dim, input.form.ndim)
    places = np.expand_dims(_middles(np.moveaxis(input.array, axis, -1)), axis)
    indices = of_numbers(places)
    values = OPERATORS["gather"](input, axis, indices)
    if not keepdim:
        values, indices = (OPERATORS["squeeze"](one, axis) for one in (values, indices))
    return named_result("nanmedian", _named(values, "NanmedianBackward1"), indices)


def _middles(rows: Array) -> Array:
    """Where the middle element of each row stands among its numbers. Shapes: rows (*A, n) -> (*A,)."""
    order = np.argsort(rows, axis=-1, kind="stable")
    count = (~np.isnan(rows)).sum(-1, keepdims=True)
    return np.take_along_axis(order, np.maximum((count - 1) // 2, 0), -1)[..., 0].astype(np.int64)
