"""ModelCheckpoint: the weights as they are after an epoch, always or where a figure is the best so far."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.builtins.formatting import format_value
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.callbacks.callback import CALLBACK, callback_class
from engine.languages.surfaces.keras.callbacks.watching import figure_now, is_better, watch
from engine.languages.surfaces.keras.saving.file_names import WEIGHTS, check_name
from engine.ops.base.shapes import whole_number


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
    watch(self, monitor, mode, 0)
    _check_file(str(filepath), bool(save_weights_only))
    self.fields.update(filepath=str(filepath), verbose=verbose, save_best_only=bool(save_best_only))
    self.fields.update(best=initial_value_threshold, _each=whole_number(period, "period"))
    self.fields.update(save_weights_only=bool(save_weights_only), save_freq=save_freq)


def _check_file(path: str, of_weights: bool) -> None:
    """Raises: ProgramError, in Keras' words, for a name that Keras does not take."""
    if of_weights:
        check_name(
            path,
            (WEIGHTS,),
            "When using `save_weights_only=True` in `ModelCheckpoint`, the filepath provided must end in "
            f"`{WEIGHTS}` (Keras weights format). Received: filepath={path}",
        )
    check_name(
        path,
        (".keras", ".h5"),
        f"The filepath provided must end in `.keras` (Keras model format). Received: filepath={path}",
    )


def _checkpoint_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """The weights as they are now, under the name of the file; or only where the figure is the best."""
    fields = self.fields
    if fields["save_freq"] != "epoch" or (epoch + 1) % max(fields["_each"], 1):
        return
    path = _path(interpreter, fields["filepath"], epoch, logs or {})
    if not _is_saved(interpreter, self, f"\nEpoch {epoch + 1}:", path, logs):
        return
    how = "save_weights" if fields["save_weights_only"] else "save"
    interpreter.call(attribute_of(interpreter, fields["model"], how), [path], {})
    _say(interpreter, self, f"\nEpoch {epoch + 1}: finished saving model to {path}\n")


def _is_saved(interpreter: Interpreter, self: UserObject, head: str, path: str, logs: Any) -> bool:
    """Whether the weights are kept: always, or where the figure is the best or there is none; and says so."""
    fields = self.fields
    if not fields["save_best_only"]:
        _say(interpreter, self, f"{head} saving model to {path}\n")
        return True
    before, now = fields["best"], figure_now(interpreter, self, logs)
    if now is None:
        return True
    first, monitor = "None" if before is None else f"{before:.5f}", fields["monitor"]
    if not is_better(self, now, before):
        _say(interpreter, self, f"{head} {monitor} did not improve from {first}\n")
        return False
    fields["best"] = now
    _say(interpreter, self, f"{head} {monitor} improved from {first} to {now:.5f}, saving model to {path}\n")
    return True


def _say(interpreter: Interpreter, self: UserObject, text: str) -> None:
    if self.fields["verbose"] > 0:
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


MODEL_CHECKPOINT = callback_class(
    "ModelCheckpoint", CALLBACK, __init__=_checkpoint_begin, on_epoch_end=_checkpoint_epoch_end
)
