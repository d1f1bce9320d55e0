"""Forward: `jax.jvp` and `jax.linearize`, which carry tangents of the arguments to the results."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    beside,
    checked_callable,
    flat_arguments,
    function_name,
    trees,
)
from engine.languages.surfaces.jax.core.avals import FLOAT0
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.jaxpr import evaluate
from engine.languages.surfaces.jax.core.linearizing import linearize, zeros_where
from engine.languages.surfaces.jax.core.staging import shown_aval
from engine.languages.surfaces.jax.core.tangents import instantiated, jvp
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import aval_of, in_python


def jvp_(interpreter: Interpreter, fun: Any, primals: Any, tangents: Any, has_aux: Any = False) -> Any:
    """The value of a function, and how it changes along tangents of the arguments."""
    checked_callable(fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise type_error(
            "primal and tangent arguments to jax.jvp must be tuples or lists; found "
            f"{python_name(primals)} and {python_name(tangents)}.",
            "jax.jvp 的 primals 和 tangents 必须是元组或列表。",
            "Write jax.jvp(f, (x,), (v,)).",
            "请写 jax.jvp(f, (x,), (v,))。",
        )
    leaves, structure = flat_arguments(primals, {})
    moved, own = trees().flatten(tuple(tangents))
    _check_same_structure(trees().flatten(tuple(primals))[1], own)
    values = [as_value(leaf) for leaf in leaves]
    directions = [_direction(x, as_value(t)) for x, t in zip(values, moved, strict=True)]
    flat = Flat(interpreter, fun, structure, bool(has_aux))
    outs, out_tangents = jvp(flat, values, directions)
    result = flat.result(outs), flat.result(out_tangents)
    return (*result, beside(flat.aux, in_python)) if has_aux else result


def _check_same_structure(primals: Structure, tangents: Structure) -> None:
    if primals != tangents:
        raise type_error(
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree "
            f"structure {primals.text()} whereas tangents have tree structure {tangents.text()}.",
            "jax.jvp 的 primals 和 tangents 的结构必须相同。",
        )


def _direction(primal: Any, tangent: Any) -> Any:
    want, have = aval_of(primal).tangent(), aval_of(tangent)
    if want.dtype == FLOAT0:
        return tangent if have.dtype == FLOAT0 else _wrong_tangent(primal, "float0", have.dtype)
    if have.dtype != want.dtype:
        _wrong_tangent(primal, want.dtype, have.dtype)
    if have.shape != want.shape:
        raise value_error(
            "jvp called with different primal and tangent shapes;Got primal shape "
            f"{want.shape} and tangent shape as {have.shape}",
            f"jvp 的 primal 与 tangent 形状不同：{want.shape} 和 {have.shape}。",
        )
    return tangent


def _wrong_tangent(primal: Any, want: str, have: str) -> Any:
    raise type_error(
        "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool "
        f"primal dtype the tangent dtype must be float0.Got primal dtype {aval_of(primal).dtype} and so "
        f"expected tangent dtype {want}, but got tangent dtype {have} instead.",
        f"jvp 的 tangent 类型应为 {want}，但得到 {have}。",
    )


def _check_tangent(given: Any, primal: Any) -> None:
    """Raises: ValueError where a tangent has another type than the argument that it moves."""
    want = primal.tangent()
    if (given.shape, given.dtype) != (want.shape, want.dtype):
        got, of, expected = (shown_aval(one) for one in (given, primal, want))
        raise value_error(
            "linearized function called on tangent values inconsistent with the original primal values:\n"
            f"Got tangent aval {got} for primal aval {of} but expected {expected}.",
            f"切向量的类型 {got} 与参数的类型 {of} 不符。",
        )


def linearize_(interpreter: Interpreter, fun: Any, *primals: Any, has_aux: Any = False) -> Any:
    """The value of a function, and its linear part at this point as a function."""
    checked_callable(fun)
    leaves, structure = flat_arguments(primals, {})
    values = [as_value(leaf) for leaf in leaves]
    flat = Flat(interpreter, fun, structure, bool(has_aux))
    found = linearize(flat, values)

    def linear(*tangents: Any) -> Any:
        coming, own = trees().flatten(tuple(tangents))
        if own != structure.children[0]:
            raise type_error(
                f"expected {structure.children[0].text()}, got {own.text()}",
                "切向量的结构必须与 linearize 的参数相同。",
            )
        moved = [as_value(t) for t in coming]
        for t, x in zip(moved, values, strict=True):
            _check_tangent(aval_of(t), aval_of(x))
        outs = evaluate(found.jaxpr, moved)
        every = zeros_where(found.zeros, outs, found.values)
        return flat.result([instantiated(t) for t in every])

    result = flat.result(found.values), Native(function_name(fun), linear)
    return (*result, beside(flat.aux, in_python)) if has_aux else result
