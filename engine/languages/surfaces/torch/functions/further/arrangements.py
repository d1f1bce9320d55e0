"""Elements arranged anew: turned, combined, in windows, copied along an axis."""

from __future__ import annotations

from itertools import combinations as all_combinations
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import view
from engine.languages.surfaces.torch.autograd.in_place import change, check_not_leaf, in_place
from engine.languages.surfaces.torch.dtypes import INT64, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing.places import _put
from engine.languages.surfaces.torch.functions.operands import axis_of, plain
from engine.languages.surfaces.torch.functions.shaping import (
    cat,
    expand,
    flip,
    reshape,
    stack,
    tensor_split,
    to,
    transpose,
    unsqueeze,
)
from engine.languages.surfaces.torch.functions.shaping.axes import squeeze, t
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers
from engine.ops.base.building import constant_node


@torch_function("rot90", method=True)
def rot90(input: Any, k: Any = 1, dims: Any = (0, 1)) -> Any:
    """The plane of two axes turned by quarters."""
    a, b = dims
    quarters = int(k) % 4
    if quarters == 0:
        return OPERATORS["clone"](input)
    if quarters == 2:
        return flip(flip(input, (a,)), (b,))
    return flip(transpose(input, a, b), (a,)) if quarters == 1 else transpose(flip(input, (a,)), a, b)


@torch_function("dstack")
def dstack(tensors: Any) -> Any:
    """Tensors one behind the other."""
    return cat(list(OPERATORS["atleast_3d"](list(tensors))), 2)


def _splitting(name: str, axis: int) -> None:
    def call(input: Any, indices_or_sections: Any) -> Any:
        dim = 0 if name == "hsplit" and input.array.ndim == 1 else axis
        return tensor_split(input, indices_or_sections, dim)

    call.__doc__ = f"Parts along axis {axis}."
    torch_function(name, method=True)(call)


_splitting("vsplit", 0)
_splitting("hsplit", 1)
_splitting("dsplit", 2)


def _check_row(tensor: Any) -> None:
    """Raises: RuntimeError's message of PyTorch for what is no row."""
    if tensor.form.ndim != 1:
        raise torch_error(
            f"Expect a 1D vector, but got shape {list(tensor.shape)}",
            "这里需要一维张量。",
            code="shape_mismatch",
        )


@torch_function("combinations")
def combinations(input: Any, r: Any = 2, with_replacement: Any = False) -> Any:
    """All choices of so many elements, as rows."""
    _check_row(input)
    count = comb(input.shape[0] + (int(r) if with_replacement else 0), int(r))
    state().graph.meter.check_elements((count, int(r)))
    choose = combinations_with_replacement if with_replacement else all_combinations
    rows = np.asarray(list(choose(range(input.shape[0]), int(r))), dtype=np.int64).reshape(-1, int(r))
    return OPERATORS["getitem"](input, of_numbers(rows))


@torch_function("cartesian_prod")
def cartesian_prod(*tensors: Any) -> Any:
    """All choices of one element of each, as rows."""
    for one in tensors:
        _check_row(one)
    if len(tensors) == 1:
        return tensors[0]
    grids = OPERATORS["meshgrid"](*tensors, indexing="ij")
    return stack([reshape(one, (-1,)) for one in grids], 1)


@torch_function("vander", "linalg.vander")
def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    """Powers of the elements, as rows."""
    count = x.shape[0] if N is None else int(N)
    state().graph.meter.check_elements((x.shape[0], count))
    powers = range(count) if increasing else reversed(range(count))
    base = x if x.dtype.is_floating else to(x, INT64)
    return stack([base**power for power in powers], -1)


@torch_function("take_along_dim", method=True)
def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    """Along an axis, the elements at these places."""
    if dim is None:
        return OPERATORS["gather"](reshape(input, (-1,)), 0, reshape(indices, (-1,)))
    axis = axis_of(dim, input.array.ndim)
    others = [
        tuple(1 if place == axis else length for place, length in enumerate(one.shape))
        for one in (input, indices)
    ]
    together = np.broadcast_shapes(*others)
    shapes = [(*together[:axis], one.shape[axis], *together[axis + 1 :]) for one in (input, indices)]
    return OPERATORS["gather"](expand(input, shapes[0]), axis, expand(indices, shapes[1]))


