"""Layers of a transformer's encoder: attention and two linear layers, each beside a shortcut.

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


def _set_up(interpreter: Interpreter, self: UserObject) -> None:
    facts = self.fields
    width, inner, p = facts.pop("d_model"), facts.pop("dim_feedforward"), facts.pop("dropout")
    heads, eps, has_bias = facts.pop("nhead"), facts.pop("layer_norm_eps"), facts.pop("bias")
    facts.pop("dtype")
    first = facts.pop("batch_first")

    def make(name: str, *args: Any, **settings: Any) -> UserObject:
        return new_object(interpreter, TORCH[f"nn.{name}"], *args, **settings)

    facts["self_attn"] = make("MultiheadAttention", width, heads, dropout=p, bias=has_bias, batch_first=first)
    facts["linear1"] = make("Linear", width, inner, bias=has_bias)
    facts["dropout"] = make("Dropout", p)
    facts["linear2"] = make("Linear", inner, width, bias=has_bias)
    for name in ("norm1", "norm2"):
        facts[name] = make("LayerNorm", width, eps=eps, bias=has_bias)
    for name in ("dropout1", "dropout2"):
        facts[name] = make("Dropout", p)
    if isinstance(facts["activation"], str) and facts["activation"] not in SHORT:
        raise torch_error(
            f"activation should be relu/gelu, not {facts['activation']}",
            f"activation 应是 relu 或 gelu，不能是 {facts['activation']}。",
        )


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

    def feed(x: Any) -> Any:
        inner = interpreter.call(facts["linear1"], [x], {})
        inner = interpreter.call(facts["dropout"], [_activated(interpreter, self, inner)], {})
        return interpreter.call(facts["dropout2"], [interpreter.call(facts["linear2"], [inner], {})], {})

    def norm(name: str, x: Any) -> Any:
        return interpreter.call(facts[name], [x], {})

    if facts["norm_first"]:
        x = src + attend(norm("norm1", src))
        return x + feed(norm("norm2", x))
    x = norm("norm1", src + attend(src))
    return norm("norm2", x + feed(x))


def _activated(interpreter: Interpreter, self: UserObject, x: Any) -> Any:
    own = self.fields["activation"]
    return functional(interpreter, own, x) if isinstance(own, str) else interpreter.call(own, [x], {})


ENCODER_LAYER = layer(
    "TransformerEncoderLayer",
    _forward,
    setup=_set_up,
    settings={
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
    },
)


def _set_up_encoder(interpreter: Interpreter, self: UserObject) -> None:
    facts = self.fields
    one, norm = facts.pop("encoder_layer"), facts.pop("norm")
    copies = [deep(interpreter, one) for _ in range(facts["num_layers"])]
    facts["layers"] = new_object(interpreter, MODULE_LIST, copies)
    facts["norm"] = norm


def _encode(
    interpreter: Interpreter,
    self: UserObject,
    src: Any,
    mask: Any = None,
    src_key_padding_mask: Any = None,
    is_causal: Any = None,
) -> Any:
    facts = self.fields
    given = {"src_mask": mask, "src_key_padding_mask": src_key_padding_mask}
    layers = [value for name, value in facts["layers"].fields.items() if name.isdigit()]
    for one in layers:
        src = interpreter.call(one, [src], given)
    return src if facts["norm"] is None else interpreter.call(facts["norm"], [src], {})


layer(
    "TransformerEncoder",
    _encode,
    setup=_set_up_encoder,
    settings={
        "encoder_layer": REQUIRED,
        "num_layers": REQUIRED,
        "norm": None,
        "enable_nested_tensor": True,
        "mask_check": True,
    },
)
