"""Reductions and running results along axes: `lax.reduce`, `lax.cumsum`, `lax.argmax`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, many, trees
from engine.languages.surfaces.jax.api.lax_functions.table import LAX, named
from engine.languages.surfaces.jax.api.refusing import lax as check
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.nn import logsumexp
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP


def _reduction(primitive: Any, **settings: Any) -> Callable[..., Any]:
    return lambda operand, axes, **_: primitive(as_value(operand), axes=tuple(axes), **settings)


for _name, _primitive in {
    "reduce_prod": re.reduce_prod_p,
    "reduce_max": re.reduce_max_p,
    "reduce_min": re.reduce_min_p,
    "reduce_and": re.reduce_and_p,
    "reduce_or": re.reduce_or_p,
    "reduce_xor": re.reduce_xor_p,
}.items():
    LAX[_name] = _reduction(_primitive)
LAX["reduce_sum"] = _reduction(ba.reduce_sum_p, out_sharding=None)
LAX["logsumexp"] = logsumexp
FOLDS = {"add": "reduce_sum", "mul": "reduce_prod", "max": "reduce_max", "min": "reduce_min"}


@named("reduce")
def reduce_(
    interpreter: Interpreter, operands: Any, init_values: Any, computation: Any, dimensions: Any, **_: Any
) -> Any:
    """What a function of two makes of the elements along some axes, and of a first value."""
    x, first = as_value(operands), as_value(init_values)
    first = ba.convert(first, aval_of(x).dtype)
    name = str(getattr(computation, "name", "")).rpartition(".")[2]
    axes = many(dimensions, "dimensions")
    if name in FOLDS:
        return interpreter.call(computation, [LAX[FOLDS[name]](x, axes), first], {})
    rows = JNP["moveaxis"](x, axes, tuple(range(len(axes))))
    rest = ba.shape_of(rows)[len(axes) :]
    rows = ba.reshape(rows, (aval_of(x).size // max(int(np.prod(rest, dtype=int)), 1), *rest))
    total = JNP["broadcast_to"](first, rest)
    for index in range(ba.shape_of(rows)[0]):
        total = interpreter.call(computation, [total, getitem(rows, index)], {})
    return total


for _name, _primitive in {
    "cumsum": re.cumsum_p,
    "cumprod": re.cumprod_p,
    "cummax": re.cummax_p,
    "cummin": re.cummin_p,
    "cumlogsumexp": re.cumlogsumexp_p,
}.items():
    LAX[_name] = lambda operand, axis=0, reverse=False, primitive=_primitive: primitive(
        as_value(operand), axis=int(axis), reverse=bool(reverse)
    )


@named("argmax")
def argmax(operand: Any, axis: Any, index_dtype: Any) -> Any:
    """Where the largest element is."""
    return re.argmax_p(as_value(operand), axes=(int(axis),), index_dtype=dtype_of(index_dtype))


@named("argmin")
def argmin(operand: Any, axis: Any, index_dtype: Any) -> Any:
    """Where the smallest element is."""
    return re.argmin_p(as_value(operand), axes=(int(axis),), index_dtype=dtype_of(index_dtype))


@named("associative_scan")
def associative_scan(
    interpreter: Interpreter, fn: Any, elems: Any, reverse: Any = False, axis: Any = 0
) -> Any:
    """Running results of an associative function."""
    leaves, structure = trees().flatten(elems)
    xs = [as_value(leaf) for leaf in leaves]

    def combine(a: Any, b: Any) -> Any:
        found = interpreter.call(fn, [trees().unflatten(structure, a), trees().unflatten(structure, b)], {})
        return [as_value(leaf) for leaf in trees().up_to(structure, found)]

    place = check.axis_of(int(axis), len(ba.shape_of(xs[0])))
    sizes = [ba.shape_of(x) for x in xs]
    if len({shape[place] for shape in sizes}) > 1:
        raise value_error(
            f"Array inputs to associative_scan must have the same first dimension. (saw: {sizes})",
            "associative_scan 的各数组长度必须相同。",
        )
    return trees().unflatten(structure, re.associative_scans(combine, xs, place, bool(reverse)))
