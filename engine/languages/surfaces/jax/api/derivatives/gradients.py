"""`jax.grad` and `jax.value_and_grad`: gradients of functions whose value is one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    beside,
    function_name,
    is_array,
    many,
    trees,
    visible,
)
from engine.languages.surfaces.jax.api.derivatives.cotangents import pull_back
from engine.languages.surfaces.jax.api.derivatives.kinds_of_numbers import check_real_output, checked_input
from engine.languages.surfaces.jax.api.derivatives.recording import gradient_call
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.linearizing import linearize
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import aval_of, constant, typed_number
from engine.languages.surfaces.jax.lax.basics import like
from engine.languages.surfaces.left_out import takes_only


def with_gradient(
    interpreter: Interpreter,
    function: Any,
    argnums: Any,
    has_aux: bool,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    allow_int: bool = False,
    holomorphic: bool = False,
) -> tuple[Any, Any, Any]:
    """The value of a function, what it gave beside, and the gradient with respect to some arguments.

    allow_int:   whether these may be whole numbers, whose gradients have no numbers.
    holomorphic: whether they are complex and so is the value, which varies as a complex function does.
    """
    chosen = many(argnums, "argnums")
    if not chosen:
        raise value_error(
            "argnums names no argument to differentiate with respect to.", "argnums 没有给出要求导的参数。"
        )
    most = max(chosen)
    if most >= len(args):
        raise type_error(
            f"differentiating with respect to argnums={argnums} requires at least {most + 1} positional "
            f"arguments to be passed by the caller, but got only {len(args)} positional arguments.",
            f"argnums={argnums} 需要至少 {most + 1} 个位置参数，但只给了 {len(args)} 个。",
        )
    places = places_of(chosen, len(args))
    if len(set(places)) < len(places):
        raise type_error(
            "Gradient only defined for scalar-output functions. Output was None.",
            f"argnums={argnums} 中同一个参数出现了两次。",
            "Name each argument once.",
            "每个参数只写一次。",
        )
    moving = [args[index] for index in places]
    leaves, structure = trees().flatten(tuple(moving))
    primals = [checked_input("grad", leaf, holomorphic, allow_int) for leaf in leaves]
    call = _of_some(interpreter, function, structure, places, args, keywords, has_aux)
    with gradient_call(interpreter, function, args, keywords, places, has_aux) as record:
        written, primals = primals, record.arguments(primals)
        found = linearize(call, primals)
        as_written = {id(drawn): typed_number(one) for drawn, one in zip(primals, written, strict=True)}
        _check_output(call, found.values, as_written, holomorphic)
        record.values(primals, found.values)
        outs = pull_back(found, primals, [like(found.values[0], 1)])
        record.gradients(outs)
    gradients = trees().unflatten(structure, map(visible, outs))
    aux = beside(call.aux, typed_number) if has_aux else None
    value = visible(found.values[0])
    return value, aux, gradients if isinstance(argnums, (tuple, list)) else gradients[0]


def places_of(chosen: Sequence[int], count: int) -> list[int]:
    """The places of arguments, counted from the front. Raises: ValueError where there is none."""
    for place in chosen:
        if not -count <= place < count:
            raise value_error(
                "Positional argument indices, e.g. for `static_argnums`, must have value greater "
                "than or equal to "
                f"-len(args) and less than len(args), but got value {place} for len(args) == {count}.",
                f"第 {place} 个参数不存在：只给了 {count} 个位置参数。",
            )
    return [place % count for place in chosen]


def _of_some(
    interpreter: Interpreter,
    function: Any,
    structure: Structure,
    places: Sequence[int],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    has_aux: bool,
) -> Flat:
    """The function of the leaves of some of its arguments."""

    class OfSome(Flat):
        """A flat function whose other arguments are given."""

        def __call__(self, *leaves: Any) -> list[Any]:
            given = list(args)
            for place, value in zip(places, trees().unflatten(structure, leaves), strict=True):
                given[place] = value
            self.arguments = trees().flatten((tuple(given), dict(keywords)))[1]
            return super().__call__(*trees().flatten((tuple(given), dict(keywords)))[0])

    return OfSome(interpreter, function, structure, has_aux, _result)


def _result(leaf: Any) -> Any:
    return leaf if is_array(leaf) else as_value(leaf)


def _check_output(call: Flat, values: list[Any], as_written: Mapping[int, Any], holomorphic: bool) -> None:
    """Raises: TypeError for other than one number; an argument that came back is shown as it was written."""
    structure = call.structure
    assert structure is not None
    if structure.children or structure.kind != "leaf":
        shown = to_repr(call.result([as_written.get(id(one), one) for one in values]))
        raise type_error(
            f"Gradient only defined for scalar-output functions. Output was {shown}.",
            "梯度只对输出为标量的函数有定义，但函数返回了多个值。",
            "Return one number, such as jnp.sum(...), or use has_aux=True.",
            "请返回一个数，例如 jnp.sum(...)，或使用 has_aux=True。",
        )
    value = constant(as_value(values[0]))
    values[0] = value
    aval = aval_of(value)
    if aval.shape != ():
        raise type_error(
            f"Gradient only defined for scalar-output functions. Output had shape: {aval.shape}.",
            f"梯度只对输出为标量的函数有定义，但输出的形状是 {aval.shape}。",
            "Sum it up: jnp.sum(...); or use jax.jacobian.",
            "请求和：jnp.sum(...)；或使用 jax.jacobian。",
        )
    check_real_output("grad", aval, holomorphic)


@takes_only(reduce_axes=((),))
def grad(
    interpreter: Interpreter,
    fun: Any,
    argnums: Any = 0,
    has_aux: Any = False,
    holomorphic: Any = False,
    allow_int: Any = False,
    reduce_axes: Any = (),
) -> Native:
    """The function that computes the gradient of a function of numbers."""

    def call(*args: Any, **keywords: Any) -> Any:
        settings = bool(has_aux), args, keywords, bool(allow_int), bool(holomorphic)
        _, aux, gradient = with_gradient(interpreter, fun, argnums, *settings)
        return (gradient, aux) if has_aux else gradient

    return Wrapped(function_name(fun), call, fun)


@takes_only(reduce_axes=((),))
def value_and_grad(
    interpreter: Interpreter,
    fun: Any,
    argnums: Any = 0,
    has_aux: Any = False,
    holomorphic: Any = False,
    allow_int: Any = False,
    reduce_axes: Any = (),
) -> Native:
    """The function that computes the value and the gradient."""

    def call(*args: Any, **keywords: Any) -> Any:
        settings = bool(has_aux), args, keywords, bool(allow_int), bool(holomorphic)
        value, aux, gradient = with_gradient(interpreter, fun, argnums, *settings)
        return ((value, aux), gradient) if has_aux else (value, gradient)

    return Wrapped(function_name(fun), call, fun)
