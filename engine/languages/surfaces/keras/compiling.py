"""`model.compile`: the optimizer, the loss and the metrics that a model is trained with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras import losses
from engine.languages.surfaces.keras.figures import unknown_name
from engine.languages.surfaces.keras.optimizers import optimizer as optimizers
from engine.languages.surfaces.keras.optimizers.optimizer import KerasOptimizer
from engine.optimizers.rules import keras as rules


@dataclass(slots=True)
class Compiled:
    """What `compile` was given.

    loss:    makes the mean loss of (y_true, y_pred).
    metrics: the names that `fit` was asked to follow, or metrics of the program's own.
    """

    optimizer: KerasOptimizer
    loss: Any
    metrics: Sequence[Any] = ()


def has_own(self: UserObject, name: str) -> bool:
    """Whether the program has written this step of the training itself."""
    return self.kind.find(name) is not MISSING


def compile_(
    interpreter: Interpreter,
    self: UserObject,
    optimizer: Any = "rmsprop",
    loss: Any = None,
    metrics: Any = None,
    run_eagerly: Any = False,
    jit_compile: Any = "auto",
) -> None:
    """The optimizer, the loss and the metrics, each an object, or a name of Keras."""
    if loss is None and not has_own(self, "train_step"):
        raise ProgramError(
            "compile() was given no loss.",
            hint='Write loss="mse", or a class of tf.keras.losses.',
            message_zh="compile() 没有给出损失函数。",
            hint_zh='请写 loss="mse"，或 tf.keras.losses 中的类。',
            code="wrong_arguments",
        )
    found = _optimizer_named(interpreter, optimizer) if isinstance(optimizer, str) else optimizer
    if not isinstance(found, KerasOptimizer):
        raise ProgramError(
            "compile() takes an optimizer of tf.keras.optimizers, or its name.",
            message_zh="compile() 需要 tf.keras.optimizers 中的优化器或其名称。",
            code="bad_value",
        )
    wanted = list(metrics) if isinstance(metrics, (list, tuple)) else [] if metrics is None else [metrics]
    self.fields["_compiled"] = Compiled(found, _loss_named(loss) if isinstance(loss, str) else loss, wanted)
    self.fields["optimizer"] = found


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
        )
    assert isinstance(found, Compiled)
    return found
