"""`tf.keras.callbacks`: what a program, or Keras, wants to be called for while `fit` trains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Ignored
from engine.languages.surfaces.keras.layer import set_values, values_of
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.languages.surfaces.unsupported import refuse_given

OF_FIT = ("train_begin", "train_end")
OF_EPOCHS = ("epoch_begin", "epoch_end")
OF_BATCHES = ("train_batch_begin", "train_batch_end", "batch_begin", "batch_end")
WRITING = (
    "ModelCheckpoint",
    "TensorBoard",
    "CSVLogger",
    "ProgbarLogger",
    "BackupAndRestore",
    "RemoteMonitor",
)

Method = Callable[..., Any]


def _class(name: str, base: UserClass | None, **functions: Method) -> UserClass:
    given = {"self": AN_OBJECT}
    members = {
        word: Native(f"tf.keras.callbacks.{name}.{word}", function, arguments=given)
        for word, function in functions.items()
    }
    return UserClass(name, base, members, origin="library")


def _begin(self: UserObject) -> None:
    self.fields.update(model=None, params=None)


def _set_model(self: UserObject, model: Any) -> None:
    self.fields["model"] = model


def _set_params(self: UserObject, params: Any) -> None:
    self.fields["params"] = params


def _nothing(self: UserObject, logs: Any = None) -> None:
    """What a callback does unless it says otherwise."""


def _nothing_at(self: UserObject, number: Any, logs: Any = None) -> None:
    """The same for an epoch or a batch."""


CALLBACK = _class(
    "Callback",
    None,
    __init__=_begin,
    set_model=_set_model,
    set_params=_set_params,
    **{f"on_{event}": _nothing for event in OF_FIT},
    **{f"on_{event}": _nothing_at for event in (*OF_EPOCHS, *OF_BATCHES)},
)


# -- those of Keras ----------------------------------------------------------------------------------


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
    refuse_given("EarlyStopping", {"baseline": baseline}, "Leave it out.", "请去掉它。")
    _begin(self)
    rises = mode == "max" or (mode == "auto" and str(monitor).endswith(("acc", "accuracy", "auc")))
    self.fields.update(monitor=monitor, patience=patience, verbose=verbose, wait=0, stopped_epoch=0)
    self.fields.update(best=-inf if rises else inf, best_epoch=0, best_weights=None)
    self.fields.update(
        _delta=abs(min_delta), _rises=rises, _from=start_from_epoch, _restores=bool(restore_best_weights)
    )


def _stopping_train_begin(self: UserObject, logs: Any = None) -> None:
    best = -inf if self.fields["_rises"] else inf
    self.fields.update(wait=0, stopped_epoch=0, best=best, best_weights=None, best_epoch=0)


def _stopping_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """One more epoch without a better figure; after too many of them the training stops."""
    fields = self.fields
    now = (logs or {}).get(fields["monitor"])
    if now is None:
        _note_missing(interpreter, fields["monitor"], logs or {})
    if now is None or epoch < fields["_from"]:
        return
    if fields["_restores"] and fields["best_weights"] is None:
        fields.update(best_weights=values_of(fields["model"]), best_epoch=epoch)
    fields["wait"] += 1
    better = (
        now - fields["_delta"] > fields["best"]
        if fields["_rises"]
        else now + fields["_delta"] < fields["best"]
    )
    if better:
        fields.update(best=now, best_epoch=epoch, wait=0)
        if fields["_restores"]:
            fields["best_weights"] = values_of(fields["model"])
    elif fields["wait"] >= fields["patience"] and epoch > 0:
        fields["stopped_epoch"] = epoch
        fields["model"].fields["stop_training"] = True


def _note_missing(interpreter: Interpreter, monitor: str, logs: Mapping[str, float]) -> None:
    listed = ", ".join(logs)
    interpreter.note(
        "no_such_figure",
        f"EarlyStopping looks at `{monitor}`, which this training does not have; there are: {listed}.",
        f"EarlyStopping 监视 `{monitor}`，但本次训练没有这个指标；已有：{listed}。",
        "Give validation_data, or write monitor='loss'.",
        "请给出 validation_data，或写 monitor='loss'。",
    )


def _stopping_train_end(interpreter: Interpreter, self: UserObject, logs: Any = None) -> None:
    fields = self.fields
    if fields["stopped_epoch"] > 0 and fields["verbose"] > 0:
        interpreter.print(f"Epoch {fields['stopped_epoch'] + 1}: early stopping\n")
    if fields["_restores"] and fields["best_weights"] is not None:
        if fields["verbose"] > 0:
            best = fields["best_epoch"] + 1
            interpreter.print(f"Restoring model weights from the end of the best epoch: {best}.\n")
        set_values(fields["model"], fields["best_weights"])


def _schedule_begin(self: UserObject, schedule: Any, verbose: Any = 0) -> None:
    _begin(self)
    self.fields.update(schedule=schedule, verbose=verbose)


def _rate_of(interpreter: Interpreter, self: UserObject) -> tuple[Any, float]:
    optimizer = attribute_of(interpreter, self.fields["model"], "optimizer")
    return optimizer, float(array_of(attribute_of(interpreter, optimizer, "learning_rate")))


def _schedule_epoch_begin(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    """The learning rate of this epoch, from its number and from the rate before."""
    optimizer, rate = _rate_of(interpreter, self)
    schedule = self.fields["schedule"]
    takes = getattr(getattr(schedule, "signature", None), "positional", (0, 0))
    new = float(array_of(interpreter.call(schedule, [epoch, rate][: max(len(takes), 1)], {})))
    optimizer.set_rate(new)
    if self.fields["verbose"] > 0:
        interpreter.print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {new}.\n")


def _schedule_epoch_end(interpreter: Interpreter, self: UserObject, epoch: Any, logs: Any = None) -> None:
    if logs is not None:
        logs["learning_rate"] = _rate_of(interpreter, self)[1]


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
    _begin(self)
    given = (
        on_epoch_begin,
        on_epoch_end,
        on_train_begin,
        on_train_end,
        on_train_batch_begin,
        on_train_batch_end,
    )
    self.fields.update({name: one for name, one in zip(LAMBDAS, given, strict=True) if one is not None})


CLASSES: Mapping[str, UserClass] = {
    "Callback": CALLBACK,
    "EarlyStopping": _class(
        "EarlyStopping",
        CALLBACK,
        __init__=_stopping_begin,
        on_train_begin=_stopping_train_begin,
        on_epoch_end=_stopping_epoch_end,
        on_train_end=_stopping_train_end,
    ),
    "LearningRateScheduler": _class(
        "LearningRateScheduler",
        CALLBACK,
        __init__=_schedule_begin,
        on_epoch_begin=_schedule_epoch_begin,
        on_epoch_end=_schedule_epoch_end,
    ),
    "LambdaCallback": _class("LambdaCallback", CALLBACK, __init__=_lambda_begin),
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
