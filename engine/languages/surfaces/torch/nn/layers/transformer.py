"""Layers of a transformer's encoder: attention and two linear layers, each beside a shortcut.

What encoder and decoder have in common is here; the decoder's own is in `decoder.py`.

Source: Vaswani et al. (2017).
"""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.python.typing import deep
from engine.languages.surfaces.torch.classes import new_object
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.layers.containers import MODULE_LIST
from engine.languages.surfaces.torch.nn.module import functional
from engine.languages.surfaces.torch.registry import TORCH

SHORT = {"relu": "relu", "gelu": "gelu"}


def set_up(interpreter: Interpreter, self: UserObject, attentions: tuple[str, ...] = ("self_attn",)) -> None:
    """The parts of a layer: attentions, two linear layers, and a norm and dropout for each shortcut."""
    facts = self.fields
    width, inner, p = facts.pop("d_model"), facts.pop("dim_feedforward"), facts.pop("dropout")
    heads, eps, has_bias = facts.pop("nhead"), facts.pop("layer_norm_eps"), facts.pop("bias")
    facts.pop("dtype")
    first = facts.pop("batch_first")

    def make(name: str, *args: Any, **settings: Any) -> UserObject:
        return new_object(interpreter, TORCH[f"nn.{name}"], *args, **settings)

    for name in attentions:
        facts[name] = make("MultiheadAttention", width, heads, dropout=p, bias=has_bias, batch_first=first)
    facts["linear1"] = make("Linear", width, inner, bias=has_bias)
    facts["dropout"] = make("Dropout", p)
    facts["linear2"] = make("Linear", inner, width, bias=has_bias)
    shortcuts = range(1, len(attentions) + 2)
    for number in shortcuts:
        facts[f"norm{number}"] = make("LayerNorm", width, eps=eps, bias=has_bias)
    for number in shortcuts:
        facts[f"dropout{number}"] = make("Dropout", p)
    if isinstance(facts["activation"], str) and facts["activation"] not in SHORT:
        raise torch_error(
            f"activation should be relu/gelu, not {facts['activation']}",
            f"activation 应是 relu 或 gelu，不能是 {facts['activation']}。",
        )


def feed(interpreter: Interpreter, self: UserObject, x: Any, last: str) -> Any:
    """Two linear layers with an activation between them, and dropout after each."""
    facts = self.fields
    inner = interpreter.call(facts["linear1"], [x], {})
    inner = interpreter.call(facts["dropout"], [_activated(interpreter, self, inner)], {})
    return interpreter.call(facts[last], [interpreter.call(facts["linear2"], [inner], {})], {})


def _forward(
    interpreter: Interpreter,
    self: UserObject,
    src: Any,
    src_mask: Any = None,
    src_key_padding_mask: Any = None,
    is_causal: Any = False,
) -> Any:
    """Shapes: src (T, N, E), or (N, T, E) with batch_first -> the same."""
    facts = self.fields

    def attend(x: Any) -> Any:
        given = {"attn_mask": src_mask, "key_padding_mask": src_key_padding_mask, "need_weights": False}
        found, _ = interpreter.call(facts["self_attn"], [x, x, x], given)
        return interpreter.call(facts["dropout1"], [found], {})

    def norm(name: str, x: Any) -> Any:
        return interpreter.call(facts[name], [x], {})

    if facts["norm_first"]:
        x = src + attend(norm("norm1", src))
        return x + feed(interpreter, self, norm("norm2", x), "dropout2")
    x = norm("norm1", src + attend(src))
    return norm("norm2", x + feed(interpreter, self, x, "dropout2"))


def _activated(interpreter: Interpreter, self: UserObject, x: Any) -> Any:
    own = self.fields["activation"]
    return functional(interpreter, own, x) if isinstance(own, str) else interpreter.call(own, [x], {})


SETTINGS: dict[str, Any] = {
    "d_model": REQUIRED,
    "nhead": REQUIRED,
    "dim_feedforward": 2048,
    "dropout": 0.1,
    "activation": "relu",
    "layer_norm_eps": 1e-5,
    "batch_first": False,
    "norm_first": False,
    "bias": True,
    "device": None,
    "dtype": None,
}
ENCODER_LAYER = layer(
    "TransformerEncoderLayer",
    _forward,
    setup=lambda interpreter, self: set_up(interpreter, self),
    settings=SETTINGS,
)


def stacked(interpreter: Interpreter, self: UserObject, layer_name: str) -> None:
    """Copies of a layer one after the other, and perhaps a norm at the end."""
    facts = self.fields
    one, norm = facts.pop(layer_name), facts.pop("norm")
    copies = [deep(interpreter, one) for _ in range(facts["num_layers"])]
    facts["layers"] = new_object(interpreter, MODULE_LIST, copies)
    facts["norm"] = norm


def through(interpreter: Interpreter, self: UserObject, x: Any, *others: Any, **given: Any) -> Any:
    """What the layers make of x, each given the others as well."""
    facts = self.fields
    for one in [value for name, value in facts["layers"].fields.items() if name.isdigit()]:
        x = interpreter.call(one, [x, *others], given)
    return x if facts["norm"] is None else interpreter.call(facts["norm"], [x], {})


def _encode(
    interpreter: Interpreter,
    self: UserObject,
    src: Any,
    mask: Any = None,
    src_key_padding_mask: Any = None,
    is_causal: Any = None,
) -> Any:
    return through(interpreter, self, src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)


ENCODER = layer(
    "TransformerEncoder",
    _encode,
    setup=lambda interpreter, self: stacked(interpreter, self, "encoder_layer"),
    settings={
        "encoder_layer": REQUIRED,
        "num_layers": REQUIRED,
        "norm": None,
        "enable_nested_tensor": True,
        "mask_check": True,
    },
)
