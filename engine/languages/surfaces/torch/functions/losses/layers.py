"""What layers compute: linear, embedding, one_hot, normalize."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite, kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.bounding import clamp_min
from engine.languages.surfaces.torch.functions.matrices import addmm, matmul
from engine.languages.surfaces.torch.functions.operands import (
    no_tensor,
    plain,
    to_type,
)
from engine.languages.surfaces.torch.functions.reductions import vector_norm
from engine.languages.surfaces.torch.functions.shaping import expand, reshape, t
from engine.languages.surfaces.torch.functions.shaping.views import _view, is_contiguous
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, of_value


@torch_function("linear", f=True)
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weight.T + bias. Shapes: (*, n), (m, n), (m,) -> (*, m)."""
    if not isinstance(input, Tensor):
        raise no_tensor("linear", input)
    if bias is not None and input.form.ndim == 2:
        return addmm(bias, input, t(weight))
    if bias is not None and weight.form.ndim == 2 and is_contiguous(input):
        flat = _view(input, (int(np.prod(input.shape[:-1], dtype=int)), input.shape[-1]))
        return _view(addmm(bias, flat, t(weight)), (*input.shape[:-1], weight.shape[0]))
    made = matmul(input, t(weight))
    return made if bias is None else made + bias


@torch_function("bilinear", f=True)
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """x1ᵀ W x2 for each output."""
    made = OPERATORS["einsum"]("bn,anm,bm->ba", input1, weight, input2)
    return made if bias is None else made + bias


@differentiable("EmbeddingBackward0", saves="indices padding_idx scale_grad_by_freq sparse", inputs="weight")
def _embedding(weight: Any, indices: Any, padding_idx: Any, scale_grad_by_freq: Any, sparse: Any) -> Any:
    return ops.gather(weight, indices.value)


_embedding.shown = ("indices", "padding_idx", "scale_grad_by_freq", "sparse", "weight_sym_argsize_0")


@_embedding.backward
def _embedding_backward(saved: Any, grad: Any) -> Any:
    rows = saved._node.metadata["rows"]
    return embedding_slope(grad, saved.indices, rows, saved.padding_idx, saved.scale_grad_by_freq)


@kernel("EmbeddingDenseBackwardBackward0", "grad_output", "indices padding_idx")
def embedding_slope(
    grad_output: Any, indices: Any, rows: Any, padding_idx: Any, scale_grad_by_freq: Any
) -> Any:
    """What came to each place, added up in its row. Shapes: (*S, m), (*S) -> (rows, m)."""
    grad, width = grad_output, grad_output.shape[-1]
    flat, places = reshape(grad, (-1, width)), reshape(indices, (-1,))
    if padding_idx >= 0:
        keep = of_numbers((places.array != padding_idx).astype(grad.dtype.held_as).reshape(-1, 1))
        flat = flat * keep
    if scale_grad_by_freq:
        counts = np.bincount(places.array, minlength=rows)[places.array].reshape(-1, 1)
        flat = flat / of_numbers(counts.astype(grad.dtype.held_as))
    zeros = of_value(ops.zeros([rows, width], dtype=grad.dtype.held_as))
    return OPERATORS["index_add"](zeros, 0, places, flat)


@torch_function("embedding", f=True)
def embedding(
    input: Any,
    weight: Any,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: Any = False,
    sparse: Any = False,
) -> Any:
    """The rows of a table at these places."""
    if weight.form.ndim != 2:
        raise torch_error("'weight' must be 2-D", "嵌入表必须是二维的。", code="shape_mismatch")
    array = input.array
    if input.dtype.name not in ("int64", "int32"):
        found = input.dtype.scalar_name
        kind = "CPUBoolType" if found == "Bool" else f"torch.{found}Tensor"
        raise torch_error(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; "
            f"but got {kind} instead (while checking arguments for embedding)",
            f"嵌入的下标必须是整数，不能是 {found}。",
            hint="Write x.long().",
            hint_zh="请写 x.long()。",
        )
    if ((array < 0) | (array >= weight.shape[0])).any():
        raise torch_error(
            "index out of range in self", "下标超出范围。", kind="IndexError", code="index_out_of_range"
        )
    if max_norm is not None:
        shorten(weight, array, float(max_norm), float(norm_type))
    padding = -1 if padding_idx is None else int(padding_idx) % weight.shape[0]
    made = _embedding(weight, to_type(input, INT64), padding, bool(scale_grad_by_freq), bool(sparse))
    if made.node is not None:
        made.node.metadata["rows"] = weight.shape[0]
    return made


