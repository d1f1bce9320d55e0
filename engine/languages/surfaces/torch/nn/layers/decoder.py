"""A transformer's decoder, and the whole transformer: it attends to itself and to what the encoder gives.

Source: Vaswani et al. (2017).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.classes.kinds import Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import Method, new_object
from engine.languages.surfaces.torch.dtypes import dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.init import xavier_uniform_
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.layers.transformer import (
    ENCODER,
    ENCODER_LAYER,
    SETTINGS,
    feed,
    set_up,
    stacked,
    through,
)
from engine.languages.surfaces.torch.nn.module import modules_of
from engine.languages.surfaces.torch.nn.parameter import Parameter
from engine.languages.surfaces.torch.registry import TORCH
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers

# -- the decoder -------------------------------------------------------------------------------------


def _forward(
    interpreter: Interpreter,
    self: UserObject,
    tgt: Any,
    memory: Any,
    tgt_mask: Any = None,
    memory_mask: Any = None,
    tgt_key_padding_mask: Any = None,
    memory_key_padding_mask: Any = None,
    tgt_is_causal: Any = False,
    memory_is_causal: Any = False,
) -> Any:
    """Shapes: tgt (T, N, E), memory (S, N, E), or N first with batch_first -> that of tgt."""
    facts = self.fields

    def attend(name: str, x: Any, keys: Any, mask: Any, padding: Any, dropout: str) -> Any:
        given = {"attn_mask": mask, "key_padding_mask": padding, "need_weights": False}
        found, _ = interpreter.call(facts[name], [x, keys, keys], given)
        return interpreter.call(facts[dropout], [found], {})

    def to_itself(x: Any) -> Any:
        return attend("self_attn", x, x, tgt_mask, tgt_key_padding_mask, "dropout1")

    def to_memory(x: Any) -> Any:
        return attend("multihead_attn", x, memory, memory_mask, memory_key_padding_mask, "dropout2")

    def norm(name: str, x: Any) -> Any:
        return interpreter.call(facts[name], [x], {})

    if facts["norm_first"]:
        x = tgt + to_itself(norm("norm1", tgt))
        x = x + to_memory(norm("norm2", x))
        return x + feed(interpreter, self, norm("norm3", x), "dropout3")
    x = norm("norm1", tgt + to_itself(tgt))
    x = norm("norm2", x + to_memory(x))
    return norm("norm3", x + feed(interpreter, self, x, "dropout3"))


DECODER_LAYER = layer(
    "TransformerDecoderLayer",
    _forward,
    setup=lambda interpreter, self: set_up(interpreter, self, ("self_attn", "multihead_attn")),
    settings=SETTINGS,
)


def _decode(
    interpreter: Interpreter,
    self: UserObject,
    tgt: Any,
    memory: Any,
    tgt_mask: Any = None,
    memory_mask: Any = None,
    tgt_key_padding_mask: Any = None,
    memory_key_padding_mask: Any = None,
    tgt_is_causal: Any = None,
    memory_is_causal: Any = False,
) -> Any:
    return through(
        interpreter,
        self,
        tgt,
        memory,
        tgt_mask=tgt_mask,
        memory_mask=memory_mask,
        tgt_key_padding_mask=tgt_key_padding_mask,
        memory_key_padding_mask=memory_key_padding_mask,
    )


DECODER = layer(
    "TransformerDecoder",
    _decode,
    setup=lambda interpreter, self: stacked(interpreter, self, "decoder_layer"),
    settings={"decoder_layer": REQUIRED, "num_layers": REQUIRED, "norm": None},
)

# -- both together -----------------------------------------------------------------------------------


def _set_up(interpreter: Interpreter, self: UserObject) -> None:
    facts = self.fields
    counts = {name: facts.pop(f"num_{name}_layers") for name in ("encoder", "decoder")}
    custom = {name: facts.pop(f"custom_{name}") for name in ("encoder", "decoder")}
    common = {name: facts[name] for name in SETTINGS if name in facts}
    kinds = {"encoder": (ENCODER_LAYER, ENCODER), "decoder": (DECODER_LAYER, DECODER)}
    for name in ("dim_feedforward", "dropout", "activation", "layer_norm_eps", "norm_first", "bias", "dtype"):
        facts.pop(name, None)
    for name, (one_layer, whole) in kinds.items():
        if custom[name] is not None:
            facts[name] = custom[name]
            continue
        one = new_object(interpreter, one_layer, **common)
        settings = {"eps": common["layer_norm_eps"], "bias": common["bias"]}
        norm = new_object(interpreter, TORCH["nn.LayerNorm"], common["d_model"], **settings)
        facts[name] = new_object(interpreter, whole, one, counts[name], norm)
    for _, module in modules_of(self):
        for value in module.fields.values():
            if isinstance(value, Parameter) and value.array.ndim > 1:
                xavier_uniform_(value)


def _translate(
    interpreter: Interpreter,
    self: UserObject,
    src: Any,
    tgt: Any,
    src_mask: Any = None,
    tgt_mask: Any = None,
    memory_mask: Any = None,
    src_key_padding_mask: Any = None,
    tgt_key_padding_mask: Any = None,
    memory_key_padding_mask: Any = None,
    src_is_causal: Any = None,
    tgt_is_causal: Any = None,
    memory_is_causal: Any = False,
) -> Any:
    """Shapes: src (S, N, E), tgt (T, N, E), or N first with batch_first -> that of tgt."""
    facts = self.fields
    batch = 0 if facts["batch_first"] else 1
    if src.array.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
        raise torch_error("the batch number of src and tgt must be equal", "src 与 tgt 的批大小必须相同。")
    if any(one.shape[-1] != facts["d_model"] for one in (src, tgt)):
        raise torch_error(
            "the feature number of src and tgt must be equal to d_model",
            "src 与 tgt 的特征数必须等于 d_model。",
        )
    memory = interpreter.call(facts["encoder"], [src, src_mask, src_key_padding_mask], {})
    masks = [tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask]
    return interpreter.call(facts["decoder"], [tgt, memory, *masks], {})


TRANSFORMER = layer(
    "Transformer",
    _translate,
    setup=_set_up,
    settings={
        "d_model": 512,
        "nhead": 8,
        "num_encoder_layers": 6,
        "num_decoder_layers": 6,
        "dim_feedforward": 2048,
        "dropout": 0.1,
        "activation": "relu",
        "custom_encoder": None,
        "custom_decoder": None,
        "layer_norm_eps": 1e-5,
        "batch_first": False,
        "norm_first": False,
        "bias": True,
        "device": None,
        "dtype": None,
    },
)


def _mask_of_later_places(sz: Any, device: Any = None, dtype: Any = None) -> Tensor:
    """-inf above the diagonal: no place may attend to a later one. Shapes: () -> (sz, sz)."""
    count = int(sz)
    state().graph.meter.check_elements((count, count))
    kind = dtype_of(dtype) or state().default_float
    return of_numbers(np.triu(np.full((count, count), -np.inf, kind.name), 1))


OWN = {
    "generate_square_subsequent_mask": Wrapped(
        "staticmethod", Method("Transformer.generate_square_subsequent_mask", _mask_of_later_places)
    )
}
TRANSFORMER.members = MappingProxyType({**TRANSFORMER.members, **OWN})  # before any program sees it
