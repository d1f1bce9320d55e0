"""`embedding_bag`: the sum, the mean or the largest of the rows of each bag of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing import index_add, index_select
from engine.languages.surfaces.torch.functions.shaping import reshape
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

MODES = ("sum", "mean")


@composite("EmbeddingBagBackward0", "weight")
def _bags(weight: Any, indices: Any, bags: Any, counts: Any) -> Any:
    """Shapes: (rows, width), (n,), (n,), (count,) -> (count, width)."""
    rows = index_select(weight, 0, of_numbers(indices))
    zeros = of_numbers(np.zeros((len(counts), weight.shape[-1]), weight.form.dtype))
    total = index_add(zeros, 0, of_numbers(bags), rows)
    if np.all(counts == 1):
        return total
    return total / of_numbers(counts.reshape(-1, 1).astype(weight.form.dtype))


def _bag_of_each(input: Tensor, offsets: Any, include_last_offset: Any) -> tuple[np.ndarray[Any, Any], int]:
    """The bag of each index, and how many bags there are. Raises: ValueError's messages of PyTorch."""
    if input.form.ndim == 2:
        if offsets is not None:
            raise torch_error(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed "
                "length sequences. However, found offsets of type <class 'torch.Tensor'>",
                "input 是二维时不能给出 offsets。",
                kind="ValueError",
            )
        count, length = input.form.shape
        return np.repeat(np.arange(count), length), count
    if not isinstance(offsets, Tensor):
        raise torch_error(
            "offsets has to be a 1D Tensor but got None", "offsets 必须是一维张量。", kind="ValueError"
        )
    starts = offsets.array[:-1] if include_last_offset else offsets.array
    places = np.arange(input.form.size)
    return np.searchsorted(starts, places, side="right") - 1, len(starts)


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
    """The rows of each bag put together; an empty bag gives zeros."""
    others = {"max_norm": max_norm, "per_sample_weights": per_sample_weights, "padding_idx": padding_idx}
    for name, value in others.items():
        if value is not None:
            raise not_here(f"embedding_bag({name}=…)", f" embedding_bag({name}=…)")
    if scale_grad_by_freq or mode not in MODES:
        raise not_here("embedding_bag with mode='max'", " embedding_bag 的 mode='max'")
    bags, count = _bag_of_each(input, offsets, include_last_offset)
    indices = reshape(input, (-1,)).array.astype(np.int64)
    if indices.size and (indices.min() < 0 or indices.max() >= weight.shape[0]):
        raise torch_error(
            "index out of range in self", "下标超出范围。", kind="IndexError", code="index_out_of_range"
        )
    sizes = np.maximum(np.bincount(bags, minlength=count), 1) if mode == "mean" else np.ones(count, np.int64)
    return _bags(weight, indices=indices, bags=bags, counts=sizes)


OPERATORS["embedding_bag"] = embedding_bag
