"""Embeddings: a row of numbers for each index."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.classes.kinds import Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import Method, new_object
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.nn.init import normal_, put
from engine.languages.surfaces.torch.nn.layer import REQUIRED, element_type, empty, layer
from engine.languages.surfaces.torch.nn.module import functional
from engine.languages.surfaces.torch.nn.parameter import parameter


def _set_up(self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    if facts["sparse"]:
        raise not_here("sparse=True", " sparse=True", "Leave it out.", "请去掉它。")
    count, width, given, frozen = (
        facts["num_embeddings"],
        facts["embedding_dim"],
        facts.pop("_weight"),
        facts.pop("_freeze"),
    )
    padding = facts["padding_idx"]
    if padding is not None and not -count <= padding < count:
        raise torch_error(
            "Padding_idx must be within num_embeddings",
            f"padding_idx {padding} 超出了 {count} 个嵌入的范围。",
            kind="AssertionError",
        )
    facts["padding_idx"] = None if padding is None else padding % count
    if given is not None:
        facts["weight"] = parameter(given, not frozen)
        return
    facts["weight"] = empty((count, width), dtype)
    _reset(self)


def _reset(self: UserObject) -> None:
    """Draw the rows anew; that of the padding is zero."""
    weight, padding = normal_(self.fields["weight"]), self.fields["padding_idx"]
    if padding is not None:
        rows = np.array(weight.array)
        rows[padding] = 0
        put(weight, rows)


def _text(self: UserObject) -> str:
    facts = self.fields
    usual = {"padding_idx": None, "max_norm": None, "norm_type": 2.0, "scale_grad_by_freq": False}
    parts = [f"{facts['num_embeddings']}, {facts['embedding_dim']}"]
    parts += [f"{name}={facts[name]}" for name, value in usual.items() if facts[name] != value]
    return ", ".join(parts)


def _look_up(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
    facts = self.fields
    settings = [facts[name] for name in ("padding_idx", "max_norm", "norm_type", "scale_grad_by_freq")]
    return functional(interpreter, "embedding", input, facts["weight"], *settings)


EMBEDDING = layer(
    "Embedding",
    _look_up,
    setup=_set_up,
    extra=_text,
    reset_parameters=_reset,
    settings={
        "num_embeddings": REQUIRED,
        "embedding_dim": REQUIRED,
        "padding_idx": None,
        "max_norm": None,
        "norm_type": 2.0,
        "scale_grad_by_freq": False,
        "sparse": False,
        "_weight": None,
        "_freeze": False,
        "device": None,
        "dtype": None,
    },
)


def _set_up_bag(self: UserObject) -> None:
    facts = self.fields
    facts["weight"] = normal_(empty((facts["num_embeddings"], facts["embedding_dim"]), element_type(self)))


def _look_up_bag(
    interpreter: Interpreter,
    self: UserObject,
    input: Any,
    offsets: Any = None,
    per_sample_weights: Any = None,
) -> Any:
    facts = self.fields
    settings = {
        name: facts[name] for name in ("max_norm", "mode", "sparse", "include_last_offset", "padding_idx")
    }
    return functional(
        interpreter,
        "embedding_bag",
        input,
        facts["weight"],
        offsets,
        per_sample_weights=per_sample_weights,
        **settings,
    )


layer(
    "EmbeddingBag",
    _look_up_bag,
    setup=_set_up_bag,
    extra=lambda self: (
        f"{self.fields['num_embeddings']}, {self.fields['embedding_dim']}, mode='{self.fields['mode']}'"
    ),
    settings={
        "num_embeddings": REQUIRED,
        "embedding_dim": REQUIRED,
        "max_norm": None,
        "norm_type": 2.0,
        "scale_grad_by_freq": False,
        "mode": "mean",
        "sparse": False,
        "_weight": None,
        "include_last_offset": False,
        "padding_idx": None,
        "device": None,
        "dtype": None,
    },
)


def _from_pretrained(
    interpreter: Interpreter, kind: Any, embeddings: Any, freeze: Any = True, padding_idx: Any = None
) -> UserObject:
    count, width = embeddings.array.shape
    return new_object(
        interpreter, kind, count, width, padding_idx=padding_idx, _weight=embeddings, _freeze=freeze
    )


OWN = {"from_pretrained": Wrapped("classmethod", Method("Embedding.from_pretrained", _from_pretrained))}
EMBEDDING.members = MappingProxyType({**EMBEDDING.members, **OWN})  # before any program sees it
