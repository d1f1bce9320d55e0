"""`embedding_bag`: the sum, the mean or the largest of the rows of each bag of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing import index_add, index_select
from engine.languages.surfaces.torch.functions.losses.layers import shorten
from engine.languages.surfaces.torch.functions.shaping import reshape, stack, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

MODES = ("sum", "mean", "max")
Places = np.ndarray[Any, Any]


@composite("EmbeddingBagBackward0", "weight per_sample_weights")
def _bags(weight: Any, per_sample_weights: Any, indices: Any, bags: Any, counts: Any) -> Any:
    """Shapes: (rows, width), (n,), (n,), (n,), (count,) -> (count, width)."""
    rows = index_select(weight, 0, of_numbers(indices))
    if per_sample_weights is not None:
        rows = rows * unsqueeze(reshape(per_sample_weights, (-1,)), 1)
    zeros = of_numbers(np.zeros((len(counts), weight.shape[-1]), weight.form.dtype))
    total = index_add(zeros, 0, of_numbers(bags), rows)
    if np.all(counts == 1):
        return total
    return total / of_numbers(counts.reshape(-1, 1).astype(weight.form.dtype))


@composite("EmbeddingBagBackward0", "weight")
def _largest(weight: Any, indices: Any, bags: Any, counts: Any) -> Any:
    """The largest of each bag; the first of several gets the gradient. Shapes: as `_bags`."""
    found = []
    for bag in range(len(counts)):
        own = indices[bags == bag]
        if own.size:
            found.append(OPERATORS["max"](index_select(weight, 0, of_numbers(own)), 0)[0])
        else:
            found.append(of_numbers(np.zeros(weight.shape[-1], weight.form.dtype)))
    return stack(found, 0)


def _bag_of_each(input: Tensor, offsets: Any, include_last_offset: Any) -> tuple[Places, int, int]:
    """The bag of each index, how many bags there are, and how many indices are put into them.

    Raises: ValueError's and RuntimeError's messages of PyTorch.
    """
    if input.form.ndim == 2:
        if offsets is not None:
            raise torch_error(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed "
                "length sequences. However, found offsets of type <class 'torch.Tensor'>",
                "input 是二维时不能给出 offsets。",
                kind="ValueError",
            )
        count, length = input.form.shape
        return np.repeat(np.arange(count), length), count, count * length
    if not isinstance(offsets, Tensor):
        raise torch_error(
            "offsets has to be a 1D Tensor but got None", "offsets 必须是一维张量。", kind="ValueError"
        )
    size = input.form.size
    _check_offsets(offsets.array, size)
    starts = offsets.array[:-1] if include_last_offset else offsets.array
    end = int(offsets.array[-1]) if include_last_offset else size
    return np.searchsorted(starts, np.arange(size), side="right") - 1, len(starts), end


def _check_offsets(offsets: Places, size: int) -> None:
    if offsets.size and offsets[0] != 0:
        raise torch_error(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position "
            f"0. However, got {offsets[0]}",
            f"offsets[0] 必须是 0，但它是 {offsets[0]}。",
        )
    if offsets.size and offsets[-1] > size:
        raise torch_error(
            f"offsets[-1] can not be greater than input's length {size} but got offsets[-1] of {offsets[-1]}",
            f"offsets[-1] 不能大于输入的长度 {size}，但它是 {offsets[-1]}。",
        )


def _check_settings(mode: Any, per_sample_weights: Any, scale_grad_by_freq: Any) -> None:
    if mode not in MODES:
        raise torch_error(
            "mode has to be one of sum, mean or max", "mode 只能是 sum、mean 或 max。", kind="ValueError"
        )
    if mode == "max" and scale_grad_by_freq:
        raise torch_error(
            "max mode does not support scaling the gradient by the frequency",
            "mode='max' 不能按频率缩放梯度。",
            kind="ValueError",
        )
    if per_sample_weights is not None and mode != "sum":
        raise torch_error(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
            f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.",
            "per_sample_weights 只能与 mode='sum' 同用。",
            kind="NotImplementedError",
        )
    if scale_grad_by_freq:
        raise not_here("embedding_bag(scale_grad_by_freq=…)", " embedding_bag(scale_grad_by_freq=…)")


@torch_function("embedding_bag", f=True)
def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2,
    scale_grad_by_freq: Any = False,
    mode: Any = "mean",
    sparse: Any = False,
    per_sample_weights: Any = None,
    include_last_offset: Any = False,
    padding_idx: Any = None,
) -> Any:
    """The rows of each bag put together, but for those of the padding; an empty bag gives zeros."""
    _check_settings(mode, per_sample_weights, scale_grad_by_freq)
    bags, count, end = _bag_of_each(input, offsets, include_last_offset)
    indices = reshape(input, (-1,)).array.astype(np.int64)
    if indices.size and (indices.min() < 0 or indices.max() >= weight.shape[0]):
        raise torch_error(
            "index out of range in self", "下标超出范围。", kind="IndexError", code="index_out_of_range"
        )
    if max_norm is not None:
        shorten(weight, indices, float(max_norm), float(norm_type))
    kept = np.ones(indices.shape, bool)
    if padding_idx is not None:
        kept = indices != int(padding_idx) % weight.shape[0]
    sizes = np.bincount(bags[kept], minlength=count) if mode == "mean" else np.ones(count, np.int64)
    kept &= np.arange(len(indices)) < end
    if per_sample_weights is not None:
        per_sample_weights = OPERATORS["getitem"](reshape(per_sample_weights, (-1,)), of_numbers(kept))
    given = {"indices": indices[kept], "bags": bags[kept], "counts": np.maximum(sizes, 1)}
    return _largest(weight, **given) if mode == "max" else _bags(weight, per_sample_weights, **given)


OPERATORS["embedding_bag"] = embedding_bag
