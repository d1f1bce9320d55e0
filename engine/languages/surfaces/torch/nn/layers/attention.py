"""Attention with several heads."""

from __future__ import annotations

import math
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import new_object
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.losses import linear
from engine.languages.surfaces.torch.functions.matrices import baddbmm, bmm
from engine.languages.surfaces.torch.functions.reductions import mean
from engine.languages.surfaces.torch.functions.shaping import (
    chunk,
    contiguous,
    expand,
    permute,
    reshape,
    select,
    split,
    squeeze,
    transpose,
    unflatten,
    unsqueeze,
    view_method,
)
from engine.languages.surfaces.torch.functions.shaping.views import _view as viewed
from engine.languages.surfaces.torch.functions.softmax import softmax
from engine.languages.surfaces.torch.nn.functional.attention import (
    as_scores,
    is_one_kernel,
    scaled_dot_product_attention,
)
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


def _parted(projected: Any, parts: int) -> list[Any]:
    """A product with several weights at once, in its parts. Shapes: (L, N, parts E) -> (L, N, E) each."""
    width = projected.form.shape[-1] // parts
    apart = unsqueeze(unflatten(projected, -1, (parts, width)), 0)
    rows = contiguous(squeeze(transpose(apart, 0, -2), -2))
    return [select(rows, 0, place) for place in range(parts)]


def _project(self: UserObject, query: Any, key: Any, value: Any) -> list[Any]:
    """Queries, keys and values, with as few products as PyTorch takes where some are the same tensor."""
    weight, bias = self.fields["in_proj_weight"], self.fields["in_proj_bias"]
    width = query.form.shape[-1]
    if key is value and query is key:
        return _parted(linear(query, weight, bias), 3)
    if key is value:
        of_query, of_rest = split(weight, [width, 2 * width])
        biases = (None, None) if bias is None else split(bias, [width, 2 * width])
        return [linear(query, of_query, biases[0]), *_parted(linear(key, of_rest, biases[1]), 2)]
    weights = chunk(weight, 3, 0)
    all_biases = (None,) * 3 if bias is None else chunk(bias, 3, 0)
    return [linear(*one) for one in zip((query, key, value), weights, all_biases, strict=True)]


def _rows_first(given: tuple[Any, Any, Any]) -> list[Any]:
    """Queries, keys and values with the steps first; one tensor stays one. Shapes: (N, L, E) each."""
    turned: dict[int, Any] = {}
    for one in given:
        if id(one) not in turned:
            turned[id(one)] = transpose(one, 0, 1)
    return [turned[id(one)] for one in given]


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
    given = (query, key, value)
    inputs = [unsqueeze(x, 1) for x in given] if alone else _rows_first(given) if first else list(given)
    _check_width(inputs[0], facts["embed_dim"])
    length, count, width = inputs[0].form.shape
    heads = facts["num_heads"]
    if attn_mask is not None:
        _check_mask(attn_mask, (length, inputs[1].form.shape[0]), count * heads)
    q, k, v = (
        transpose(view_method(one, (one.form.shape[0], count * heads, facts["head_dim"])), 0, 1)
        for one in _project(self, *inputs)
    )
    by_mask = is_causal and key_padding_mask is None and not need_weights
    mask = None if by_mask else _mask(attn_mask, key_padding_mask, count, heads)
    p = facts["dropout"] if facts["training"] else 0.0
    if need_weights:
        rows, weights = _with_weights(q, k, v, mask, p, length * count)
    else:
        rows = _at_once(q, k, v, mask, p, count, bool(by_mask))
    out = facts["out_proj"].fields
    result = reshape(linear(rows, out["weight"], out["bias"]), (length, count, width))
    result = squeeze(result, 1) if alone else transpose(result, 0, 1) if first else result
    if not need_weights:
        return result, None
    shown = reshape(weights, (count, heads, length, -1))
    shown = mean(shown, 1) if average_attn_weights else shown
    return result, squeeze(shown, 0) if alone else shown


def _with_weights(q: Any, k: Any, v: Any, mask: Any, p: float, rows: int) -> tuple[Any, Any]:
    """What the heads find, and how they looked. Shapes: (N H, L, D) -> (L N, H D), (N H, L, S)."""
    scaled, turned = q * math.sqrt(1.0 / q.form.shape[-1]), transpose(k, -2, -1)
    scores = bmm(scaled, turned) if mask is None else baddbmm(mask, scaled, turned)
    weights = softmax(scores, -1)
    weights = dropout(weights, p, True) if p > 0 else weights
    return reshape(transpose(bmm(weights, v), 0, 1), (rows, -1)), weights


def _at_once(q: Any, k: Any, v: Any, mask: Any, p: float, count: int, is_causal: bool) -> Any:
    """What the heads find, in one function. Shapes: (N H, L, D) -> (L N, H D)."""
    length, steps = q.form.shape[1], k.form.shape[1]
    if mask is not None:
        alike = mask.form.shape[0] == 1
        mask = unsqueeze(mask, 0) if alike else view_method(mask, (count, -1, *mask.form.shape[1:]))
    q = view_method(q, (count, -1, length, q.form.shape[-1]))
    k, v = (view_method(one, (count, -1, steps, one.form.shape[-1])) for one in (k, v))
    found = permute(scaled_dot_product_attention(q, k, v, mask, p, is_causal), (2, 0, 1, 3))
    width = found.form.shape[-2] * found.form.shape[-1]
    if is_one_kernel(q, v, mask, p):  # which leaves its result in this order
        return viewed(found, (length * count, width))
    return reshape(found, (length * count, width))


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


def _mask(attn_mask: Any, key_padding_mask: Any, count: int, heads: int) -> Any:
    """What is added to the scores. Shapes: -> (N H or 1, L or 1, S)."""
    mask = None if attn_mask is None else as_scores(attn_mask, False)
    if mask is not None and mask.form.ndim == OF_QUERIES[0]:
        mask = unsqueeze(mask, 0)
    if key_padding_mask is None:
        return mask
    padding = reshape(as_scores(key_padding_mask, False), (count, 1, 1, -1))
    padding = reshape(expand(padding, (-1, heads, -1, -1)), (count * heads, 1, -1))
    return padding if mask is None else mask + padding


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
