"""`tf.keras.losses.Loss`: what a loss of the program's own inherits from."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras.losses import MEAN, in_kind, weights_for
from engine.languages.surfaces.tf2.modules import AN_OBJECT, snake_case
from engine.ops.base.building import convert_to_tensor

REDUCTIONS = (MEAN, "mean", "sum", "none", None, "auto")


def _init(self: UserObject, name: Any = None, reduction: Any = MEAN, dtype: Any = None) -> None:
    """Its name, and what becomes of the losses of the examples. Raises: ProgramError for an unknown word."""
    if reduction not in REDUCTIONS:
        raise ProgramError(
            f"`reduction` is 'sum_over_batch_size', 'sum' or 'none', not {reduction!r}.",
            message_zh=f"`reduction` 可以是 'sum_over_batch_size'、'sum' 或 'none'，不能是 {reduction!r}。",
            code="bad_value",
        )
    self.fields.update(
        name=name or snake_case(self.kind.name), reduction=reduction, _dtype=dtype or "float32"
    )


def _call(
    interpreter: Interpreter, self: UserObject, y_true: Any, y_pred: Any, sample_weight: Any = None
) -> Any:
    """What `call` gives for both, of which the mean is taken, or the sum."""
    if self.kind.find("call") is MISSING:
        raise ProgramError(
            f"{self.kind.name} has no method `call`, which computes the loss.",
            hint="Write def call(self, y_true, y_pred): …",
            message_zh=f"{self.kind.name} 没有计算损失的 `call` 方法。",
            hint_zh="请写 def call(self, y_true, y_pred): …",
            code="unknown_attribute",
        )
    pair = [in_kind(one, self.fields.get("_dtype", "float32")) for one in (y_true, y_pred)]
    each = convert_to_tensor(interpreter.call(attribute_of(interpreter, self, "call"), pair, {}))
    if sample_weight is not None:
        weights = weights_for(each, sample_weight)
        axes, axes_of_weights = (len(one.shape or ()) for one in (each, weights))
        each = each * (weights[..., None] if axes_of_weights == axes - 1 > 0 else weights)
    reduction = self.fields.get("reduction", MEAN)
    if reduction in ("none", None) or not each.shape:
        return each
    return ops.reduce_sum(each) if reduction == "sum" else ops.reduce_mean(each)


def _config(self: UserObject) -> dict[str, Any]:
    """Its name, and what becomes of the losses of the examples."""
    return {name: self.fields.get(name) for name in ("name", "reduction")}


OBJECT = {"self": AN_OBJECT}
LOSS = UserClass(
    "Loss",
    None,
    {
        "__init__": Native("tf.keras.losses.Loss.__init__", _init, arguments=OBJECT),
        "__call__": Native(
            "tf.keras.losses.Loss.__call__", _call, arguments={**OBJECT, "y_true": ANY, "y_pred": ANY}
        ),
        "get_config": Native("tf.keras.losses.Loss.get_config", _config, arguments=OBJECT),
    },
    origin="library",
)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    return {"keras.losses.Loss": LOSS, "keras.Loss": LOSS, "losses.Loss": LOSS}
