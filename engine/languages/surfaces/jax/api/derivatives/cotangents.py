"""Backward: `jax.vjp` and `jax.linear_transpose`, which pull cotangents back to the arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    beside,
    checked_callable,
    flat_arguments,
    function_name,
    trees,
    visible,
)
from engine.languages.surfaces.jax.api.derivatives.recording import gradient_call
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.api.tracing.cotangents import check_cotangents, splatted
from engine.languages.surfaces.jax.core.avals import FLOAT0
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.linearizing import Linearized, linearize
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero
from engine.languages.surfaces.jax.core.transposing import Undefined, backward
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    aval_of,
    constant,
    known,
    typed,
    typed_number,
    undrawn,
)


def pull_back(found: Linearized, primals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    """The cotangents of the arguments, of those of the results."""
    coming = [ct for ct, zero in zip(cotangents, found.zeros, strict=True) if not zero]
    run = run_now()
    undefined = [Undefined(aval_of(x).tangent()) for x in primals]
    with run.recorder.backward() if run.recorder is not None else run.going_back():
        outs = backward(found.jaxpr, found.jaxpr.values, undefined, coming)
        return [_made(ct) for ct in outs]


def _made(ct: Any) -> Any:
    if is_zero(ct) and ct.aval.dtype == FLOAT0:
        return JaxArray(np.zeros(ct.aval.shape, bool), kind=FLOAT0)
    found = instantiated(ct)
    return undrawn(found) if isinstance(found, Constant) else found


def vjp_(interpreter: Interpreter, fun: Any, *primals: Any, has_aux: Any = False, **_: Any) -> Any:
    """The value of a function, and the function that pulls cotangents of it back to the arguments."""
    checked_callable(fun)
    leaves, structure = flat_arguments(primals, {})
    values = [as_value(leaf) for leaf in leaves]
    flat = Flat(interpreter, fun, structure, bool(has_aux))
    record = gradient_call(interpreter, fun, primals, {}, range(len(primals)), bool(has_aux))
    values = record.arguments(values)
    found = linearize(flat, values)
    record.values(values, found.values)
    inside = structure.children[0]

    def pull(*cotangents: Any) -> Any:
        assert flat.structure is not None
        if len(cotangents) != 1:
            raise splatted(function_name(fun), len(cotangents))
        check_cotangents(function_name(fun), flat.structure, trees().flatten(cotangents[0])[1])
        coming = [as_value(ct) for ct in trees().up_to(flat.structure, cotangents[0])]
        for ct, out in zip(coming, found.values, strict=True):
            _check_cotangent(ct, out)
        record.cotangents = None if any(known(ct) is None for ct in coming) else coming
        with record:
            outs = pull_back(found, values, coming)
            record.gradients(outs)
        return trees().unflatten(inside, map(visible, outs))

    result = flat.result(found.values), Native(function_name(fun), pull)
    return (*result, beside(flat.aux, typed_number)) if has_aux else result


def linear_transpose(interpreter: Interpreter, fun: Any, *primals: Any) -> Native:
    """The transpose of a function that is linear: what pulls cotangents back, wherever it is taken."""
    leaves, structure = flat_arguments(primals, {})
    types = [aval_of(as_value(x)) for x in leaves]
    zeros = [typed(np.zeros(one.shape), one.dtype, one.weak) for one in types]
    pull: Native = vjp_(interpreter, fun, *trees().unflatten(structure, zeros)[0])[1]
    return Wrapped("linear_transpose", pull.function, fun)


def pulled_back(
    interpreter: Interpreter, function: Any, has_aux: bool, primals: Sequence[Any], cotangents: Sequence[Any]
) -> Any:
    """The cotangents of a function's arguments, of those of its results."""
    leaves, structure = flat_arguments(primals, {})
    values = [as_value(leaf) for leaf in leaves]
    found = linearize(Flat(interpreter, function, structure, has_aux), values)
    return trees().unflatten(structure.children[0], pull_back(found, values, cotangents))


def _check_cotangent(ct: Any, out: Any) -> None:
    want, have = aval_of(out).tangent(), aval_of(ct)
    if want.dtype == FLOAT0 or (want.shape, want.dtype) == (have.shape, have.dtype):
        return
    raise value_error(
        f"unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got "
        f"{have.long()}, but expected "
        f"{want.long()} because the corresponding output of the differentiated function had JAX type "
        f"{want.long()}",
        f"vjp 函数的参数类型应为 {want.long()}，但得到 {have.long()}。",
    )


def stop_gradient(interpreter: Interpreter, x: Any) -> Any:
    """The same values, which count as constants where gradients are taken."""
    from engine.languages.surfaces.jax.lax.elementwise import stop_gradient as of_one

    leaves, structure = trees().flatten(x)
    stopped = [
        of_one(constant(leaf)) if aval_of(as_value(leaf)).is_inexact else constant(leaf) for leaf in leaves
    ]
    return trees().unflatten(structure, stopped)
