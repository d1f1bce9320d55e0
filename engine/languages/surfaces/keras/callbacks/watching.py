"""A figure that a callback watches: whether more of it is better, and whether it has become better."""

from __future__ import annotations

from typing import Any

from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.callbacks.callback import begin
from engine.languages.surfaces.keras.fitting.names import with_older_names
from engine.languages.surfaces.keras.metrics import known_names
from engine.languages.surfaces.tf2.eager import array_of

RISING = ("acc", "accuracy", "auc", "precision", "recall", "f1_score", "fbeta_score", "r2_score", "iou")
MODES = ("auto", "min", "max")


def watch(self: UserObject, monitor: Any, mode: Any, min_delta: Any) -> None:
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


def is_better(self: UserObject, now: Any, best: Any) -> bool:
    delta = self.fields["min_delta"]
    if best is None:
        return True
    return bool(now - delta > best if _rises(self) else now + delta < best)


def figure_now(interpreter: Interpreter, self: UserObject, logs: Any) -> Any:
    """The figure of this epoch; None, and a note, where there is none.

    Raises: ValueRefused where neither the mode nor a figure of the model says whether more is better.
    """
    found = with_older_names(logs or {})
    monitor = self.fields["monitor"]
    try:
        figure = found[monitor]
        if monitor not in (logs or {}):
            _note_older_name(interpreter, self.kind.name, str(monitor))
        return figure
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


def _note_older_name(interpreter: Interpreter, kind: str, monitor: str) -> None:
    """Keras 3 has no such figure: it stops where the mode is auto, and else goes on without one."""
    newer = monitor.replace("acc", "accuracy")
    interpreter.note(
        "older_figure_name",
        f"{kind} looks at `{monitor}`, which is the accuracy here, as before Keras 2.3; Keras 3 finds no "
        "such figure, so that the training differs there.",
        f"{kind} 监视 `{monitor}`：这里按 Keras 2.3 之前的叫法当作准确率；Keras 3 没有这个指标，训练会不同。",
        f"Write monitor='{newer}'.",
        f"请写 monitor='{newer}'。",
        key=f"older figure {kind}",
    )
