"""`scatter_reduce`: elements brought together with what stands at their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing.index_checks import (
    check_put,
    check_source_type,
    check_within,
)
from engine.languages.surfaces.torch.functions.indexing.places import _flat_places, spread
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers
from engine.ops.base.building import constant_node

PAIRS = {"sum": ops.add, "mean": ops.add, "prod": ops.mul, "amax": ops.maximum, "amin": ops.minimum}


@torch_function("scatter_reduce", method=True)
def scatter_reduce(
    input: Tensor, dim: Any, index: Tensor, src: Tensor, reduce: Any, *, include_self: Any = True
) -> Any:
    """The tensor with elements of `src` added, multiplied or compared at the places that `index` says.

    Raises: RefusedError where a gradient of a product with a factor of 0 is asked for.
    """
    if reduce not in PAIRS:
        raise torch_error(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
            f"reduce 只能是 sum、prod、mean、amax 或 amin，不能是 {reduce}。",
        )
    axis = axis_of(dim, input.form.ndim)
    check_source_type("scatter", input, src)
    check_put(index, input, src, axis)
    check_within(index, input.shape[axis], axis)
    has_zero = any(one.requires_grad and not np.all(one.array) for one in (input, src))
    if reduce == "prod" and state().records and has_zero:
        raise not_here(
            "The gradient of scatter_reduce('prod') with a factor of 0",
            "含因子 0 的 scatter_reduce('prod') 的梯度",
            "Multiply factors that are not 0.",
            "请只乘非零的因子。",
        )
    return _scatter_reduce(input, src, axis, index, reduce, bool(include_self))


@differentiable(
    "ScatterReduceBackward0", saves="dim index reduce include_self result self src", inputs="self src"
)
def _scatter_reduce(self: Any, src: Any, dim: Any, index: Any, reduce: str, include_self: bool) -> Any:
    places = _flat_places(index.value, self.form.shape, dim).array.ravel()
    values = ops.reshape(ops.slice_op(src, [0] * index.form.ndim, list(index.shape)), [-1])
    flat = ops.reshape(self, [-1])
    for turn, rows in enumerate(_turns(places)):
        part, at = ops.gather(values, rows), places[rows]
        if turn or include_self:
            part = PAIRS[reduce](ops.gather(flat, at), part)
        flat = _put(flat, at, part)
    found = ops.reshape(flat, list(self.form.shape))
    if reduce != "mean":
        return found
    counts = _counts(places, self.form.shape, include_self).astype(self.form.dtype)
    return (ops.divide if counts.dtype.kind == "f" else ops.floor_div)(found, counts)


@_scatter_reduce.backward
def _scatter_reduce_backward(saved: Any, grad: Any) -> Any:
    """Sums hand the gradient on, means a part of it, a product the other factors; of ties each has a part."""
    dim, index = saved.dim, saved.index
    gather, like = OPERATORS["gather"], saved.src.form.dtype
    others = 1.0 if saved.include_self else 0.0
    if saved.reduce == "mean":
        places = _flat_places(index.value, saved.self.form.shape, dim).array.ravel()
        grad = grad / of_numbers(_counts(places, saved.self.form.shape, saved.include_self).astype(like))
    if saved.reduce in ("sum", "mean"):
        return _of_self(grad, saved), lambda: gather(grad, dim, index)
    if saved.reduce == "prod":
        of_src = lambda: gather(grad * saved.result, dim, index) / saved.src  # noqa: E731  # as for sums
        return _of_self(grad * (saved.result / saved.self), saved), of_src
    is_self = OPERATORS["eq"](saved.self, saved.result) * others
    is_src = OPERATORS["eq"](saved.src, gather(saved.result, dim, index)) * 1.0
    ties = OPERATORS["scatter_into_zeros"](is_src, saved.self.form.shape, dim, index) + is_self
    share = grad / OPERATORS["masked_fill"](ties, OPERATORS["eq"](ties, 0), 1.0)
    return _of_self(grad, saved, is_self * share), lambda: is_src * gather(share, dim, index)


def _of_self(grad: Any, saved: Any, found: Any = None) -> Any:
    """The gradient of the tensor itself: where it takes no part in what is combined, 0."""
    places = _flat_places(saved.index.value, saved.self.form.shape, saved.dim).array.ravel()
    written = np.zeros(saved.self.form.size, bool)
    written[places] = True
    mask = of_numbers(written.reshape(saved.self.form.shape))
    if found is not None:
        grad = OPERATORS["where"](mask, found, grad)
    return grad if saved.include_self else OPERATORS["masked_fill"](grad, mask, 0.0)


def _turns(places: Any) -> list[Any]:
    """The elements in turns, in each of which no place comes twice."""
    seen: dict[int, int] = {}
    turn = []
    for place in places.tolist():
        turn.append(seen.get(place, 0))
        seen[place] = turn[-1] + 1
    turns = np.asarray(turn, dtype=np.int64)
    return [np.flatnonzero(turns == one) for one in range(max(turn, default=-1) + 1)]


def _put(flat: Any, at: Any, part: Any) -> Any:
    mask = np.zeros(flat.form.shape, dtype=bool)
    mask[at] = True
    return ops.select(
        constant_node(mask, "mask"), spread(part, constant_node(at, "places"), flat.form.shape), flat
    )


def _counts(places: Any, shape: Any, include_self: bool) -> Any:
    """How many elements come together at each place."""
    counts = np.bincount(places, minlength=int(np.prod(shape)))
    return np.maximum(counts + include_self, 1).reshape(shape)


torch_function("scatter_reduce_", method="only")(in_place(scatter_reduce))