def shorten(weight: Tensor, places: Any, longest: float, p: float) -> None:
    """Scale those of the rows at these places that are longer down to that length, in place."""
    table = weight.array
    used = np.unique(places)
    widths = np.linalg.norm(table[used], ord=p, axis=1)
    shares = np.ones((len(table), 1), dtype=table.dtype)
    shares[used, 0] = np.where(widths > longest, longest / (widths + 1e-7), 1).astype(table.dtype)
    if np.any(shares != 1):
        with recording(False):
            change(weight, OPERATORS["mul"](weight, of_numbers(shares)))


@torch_function("one_hot", f=True)
def one_hot(tensor: Any, num_classes: Any = -1) -> Any:
    """Rows with a 1 at the place of the class."""
    if tensor.dtype is not INT64:
        raise torch_error(
            "one_hot is only applicable to index tensor of type LongTensor.", "one_hot 需要 int64 张量。"
        )
    count = whole(num_classes)
    if tensor.form.size and tensor.array.min() < 0:
        raise torch_error("Class values must be non-negative.", "类别不能为负。")
    if count == -1:
        count = int(tensor.array.max()) + 1
    if tensor.form.size and tensor.array.max() >= count:
        raise torch_error("Class values must be smaller than num_classes.", "类别必须小于 num_classes。")
    return of_value(ops.cast(ops.one_hot(tensor.value, count), "int64"))


@torch_function("normalize", f=True)
@takes_only(out=(None,))
def normalize(input: Any, p: Any = 2.0, dim: Any = 1, eps: Any = 1e-12, out: Any = None) -> Any:
    """Vectors along an axis divided by their lengths."""
    length = clamp_min(vector_norm(input, p, dim, True), eps)
    return input / expand(length, input.shape)


@torch_function("cdist")
def cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: Any = None) -> Any:
    """The distances of all rows of one to all of the other."""
    rows, others = x1.array.shape[-2], x2.array.shape[-2]
    modes = {None: max(rows, others) > MOST_ROWS, MODES[0]: max(rows, others) > MOST_ROWS, MODES[1]: True}
    if float(plain(p)) == 2.0 and modes.get(compute_mode, False):
        return _far_by_products(x1, x2)
    return _far(x1, x2, float(plain(p)))


MOST_ROWS = 25  # from more rows on PyTorch computes |a|² - 2 a·b + |b|²
MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist")


@composite("CdistBackward0", "x1 x2")
def _far(x1: Any, x2: Any, p: float = 2.0) -> Any:
    """Shapes: (*B, P, M), (*B, R, M) -> (*B, P, R)."""
    return vector_norm(OPERATORS["unsqueeze"](x1, -2) - OPERATORS["unsqueeze"](x2, -3), p, -1)


def _by_products(x1: Any, x2: Any) -> Any:
    a, b = (OPERATORS["sum"](one * one, -1, True) for one in (x1, x2))
    ones = [OPERATORS["ones_like"](one) for one in (a, b)]
    left = OPERATORS["cat"]([-2 * x1, a, ones[0]], -1)
    right = OPERATORS["cat"]([x2, ones[1], b], -1)
    squares = OPERATORS["matmul"](left, OPERATORS["transpose"](right, -2, -1))
    return OPERATORS["sqrt"](clamp_min(squares, 0))


@differentiable("CdistBackward0", saves="self other result", inputs="self other")
def _far_by_products(self: Any, other: Any) -> Any:
    with recording(False):
        return _by_products(of_value(self), of_value(other)).value


@_far_by_products.backward
def _far_by_products_backward(saved: Any, grad: Any) -> Any:
    """(a - b) / |a - b|, 0 where they are equal."""
    difference = OPERATORS["unsqueeze"](saved.self, -2) - OPERATORS["unsqueeze"](saved.other, -3)
    length = saved.result
    slope = OPERATORS["where"](OPERATORS["eq"](length, 0), 0.0, grad / length)
    terms = OPERATORS["unsqueeze"](slope, -1) * difference
    return lambda: OPERATORS["sum"](terms, -2), lambda: -OPERATORS["sum"](terms, -3)
