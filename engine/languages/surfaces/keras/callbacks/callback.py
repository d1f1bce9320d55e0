"""`tf.keras.callbacks.Callback`: what a program, or Keras, wants to be called for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.tf2.modules import AN_OBJECT

OF_FIT = ("train_begin", "train_end")
OF_OTHERS = ("test_begin", "test_end", "predict_begin", "predict_end")
OF_EPOCHS = ("epoch_begin", "epoch_end")
OF_BATCHES = (
    *("train_batch_begin", "train_batch_end", "batch_begin", "batch_end"),
    *("test_batch_begin", "test_batch_end", "predict_batch_begin", "predict_batch_end"),
)

Method = Callable[..., Any]


def callback_class(name: str, base: UserClass | None, **functions: Method) -> UserClass:
    """A class of callbacks by its methods, which are functions of ours."""
    given = {"self": AN_OBJECT}
    members = {
        word: Native(f"tf.keras.callbacks.{name}.{word}", function, arguments=given)
        for word, function in functions.items()
    }
    return UserClass(name, base, members, origin="library")


def begin(self: UserObject) -> None:
    """Without a model yet."""
    self.fields.update(model=None, params=None)


def _set_model(self: UserObject, model: Any) -> None:
    self.fields["model"] = model


def _set_params(self: UserObject, params: Any) -> None:
    self.fields["params"] = params


def _nothing(self: UserObject, logs: Any = None) -> None:
    """What a callback does unless it says otherwise."""


def _nothing_at(self: UserObject, number: Any, logs: Any = None) -> None:
    """The same for an epoch or a batch."""


CALLBACK = callback_class(
    "Callback",
    None,
    __init__=begin,
    set_model=_set_model,
    set_params=_set_params,
    **{f"on_{event}": _nothing for event in (*OF_FIT, *OF_OTHERS)},
    **{f"on_{event}": _nothing_at for event in (*OF_EPOCHS, *OF_BATCHES)},
)
