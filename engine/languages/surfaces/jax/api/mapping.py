"""vmap, and the matrices of derivatives that it makes: jacfwd, jacrev, hessian."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    beside,
    flat_arguments,
    function_name,
    many,
    trees,
    whole,
)
from engine.languages.surfaces.jax.api.derivatives.cotangents import pull_back
from engine.languages.surfaces.jax.api.derivatives.gradients import places_of
from engine.languages.surfaces.jax.api.derivatives.kinds_of_numbers import (
    check_real_output,
    checked_input,
    not_holomorphic,
)
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.api.references.given import (
    cells_among,
    leaving,
    taking_arrays,
)
from engine.languages.surfaces.jax.api.tracing.differences import leaf_paths
from engine.languages.surfaces.jax.api.tracing.paths import argument_paths, signature_of
from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.batching import at_axis, batched
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.linearizing import linearize
from engine.languages.surfaces.jax.core.tangents import jvp
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import aval_of, constant, in_python, typed, typed_number
from engine.languages.surfaces.jax.lax.basics import convert, convert_p, reshape, shape_of
from engine.languages.surfaces.jax.lax.shapes import split
from engine.languages.surfaces.jax.numpy.making.diagonals import eye
from engine.languages.surfaces.jax.numpy.promotion import common_type


def vmap(
    interpreter: Interpreter,
    fun: Any,
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: Any = None,
    **_: Any,
) -> Native:
    """A function of one example as one of many."""

    _check_axes("out_axes", out_axes)

    def call(*args: Any, **keywords: Any) -> Any:
        leaves, structure = flat_arguments(args, keywords)
        if cells := cells_among(leaves):
            axes = _in_axes(in_axes, args, keywords, structure)
            mapped = {i: cell for i, cell in cells.items() if axes[i] is not None}
            kept = {i: cell for i, cell in cells.items() if i not in mapped}
            function = taking_arrays(interpreter, fun, tuple(mapped), kept)
            places = out_axes, tuple(axes[i] for i in mapped)
            on_arrays = vmap(interpreter, function, in_axes, places, axis_name, axis_size)
            return leaving(interpreter, on_arrays, structure, leaves, mapped, kept)
        values = [as_value(leaf) for leaf in leaves]
        if not values and axis_size is None:
            raise value_error(
                "vmap wrapped function must be passed at least one argument containing an array or "
                "axis_size must "
                f"be specified, got empty *args={to_repr(args)} and **kwargs={to_repr(keywords)}",
                "vmap 的函数至少需要一个含数组的参数。",
            )
        axes = _in_axes(in_axes, args, keywords, structure)
        axes = [_at(axis, value) for axis, value in zip(axes, values, strict=True)]
        size = _size(fun, structure, axes, values, axis_size)
        flat = Flat(interpreter, fun, structure)
        outs, found = batched(flat, size, axes, axis_name)(*values)
        assert flat.structure is not None
        wanted = _spread("out_axes", out_axes, flat.structure)
        paths = leaf_paths(flat.structure) if isinstance(out_axes, (tuple, list, dict)) else [""] * len(outs)
        results = [
            _placed(out, axis, size, want, path)
            for out, axis, want, path in zip(outs, found, wanted, paths, strict=True)
        ]
        return flat.result(results)

    return Wrapped(function_name(fun), call, fun)


def _in_axes(in_axes: Any, args: Sequence[Any], keywords: Any, structure: Structure) -> list[Any]:
    positional, named = structure.children
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not isinstance(in_axes, (int, tuple, type(None))):
        raise type_error(
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the "
            "positional arguments "
            f"passed to the function, but got {to_str(in_axes)}.",
            "vmap 的 in_axes 必须是整数、None 或元组。",
        )
    _check_axes("in_axes", in_axes)
    if isinstance(in_axes, tuple) and len(in_axes) != len(args):
        raise value_error(
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the "
            "positional arguments "
            f"passed to the function, but got len(in_axes)={len(in_axes)}, len(args)={len(args)}",
            f"vmap 的 in_axes 有 {len(in_axes)} 项，但函数得到 {len(args)} 个位置参数。",
        )
    return [*_spread("in_axes", in_axes, positional), *([0] * named.count)]


def _check_axes(name: str, axes: Any) -> None:
    """Raises: TypeError where other things than whole numbers or None name axes."""
    if not all(isinstance(axis, (int, np.integer)) for axis in trees().flatten(axes)[0]):
        raise type_error(
            f"vmap {name} must be an int, None, or (nested) container with those types as leaves, but got "
            f"{to_str(axes)}.",
            f"vmap 的 {name} 只能由整数和 None 组成。",
        )


def _spread(name: str, axes: Any, structure: Structure) -> list[Any]:
    """An axis for each leaf. Raises: ValueError where the axes are a tree of another form."""
    try:
        return trees().prefix(axes, structure, f"vmap {name}")
    except ProgramError as error:
        raise value_error(
            f"vmap {name} specification must be a tree prefix of the corresponding value;\n"
            f"  Mismatch details (1 found):\n  {error.said}",
            f"vmap 的 {name} 与参数的结构不符。",
        ) from None


def _at(axis: Any, value: Any) -> int | None:
    if axis is None:
        return None
    place, ndim = whole(axis, "in_axes"), aval_of(value).ndim
    if not -ndim <= place < ndim:
        shape = aval_of(value).shape
        raise value_error(
            f"vmap was requested to map its argument along axis {place}, which implies that its "
            f"rank should be "
            f"at least {place + 1 if place >= 0 else -place}, but is only {ndim} (its shape is {shape})",
            f"vmap 要沿第 {place} 轴映射，但参数的形状是 {shape}。",
            "Use in_axes=None for arguments that are the same for all examples.",
            "对所有样本相同的参数请用 in_axes=None。",
        )
    return place % ndim


def _size(
    fun: Any, structure: Structure, axes: Sequence[int | None], values: Sequence[Any], given: Any
) -> int:
    sizes = [aval_of(x).shape[axis] for x, axis in zip(values, axes, strict=True) if axis is not None]
    if not sizes:
        if given is not None:
            return whole(given, "axis_size")
        raise value_error(
            "vmap must have at least one non-None value in in_axes or axis_size must be specified",
            "vmap 的 in_axes 中至少要有一个不是 None。",
        )
    wanted = None if given is None else whole(given, "axis_size")
    if len({*sizes, *(() if wanted is None else (wanted,))}) > 1:
        said = _inconsistent(fun, structure, axes, values, wanted)
        raise value_error(said, "vmap 的各参数在映射轴上的长度不同。")
    return sizes[0]


def _inconsistent(fun: Any, structure: Structure, axes: Any, values: Any, wanted: int | None) -> str:
    """What JAX says of lengths that differ: the most frequent one first."""
    by_size: dict[int, list[str]] = {}
    for name, x, axis in zip(_names(fun, structure), values, axes, strict=True):
        if axis is not None:
            aval = aval_of(x)
            by_size.setdefault(aval.shape[axis], []).append(f"axis {axis} of {name} of type {aval.long()}")
    most = max(map(len, by_size.values()))
    leading = [size for size, texts in by_size.items() if len(texts) == most]
    lines = [] if wanted is None else [f"the `axis_size` argument was {wanted}"]
    for size, texts in sorted(by_size.items(), key=lambda pair: -len(pair[1])):
        if len(texts) == 1:
            lines.append(f"one axis had size {size}: {texts[0]}")
        else:
            word = "most" if leading == [size] else "some"
            lines.append(f"{word} axes ({len(texts)} of them) had size {size}, e.g. {texts[0]}")
    listed = ";\n".join(f"  * {line}" for line in lines)
    return f"vmap got inconsistent sizes for array axes to be mapped:\n{listed}"


def _names(fun: Any, structure: Structure) -> list[str]:
    """How JAX calls the arguments here: by their parameters, or as `args` and `kwargs`."""
    known, count = signature_of(fun).positional, len(structure.children[0].children)
    positional = structure.children[0].count
    named = [f"argument {path}" for path in argument_paths(fun, structure)]
    if count > len(known):
        both = Structure(tuple, None, (structure.children[0], Structure(dict, (), ())))
        named[:positional] = argument_paths(None, both)
    keywords = leaf_paths(structure.children[1], "kwargs")
    return [*named[:positional], *keywords]


def _placed(out: Any, axis: int | None, size: int, want: Any, path: str = "") -> Any:
    if want is None:
        if axis is not None:
            raise value_error(
                f"at vmap out_axes{path}, got axis spec None but output was batched on axis {axis}",
                "vmap 的输出随样本变化，但 out_axes 是 None。",
            )
        return out
    ndim = aval_of(out).ndim + (axis is None)
    place = whole(want, "out_axes")
    if not -ndim <= place < ndim:
        raise value_error(
            f"axis {place} is out of bounds for array of dimension {ndim}",
            f"out_axes 的轴 {place} 超出了 {ndim} 维的输出。",
        )
    return at_axis(constant(out), axis, size, place % ndim)


# -- matrices of derivatives -------------------------------------------------------------------------


def _basis(leaves: Sequence[Any]) -> list[Any]:
    """The unit vectors of all leaves together, a part for each leaf: the vector first."""
    sizes = [prod(shape_of(leaf)) for leaf in leaves]
    total = sum(sizes)
    dtype, _ = common_type([typed(0, aval_of(leaf).dtype) for leaf in leaves])
    types = [aval_of(leaf) for leaf in leaves]
    return [
        convert_p(part, new_dtype=one.dtype, weak_type=one.weak, sharding=False)  # also where it is of that
        for part, one in zip(_parts(eye(total, dtype=dtype), leaves, sizes, 1), types, strict=True)
    ]


def _parts(x: Any, leaves: Sequence[Any], sizes: Sequence[int], axis: int) -> list[Any]:
    """The parts of an axis that stand for the leaves, each in the leaf's shape."""
    shape = shape_of(x)
    lengths: Any = [np.int64(size) for size in sizes]  # numpy's, as JAX shows them
    parts = split(x, lengths, axis)
    return [
        reshape(part, (*shape[:axis], *shape_of(leaf), *shape[axis + 1 :]))
        for part, leaf in zip(parts, leaves, strict=True)
    ]


