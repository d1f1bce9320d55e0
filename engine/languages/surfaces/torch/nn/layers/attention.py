"""Attention with several heads."""

from __future__ import annotations

import math
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import new_object
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.losses import linear
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.reductions import mean
from engine.languages.surfaces.torch.functions.shaping import chunk, reshape, squeeze, transpose, unsqueeze
from engine.languages.surfaces.torch.functions.softmax import softmax
from engine.languages.surfaces.torch.nn.functional.attention import as_scores
from engine.languages.surfaces.torch.nn.functional.dropping import dropout
from engine.languages.surfaces.torch.nn.init import xavier_uniform_
from engine.languages.surfaces.torch.nn.layer import (
    REQUIRED,
    element_type,
    empty,
    filled,
    hold_parameters,
    layer,
)
from engine.languages.surfaces.torch.nn.layers.linear import OUTPUT_OF_ATTENTION
from engine.languages.surfaces.torch.sizes import shown
from engine.languages.surfaces.torch.tensor import Tensor


def _set_up(interpreter: Interpreter, self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    width, heads = facts["embed_dim"], facts["num_heads"]
    if width <= 0 or heads <= 0:
        raise torch_error(
            f"embed_dim and num_heads must be greater than 0, got embed_dim={width} and num_heads={heads} "
            "instead",
            "embed_dim 和 num_heads 必须大于零。",
            kind="ValueError",
        )
    if width % heads:
        raise torch_error(
            "embed_dim must be divisible by num_heads",
            f"embed_dim（{width}）必须能被 num_heads（{heads}）整除。",
            kind="AssertionError",
        )
    for name in ("add_bias_kv", "add_zero_attn"):
        if facts.pop(name):
            raise not_here(f"{name}=True", f" {name}=True", "Leave it out.", "请去掉它。")
    widths = (facts.pop("kdim"), facts.pop("vdim"))
    if any(one not in (None, width) for one in widths):
        raise not_here("kdim and vdim other than embed_dim", "不同于 embed_dim 的 kdim 或 vdim")
    has_bias = facts.pop("bias")
    facts["head_dim"] = width // heads
    facts["in_proj_weight"] = empty((3 * width, width), dtype)
    facts["in_proj_bias"] = empty((3 * width,), dtype) if has_bias else None
    facts["out_proj"] = new_object(interpreter, OUTPUT_OF_ATTENTION, width, width, bias=has_bias)
    xavier_uniform_(facts["in_proj_weight"])
    if has_bias:
        facts["out_proj"].fields["bias"] = filled((width,), 0.0, dtype)
        hold_parameters(facts["out_proj"])


def _heads(x: Any, heads: int) -> Any:
    """Shapes: (L, N, E) -> (N, heads, L, E / heads)."""
    length, count, width = x.array.shape
    split = reshape(x, (length, count * heads, width // heads))
    return reshape(transpose(split, 0, 1), (count, heads, length, width // heads))


def _project(self: UserObject, inputs: list[Tensor]) -> list[Tensor]:
    """Queries, keys and values of all heads."""
    facts = self.fields
    weights = chunk(facts["in_proj_weight"], 3, 0)
    bias = facts["in_proj_bias"]
    biases = (None,) * 3 if bias is None else chunk(bias, 3, 0)
    return [
        _heads(linear(one, w, b), facts["num_heads"])
        for one, w, b in zip(inputs, weights, biases, strict=True)
    ]


def _forward(
    interpreter: Interpreter,
    self: UserObject,
    query: Any,
    key: Any,
    value: Any,
    key_padding_mask: Any = None,
    need_weights: Any = True,
    attn_mask: Any = None,
    average_attn_weights: Any = True,
    is_causal: Any = False,
) -> tuple[Tensor, Any]:
    """What each head finds, and how it looked.

    Shapes: (L, N, E), (S, N, E), (S, N, E) -> (L, N, E), (N, L, S); N first with batch_first; or without N.
    """
    facts = self.fields
    _check_axes(query)
    alone, first = query.array.ndim == 2, facts["batch_first"]
    inputs = [unsqueeze(x, 1) if alone else transpose(x, 0, 1) if first else x for x in (query, key, value)]
    _check_width(inputs[0], facts["embed_dim"])
    length, count, width = inputs[0].array.shape
    if attn_mask is not None:
        _check_mask(attn_mask, (length, inputs[1].array.shape[0]), count * facts["num_heads"])
    heads: list[Any] = _project(self, inputs)
    q, k, v = heads
    scores = matmul(q * (1.0 / math.sqrt(facts["head_dim"])), transpose(k, -2, -1))
    for added in _masks(attn_mask, key_padding_mask, count, facts["num_heads"], alone):
        scores = scores + added
    weights = softmax(scores, -1)
    mixed = matmul(dropout(weights, facts["dropout"], facts["training"]), v)
    rows = reshape(
        transpose(reshape(mixed, (count * facts["num_heads"], length, -1)), 0, 1), (length * count, width)
    )
    out = facts["out_proj"].fields
    result = reshape(linear(rows, out["weight"], out["bias"]), (length, count, width))
    result = squeeze(result, 1) if alone else transpose(result, 0, 1) if first else result
    if not need_weights:
        return result, None
    shown = mean(weights, 1) if average_attn_weights else weights
    return result, squeeze(shown, 0) if alone else shown


OF_QUERIES = (2, 3)  # axes of a query: alone, and in a batch


def _check_axes(query: Any) -> None:
    axes = query.form.ndim
    if axes not in OF_QUERIES:
        raise _unfit(
            f"query should be unbatched 2D or batched 3D tensor but received {axes}-D query tensor",
            f"query 应为 2 维或 3 维，而这里有 {axes} 维。",
        )


def _check_width(query: Any, width: int) -> None:
    found = query.form.shape[-1]
    if found != width:
        raise _unfit(
            f"was expecting embedding dimension of {width}, but got {found}",
            f"最后一维的长度应为 embed_dim={width}，但得到 {found}。",
        )


def _check_mask(mask: Any, sizes: tuple[int, int], rows: int) -> None:
    """Raises: RuntimeError's message of PyTorch where a mask has not a number for each score."""
    axes = mask.form.ndim
    wanted = sizes if axes == OF_QUERIES[0] else (rows, *sizes)
    if tuple(mask.shape) != wanted:
        raise torch_error(
            f"The shape of the {axes}D attn_mask is {shown(mask.shape)}, but should be {wanted}.",
            f"attn_mask 的形状应为 {wanted}，但得到 {list(mask.shape)}。",
            code="shape_mismatch",
        )


def _unfit(said: str, said_zh: str) -> Exception:
    return torch_error(said, said_zh, kind="AssertionError", code="shape_mismatch")


def _masks(attn_mask: Any, key_padding_mask: Any, count: int, heads: int, alone: bool) -> list[Tensor]:
    """What is added to the scores (N, heads, L, S)."""
    found = []
    if attn_mask is not None:
        mask = as_scores(attn_mask, False)
        if mask.array.ndim == 3:
            mask = reshape(mask, (count, heads, *mask.array.shape[1:]))
        found.append(mask)
    if key_padding_mask is not None:
        mask = as_scores(key_padding_mask, False)
        found.append(reshape(mask, (1 if alone else count, 1, 1, -1)))
    return found


MULTIHEAD = layer(
    "MultiheadAttention",
    _forward,
    setup=_set_up,
    settings={
        "embed_dim": REQUIRED,
        "num_heads": REQUIRED,
        "dropout": 0.0,
        "bias": True,
        "add_bias_kv": False,
        "add_zero_attn": False,
        "kdim": None,
        "vdim": None,
        "batch_first": False,
        "device": None,
        "dtype": None,
    },
)
