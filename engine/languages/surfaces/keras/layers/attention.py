"""`tf.keras.layers`: attention, by which each place of a sequence looks at all places of another.

Attention:          softmax(q k^T) v.
MultiHeadAttention: W_o puts together what each head gives, softmax((x W_q) (y W_k)^T / sqrt(K)) (y W_v).
Source: Vaswani et al., Attention is all you need (2017).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ShapeError
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.languages.surfaces.keras.masks import mask_of, set_mask, take_masks
from engine.languages.surfaces.keras.named import initializer_named, spread_over
from engine.languages.surfaces.keras.seeds import seed_generator
from engine.languages.surfaces.keras.weights import add_weight, counted_name
from engine.languages.surfaces.tf2.functions.running import untraced
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number, written

FAR_BELOW = -1e9  # added to the scores of places that do not count
OTHER = ("It is not computed here: leave it out.", "这里不计算它：请去掉它。")


def _heads_init(
    interpreter: Interpreter,
    self: UserObject,
    num_heads: Any,
    key_dim: Any,
    value_dim: Any = None,
    dropout: Any = 0.0,
    use_bias: Any = True,
    output_shape: Any = None,
    attention_axes: Any = None,
    flash_attention: Any = None,
    kernel_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    seed: Any = None,
    name: Any = None,
) -> None:
    """How many heads, and how many numbers each of them compares."""
    refuse_given("MultiHeadAttention", {"attention_axes": attention_axes}, *OTHER)
    layer_init(interpreter, self, name)
    self.fields.update(num_heads=whole_number(num_heads, "num_heads"))
    self.fields["key_dim"] = whole_number(key_dim, "key_dim")
    self.fields["value_dim"] = whole_number(key_dim if value_dim is None else value_dim, "value_dim")
    self.fields.update(dropout=dropout, use_bias=bool(use_bias), _given_seed=seed)
    self.fields["_out"] = None if output_shape is None else whole_number(output_shape, "output_shape")
    begins = (kernel_initializer, bias_initializer)
    self.fields["_rules"] = [initializer_named(interpreter, rule) for rule in begins]
    self.fields["_given_rule"] = kernel_initializer


def _make(interpreter: Interpreter, self: UserObject, widths: dict[str, int], out: int) -> None:
    """Kernel and offset of query, key and value for each head, and of what puts the heads together."""
    for part in ("softmax", "dropout"):
        counted_name(interpreter, part)  # layers that Keras makes inside of this one
    fields = self.fields
    heads, key_dim, value_dim = fields["num_heads"], fields["key_dim"], fields["value_dim"]
    for part, width in widths.items():
        size = (heads, value_dim if part == "value" else key_dim)
        _make_part(interpreter, self, part, (width, *size), size)
    fields["_seed"] = seed_generator(interpreter, fields["_given_seed"]) if fields["dropout"] else None
    _make_part(interpreter, self, "attention_output", (heads, value_dim, out), (out,))


def _make_part(
    interpreter: Interpreter, self: UserObject, part: str, kernel: tuple[int, ...], offset: tuple[int, ...]
) -> None:
    first, second = self.fields["_rules"]
    if isinstance(self.fields["_given_rule"], str):
        first = initializer_named(interpreter, self.fields["_given_rule"])  # each part has its own
    into = 2 if part == "attention_output" else 1
    first = spread_over(first, into)
    made = [add_weight(interpreter, self, kernel, first, name=f"{part}/kernel")]
    if self.fields["use_bias"]:
        made.append(add_weight(interpreter, self, offset, second, name=f"{part}/bias"))
    self.fields[f"_{part}"] = made
    for variable in made:
        variable.given_name = variable.given_name.rpartition("/")[2]


def _projected(self: UserObject, part: str, equation: str, x: Any) -> Any:
    kernel, *offset = self.fields[f"_{part}"]
    made = ops.einsum(equation, x, kernel)
    return made + offset[0] if offset else made


def _heads_call(
    interpreter: Interpreter,
    self: UserObject,
    query: Any,
    value: Any,
    key: Any = None,
    query_mask: Any = None,
    value_mask: Any = None,
    key_mask: Any = None,
    attention_mask: Any = None,
    return_attention_scores: Any = False,
    training: Any = False,
    use_causal_mask: Any = False,
) -> Any:
    """Shapes: query (B, T, D), value and key (B, S, E) -> (B, T, D); scores (B, heads, T, S)."""
    query, value, key = (_sequence(self, one) for one in (query, value, value if key is None else key))
    fields = self.fields
    if "_query" not in fields:
        widths = {"query": query.shape[-1], "key": key.shape[-1], "value": value.shape[-1]}
        with untraced(interpreter):
            _make(interpreter, self, widths, fields["_out"] or query.shape[-1])
    q, k, v = (
        _projected(self, part, "abc,cde->abde", one)
        for part, one in (("query", query), ("key", key), ("value", value))
    )
    scores = ops.einsum("aecd,abcd->acbe", k, q * (1.0 / sqrt(fields["key_dim"])))
    marks = (None, value_mask, key_mask)  # Keras takes the query's own mask, whatever `query_mask` says
    mask = _allowed(interpreter, (query, value, key), marks, attention_mask, bool(use_causal_mask))
    shares = _shares(scores, mask, bool(fields["dropout"] or return_attention_scores))
    used = ops.dropout(shares, rate=fields["dropout"], seed=fields["_seed"]) if training else shares
    result = _projected(self, "attention_output", "abcd,cde->abe", ops.einsum("acbe,aecd->abcd", used, v))
    set_mask(interpreter, result, mask_of(interpreter, query))
    take_masks(interpreter, query, key, value)
    return (result, shares) if return_attention_scores else result


def _shares(scores: Any, mask: Any, is_followed: bool) -> Any:
    """softmax of the scores (B, heads, T, S) over the places that count.

    is_followed: whether the shares are dropped or given back. Then a query that looks at no place has shares
    of 0 in Keras; else it looks at all places alike, and no gradient goes to its scores.
    """
    if mask is None:
        return ops.softmax(scores, -1)
    counts = ops.broadcast_to(ops.expand_dims(mask, 1) > 0, scores.shape)
    shares = ops.softmax(ops.where(counts, scores, FAR_BELOW * ops.ones_like(scores)), -1)
    return ops.where(counts, shares, ops.zeros_like(shares)) if is_followed else shares


def _sequence(self: UserObject, value: Any) -> Any:
    """Raises: ShapeError for what is no sequence of vectors."""
    x: Any = ops.cast(value, "float32")
    if len(x.shape) != 3:
        name, given = self.fields["name"], written(tuple(x.shape))
        raise ShapeError(
            f"Layer {name} takes (examples, places, numbers), but was given {given}.",
            message_zh=f"层 {name} 需要（样本, 位置, 数值），但得到 {given}。",
        )
    return x


def _allowed(
    interpreter: Interpreter, given: tuple[Any, Any, Any], marks: Any, attention: Any, causal: bool
) -> Any:
    """1 where a place of the query looks at one of the value, (B, T, S); None where each looks at all."""
    query, value, key = (
        mask_of(interpreter, one) if mark is None else mark for one, mark in zip(given, marks, strict=True)
    )
    found = [ops.cast(attention, "float32")] if attention is not None else []
    found += [ops.expand_dims(ops.cast(query, "float32"), 2)] if query is not None else []
    beside = [value] if key is value else [value, key]
    found += [ops.expand_dims(ops.cast(one, "float32"), 1) for one in beside if one is not None]
    if causal:
        found.append(ops.constant(np.tril(np.ones((1, given[0].shape[1], given[1].shape[1]), np.float32))))
    whole = None
    for one in found:
        whole = one if whole is None else whole * one
    return whole


# -- Attention, AdditiveAttention --------------------------------------------------------------------


def _init(
    interpreter: Interpreter,
    self: UserObject,
    use_scale: Any = False,
    score_mode: Any = "dot",
    dropout: Any = 0.0,
    seed: Any = None,
    name: Any = None,
) -> None:
    """Whether the scores are scaled by a number that is trained."""
    refuse_given("Attention", {"score_mode": None if score_mode == "dot" else score_mode}, *OTHER)
    layer_init(interpreter, self, name)
    self.fields.update(use_scale=bool(use_scale), dropout=dropout, _scale=None)
    self.fields["_seed"] = seed_generator(interpreter, seed) if dropout else None


def _additive_init(
    interpreter: Interpreter, self: UserObject, use_scale: Any = True, dropout: Any = 0.0, name: Any = None
) -> None:
    layer_init(interpreter, self, name)
    self.fields.update(use_scale=bool(use_scale), dropout=dropout, _scale=None)
    self.fields["_seed"] = seed_generator(interpreter) if dropout else None


def _build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    self.fields["built"] = True


def _call(
    interpreter: Interpreter,
    self: UserObject,
    inputs: Any,
    mask: Any = None,
    return_attention_scores: Any = False,
    training: Any = False,
    use_causal_mask: Any = False,
) -> Any:
    """Shapes: query (B, T, D), value and key (B, S, D), in a list -> (B, T, D)."""
    query, value, *rest = (_sequence(self, one) for one in inputs)
    key = rest[0] if rest else value
    fields = self.fields
    if fields["use_scale"] and fields["_scale"] is None:
        is_additive = self.kind.name == "AdditiveAttention"
        shape, rule = ((query.shape[-1],), "glorot_uniform") if is_additive else ((), "ones")
        with untraced(interpreter):
            fields["_scale"] = add_weight(interpreter, self, shape, rule, name="scale")
    scores = _scores(self, query, key)
    own, given = mask if isinstance(mask, (list, tuple)) and len(mask) > 1 else (None, None)
    own = mask_of(interpreter, query) if own is None else own
    marked = _allowed(interpreter, (None, value, value), (None, given, given), None, bool(use_causal_mask))
    if marked is not None:
        scores = scores + (1.0 - marked) * FAR_BELOW
    shares = ops.softmax(scores, -1)
    used = ops.dropout(shares, rate=fields["dropout"], seed=fields["_seed"]) if training else shares
    result = used @ value
    if own is not None:
        result = result * ops.cast(ops.expand_dims(own, -1), result.dtype)
    return (result, shares) if return_attention_scores else result


def _scores(self: UserObject, query: Any, key: Any) -> Any:
    scale = self.fields["_scale"]
    if self.kind.name == "AdditiveAttention":
        both = ops.tanh(ops.expand_dims(query, 2) + ops.expand_dims(key, 1))
        return ops.reduce_sum(both if scale is None else both * scale, -1)
    product = ops.einsum("btd,bsd->bts", query, key)
    return product if scale is None else product * scale


ATTENTION = {
    "MultiHeadAttention": layer_class("MultiHeadAttention", _heads_init, _heads_call, None, _build),
    "Attention": layer_class("Attention", _init, _call, None, _build),
    "AdditiveAttention": layer_class("AdditiveAttention", _additive_init, _call, None, _build),
}
