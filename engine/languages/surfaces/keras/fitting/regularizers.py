"""`tf.keras.regularizers`: what a layer adds to the loss for large weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.surfaces.keras.saving.configured import Configured, deserializer, object_of, serialized
from engine.ops.base.building import convert_to_tensor

HOME = "keras.regularizers"


def _penalty(kind: str, l1: Any, l2: Any, config: Mapping[str, Any]) -> Native:
    """l1 Σ|w| + l2 Σw², without the part whose factor is 0."""

    def penalize(x: Any) -> Any:
        weights = convert_to_tensor(x)
        parts = []
        if l1:
            parts.append(l1 * ops.reduce_sum(ops.absolute(weights)))
        if l2:
            parts.append(l2 * ops.reduce_sum(ops.square(weights)))
        return sum(parts[1:], parts[0]) if parts else ops.constant(0.0)

    return Configured(HOME, kind, penalize, config)


def _factor(value: Any, name: str) -> float:
    """A factor as it is kept, in float32. Raises: ProgramError for what is no number."""
    if not isinstance(value, (int, float, np.number)):
        raise ProgramError(f"`{name}` is a number.", message_zh=f"`{name}` 应是一个数。", code="bad_value")
    return float(np.float32(value))


def lasso(l1: Any = 0.01) -> Native:
    """`L1`: l1 Σ|w|."""
    return _penalty("L1", l1, 0.0, {"l1": _factor(l1, "l1")})


def ridge(l2: Any = 0.01) -> Native:
    """`L2`: l2 Σw²."""
    return _penalty("L2", 0.0, l2, {"l2": l2})


def both(l1: Any = 0.0, l2: Any = 0.0) -> Native:
    """`L1L2`: l1 Σ|w| + l2 Σw²."""
    return _penalty("L1L2", l1, l2, {"l1": l1, "l2": l2})


def both_by_default(l1: Any = 0.01, l2: Any = 0.01) -> Native:
    """`l1_l2`, as Keras 2 has it by this name."""
    return _penalty("L1L2", l1, l2, {"l1": l1, "l2": l2})


def orthogonal(factor: Any = 0.01, mode: Any = "rows") -> Native:
    """`OrthogonalRegularizer`: how far rows, or columns, are from right angles to each other.

    Half the mean of |cosine| between two of them, times the factor.
    """

    def penalize(x: Any) -> Any:
        rows: Any = ops.l2_normalize(convert_to_tensor(x), 1 if mode == "rows" else 0, 1e-12)
        products = rows @ ops.transpose(rows) if mode == "rows" else ops.transpose(rows) @ rows
        count = int(rows.shape[0 if mode == "rows" else 1])
        others = products * (1.0 - ops.eye(count))
        return factor * 0.5 * ops.reduce_sum(ops.absolute(others)) / max(count * (count - 1) / 2.0, 1.0)

    return Configured(
        HOME, "OrthogonalRegularizer", penalize, {"factor": _factor(factor, "factor"), "mode": mode}
    )


REGULARIZERS: Mapping[str, Callable[..., Native]] = {
    **dict.fromkeys(("L1", "l1"), lasso),
    **dict.fromkeys(("L2", "l2"), ridge),
    **dict.fromkeys(("L1L2", "l1_l2"), both),
    **dict.fromkeys(("OrthogonalRegularizer", "orthogonal_regularizer"), orthogonal),
}


def regularizer_named(given: Any) -> Any:
    """What a text or a dictionary names, anything else as it is. Raises: ProgramError for an unknown name."""
    if isinstance(given, Mapping):
        return object_of(HOME, REGULARIZERS, given)
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
    makers = {**REGULARIZERS, "get": _get, "serialize": serialized}
    makers["deserialize"] = deserializer(HOME, REGULARIZERS)
    found = {name: Native(f"tf.keras.regularizers.{name}", make) for name, make in makers.items()}
    return {f"keras.regularizers.{name}": native for name, native in found.items()}
