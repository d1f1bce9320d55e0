"""`tf.keras.constraints`: what a variable is brought to behind each step of an optimizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine import ops
from engine.errors import ProgramError, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.surfaces.keras.saving.configured import Configured, deserializer, object_of, serialized
from engine.ops.base.building import convert_to_tensor

EPSILON = 1e-7


HOME = "keras.constraints"


def _native(kind: str, compute: Callable[[Any], Any], **config: Any) -> Native:
    def constrain(w: Any) -> Any:
        return compute(convert_to_tensor(w))

    return Configured(HOME, kind, constrain, config)


def _norms(w: Any, axis: Any) -> Any:
    return ops.sqrt(ops.reduce_sum(ops.square(w), axis, keepdims=True))


def max_norm(max_value: Any = 2, axis: Any = 0) -> Native:
    """No norm along the axis above the largest."""
    return _native("MaxNorm", _between(0.0, max_value, 1.0, axis), max_value=max_value, axis=axis)


def min_max_norm(min_value: Any = 0.0, max_value: Any = 1.0, rate: Any = 1.0, axis: Any = 0) -> Native:
    """Norms along the axis between two bounds, or nearer to them by a rate."""
    config = {"min_value": min_value, "max_value": max_value, "rate": rate, "axis": axis}
    return _native("MinMaxNorm", _between(min_value, max_value, rate, axis), **config)


def _between(min_value: Any, max_value: Any, rate: Any, axis: Any) -> Callable[[Any], Any]:
    def compute(w: Any) -> Any:
        norms = _norms(w, axis)
        wanted = ops.clip_by_value(norms, float(min_value), float(max_value))
        if rate != 1.0:
            wanted = rate * wanted + (1.0 - rate) * norms
        return w * (wanted / (EPSILON + norms))

    return compute


def non_neg() -> Native:
    """No number below 0."""
    return _native("NonNeg", ops.relu)


def unit_norm(axis: Any = 0) -> Native:
    """Norm 1 along the axis."""
    return _native("UnitNorm", lambda w: w / (EPSILON + _norms(w, axis)), axis=axis)


CONSTRAINTS: Mapping[str, Callable[..., Native]] = MappingProxyType(
    {
        **dict.fromkeys(("MaxNorm", "max_norm", "maxnorm"), max_norm),
        **dict.fromkeys(("MinMaxNorm", "min_max_norm"), min_max_norm),
        **dict.fromkeys(("NonNeg", "non_neg", "nonneg"), non_neg),
        **dict.fromkeys(("UnitNorm", "unit_norm", "unitnorm"), unit_norm),
    }
)


def constraint_named(given: Any) -> Any:
    """What a text or a dictionary names, anything else as it is. Raises: ProgramError for an unknown name."""
    if isinstance(given, Mapping):
        return object_of(HOME, CONSTRAINTS, given)
    if not isinstance(given, str):
        return given
    if given not in CONSTRAINTS:
        hint, hint_zh = did_you_mean(given, list(CONSTRAINTS))
        raise ProgramError(
            f"There is no constraint named {quoted(given)}.",
            hint=hint,
            message_zh=f"没有名为 {quoted(given)} 的约束。",
            hint_zh=hint_zh,
            code="bad_value",
        )
    return CONSTRAINTS[given]()


def _get(identifier: Any) -> Any:
    """The constraint of a name, or as it is given."""
    return constraint_named(identifier)


SAVING = {"serialize": serialized, "deserialize": deserializer(HOME, CONSTRAINTS)}


def members() -> dict[str, Native]:
    """The names below `tf.` that this file offers."""
    return {
        f"keras.constraints.{name}": Native(f"tf.keras.constraints.{name}", make)
        for name, make in {**CONSTRAINTS, "get": _get, **SAVING}.items()
    }