def _flat_of(
    interpreter: Interpreter,
    fun: Any,
    argnums: Any,
    args: Sequence[Any],
    keywords: Any,
    has_aux: bool,
    real: Any,
) -> tuple[Flat, list[Any], Structure]:
    """A function of some of its arguments, their leaves and their structure."""
    chosen = places_of(many(argnums, "argnums"), len(args))
    moving = tuple(args[index] for index in chosen)
    leaves, structure = trees().flatten(moving)

    def of_some(*given: Any) -> Any:
        every = list(args)
        for place, value in zip(chosen, given, strict=True):
            every[place] = value
        return interpreter.call(fun, every, dict(keywords))

    arguments = trees().flatten((moving, {}))[1]
    flat = Flat(interpreter, Native(function_name(fun), of_some), arguments, has_aux)
    return flat, [real(leaf) for leaf in leaves], structure


def _pushed(leaf: Any, holomorphic: bool) -> Any:
    """An argument that jacfwd varies. Raises: TypeError for one of another kind of numbers."""
    value = as_value(leaf, ".")
    aval = aval_of(value)
    if holomorphic and not is_complex(aval.dtype):
        raise not_holomorphic("jacfwd", "inputs", aval)
    if not holomorphic and not aval.is_float:
        raise type_error(
            "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got "
            f"{aval.dtype}. For holomorphic differentiation, pass holomorphic=True. For differentiation of "
            "non-holomorphic functions involving complex inputs or integer inputs, use jax.jvp directly.",
            f"jacfwd 要求输入是实数，但得到 {aval.dtype}。",
        )
    return value


