"""`jnp.vectorize`: a function of small arrays as one of arrays whose further axes broadcast."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, function_name
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.api.mapping import vmap
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.lax.basics import expand_dims, shape_of
from engine.languages.surfaces.jax.lax.shapes import squeeze

ARGUMENT = r"\(\s*(?:\w+\s*(?:,\s*\w+\s*)*,?)?\s*\)"
SIGNATURE = re.compile(rf"\s*({ARGUMENT}(?:\s*,\s*{ARGUMENT})*)\s*->\s*{ARGUMENT}(?:\s*,\s*{ARGUMENT})*\s*")


def core_ranks(signature: str) -> list[int]:
    """How many axes of its own each argument has: `(n,m),(m)->(n)` gives 2 and 1."""
    found = SIGNATURE.fullmatch(signature)
    if found is None:
        raise value_error(
            f"not a valid gufunc signature: {signature}",
            f"signature 无效：{signature}。",
            "Write it as in '(n,m),(m)->(n)'.",
            "请像 '(n,m),(m)->(n)' 这样写。",
        )
    return [len(re.findall(r"\w+", one)) for one in re.findall(ARGUMENT, found[1])]


def vectorize(
    interpreter: Interpreter, pyfunc: Any = None, *, excluded: Any = (), signature: Any = None
) -> Native:
    """The function for each place of the arguments' further axes. Source: numpy's generalized ufuncs."""
    if pyfunc is None:
        return Native(
            "vectorize", lambda f: vectorize(interpreter, f, excluded=excluded, signature=signature)
        )
    fixed = set(excluded)

    def call(*args: Any, **keywords: Any) -> Any:
        moving = [place for place in range(len(args)) if place not in fixed]

        def of_moving(*given: Any) -> Any:
            every = list(args)
            for place, value in zip(moving, given, strict=True):
                every[place] = value
            return interpreter.call(pyfunc, every, keywords)

        values = [as_value(args[place]) for place in moving]
        ranks = [0] * len(values) if signature is None else core_ranks(signature)
        if len(ranks) != len(values):
            raise value_error(
                f"wrong number of positional arguments: expected {len(ranks)}, got {len(values)}",
                f"signature 有 {len(ranks)} 个参数，但给出了 {len(values)} 个。",
            )
        function = Native(function_name(pyfunc), of_moving)
        return _over_axes(interpreter, function, values, ranks)

    return Wrapped(function_name(pyfunc), call, pyfunc)


def _over_axes(interpreter: Interpreter, function: Any, values: Sequence[Any], ranks: Sequence[int]) -> Any:
    """The function mapped over each further axis, the last one innermost."""
    outer = []
    for place, (value, rank) in enumerate(zip(values, ranks, strict=True)):
        shape = shape_of(value)
        if len(shape) < rank:
            raise value_error(
                f"input with shape {shape} does not have enough dimensions for all core dimensions of "
                f"argument {place}",
                f"第 {place} 个参数的形状 {shape} 少于 signature 要求的 {rank} 个轴。",
            )
        outer.append(shape[: len(shape) - rank])
    whole = np.broadcast_shapes(*outer)
    filled = [(1,) * (len(whole) - len(shape)) + shape for shape in outer]
    alone: list[int] = []
    for axis in reversed(range(len(whole))):
        in_axes = tuple(None if shape[axis] == 1 else 0 for shape in filled)
        if all(one is None for one in in_axes):
            alone.append(axis)
        else:
            function = vmap(interpreter, function, in_axes)
    squeezed = [
        squeeze(value, [axis for axis, size in enumerate(shape) if size == 1]) if 1 in shape else value
        for value, shape in zip(values, outer, strict=True)
    ]
    result = interpreter.call(function, squeezed, {})
    if not alone:
        return result
    axes = sorted(alone)
    if isinstance(result, tuple):
        return tuple(expand_dims(one, axes) for one in result)
    return expand_dims(result, axes)


def apply_along_axis(
    interpreter: Interpreter, func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any
) -> Any:
    """What a function of vectors makes of each line of an array along an axis."""
    value = as_value(arr)
    rank = len(shape_of(value))
    axis = int(axis) % rank
    function = Native("func1d", lambda line: interpreter.call(func1d, [line, *args], kwargs))
    for place in range(1, rank - axis):
        function = vmap(interpreter, function, in_axes=place, out_axes=-1)
    for _ in range(axis):
        function = vmap(interpreter, function, in_axes=0, out_axes=0)
    return interpreter.call(function, [value], {})
