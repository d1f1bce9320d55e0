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
    facts = self.fields
    if facts["sparse"]:
        raise not_here("sparse=True", " sparse=True", "Leave it out.", "请去掉它。")
    frozen = facts.pop("_freeze")
    _place_padding(self, "Padding_idx")
    _fill(self, not frozen)


def _place_padding(self: UserObject, name: str) -> None:
    """Count the row of the padding from the front. Raises: AssertionError's message of PyTorch."""
    facts = self.fields
    padding, count = facts["padding_idx"], facts["num_embeddings"]
    if padding is not None and not -count <= padding < count:
        raise torch_error(
            f"{name} must be within num_embeddings",
            f"padding_idx {padding} 超出了 {count} 个嵌入的范围。",
            kind="AssertionError",
        )
    facts["padding_idx"] = None if padding is None else padding % count


def _fill(self: UserObject, is_trained: bool) -> None:
    """The rows that were given, or rows drawn."""
    facts, dtype = self.fields, element_type(self)
    given = facts.pop("_weight")
    if given is not None:
        facts["weight"] = parameter(given, is_trained)
        return
    facts["weight"] = empty((facts["num_embeddings"], facts["embedding_dim"]), dtype)
    _reset(self)


def _reset(self: UserObject) -> None:
    """Draw the rows anew; that of the padding is zero."""
    weight, padding = normal_(self.fields["weight"]), self.fields["padding_idx"]
    if padding is not None:
        rows = np.array(weight.array)
        rows[padding] = 0
        put(weight, rows)


USUAL = {"padding_idx": None, "max_norm": None, "norm_type": 2.0, "scale_grad_by_freq": False}


def _text(self: UserObject, names: tuple[str, ...] = tuple(USUAL)) -> str:
    facts = self.fields
    parts = [f"{facts['num_embeddings']}, {facts['embedding_dim']}"]
    parts += [f"{name}={facts[name]}" for name in names if name not in USUAL or facts[name] != USUAL[name]]
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
    _place_padding(self, "padding_idx")
    _fill(self, True)


def _text_of_bag(self: UserObject) -> str:
    names = ("max_norm", "norm_type", "scale_grad_by_freq")
    mode = f"mode={self.fields['mode']!r}"
    padding = self.fields["padding_idx"]
    return ", ".join([_text(self, names), mode, *([] if padding is None else [f"padding_idx={padding}"])])


def _look_up_bag(
    interpreter: Interpreter,
    self: UserObject,
    input: Any,
    offsets: Any = None,
    per_sample_weights: Any = None,
) -> Any:
    facts = self.fields
    names = ("max_norm", "norm_type", "scale_grad_by_freq", "mode", "include_last_offset", "padding_idx")
    settings = {name: facts[name] for name in names}
    return functional(
        interpreter,
        "embedding_bag",
        input,
        facts["weight"],
        offsets,
        per_sample_weights=per_sample_weights,
        **settings,
    )


BAG = layer(
    "EmbeddingBag",
    _look_up_bag,
    setup=_set_up_bag,
    extra=_text_of_bag,
    reset_parameters=_reset,
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
    interpreter: Interpreter,
    kind: Any,
    embeddings: Any,
    freeze: Any = True,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: Any = False,
    sparse: Any = False,
) -> UserObject:
    settings = {"padding_idx": padding_idx, "max_norm": max_norm, "norm_type": norm_type}
    settings |= {"scale_grad_by_freq": scale_grad_by_freq, "sparse": sparse}
    return new_object(
        interpreter, kind, *embeddings.array.shape, _weight=embeddings, _freeze=freeze, **settings
    )


def _bag_from_pretrained(
    interpreter: Interpreter,
    kind: Any,
    embeddings: Any,
    freeze: Any = True,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: Any = False,
    mode: Any = "mean",
    sparse: Any = False,
    include_last_offset: Any = False,
    padding_idx: Any = None,
) -> UserObject:
    settings = {"max_norm": max_norm, "norm_type": norm_type, "scale_grad_by_freq": scale_grad_by_freq}
    settings |= {"mode": mode, "sparse": sparse, "include_last_offset": include_last_offset}
    made = new_object(
        interpreter, kind, *embeddings.array.shape, _weight=embeddings, padding_idx=padding_idx, **settings
    )
    made.fields["weight"].requires = not freeze
    return made


def _own(kind: Any, function: Any) -> Any:
    """A class with its own way to be made, before any program sees it."""
    method = Wrapped("classmethod", Method(f"{kind.name}.from_pretrained", function))
    return MappingProxyType({**kind.members, "from_pretrained": method})


EMBEDDING.members = _own(EMBEDDING, _from_pretrained)
BAG.members = _own(BAG, _bag_from_pretrained)
