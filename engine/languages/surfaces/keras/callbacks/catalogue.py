"""`tf.keras.callbacks`: what a program, or Keras, wants to be called for while `fit` trains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Ignored
from engine.languages.surfaces.keras.callbacks.callback import (
    CALLBACK,
    OF_BATCHES,
    OF_EPOCHS,
    OF_FIT,
    begin,
    callback_class,
)
from engine.languages.surfaces.keras.callbacks.monitors import MONITORS, rate_of
from engine.languages.surfaces.tf2.eager import array_of

WRITING = (
    "TensorBoard",
    "CSVLogger",
    "ProgbarLogger",
    "BackupAndRestore",
    "RemoteMonitor",
)


# -- those of Keras ----------------------------------------------------------------------------------


def _schedule_begin(self: UserObject, schedule: Any, verbose: Any = 0) -> None:
    begin(self)
    self.fields.update(schedule=schedule, verbose=verbose)


def _schedule_epoch_begin(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """The learning rate of this epoch, from its number and from the rate before."""
    optimizer, rate = rate_of(interpreter, self)
    schedule = self.fields["schedule"]
    takes = getattr(getattr(schedule, "signature", None), "positional", (0, 0))
    new = float(array_of(interpreter.call(schedule, [epoch, rate][: max(len(takes), 1)], {})))
    optimizer.set_rate(new)
    if self.fields["verbose"] > 0:
        interpreter.print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {new}.\n")


def _schedule_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    if logs is not None:
        logs["learning_rate"] = rate_of(interpreter, self)[1]


LAMBDAS = tuple(f"on_{event}" for event in (*OF_EPOCHS, *OF_FIT, *OF_BATCHES[:2]))


def _lambda_begin(
    self: UserObject,
    on_epoch_begin: Any = None,
    on_epoch_end: Any = None,
    on_train_begin: Any = None,
    on_train_end: Any = None,
    on_train_batch_begin: Any = None,
    on_train_batch_end: Any = None,
) -> None:
    begin(self)
    given = (
        on_epoch_begin,
        on_epoch_end,
        on_train_begin,
        on_train_end,
        on_train_batch_begin,
        on_train_batch_end,
    )
    self.fields.update({name: one for name, one in zip(LAMBDAS, given, strict=True) if one is not None})


def _history_train_begin(self: UserObject, logs: Any = None) -> None:
    self.fields["epoch"] = []


def _history_begin(self: UserObject) -> None:
    begin(self)
    self.fields["history"] = {}


def _history_epoch_end(self: UserObject, epoch: Any, logs: Any = None) -> None:
    """The figures of one more epoch."""
    self.fields["epoch"].append(epoch)
    for name, value in (logs or {}).items():
        self.fields["history"].setdefault(name, []).append(value)


CLASSES: Mapping[str, UserClass] = {
    "Callback": CALLBACK,
    **MONITORS,
    "LearningRateScheduler": callback_class(
        "LearningRateScheduler",
        CALLBACK,
        __init__=_schedule_begin,
        on_epoch_begin=_schedule_epoch_begin,
        on_epoch_end=_schedule_epoch_end,
    ),
    "History": callback_class(
        "History",
        CALLBACK,
        __init__=_history_begin,
        on_train_begin=_history_train_begin,
        on_epoch_end=_history_epoch_end,
    ),
    "LambdaCallback": callback_class("LambdaCallback", CALLBACK, __init__=_lambda_begin),
}


# -- while fit trains --------------------------------------------------------------------------------


class Callbacks:
    """The callbacks of one training, in the program's order.

    Raises: ProgramError for one that is no object of a class below `Callback`; those that only write files
            are left out.
    """

    def __init__(
        self, interpreter: Interpreter, model: UserObject, given: Any, params: Mapping[str, Any]
    ) -> None:
        listed = given if isinstance(given, (list, tuple)) else [] if given is None else [given]
        self.interpreter = interpreter
        self.model = model
        self.all: Sequence[UserObject] = [_checked(one) for one in listed if not isinstance(one, Ignored)]
        model.fields["stop_training"] = False
        for one in self.all:
            self._call(one, "set_model", [model])
            self._call(one, "set_params", [dict(params)])

    def _call(self, one: UserObject, method: str, arguments: list[Any]) -> None:
        self.interpreter.call(attribute_of(self.interpreter, one, method), arguments, {})

    def call(self, event: str, *arguments: Any) -> None:
        """Call each at an event: `epoch_end`, with the number of the epoch and the figures."""
        for one in self.all:
            self._call(one, f"on_{event}", list(arguments))
            if event.startswith("train_batch"):
                self._call(one, f"on_{event.removeprefix('train_')}", list(arguments))

    @property
    def stopped(self) -> bool:
        """Whether one of them has asked for the end of the training."""
        return bool(self.model.fields["stop_training"])


def _checked(one: Any) -> UserObject:
    if isinstance(one, UserObject) and CALLBACK in one.kind.line():
        return one
    raise ProgramError(
        "A callback is an object of a class that inherits from tf.keras.callbacks.Callback.",
        message_zh="回调应是继承 tf.keras.callbacks.Callback 的类的对象。",
        hint="Write callbacks=[tf.keras.callbacks.EarlyStopping(monitor='loss')].",
        hint_zh="请写 callbacks=[tf.keras.callbacks.EarlyStopping(monitor='loss')]。",
        code="bad_value",
    )


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found: dict[str, Any] = {f"keras.callbacks.{name}": kind for name, kind in CLASSES.items()}
    found.update({f"keras.callbacks.{name}": Ignored(f"tf.keras.callbacks.{name}") for name in WRITING})
    return found
