"""What changes parameters by themselves: `optax.incremental_update`, and safe counts and norms."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import OPTAX, mapped


@OPTAX.function("incremental_update")
def incremental_update(new_tensors: Any, old_tensors: Any, step_size: Any) -> Any:
    """step · new + (1 - step) · old."""
    return mapped(lambda new, old: step_size * new + (1.0 - step_size) * old, new_tensors, old_tensors)


@OPTAX.function("periodic_update")
def periodic_update(new_tensors: Any, old_tensors: Any, steps: Any, update_period: Any) -> Any:
    """The new ones at every so many steps, the old ones at the others."""
    now = JNP["equal"](JNP["remainder"](steps, update_period), 0)
    return mapped(lambda new, old: JNP["where"](now, new, old), new_tensors, old_tensors)


@OPTAX.function("safe_int32_increment", "safe_increment")
def safe_increment(count: Any) -> Any:
    """One more, up to the largest number of the type."""
    return JNP["where"](JNP["less"](count, 2**31 - 1), JNP["add"](count, 1), count)


@OPTAX.function("safe_norm")
def safe_norm(x: Any, min_norm: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The norm, at least so large, with a gradient of zero where it is smaller."""
    from engine.languages.surfaces.jax.numpy import linalg

    norm = linalg.FUNCTIONS["norm"](x, ord, axis, True)
    safe = JNP["where"](norm <= min_norm, 1.0, x)
    found = linalg.FUNCTIONS["norm"](safe, ord, axis, keepdims)
    narrow = norm if keepdims else JNP["squeeze"](norm, axis=axis)
    return JNP["where"](narrow <= min_norm, min_norm, found)