@torch_function("index_copy", method=True)
def index_copy(input: Any, dim: Any, index: Any, source: Any) -> Any:
    """The tensor with parts of another one at these places of an axis."""
    axis = axis_of(dim, input.array.ndim)
    places = [None] * axis + [index]
    if axis:
        moved = OPERATORS["movedim"](input, axis, 0)
        made = OPERATORS["index_put"](moved, [index], OPERATORS["movedim"](source, axis, 0))
        return OPERATORS["movedim"](made, 0, axis)
    return OPERATORS["index_put"](input, places, source)


@torch_function("masked_scatter", method=True)
def masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    """The tensor with elements of another one, in a row, where the mask holds."""
    shape = np.broadcast_shapes(input.shape, mask.shape)
    wide = np.broadcast_to(mask.array, shape)
    if source.array.size < np.count_nonzero(wide):
        raise torch_error(
            "Number of elements of source < number of ones in mask", "source 的元素少于掩码中为真的个数。"
        )
    return composite("MaskedScatterBackward0", "self source", shown="mask")(_masked_scatter)(
        input, source, mask=wide
    )


def _masked_scatter(self: Any, source: Any, mask: Any) -> Any:
    part = OPERATORS["narrow"](reshape(source, (-1,)), 0, 0, int(np.count_nonzero(mask)))
    whole = self if self.shape == mask.shape else expand(self, mask.shape)
    return OPERATORS["index_put"](whole, [of_numbers(np.array(mask))], part)


for _name, _function in {"index_copy": index_copy, "masked_scatter": masked_scatter}.items():
    torch_function(f"{_name}_", method="only")(in_place(_function))


@torch_function("fill_diagonal_", method="only")
def fill_diagonal_(self: Any, fill_value: Any, wrap: Any = False) -> Any:
    """One number on the diagonal of all axes; of a tall matrix it begins anew below itself with `wrap`."""
    shape = self.array.shape
    if len(shape) < 2:
        raise torch_error("dimensions must larger than 1", "fill_diagonal_ 至少需要两维。")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise torch_error("all dimensions of input must be of equal length", "多于两维时，各维长度必须相同。")
    mask = np.zeros(shape, bool)
    np.fill_diagonal(mask, True, wrap=bool(wrap))
    return change(self, OPERATORS["masked_fill"](self, of_numbers(mask), plain(fill_value)))


@torch_function("put", method=True)
def put(input: Any, index: Any, source: Any, accumulate: Any = False) -> Any:
    """The tensor with other elements at these places, counted row by row."""
    places = index.array.reshape(-1)
    node = composite("PutBackward0", "input source", shown="accumulate index")
    return node(_put_elements)(input, source, index=places, accumulate=bool(accumulate))


def _put_elements(input: Any, source: Any, index: Any, accumulate: bool) -> Any:
    flat, given = reshape(input, (-1,)), reshape(source, (-1,))
    return reshape(OPERATORS["index_put"](flat, [of_numbers(index)], given, accumulate), input.shape)


torch_function("put_", method="only")(in_place(put))


@torch_function("index_reduce", method=True)
def index_reduce(
    input: Any, dim: Any, index: Any, source: Any, reduce: Any, *, include_self: Any = True
) -> Any:
    """Parts brought together with those at these places of an axis: their product, mean, largest, least."""
    axis = axis_of(dim, input.array.ndim)
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise torch_error(
            f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.",
            "reduce 只能是 prod、mean、amax 或 amin。",
        )
    lengths = [1] * input.array.ndim
    lengths[axis] = -1
    places = np.broadcast_to(index.array.reshape(lengths), source.shape)
    return OPERATORS["scatter_reduce"](
        input, axis, of_numbers(np.array(places)), source, reduce, include_self=include_self
    )


torch_function("index_reduce_", method="only")(in_place(index_reduce))


@torch_function("nonzero_static", method=True)
def nonzero_static(input: Any, *, size: Any, fill_value: Any = -1) -> Any:
    """The places of the elements that are not 0: so many rows, filled up or cut off."""
    found = np.argwhere(input.array)[: int(size)]
    rows = np.full((int(size), input.array.ndim), int(fill_value), np.int64)
    rows[: len(found)] = found
    return of_numbers(rows)


