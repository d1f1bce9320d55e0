"""Attention: means of the values, by how well queries fit keys.

Source: Vaswani et al. (2017).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.shaping import squeeze, transpose, unsqueeze
from engine.languages.surfaces.torch.functions.softmax import softmax
from engine.languages.surfaces.torch.nn.functional.dropping import dropout
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array


def as_scores(mask: Any, keeps: bool) -> Any:
    """A mask as what is added to the scores: minus infinity where nothing is looked at.

    keeps: whether True in a mask of truth values means that something is looked at.
    """
    if mask.dtype is not BOOL:
        return mask
    allowed = mask.array if keeps else ~mask.array
    return of_numbers(np.where(allowed, np.float32(0), np.float32(-np.inf)))


def causal_mask(rows: int, columns: int) -> Array:
    """Which key each query may look at: those before it, and itself. Shapes: () -> (rows, columns)."""
    return np.tril(np.ones((rows, columns), dtype=bool))


BATCHES_OF_HEADS = 4  # axes: N, H, L, E


def _attention(query: Any, key: Any, value: Any, added: Any = None, scale: float = 1.0, p: Any = 0.0) -> Any:
    scores = matmul(query * scale, transpose(key, -2, -1))
    weights = softmax(scores if added is None else scores + added, -1)
    return matmul(dropout(weights, p, p > 0), value)


_attend = composite("ScaledDotProductFlashAttentionForCpuBackward0", "query key value")(_attention)


def is_one_kernel(query: Any, value: Any, mask: Any, p: Any) -> bool:
    """Whether PyTorch computes it in one go; else each of its functions leaves a node of its own."""
    asks = mask is not None and mask.requires_grad
    return not asks and p == 0 and query.form.ndim in (3, 4) and query.shape[-1] == value.shape[-1]


@torch_function("scaled_dot_product_attention", f=True)
@takes_only(enable_gqa=(False,))
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: Any = 0.0,
    is_causal: Any = False,
    scale: Any = None,
    enable_gqa: Any = False,
) -> Any:
    """softmax(Q Kᵀ / sqrt(E)) V. Shapes: (*, L, E), (*, S, E), (*, S, V) -> (*, L, V)."""
    if is_causal and attn_mask is not None:
        raise torch_error(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
            "is_causal=True 时不能再给 attn_mask。",
        )
    factor = 1 / math.sqrt(query.form.shape[-1]) if scale is None else scale
    added = None
    if is_causal:
        added = as_scores(of_numbers(causal_mask(query.form.shape[-2], key.form.shape[-2])), True)
    elif attn_mask is not None:
        added = as_scores(attn_mask, True)
    if not is_one_kernel(query, value, attn_mask, dropout_p):
        return _attention(query, key, value, added, factor, dropout_p)
    if query.form.ndim < BATCHES_OF_HEADS:
        alone = (unsqueeze(one, 0) for one in (query, key, value))
        return squeeze(_attend(*alone, added, factor, dropout_p), 0)
    return _attend(query, key, value, added, factor, dropout_p)
