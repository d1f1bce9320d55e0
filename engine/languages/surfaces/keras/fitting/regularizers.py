"""`tf.keras.regularizers`: what a layer adds to the loss for large weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import ops
from engine.errors import ProgramError, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.ops.base.building import convert_to_tensor


def _penalty(l1: Any, l2: Any) -> Native:
    """l1 Σ|w| + l2 Σw², without the part whose factor is 0."""

    def penalize(x: Any) -> Any:
        weights = convert_to_tensor(x)
        parts = []
        if l1:
            parts.append(l1 * ops.reduce_sum(ops.absolute(weights)))
        if l2:
            parts.append(l2 * ops.reduce_sum(ops.square(weights)))
        return sum(parts[1:], parts[0]) if parts else ops.constant(0.0)

    return Native("tf.keras.regularizers.Regularizer", penalize)


def lasso(l1: Any = 0.01) -> Native:
    """`L1`: l1 Σ|w|."""
    return _penalty(l1, 0.0)


def ridge(l2: Any = 0.01) -> Native:
    """`L2`: l2 Σw²."""
    return _penalty(0.0, l2)


def both(l1: Any = 0.0, l2: Any = 0.0) -> Native:
    """`L1L2`: l1 Σ|w| + l2 Σw²."""
    return _penalty(l1, l2)


def both_by_default(l1: Any = 0.01, l2: Any = 0.01) -> Native:
    """`l1_l2`, as Keras 2 has it by this name."""
    return _penalty(l1, l2)


REGULARIZERS: Mapping[str, Callable[..., Native]] = {
    **dict.fromkeys(("L1", "l1"), lasso),
    **dict.fromkeys(("L2", "l2"), ridge),
    **dict.fromkeys(("L1L2", "l1_l2"), both),
}


def regularizer_named(given: Any) -> Any:
    """What a text names, anything else as it is. Raises: ProgramError for an unknown name."""
    if isinstance(given, str):
        if given not in REGULARIZERS:
            hint, hint_zh = did_you_mean(given, list(REGULARIZERS))
            raise ProgramError(
                f"There is no regularizer named {quoted(given)}.",
                hint=hint,
                message_zh=f"没有名为 {quoted(given)} 的正则化方法。",
                hint_zh=hint_zh,
                code="bad_value",
            )
        return REGULARIZERS[given]()
    return given


def _get(identifier: Any) -> Any:
    """The regularizer of a name, or as it is given."""
    return regularizer_named(identifier)


def members() -> dict[str, Native]:
    """The names below `tf.` that this file offers."""
    makers = {**REGULARIZERS, "get": _get}
    found = {name: Native(f"tf.keras.regularizers.{name}", make) for name, make in makers.items()}
    return {f"keras.regularizers.{name}": native for name, native in found.items()}
