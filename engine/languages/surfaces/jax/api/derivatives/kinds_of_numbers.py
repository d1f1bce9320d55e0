"""Which numbers a gradient is taken of and with respect to: real ones, unless a program says otherwise."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.core.avals import Aval, is_complex
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.values import aval_of


def checked_input(name: str, leaf: Any, holomorphic: bool, allow_int: bool) -> Any:
    """An argument that varies. Raises: TypeError for one of another kind of numbers."""
    value = as_value(leaf, ".") if not allow_int else as_value(leaf)
    aval = aval_of(value)
    if holomorphic and not is_complex(aval.dtype):
        raise not_holomorphic(name, "inputs", aval)
    if not aval.is_inexact and not allow_int:
        raise type_error(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of "
            f"np.inexact), but got {aval.dtype}. If you want to use Boolean- or integer-valued inputs, "
            "use vjp or set allow_int to True.",
            f"{name} 只能对浮点数求导，但得到 {aval.dtype}。",
            "Write 3.0 instead of 3, or convert it: x.astype(float).",
            "请把 3 写成 3.0，或转换类型：x.astype(float)。",
        )
    return value


def not_holomorphic(name: str, what: str, aval: Aval) -> Exception:
    """The error for real numbers where complex ones are announced."""
    error: Exception = type_error(
        f"{name} with holomorphic=True requires {what} with complex dtype, but got {aval.dtype}.",
        f"{name} 在 holomorphic=True 时要求复数，但得到 {aval.dtype}。",
    )
    return error


def check_real_output(name: str, aval: Aval, holomorphic: bool) -> None:
    """Raises: TypeError for a result that is not of the kind of numbers that a gradient asks for."""
    if holomorphic and not is_complex(aval.dtype):
        raise not_holomorphic(name, "outputs", aval)
    if holomorphic or aval.is_float:
        return
    wanted = (
        f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
    )
    if is_complex(aval.dtype):
        raise type_error(
            f"{wanted}{aval.dtype}. For holomorphic differentiation, pass holomorphic=True. For "
            "differentiation of non-holomorphic functions involving complex outputs, use jax.vjp directly.",
            f"{name} 要求输出是实数，但得到 {aval.dtype}。",
        )
    raise type_error(
        f"{wanted}{aval.dtype}. For differentiation of functions with integer outputs, use jax.vjp directly.",
        f"{name} 要求输出是浮点数，但得到 {aval.dtype}。",
    )
