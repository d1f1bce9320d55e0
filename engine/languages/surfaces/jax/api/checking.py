"""`jax.test_util.check_grads`, and `jax.checkpoint`, which saves memory and changes no number."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import Flat, as_value, flat_arguments, function_name
from engine.languages.surfaces.jax.api.derivatives import Wrapped
from engine.languages.surfaces.jax.core.tangents import instantiated, jvp
from engine.languages.surfaces.jax.core.values import JaxArray, aval_of

# What a gradient may keep of the forward pass: it decides about memory, and changes no number.
POLICIES = (
    *("everything_saveable", "nothing_saveable", "dots_saveable", "checkpoint_dots"),
    *("dots_with_no_batch_dims_saveable", "checkpoint_dots_with_no_batch_dims"),
)
POLICIES_OF_NAMES = ("save_only_these_names", "save_any_names_but_these", "save_anything_except_these_names")


def policy(*_: Any, **__: Any) -> bool:
    """Whether a value is kept: all are, here."""
    return True


def checkpoint(interpreter: Interpreter, fun: Any = None, **_: Any) -> Native:
    """A function whose inner values are computed again for its gradient."""
    if fun is None:
        return Native("checkpoint", lambda function: checkpoint(interpreter, function))
    return Wrapped(
        function_name(fun), lambda *args, **keywords: interpreter.call(fun, list(args), keywords), fun
    )


def check_grads(
    interpreter: Interpreter,
    f: Any,
    args: Any,
    order: Any,
    modes: Any = ("fwd", "rev"),
    atol: Any = None,
    rtol: Any = None,
    eps: Any = None,
) -> None:
    """Compare the derivative in a direction with a difference quotient. Raises: AssertionError."""
    leaves, structure = flat_arguments(list(args), {})
    flat = Flat(interpreter, f, structure)
    values = [as_value(leaf) for leaf in leaves]
    near = 0.02 if atol is None else float(atol)
    step = 3e-3 if eps is None else float(eps)
    random = np.random.RandomState(0)
    arrays = [np.asarray(value.array) for value in values]
    ways = [random.standard_normal(array.shape).astype(array.dtype) for array in arrays]
    _, tangents = jvp(flat, values, [JaxArray(way) for way in ways])
    above = flat(*(JaxArray(a + (step * way).astype(a.dtype)) for a, way in zip(arrays, ways, strict=True)))
    below = flat(*(JaxArray(a - (step * way).astype(a.dtype)) for a, way in zip(arrays, ways, strict=True)))
    for tangent, high, low in zip(tangents, above, below, strict=True):
        if not aval_of(high).is_float:
            continue
        slope = (high.array.astype("float64") - low.array.astype("float64")) / (2 * step)
        found = instantiated(tangent).array
        if not np.allclose(found, slope, atol=near, rtol=near if rtol is None else float(rtol)):
            raise ProgramError(
                f"The derivative {found} differs from the difference quotient {slope}.",
                message_zh=f"导数 {found} 与差商 {slope} 不一致。",
                code="wrong_gradient",
                kind="AssertionError",
            )
