"""`model.compile`: the optimizer, the loss and the metrics that a model is trained with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras import losses
from engine.languages.surfaces.keras.fitting.figures import Figures, unknown_name
from engine.languages.surfaces.keras.fitting.held import listed_by, lists_its_own
from engine.languages.surfaces.keras.fitting.outputs import (
    Output,
    in_order,
    known_names,
    metrics_in_order,
    name_of_loss,
    names_of,
)
from engine.languages.surfaces.keras.optimizers import optimizer as optimizers
from engine.languages.surfaces.keras.optimizers.optimizer import KerasOptimizer
from engine.languages.surfaces.tf2.eager import numbers_of
from engine.optimizers.rules import keras as rules


@dataclass(slots=True)
class Compiled:
    """What `compile` was given, for one output or for each of several.

    loss, share, metrics, weighted: of `Output`, in the form in which the program gives them.
    figures: of the training or the evaluation that goes on.
    is_traced: whether Keras makes a function of the step, which keeps the variables of its first call.
    trained: the variables that the steps since `compile` update; None before the first.
    """

    optimizer: KerasOptimizer
    loss: Any
    share: Any
    metrics: Any
    weighted: Any
    figures: Figures
    is_traced: bool = True
    trained: list[Any] | None = None
    outputs: Sequence[Output] = field(default=())

    def of_outputs(self, model: UserObject, y_pred: Any) -> Sequence[Output]:
        """What was given for each output of the model, which are known when it has been called.

        Raises: ValueRefused where it does not fit the outputs.
        """
        if not self.outputs:
            names = names_of(model, y_pred)
            found = in_order(self.loss, names, "losses", "损失函数", whole=True)
            shares = in_order(self.share, names, "loss weights", "损失权重", whole=len(names) == 1)
            are_known = len(names) > 1 and bool(known_names(model, y_pred))
            given = zip(
                names,
                [_loss_named(one) if isinstance(one, str) else one for one in found],
                [1.0 if one is None else _share(one) for one in shares],
                metrics_in_order(self.metrics, names),
                metrics_in_order(self.weighted, names),
                [f"{name}_" if are_known else "" for name in names],
                [name if are_known else name_of_loss(one) for name, one in zip(names, found, strict=True)],
                strict=True,
            )
            self.outputs = [Output(*one) for one in given]
        return self.outputs


def has_own(self: UserObject, name: str) -> bool:
    """Whether the program has written this step of the training itself."""
    return self.kind.find(name) is not MISSING


def compile_(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any = "rmsprop",
    loss: Any = None,
    loss_weights: Any = None,
    metrics: Any = None,
    weighted_metrics: Any = None,
    run_eagerly: Any = False,
    steps_per_execution: Any = 1,
    jit_compile: Any = "auto",
    auto_scale_loss: Any = True,
) -> None:
    """The optimizer, the losses and the metrics, each an object, or a name of Keras.

    Where another `compile` has given losses or metrics and this one gives none, they stay, as in Keras.
    """
    found = _optimizer_named(interpreter, optimizer) if isinstance(optimizer, str) else optimizer
    if not isinstance(found, KerasOptimizer):
        raise ProgramError(
            "compile() takes an optimizer of tf.keras.optimizers, or its name.",
            message_zh="compile() 需要 tf.keras.optimizers 中的优化器或其名称。",
            code="bad_value",
        )
    if metrics is None and _named_in(loss_weights):
        loss_weights, metrics = None, loss_weights
        _note_order(interpreter)
    for one in _named_in(loss):
        _loss_named(one)  # an unknown name is reported here
    before: Compiled | None = self.fields.get("_compiled")
    if before is not None and loss is None:
        loss, loss_weights = before.loss, before.share
    if before is not None and metrics is None and weighted_metrics is None:
        metrics, weighted_metrics = before.metrics, before.weighted
    held = partial(listed_by, interpreter, self)
    figures = Figures(interpreter, held, are_all=lists_its_own(self))
    given = (found, loss, loss_weights, metrics, weighted_metrics, figures)
    self.fields["_compiled"] = Compiled(*given, is_traced=not run_eagerly)
    self.fields["optimizer"] = found


def _note_order(interpreter: Interpreter) -> None:
    interpreter.note(
        "old_argument",
        "The third argument of compile() is read as metrics, as in Keras 2; in Keras 3 it is `loss_weights`.",
        "compile() 的第三个参数被当作指标，如同 Keras 2；在 Keras 3 中它是 `loss_weights`。",
        'Write metrics=["accuracy"].',
        '请写 metrics=["accuracy"]。',
    )


def _share(value: Any) -> float:
    """The weight of one loss. Raises: ValueRefused for what is no number, DtypeError for texts."""
    array = numbers_of(value)
    if array.size != 1:
        raise ValueRefused(
            f"The weight of a loss is one number, not a tensor of shape {array.shape}.",
            message_zh=f"损失权重是一个数，不能是形状为 {array.shape} 的张量。",
        )
    return float(array.item())


def _named_in(given: Any) -> list[str]:
    """The names among what is given."""
    if isinstance(given, (list, tuple, Mapping)):
        parts = given.values() if isinstance(given, Mapping) else given
        return [one for part in parts for one in _named_in(part)]
    return [given] if isinstance(given, str) else []


def _optimizer_named(interpreter: Interpreter, name: str) -> Any:
    kinds = {kind.lower(): kind for kind in rules.__all__}
    if name.lower() not in kinds:
        raise unknown_name("optimizer", "优化器", name, kinds)
    return interpreter.call(optimizers.members()[f"keras.optimizers.{kinds[name.lower()]}"], [], {})


def _loss_named(name: str) -> Any:
    make = losses.loss_named(name)
    if make is None:
        raise unknown_name("loss", "损失函数", name, losses.known_names())
    return make()


def compiled_of(self: UserObject) -> Compiled:
    """What the model was compiled with. Raises: ValueRefused where it was not."""
    found = self.fields.get("_compiled")
    if found is None:
        raise ValueRefused(
            "You must call `compile()` before using the model.",
            hint='Write model.compile(optimizer="sgd", loss="mse").',
            message_zh="使用模型之前必须先调用 `compile()`。",
            hint_zh='请写 model.compile(optimizer="sgd", loss="mse")。',
            code="not_compiled",
            kind="ValueError",
        )
    assert isinstance(found, Compiled)
    return found
