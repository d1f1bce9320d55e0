"""`jax.pure_callback`: a function of the program that runs outside of what is traced, on values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, flat_arguments, trees
from engine.languages.surfaces.jax.api.tracing.jitting import ShapeStruct
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import at_axis_0
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.values import JaxArray, aval_of, known
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP

call_p = Primitive("pure_callback", several=True)


def _compute(*arrays: Any, _call: Any, out: Sequence[Aval]) -> list[Any]:
    return [np.asarray(one) for one in _call([JaxArray(array) for array in arrays])]


def _no_tangent(primals: Any, tangents: Any, **_: Any) -> Any:
    raise value_error(
        "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking "
        "gradients.",
        "pure_callback 不能求导。",
        "Give its derivative with jax.custom_jvp or jax.custom_vjp.",
        "请用 jax.custom_jvp 或 jax.custom_vjp 给出导数。",
    )


def _one_by_one(size: int, values: Any, axes: Any, **parameters: Any) -> tuple[Any, list[int]]:
    """`vmap_method="sequential"`: a call for each example."""
    moved = [at_axis_0(x, axis, size) for x, axis in zip(values, axes, strict=True)]
    rows = [call_p(*(getitem(x, index) for x in moved), **parameters) for index in range(size)]
    return [JNP["stack"](list(column)) for column in zip(*rows, strict=True)], [0] * len(parameters["out"])


call_p.compute = _compute
call_p.types = lambda *avals, _call, out: list(out)
call_p.tangent, call_p.batch = _no_tangent, _one_by_one
call_p.has_effect = True
call_p.shown = lambda parameters: {"callback": "..."}


def pure_callback(
    interpreter: Interpreter,
    callback: Any,
    result_shape_dtypes: Any,
    *args: Any,
    sharding: Any = None,
    vmap_method: Any = None,
    **kwargs: Any,
) -> Any:
    """What a function gives, which must have the shapes that are announced."""
    wanted, structure_of_results = trees().flatten(result_shape_dtypes)
    out = tuple(one.aval if isinstance(one, ShapeStruct) else aval_of(as_value(one)) for one in wanted)
    leaves, structure = flat_arguments(args, kwargs)

    def call(values: Sequence[Any]) -> list[Any]:
        positional, named = trees().unflatten(structure, list(values))
        found, _ = trees().flatten(interpreter.call(callback, list(positional), named))
        return [_checked(one, aval) for one, aval in zip(found, out, strict=True)]

    found = call_p(*map(as_value, leaves), _call=call, out=out)
    return trees().unflatten(structure_of_results, list(found))


def _checked(value: Any, aval: Aval) -> Any:
    """An array as announced. Raises: TypeError where its shape is another one."""
    array = np.asarray(known(as_value(value)))
    if array.shape != aval.shape or array.dtype.name != aval.dtype:
        raise type_error(
            f"Callback returned an array of shape {array.shape} and type {array.dtype.name}, but "
            f"{aval.shape} and {aval.dtype} were announced.",
            f"回调返回形状 {array.shape}、类型 {array.dtype.name}，声明的是 {aval.shape}、{aval.dtype}。",
        )
    return array
