"""`tf.debugging.assert_…` of TensorFlow 2: the program stops where a condition does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine import ops
from engine.errors import DtypeError, ProgramError, ShapeError
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import NUMBER
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.tf2.eager import array_of, numbers_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array, Operators

BETWEEN: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "assert_equal": ("==", np.equal),
    "assert_none_equal": ("!=", np.not_equal),
    "assert_less": ("<", np.less),
    "assert_less_equal": ("<=", np.less_equal),
    "assert_greater": (">", np.greater),
    "assert_greater_equal": (">=", np.greater_equal),
}
WITH_ZERO: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "assert_positive": (">", np.greater),
    "assert_non_negative": (">=", np.greater_equal),
    "assert_negative": ("<", np.less),
    "assert_non_positive": ("<=", np.less_equal),
}
EQUALITIES = ("==", "!=")  # what texts can be asked for, too
EPSILONS = 10  # how many roundings of its type `assert_near` allows by default


def _stop_unless(holds: Any, condition: str, message: Any, **values: Array) -> None:
    """Raises: ProgramError with the values where the condition fails for any element."""
    if np.all(holds):
        return
    listed = ", ".join(f"{name} = {value.tolist()}" for name, value in values.items())
    own = f"{message} " if message else ""
    raise ProgramError(
        f"{own}{condition} does not hold for every element: {listed:.400}.",
        message_zh=f"{own}{condition} 并非对每个元素都成立：{listed:.400}。",
        code="assertion_failed",
        kind="InvalidArgumentError",
        said=f"{own or f'Condition {condition} did not hold.'}",
    )


def _broadcast(interpreter: Interpreter, x: Any, y: Any) -> tuple[Array, Array]:
    """Both as arrays. Raises: ShapeError where no shape serves both; LimitError where it is too large."""
    a, b = array_of(x), array_of(y)
    kinds = [each.as_tensor().dtype for each in (x, y) if isinstance(each, Operators)]
    if len(kinds) == 2 and kinds[0] != kinds[1]:
        raise DtypeError(
            f"A tensor of {kinds[0]} cannot be compared with one of {kinds[1]}.",
            message_zh=f"{kinds[0]} 张量不能与 {kinds[1]} 张量比较。",
        )
    try:
        interpreter.budget.check_elements(np.broadcast_shapes(a.shape, b.shape))
    except ValueError:
        raise ShapeError(
            f"{written(a.shape)} and {written(b.shape)} cannot be compared element by element.",
            message_zh=f"{written(a.shape)} 与 {written(b.shape)} 不能逐元素比较。",
        ) from None
    return a, b


def _between(sign: str, holds: Callable[..., Any]) -> Callable[..., None]:
    def check(
        interpreter: Interpreter,
        x: Any,
        y: Any,
        message: Any = None,
        summarize: Any = None,
        name: Any = None,
    ) -> None:
        a, b = _broadcast(interpreter, x, y)
        if sign not in EQUALITIES:
            a, b = numbers_of(a), numbers_of(b)
        _stop_unless(holds(a, b), f"x {sign} y", message, x=a, y=b)

    return check


def _with_zero(sign: str, holds: Callable[..., Any]) -> Callable[..., None]:
    def check(x: Any, message: Any = None, summarize: Any = None, name: Any = None) -> None:
        a = numbers_of(x)
        _stop_unless(holds(a, 0), f"x {sign} 0", message, x=a)

    return check


def assert_near(
    interpreter: Interpreter,
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: Any = None,
    summarize: Any = None,
    name: Any = None,
) -> None:
    """Two tensors agree, up to some roundings: |x - y| <= atol + rtol · |y|."""
    a, b = map(numbers_of, _broadcast(interpreter, x, y))
    least = EPSILONS * np.finfo(a.dtype if a.dtype.kind == "f" else np.float32).eps
    bound = (least if atol is None else atol) + (least if rtol is None else rtol) * np.abs(b)
    _stop_unless(np.abs(a - b) <= bound, "|x - y| <= atol + rtol · |y|", message, x=a, y=b)


def assert_rank(x: Any, rank: Any, message: Any = None, name: Any = None) -> None:
    """A tensor has so many axes."""
    a, wanted = array_of(x), _rank_of(rank)
    if a.ndim != wanted:
        raise ShapeError(
            f"This tensor was to have {wanted} axes, but its shape is {written(a.shape)}.",
            message_zh=f"这个张量应有 {wanted} 个轴，但它的形状是 {written(a.shape)}。",
        )


def assert_rank_at_least(x: Any, rank: Any, message: Any = None, name: Any = None) -> None:
    """A tensor has so many axes or more."""
    a, wanted = array_of(x), _rank_of(rank)
    if a.ndim < wanted:
        raise ShapeError(
            f"This tensor was to have at least {wanted} axes, but its shape is {written(a.shape)}.",
            message_zh=f"这个张量至少应有 {wanted} 个轴，但它的形状是 {written(a.shape)}。",
        )


def assert_type(tensor: Any, tf_type: Any, message: Any = None, name: Any = None) -> None:
    """A tensor is of an element type."""
    found, wanted = convert_to_tensor(tensor).dtype, dtype_name(tf_type)
    if found != wanted:
        raise DtypeError(
            f"This tensor was to be of {wanted}, but it is of {found}.",
            message_zh=f"这个张量的类型应是 {wanted}，但它是 {found}。",
        )


def assert_all_finite(x: Any, message: Any, name: Any = None) -> Any:
    """The tensor itself, where each element of it is a number and finite."""
    a = numbers_of(x)
    _stop_unless(np.isfinite(a), "is_finite(x)", message, x=a)
    return ops.identity(convert_to_tensor(x), name=name)


def _rank_of(rank: Any) -> int:
    """Raises: ProgramError where it is not one whole number."""
    wanted = array_of(rank)
    if wanted.shape or wanted.dtype.kind not in "iu":
        raise ProgramError(
            f"A rank is one whole number, not {wanted.tolist()!s:.60}.",
            message_zh=f"秩是一个整数，不能是 {wanted.tolist()!s:.60}。",
            code="wrong_arguments",
        )
    return int(wanted)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    made: dict[str, Callable[..., Any]] = {
        **{name: _between(*facts) for name, facts in BETWEEN.items()},
        **{name: _with_zero(*facts) for name, facts in WITH_ZERO.items()},
        "assert_near": assert_near,
        "assert_rank": assert_rank,
        "assert_rank_at_least": assert_rank_at_least,
        "assert_type": assert_type,
        "assert_all_finite": assert_all_finite,
    }
    bounds = {"rtol": NUMBER, "atol": NUMBER}
    found = {
        f"debugging.{name}": Native(f"tf.debugging.{name}", check, arguments=bounds)
        for name, check in made.items()
    }
    for name in ("assert_equal", "assert_less", "assert_greater", "assert_rank"):
        found[name] = Native(f"tf.{name}", made[name])
    return found