def jacfwd(
    interpreter: Interpreter, fun: Any, argnums: Any = 0, has_aux: Any = False, holomorphic: Any = False
) -> Native:
    """The matrix of derivatives, a column for each tangent."""

    def call(*args: Any, **keywords: Any) -> Any:
        pushed = partial(_pushed, holomorphic=bool(holomorphic))
        settings = argnums, args, keywords, bool(has_aux), pushed
        flat, leaves, structure = _flat_of(interpreter, fun, *settings)
        basis = _basis(leaves)

        def push(*tangents: Any) -> list[Any]:
            directions = [
                convert(t, aval_of(x).dtype, aval_of(x).weak) for t, x in zip(tangents, leaves, strict=True)
            ]
            return jvp(flat, leaves, directions)[1]

        size = shape_of(basis[0])[0]
        outs, axes = batched(push, size, [0] * len(basis))(*basis)
        rows = [
            at_axis(out, axis, size, len(shape_of(out)) - (axis is not None))
            for out, axis in zip(outs, axes, strict=True)
        ]
        table = [_columns(row, leaves, structure, argnums) for row in rows]
        result = flat.result(table)
        return (result, beside(flat.aux, in_python)) if has_aux else result

    return Wrapped(function_name(fun), call, fun)


def _columns(row: Any, leaves: Sequence[Any], structure: Structure, argnums: Any) -> Any:
    """What a result does along each leaf, the axes of the leaf behind those of the result."""
    sizes = [prod(shape_of(leaf)) for leaf in leaves]
    parts = _parts(row, leaves, sizes, len(shape_of(row)) - 1)
    found = trees().unflatten(structure, parts)
    return found if isinstance(argnums, (tuple, list)) else found[0]