# -- frequencies -----------------------------------------------------------------------------------------


def _frequencies(name: str, function: Any) -> None:
    def call(
        n: Any,
        d: Any = 1.0,
        *,
        out: Any = None,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: Any = False,
    ) -> Any:
        state().graph.meter.check_elements((int(n),))
        kind = (dtype_of(dtype) or state().default_float).name
        return of_numbers(function(int(n), plain(d)).astype(kind), bool(requires_grad))

    call.__doc__ = f"The frequencies of `{name}`, in cycles for each unit of the distance d."
    torch_function(f"fft.{name}")(call)


_frequencies("fftfreq", np.fft.fftfreq)
_frequencies("rfftfreq", np.fft.rfftfreq)


def _moved_to_middle(name: str, by: Any) -> None:
    def call(input: Any, dim: Any = None) -> Any:
        rank = input.array.ndim
        axes = range(rank) if dim is None else dim if isinstance(dim, (list, tuple)) else [dim]
        places = [axis_of(one, rank) for one in axes]
        return OPERATORS["roll"](input, tuple(by(input.shape[axis]) for axis in places), tuple(places))

    call.__doc__ = "The elements moved on by half of each axis."
    torch_function(f"fft.{name}")(call)


_moved_to_middle("fftshift", lambda length: length // 2)
_moved_to_middle("ifftshift", lambda length: (length + 1) // 2)


for _name in (
    "tril",
    "triu",
    "cumsum",
    "cumprod",
    "logical_not",
    "logit",
    "hypot",
    "atan2",
    "addmm",
    "erfinv",
):
    if _name in OPERATORS:
        torch_function(f"{_name}_", method="only")(in_place(OPERATORS[_name]))


def _turned_in_place(name: str, function: Any) -> None:
    """`x.t_()`: the tensor itself shows its memory in another order."""

    def call(self: Tensor, *dims: Any) -> Tensor:
        made = function(self, *dims)
        check_not_leaf(self)
        self.steps, self.seen, self.shown, self.turn = made.steps, made.seen, made.shown, made.turn
        self.node, self.output = made.node, made.output
        if self.node is not None and self.node.name in IN_PLACE:
            self.node.name = IN_PLACE[self.node.name]
        return self

    call.__doc__ = "The tensor itself, its axes in another order."
    torch_function(name, method="only")(call)


IN_PLACE = {
    "TBackward0": "TBackward1",
    "TransposeBackward0": "TransposeBackward1",
    "UnsqueezeBackward0": "UnsqueezeBackward1",
    "SqueezeBackward0": "SqueezeBackward3",
    "SqueezeBackward1": "SqueezeBackward4",
}  # what PyTorch calls the nodes where a tensor itself is turned
_turned_in_place("t_", t)
for _name in ("transpose_", "swapaxes_", "swapdims_"):
    _turned_in_place(_name, transpose)
_turned_in_place("squeeze_", squeeze)
_turned_in_place("unsqueeze_", unsqueeze)


def _windows(array: Any, dimension: int, size: int, step: int) -> Any:
    found = np.lib.stride_tricks.sliding_window_view(array, size, axis=dimension)
    return found[(slice(None),) * dimension + (slice(None, None, step),)]


@view("UnfoldBackward0", saves="self_sym_sizes dimension size step")
def _unfold(self: Any, dimension: int, size: int, step: int) -> Any:
    shape = self.array.shape
    places = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    rows = np.ascontiguousarray(_windows(places, dimension, size, step))
    return ops.gather(ops.reshape(self, [-1]), constant_node(rows, "places"))


@_unfold.on_arrays
def _unfold_array(array: Any, dimension: int, size: int, step: int) -> Any:
    return _windows(array, dimension, size, step)


@_unfold.backward
def _unfold_backward(saved: Any, grad: Any) -> Any:
    dimension, size, step = saved.dimension, saved.size, saved.step
    return _put(
        grad,
        saved.self_sym_sizes,
        lambda array: _windows(array, dimension, size, step),
        "UnfoldBackwardBackward0",
    )


@torch_function("unfold", method="only")
def unfold(self: Any, dimension: Any, size: Any, step: Any) -> Any:
    """Windows of a length along an axis, as a new last axis."""
    return _unfold(self, axis_of(dimension, self.array.ndim), int(size), int(step))
