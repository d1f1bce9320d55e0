"""Diagonals: taken out of a matrix, and made into one."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable, view
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing.places import _part, _put
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.functions.shaping import cat, clone, reshape
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.building import constant_node


def _places(shape: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    whole = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    return np.ascontiguousarray(np.diagonal(whole, offset, dim1, dim2))


@view("DiagonalBackward0", saves="self_sym_sizes offset dim1 dim2")
def _diagonal(self: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    places = constant_node(_places(self.array.shape, offset, dim1, dim2), "places")
    return ops.gather(ops.reshape(self, [-1]), places)


@_diagonal.on_arrays
def _diagonal_array(array: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    return np.diagonal(array, offset, dim1, dim2)


@_diagonal.backward
def _diagonal_backward(saved: Any, grad: Any) -> Any:
    offset, first, second = saved.offset, saved.dim1, saved.dim2
    return _put(
        grad,
        saved.self_sym_sizes,
        lambda a: np.diagonal(a, offset, first, second),
        "DiagonalBackwardBackward0",
    )


@torch_function("diagonal", method=True)
def diagonal(input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """The diagonal of two axes, as the last axis."""
    rank = input.array.ndim
    if axis_of(dim1, rank) == axis_of(dim2, rank):
        raise torch_error(
            f"diagonal dimensions cannot be identical {dim1}, {dim2}", "对角线的两个维不能相同。"
        )
    return _diagonal(input, int(offset), axis_of(dim1, rank), axis_of(dim2, rank))


@differentiable("DiagEmbedBackward0", saves="offset dim1 dim2")
def _diag_embed(self: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    *batch, count = self.array.shape
    length = count + abs(offset)
    shape = list(batch)
    for axis in sorted((dim1, dim2)):
        shape.insert(axis, length)
    state().graph.meter.check_elements(shape)
    places = _places(shape, offset, dim1, dim2)
    flat = ops.scatter_nd(
        constant_node(places.reshape(-1, 1), "places"), ops.reshape(self, [-1]), [int(np.prod(shape))]
    )
    return ops.reshape(flat, shape)


@_diag_embed.backward
def _diag_embed_backward(saved: Any, grad: Any) -> Any:
    offset, first, second = saved.offset, saved.dim1, saved.dim2
    return _part(grad, lambda a: np.diagonal(a, offset, first, second))


@torch_function("diag_embed", method=True)
def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """Rows as the diagonals of matrices, whose rows and columns are the axes `dim1` and `dim2`."""
    rank = input.array.ndim + 1
    first, second = axis_of(dim1, rank), axis_of(dim2, rank)
    if first == second:
        raise torch_error(
            f"diagonal dimensions cannot be identical {dim1}, {dim2}", "对角线的两个维不能相同。"
        )
    return _diag_embed(input, int(offset), first, second)


@torch_function("diag", method=True)
def diag(input: Any, diagonal: Any = 0, *, out: Any = None) -> Any:
    """A row as the diagonal of a matrix; the diagonal of a matrix as a row."""
    if input.array.ndim == 1:
        return _diag_embed(input, int(diagonal), 0, 1)
    if input.array.ndim != 2:
        raise torch_error(
            f"diag(): Supports 1D or 2D tensors. Got {input.array.ndim}D", "diag 需要一维或二维张量。"
        )
    made = clone(_diagonal(input, int(diagonal), 0, 1))
    if made.node is not None:
        inner = made.node.next_edges[0].node
        inner.name = "DiagonalBackward0_copy"
        made.node = inner
    return made


@torch_function("diagflat", method=True)
def diagflat(input: Any, offset: Any = 0) -> Any:
    """All elements as the diagonal of a matrix."""
    return diag(reshape(input, (-1,)), offset)


@torch_function("block_diag")
def block_diag(*tensors: Any) -> Any:
    """Matrices along the diagonal of one, zeros elsewhere; a row or a number is a matrix of one row."""
    for place, tensor in enumerate(tensors):
        if tensor.array.ndim > 2:
            raise torch_error(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {place} has "
                f"{tensor.array.ndim} dimensions",
                f"block_diag 的张量至多二维，但第 {place} 个有 {tensor.array.ndim} 维。",
                code="shape_mismatch",
            )
    inputs = " ".join(f"tensor{place}" for place in range(len(tensors)))
    return composite("BlockDiagBackward0", inputs, shown="")(_block_diag)(*tensors)


def _block_diag(*tensors: Any) -> Any:
    matrices = [one if one.form.ndim == 2 else reshape(one, (1, -1)) for one in tensors]
    total = sum(one.shape[1] for one in matrices)
    rows, start = [], 0
    for one in matrices:
        count, width = one.shape
        state().graph.meter.check_elements((count, total))
        kind = one.dtype.name
        left = of_numbers(np.zeros((count, start), dtype=kind))
        right = of_numbers(np.zeros((count, total - start - width), dtype=kind))
        rows.append(cat([left, one, right], 1))
        start += width
    return cat(rows, 0) if rows else of_numbers(np.zeros((1, 0), dtype=state().default_float.name))