def jacrev(
    interpreter: Interpreter,
    fun: Any,
    argnums: Any = 0,
    has_aux: Any = False,
    holomorphic: Any = False,
    allow_int: Any = False,
) -> Native:
    """The matrix of derivatives, a row for each cotangent."""

    def call(*args: Any, **keywords: Any) -> Any:
        pulled = partial(checked_input, "jacrev", holomorphic=bool(holomorphic), allow_int=bool(allow_int))
        settings = argnums, args, keywords, bool(has_aux), pulled
        flat, leaves, structure = _flat_of(interpreter, fun, *settings)
        found = linearize(flat, leaves)
        for value in found.values:
            check_real_output("jacrev", aval_of(value), bool(holomorphic))
        basis = _basis(found.values)

        def pull(*cotangents: Any) -> list[Any]:
            given = [
                convert(ct, aval_of(y).dtype, aval_of(y).weak)
                for ct, y in zip(cotangents, found.values, strict=True)
            ]
            return pull_back(found, leaves, given)

        size = shape_of(basis[0])[0]
        outs, axes = batched(pull, size, [0] * len(basis))(*basis)
        columns = [at_axis(out, axis, size, 0) for out, axis in zip(outs, axes, strict=True)]
        sizes = [int(np.prod(shape_of(y))) if shape_of(y) else 1 for y in found.values]
        split_up = [_parts(column, found.values, sizes, 0) for column in columns]
        table = []
        for row in range(len(found.values)):
            inner = trees().unflatten(structure, [parts[row] for parts in split_up])
            table.append(inner if isinstance(argnums, (tuple, list)) else inner[0])
        result = flat.result(table)
        return (result, beside(flat.aux, typed_number)) if has_aux else result

    return Wrapped(function_name(fun), call, fun)


def hessian(
    interpreter: Interpreter, fun: Any, argnums: Any = 0, has_aux: Any = False, holomorphic: Any = False
) -> Native:
    """The matrix of second derivatives: forward over reverse."""
    inner = jacrev(interpreter, fun, argnums, has_aux, holomorphic)
    return jacfwd(interpreter, inner, argnums, has_aux, holomorphic)
