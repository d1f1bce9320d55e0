"""Callbacks that watch a figure: EarlyStopping, ReduceLROnPlateau, ModelCheckpoint and TerminateOnNaN."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.builtins.formatting import format_value
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.fitting.callback import CALLBACK, begin, callback_class
from engine.languages.surfaces.keras.fitting.names import with_older_names
from engine.languages.surfaces.keras.layering.weights import set_values, values_of
from engine.languages.surfaces.keras.metrics import known_names
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.shapes import whole_number

RISING = ("acc", "accuracy", "auc", "precision", "recall", "f1_score", "fbeta_score", "r2_score", "iou")
MODES = ("auto", "min", "max")


def _watch(self: UserObject, monitor: Any, mode: Any, min_delta: Any) -> None:
    """What is watched, whether more of it is better, and from which change on. Raises: ValueRefused."""
    begin(self)
    if mode not in MODES:
        mode = "auto"
    self.fields.update(monitor=monitor, mode=mode, best=None, min_delta=abs(float(array_of(min_delta))))


def _rises(self: UserObject) -> bool:
    """Whether more is better. Raises: ValueRefused where neither the mode nor the name says so."""
    mode, monitor = self.fields["mode"], str(self.fields["monitor"])
    if mode != "auto":
        return bool(mode == "max")
    name = monitor.removeprefix("val_")
    if name.endswith(RISING):
        return True
    if name.endswith(("loss", "error", *known_names())):
        return False
    raise _direction_unknown(self)


def _direction_unknown(self: UserObject) -> ValueRefused:
    kind, monitor = self.kind.name, str(self.fields["monitor"])
    return ValueRefused(
        f"{kind} cannot tell whether more or less of {quoted(monitor)} is better.",
        message_zh=f"{kind} 无法判断 {quoted(monitor)} 是越大越好还是越小越好。",
        hint="Write mode='max' or mode='min'.",
        hint_zh="请写 mode='max' 或 mode='min'。",
        code="bad_value",
    )


def _is_better(self: UserObject, now: Any, best: Any) -> bool:
    delta = self.fields["min_delta"]
    if best is None:
        return True
    return bool(now - delta > best if _rises(self) else now + delta < best)


def _now(interpreter: Interpreter, self: UserObject, logs: Any) -> Any:
    """The figure of this epoch; None, and a note, where there is none.

    Raises: ValueRefused where neither the mode nor a figure of the model says whether more is better.
    """
    found = with_older_names(logs or {})
    monitor = self.fields["monitor"]
    try:
        return found[monitor]
    except KeyError:
        measured = {"loss", *(name.removeprefix("val_") for name in found)}
        if self.fields["mode"] == "auto" and str(monitor).removeprefix("val_") not in measured:
            raise _direction_unknown(self) from None
        listed, kind = ", ".join(logs or {}), self.kind.name
        interpreter.note(
            "no_such_figure",
            f"{kind} looks at `{monitor}`, which this training does not have; there are: {listed}.",
            f"{kind} 监视 `{monitor}`，但本次训练没有这个指标；已有：{listed}。",
            "Give validation_data, or write monitor='loss'.",
            "请给出 validation_data，或写 monitor='loss'。",
        )
        return None


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
    _watch(self, monitor, mode, min_delta)
    self.fields.update(patience=patience, verbose=verbose, baseline=baseline)
    self.fields.update(_from=start_from_epoch, restore_best_weights=bool(restore_best_weights))
    _stopping_train_begin(self)


def _stopping_train_begin(self: UserObject, logs: Any = None) -> None:
    self.fields.update(wait=0, stopped_epoch=0, best=None, best_weights=None, best_epoch=0)


def _stopping_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """One more epoch without a better figure; after too many of them the training stops."""
    fields, now = self.fields, _now(interpreter, self, logs)
    if now is None or epoch < fields["_from"]:
        return
    if fields["restore_best_weights"] and fields["best_weights"] is None:
        fields.update(best_weights=values_of(fields["model"]), best_epoch=epoch)
    fields["wait"] += 1
    if _is_better(self, now, fields["best"]):
        fields.update(best=now, best_epoch=epoch)
        if fields["restore_best_weights"]:
            fields["best_weights"] = values_of(fields["model"])
        if _is_better(self, now, fields["baseline"]):
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
    _watch(self, monitor, mode, min_delta)
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
    now = _now(interpreter, self, logs)
    if now is None:
        return
    if fields["cooldown_counter"] > 0:
        fields["cooldown_counter"] -= 1
        fields["wait"] = 0
    if _is_better(self, now, fields["best"]):
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


# -- ModelCheckpoint ---------------------------------------------------------------------------------


def _checkpoint_begin(
    self: UserObject,
    filepath: Any,
    monitor: Any = "val_loss",
    verbose: Any = 0,
    save_best_only: Any = False,
    save_weights_only: Any = False,
    mode: Any = "auto",
    save_freq: Any = "epoch",
    initial_value_threshold: Any = None,
    period: Any = 1,
) -> None:
    _watch(self, monitor, mode, 0)
    self.fields.update(filepath=str(filepath), verbose=verbose, save_best_only=bool(save_best_only))
    self.fields.update(best=initial_value_threshold, _each=whole_number(period, "period"))
    self.fields.update(save_weights_only=bool(save_weights_only), save_freq=save_freq)


def _checkpoint_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """The weights as they are now, under the name of the file; or only where the figure is the best."""
    fields = self.fields
    if fields["save_freq"] != "epoch" or (epoch + 1) % max(fields["_each"], 1):
        return
    path = _path(interpreter, fields["filepath"], epoch, logs or {})
    before, head = fields["best"], f"\nEpoch {epoch + 1}: "
    if fields["save_best_only"]:
        now = _now(interpreter, self, logs)
        if now is None:
            return
        if not _is_better(self, now, before):
            _say(interpreter, self, f"{head}{fields['monitor']} did not improve from {before:.5f}\n")
            return
        fields["best"] = now
        first = "None" if before is None else f"{before:.5f}"
        head = f"{head}{fields['monitor']} improved from {first} to {now:.5f}, "
    _say(interpreter, self, f"{head}saving model to {path}\n")
    interpreter.call(attribute_of(interpreter, fields["model"], "save_weights"), [path], {})
    if _verbose(self) and fields["save_best_only"]:
        interpreter.print(f"\nEpoch {epoch + 1}: finished saving model to {path}\n")


def _verbose(self: UserObject) -> bool:
    return bool(self.fields["verbose"] > 0)


def _say(interpreter: Interpreter, self: UserObject, text: str) -> None:
    if _verbose(self):
        interpreter.print(text)


def _path(interpreter: Interpreter, pattern: str, epoch: int, logs: Mapping[str, Any]) -> str:
    """The name of the file, with the epoch and the figures of it. Raises: ValueRefused for another word."""
    known: dict[str, Any] = {"epoch": epoch + 1, **logs}

    def written(found: re.Match[str]) -> str:
        if found["name"] not in known:
            raise _no_such_word(pattern, found["name"])
        return format_value(known[found["name"]], found["form"] or "", interpreter.budget)

    return re.sub(r"\{(?P<name>\w+)(?::(?P<form>[^{}]*))?\}", written, pattern)


def _no_such_word(pattern: str, name: str) -> ValueRefused:
    return ValueRefused(
        f"{quoted(pattern)} names `{name}`, which is no figure of this training.",
        message_zh=f"{quoted(pattern)} 使用了 `{name}`，而本次训练没有这个指标。",
        hint="Write {epoch}, or one of the figures of `history.history`.",
        hint_zh="请写 {epoch}，或 `history.history` 中的指标。",
        kind="KeyError",
    )


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
    "ModelCheckpoint": callback_class(
        "ModelCheckpoint", CALLBACK, __init__=_checkpoint_begin, on_epoch_end=_checkpoint_epoch_end
    ),
    "TerminateOnNaN": callback_class(
        "TerminateOnNaN", CALLBACK, __init__=begin, on_train_batch_end=_terminate_batch_end
    ),
}
