"""`scatter_reduce`: elements brought together with what stands at their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing.places import _flat_places, spread
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, of_value
from engine.ops.base.building import constant_node

PAIRS = {"sum": ops.add, "mean": ops.add, "prod": ops.mul, "amax": ops.maximum, "amin": ops.minimum}


@torch_function("scatter_reduce", method=True)
def scatter_reduce(
    input: Tensor, dim: Any, index: Tensor, src: Tensor, reduce: Any, *, include_self: Any = True
) -> Any:
    """The tensor with elements of `src` added, multiplied or compared at the places that `index` says.

    Raises: RefusedError where a gradient is asked for.
    """
    if reduce not in PAIRS:
        raise torch_error(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
            f"reduce 只能是 sum、prod、mean、amax 或 amin，不能是 {reduce}。",
        )
    if state().records and (input.requires_grad or src.requires_grad):
        raise not_here(
            "The gradient of scatter_reduce",
            " scatter_reduce 的梯度",
            "Use scatter_add.",
            "请用 scatter_add。",
        )
    places = _flat_places(index.value, input.array.shape, axis_of(dim, input.array.ndim)).array.ravel()
    values = ops.reshape(ops.slice_op(src.value, [0] * index.array.ndim, list(index.shape)), [-1])
    flat = ops.reshape(input.value, [-1])
    for turn, rows in enumerate(_turns(places)):
        part, at = ops.gather(values, rows), places[rows]
        if turn or include_self:
            part = PAIRS[reduce](ops.gather(flat, at), part)
        flat = _put(flat, at, part)
    found = ops.reshape(flat, list(input.shape))
    return of_value(found) if reduce != "mean" else _divided(of_value(found), places, bool(include_self))


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
    mask = np.zeros(flat.array.shape, dtype=bool)
    mask[at] = True
    return ops.select(
        constant_node(mask, "mask"), spread(part, constant_node(at, "places"), flat.array.shape), flat
    )


def _divided(total: Tensor, places: Any, include_self: bool) -> Any:
    counts = np.bincount(places, minlength=total.array.size)
    counts = np.maximum(counts + include_self, 1).reshape(total.array.shape)
    rounding = None if total.dtype.is_floating else "floor"
    divisor = of_numbers(counts.astype(total.array.dtype))
    return OPERATORS["div"](total, divisor, rounding_mode=rounding)


torch_function("scatter_reduce_", method="only")(in_place(scatter_reduce))
