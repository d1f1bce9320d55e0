"""Callbacks that watch a figure: EarlyStopping, ReduceLROnPlateau, ModelCheckpoint and TerminateOnNaN."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.callbacks.callback import CALLBACK, begin, callback_class
from engine.languages.surfaces.keras.callbacks.model_checkpoint import MODEL_CHECKPOINT
from engine.languages.surfaces.keras.callbacks.watching import figure_now, is_better, watch
from engine.languages.surfaces.keras.layering.weights import set_values, values_of
from engine.languages.surfaces.tf2.eager import array_of

# -- EarlyStopping -----------------------------------------------------------------------------------


def _stopping_begin(
    self: UserObject,
    monitor: Any = "val_loss",
    min_delta: Any = 0,
    patience: Any = 0,
    verbose: Any = 0,
    mode: Any = "auto",
    baseline: Any = None,
    restore_best_weights: Any = False,
    start_from_epoch: Any = 0,
) -> None:
    watch(self, monitor, mode, min_delta)
    self.fields.update(patience=patience, verbose=verbose, baseline=baseline)
    self.fields.update(_from=start_from_epoch, restore_best_weights=bool(restore_best_weights))
    _stopping_train_begin(self)


def _stopping_train_begin(self: UserObject, logs: Any = None) -> None:
    self.fields.update(wait=0, stopped_epoch=0, best=None, best_weights=None, best_epoch=0)


def _stopping_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """One more epoch without a better figure; after too many of them the training stops."""
    fields, now = self.fields, figure_now(interpreter, self, logs)
    if now is None or epoch < fields["_from"]:
        return
    if fields["restore_best_weights"] and fields["best_weights"] is None:
        fields.update(best_weights=values_of(fields["model"]), best_epoch=epoch)
    fields["wait"] += 1
    if is_better(self, now, fields["best"]):
        fields.update(best=now, best_epoch=epoch)
        if fields["restore_best_weights"]:
            fields["best_weights"] = values_of(fields["model"])
        if is_better(self, now, fields["baseline"]):
            fields["wait"] = 0
    elif fields["wait"] >= fields["patience"] and epoch > 0:
        fields["stopped_epoch"] = epoch
        fields["model"].fields["stop_training"] = True


def _stopping_train_end(interpreter: Interpreter, self: UserObject, logs: Any = None) -> None:
    fields = self.fields
    if fields["stopped_epoch"] > 0 and fields["verbose"] > 0:
        interpreter.print(f"Epoch {fields['stopped_epoch'] + 1}: early stopping\n")
    if fields["restore_best_weights"] and fields["best_weights"] is not None:
        if fields["verbose"] > 0:
            best = fields["best_epoch"] + 1
            interpreter.print(f"Restoring model weights from the end of the best epoch: {best}.\n")
        set_values(fields["model"], fields["best_weights"])


# -- ReduceLROnPlateau -------------------------------------------------------------------------------


def _reducing_begin(
    self: UserObject,
    monitor: Any = "val_loss",
    factor: Any = 0.1,
    patience: Any = 10,
    verbose: Any = 0,
    mode: Any = "auto",
    min_delta: Any = 1e-4,
    cooldown: Any = 0,
    min_lr: Any = 0.0,
) -> None:
    """Raises: ValueRefused for a factor that does not make the rate smaller."""
    watch(self, monitor, mode, min_delta)
    if not factor < 1.0:
        raise ValueRefused(
            f"`factor` of ReduceLROnPlateau is below 1, not {factor}.",
            message_zh=f"ReduceLROnPlateau 的 `factor` 应小于 1，不能是 {factor}。",
            code="bad_value",
        )
    self.fields.update(factor=factor, patience=patience, verbose=verbose, cooldown=cooldown, min_lr=min_lr)
    _reducing_train_begin(self)


def _reducing_train_begin(self: UserObject, logs: Any = None) -> None:
    self.fields.update(best=None, cooldown_counter=0, wait=0)


def rate_of(interpreter: Interpreter, self: UserObject) -> tuple[Any, float]:
    """The optimizer of the model that is trained, and its learning rate now."""
    optimizer = attribute_of(interpreter, self.fields["model"], "optimizer")
    return optimizer, float(array_of(attribute_of(interpreter, optimizer, "learning_rate")))


def _reducing_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """After some epochs without a better figure the learning rate becomes smaller by the factor."""
    fields = self.fields
    if logs is not None:
        logs["learning_rate"] = rate_of(interpreter, self)[1]
    now = figure_now(interpreter, self, logs)
    if now is None:
        return
    if fields["cooldown_counter"] > 0:
        fields["cooldown_counter"] -= 1
        fields["wait"] = 0
    if is_better(self, now, fields["best"]):
        fields.update(best=now, wait=0)
    elif fields["cooldown_counter"] <= 0:
        fields["wait"] += 1
        if fields["wait"] >= fields["patience"] and _reduced(interpreter, self, epoch):
            fields.update(cooldown_counter=fields["cooldown"], wait=0)


def _reduced(interpreter: Interpreter, self: UserObject, epoch: Any) -> bool:
    """Whether the rate was above the smallest one, and is smaller now."""
    fields = self.fields
    optimizer, rate = rate_of(interpreter, self)
    if not rate > np.float32(fields["min_lr"]):
        return False
    new = max(rate * fields["factor"], fields["min_lr"])
    optimizer.set_rate(new)
    if fields["verbose"] > 0:
        interpreter.print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {new}.\n")
    return True


# -- TerminateOnNaN ----------------------------------------------------------------------------------


def _terminate_batch_end(interpreter: Interpreter, self: UserObject, batch: Any, logs: Any = None) -> None:
    """The training stops at the first loss that is no finite number."""
    loss = (logs or {}).get("loss")
    if loss is not None and not isfinite(loss):
        interpreter.print(f"Batch {batch}: Invalid loss, terminating training\n")
        self.fields["model"].fields["stop_training"] = True


MONITORS: Mapping[str, UserClass] = {
    "EarlyStopping": callback_class(
        "EarlyStopping",
        CALLBACK,
        __init__=_stopping_begin,
        on_train_begin=_stopping_train_begin,
        on_epoch_end=_stopping_epoch_end,
        on_train_end=_stopping_train_end,
    ),
    "ReduceLROnPlateau": callback_class(
        "ReduceLROnPlateau",
        CALLBACK,
        __init__=_reducing_begin,
        on_train_begin=_reducing_train_begin,
        on_epoch_end=_reducing_epoch_end,
    ),
    "ModelCheckpoint": MODEL_CHECKPOINT,
    "TerminateOnNaN": callback_class(
        "TerminateOnNaN", CALLBACK, __init__=begin, on_train_batch_end=_terminate_batch_end
    ),
}
