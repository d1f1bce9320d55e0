"""Products of vectors, matrices and more: dot, matmul, einsum and their kin."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.api.calling import many
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, convert, expand_dims, reshape, shape_of
from engine.languages.surfaces.jax.lax.products import dot_general
from engine.languages.surfaces.jax.lax.shapes import concatenate, squeeze, transpose
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.diagonals import eye
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, common_type, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.reducing.sums import sum_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named, where_jitted
from engine.languages.surfaces.left_out import takes_only

NOTHING: tuple[Any, Any] = ((), ())


def _both(name: str, a: Any, b: Any) -> tuple[Any, Any]:
    """Two arrays, each of its own type: a product takes them as they are."""
    x, y = check_arrays(name, [a, b])
    return x, y


def _product(x: Any, y: Any, dimensions: Any) -> Any:
    """Sums of products, in the type that both have in common."""
    dtype, weak = common_type([x, y])
    return convert(dot_general(x, y, dimensions, None, dtype), dtype, weak)


@named("dot")
@takes_only(preferred_element_type=(None,))
def dot(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None, **_: Any) -> Any:
    """The sum of products of the last axis of a with the last but one of b."""
    x, y = _both("dot", a, b)
    m, n = len(shape_of(x)), len(shape_of(y))
    axes: Any = ((), ()) if m == 0 or n == 0 else ((m - 1,), (0 if n == 1 else n - 2,))
    return _product(x, y, (axes, NOTHING))


@named("matmul")
@takes_only(preferred_element_type=(None,))
def matmul(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None, **_: Any) -> Any:
    """The matrix product, for each matrix of a batch."""
    for place, value in enumerate(check_arrays("matmul", [a, b])):
        if not shape_of(value):
            raise value_error(
                f"matmul input operand {place} must have ndim at least 1, but it has ndim 0",
                f"matmul 的第 {place} 个参数至少要有一个轴。",
            )
    x, y = _both("matmul", a, b)
    one_row, one_column = len(shape_of(x)) == 1, len(shape_of(y)) == 1
    m, n = len(shape_of(x)), len(shape_of(y))
    x_batch, y_batch = shape_of(x)[:-2], shape_of(y)[:-2]
    inner = (m - 1, 0 if one_column else n - 2)
    if not x_batch or not y_batch:
        out = _product(x, y, (((inner[0],), (inner[1],)), NOTHING))
        if y_batch and not one_column:
            return _batch_first(out, m - 1 if not one_row else 0, len(y_batch))
        return out
    return _batched_product(x, y)


def _batch_first(out: Any, rows: int, count: int) -> Any:
    """The axes of a batch before those of the rows."""
    ndim = len(shape_of(out))
    order = (*range(rows, rows + count), *range(rows), *range(rows + count, ndim))
    return transpose(out, order)


def _batched_product(x: Any, y: Any) -> Any:
    x_batch, y_batch = shape_of(x)[:-2], shape_of(y)[:-2]
    try:
        batch = np.broadcast_shapes(x_batch, y_batch)
    except ValueError:
        raise type_error(
            f"Incompatible shapes for matmul arguments: {shape_of(x)} and {shape_of(y)}",
            f"matmul 的形状不符：{shape_of(x)} 和 {shape_of(y)}。",
            code="shape_mismatch",
        ) from None
    x, y = _wide(x, batch), _wide(y, batch)
    count = len(batch)
    axes = tuple(range(count))
    return _product(x, y, (((count + 1,), (count,)), (axes, axes)))


def _wide(x: Any, batch: Sequence[int]) -> Any:
    shape = (*batch, *shape_of(x)[-2:])
    have = shape_of(x)
    if have == shape:
        return x
    return broadcast_in_dim(x, shape, tuple(range(len(shape) - len(have), len(shape))))


@named("vdot")
def vdot(a: Any, b: Any, **_: Any) -> Any:
    """The sum of products of all elements."""
    x, y = check_arrays("vdot", [a, b])
    x = FUNCTIONS["conj"](x)
    return dot(reshape(x, (aval_of(x).size,)), reshape(y, (aval_of(y).size,)))


@named("vecdot")
@takes_only(preferred_element_type=(None,))
def vecdot(
    x1: Any, x2: Any, /, *, axis: Any = -1, precision: Any = None, preferred_element_type: Any = None
) -> Any:
    """Sums of products along an axis."""
    x, y = promote_types(_both("vecdot", FUNCTIONS["conj"](x1), x2))
    return sum_(ar.mul(x, y), axis)


@named("inner")
def inner(a: Any, b: Any, **_: Any) -> Any:
    """Sums of products along the last axes."""
    x, y = _both("inner", a, b)
    m, n = len(shape_of(x)), len(shape_of(y))
    axes: Any = ((m - 1,), (n - 1,)) if m and n else ((), ())
    return _product(x, y, (axes, NOTHING))


@named("outer")
@takes_only(out=(None,))
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """All products of an element of a with one of b."""
    x, y = promote_types(_both("outer", a, b))
    x, y = reshape(x, (aval_of(x).size,)), reshape(y, (aval_of(y).size,))
    return ar.mul(expand_dims(x, (1,)), expand_dims(y, (0,)))


@named("tensordot")
def tensordot(a: Any, b: Any, axes: Any = 2, **_: Any) -> Any:
    """Sums of products along some axes of both."""
    x, y = _both("tensordot", a, b)
    m = len(shape_of(x))
    if isinstance(axes, (tuple, list)):
        left, right = many(axes[0], "axes"), many(axes[1], "axes")
        pairs: Any = (axes_of(x, left), axes_of(y, right))
    else:
        count = int(axes)
        pairs = (tuple(range(m - count, m)), tuple(range(count)))
    return _product(x, y, (pairs, NOTHING))


@named("kron")
def kron(a: Any, b: Any) -> Any:
    """Each element of a times all of b."""
    return _kron(*promote_types(check_arrays("kron", [a, b])))


@library_jit(name="kron")
def _kron(x: Any, y: Any) -> Any:
    ndim = max(len(shape_of(x)), len(shape_of(y)))
    x = expand_dims(x, range(ndim - len(shape_of(x)))) if len(shape_of(x)) < ndim else x
    y = expand_dims(y, range(ndim - len(shape_of(y)))) if len(shape_of(y)) < ndim else y
    left = expand_dims(x, range(1, 2 * ndim, 2))
    right = expand_dims(y, range(0, 2 * ndim, 2))
    shape = np.multiply(shape_of(x), shape_of(y))
    return reshape(ar.mul(left, right), shape.tolist())


@named("cross")
@takes_only(axisa=(-1,), axisb=(-1,), axisc=(-1,))
def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    """The vector at right angles to two others."""
    if axis is not None:
        moved = [FUNCTIONS["moveaxis"](x, axis, -1) for x in (a, b)]
        found = cross(*moved)
        is_vector = len(shape_of(found)) == len(shape_of(moved[0]))
        return FUNCTIONS["moveaxis"](found, -1, axis) if is_vector else found
    lengths = {shape_of(x)[-1] if shape_of(x) else 0 for x in check_arrays("cross", [a, b])}
    if not lengths <= {2, 3}:
        raise value_error(
            "Dimension must be either 2 or 3 for cross product", "cross 的向量长度必须是 2 或 3。"
        )
    if lengths == {2}:
        return getitem(a, (..., 0)) * getitem(b, (..., 1)) - getitem(a, (..., 1)) * getitem(b, (..., 0))
    a, b = (_with_zero(x) for x in (a, b))
    return _cross(*promote_types(check_arrays("cross", [a, b])))


def _with_zero(x: Any) -> Any:
    """A vector of three numbers: of two, the third is 0."""
    if shape_of(x)[-1] == 3:
        return x
    return FUNCTIONS["concatenate"]([x, FUNCTIONS["zeros_like"](getitem(x, (..., slice(0, 1))))], -1)


@library_jit(name="cross")
def _cross(a: Any, b: Any) -> Any:
    last = len(shape_of(a)) - 1
    xs = [getitem(a, (Ellipsis, i)) for i in range(3)]
    ys = [getitem(b, (Ellipsis, i)) for i in range(3)]
    parts = [ar.sub(ar.mul(xs[i], ys[j]), ar.mul(xs[j], ys[i])) for i, j in ((1, 2), (2, 0), (0, 1))]
    return concatenate([expand_dims(part, (last,)) for part in parts], last)


@named("trace")
@takes_only(dtype=(None,), out=(None,))
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> Any:
    """The sum of the diagonal."""
    (x,) = check_arrays("trace", [a])
    for axis in (axis1, axis2):
        axes_of(x, axis)
    if (axis1, axis2) != (0, 1) or len(shape_of(x)) != 2:
        return sum_(FUNCTIONS["diagonal"](x, offset, axis1, axis2), -1)
    return _trace(x, k=int(offset))


@library_jit(1, name="trace")
def _trace(x: Any, k: int) -> Any:
    from engine.languages.surfaces.jax.lax.basics import full_like

    rows, columns = shape_of(x)[:2]
    kept = where_jitted(eye(rows, columns, k=k, dtype="bool"), x, full_like(x, 0))
    return sum_(kept, (0, 1))


# -- einsum ------------------------------------------------------------------------------------------


def _spelled(subscripts: str, operands: Sequence[Any]) -> tuple[list[str], str]:
    """The letters of each operand and of the result, without dots."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise value_error(
            f"einsum has {len(terms)} terms but {len(operands)} operands.",
            f"einsum 有 {len(terms)} 项，但给了 {len(operands)} 个数组。",
        )
    free = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if c not in text]
    dots = max(
        (
            len(shape_of(x)) - len(t.replace("...", ""))
            for t, x in zip(terms, operands, strict=True)
            if "..." in t
        ),
        default=0,
    )
    letters = "".join(free[:dots])
    for i, (term, x) in enumerate(zip(terms, operands, strict=True)):
        count = len(shape_of(x)) - len(term.replace("...", ""))
        terms[i] = term.replace("...", letters[len(letters) - count :] if count else "")
    if arrow:
        return terms, right.replace("...", letters)
    joined = "".join(terms)
    return terms, letters + "".join(
        sorted(c for c in set(joined) if joined.count(c) == 1 and c not in letters)
    )


def _check_lengths(terms: Sequence[str], shapes: Sequence[Sequence[int]]) -> None:
    """Raise ValueError where letters are not as many as axes, or one of them has several lengths."""
    lengths: dict[str, int] = {}
    for place, (term, shape) in enumerate(zip(terms, shapes, strict=True)):
        if len(term) != len(shape):
            raise value_error(
                f"Einstein sum subscript '{term}' does not contain the correct number of indices for operand "
                f"{place}.",
                f"einsum 的项 '{term}' 与形状 {tuple(shape)} 不符。",
            )
        for letter, length in zip(term, shape, strict=True):
            before = lengths.get(letter, 1)
            if 1 not in (before, length) and before != length:
                raise value_error(
                    f"Size of label '{letter}' for operand {place} ({before}) does not match previous terms "
                    f"({length}).",
                    f"einsum 的字母 {letter} 对应的长度不同：{before} 和 {length}。",
                )
            lengths[letter] = max(before, length)


def _by_numbers(given: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """The subscripts of `einsum(x, (0, 1), y, (1,), (0,))` as letters, and the operands."""

    def letters(numbers: Any) -> str:
        return "".join("..." if one is Ellipsis else ascii_letters[int(one)] for one in numbers)

    count = len(given) // 2
    spelled = ",".join(letters(given[2 * k + 1]) for k in range(count))
    result = f"->{letters(given[-1])}" if len(given) % 2 else ""
    return spelled + result, tuple(given[2 * k] for k in range(count))


@named("einsum")
def einsum(subscripts: Any, /, *operands: Any, **_: Any) -> Any:
    """Sums of products by the letters of the axes, or by lists of their numbers behind each operand."""
    if not isinstance(subscripts, str):
        subscripts, operands = _by_numbers((subscripts, *operands))
    xs = check_arrays("einsum", operands)
    dtype, weak = common_type(xs)
    if any(aval_of(x).dtype != dtype for x in xs):
        xs = promote_types(xs)
    terms, result = _spelled(subscripts, xs)
    _check_lengths(terms, [shape_of(x) for x in xs])
    while len(xs) > 1:
        later = "".join(terms[2:]) + result
        terms[0], xs[0] = _pair(terms[0], xs[0], terms[1], xs[1], later)
        del terms[1], xs[1]
    term, x = _alone(terms[0], xs[0], result)
    return convert(transpose(x, [term.index(c) for c in result]), dtype, weak)


def _alone(term: str, x: Any, wanted: str) -> tuple[str, Any]:
    """One operand with each letter once, and only letters that are wanted."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first = term.index(letter)
            second = term.index(letter, first + 1)
            length = shape_of(x)[first]
            mask = broadcast_in_dim(eye(length, dtype="bool"), shape_of(x), (first, second))
            from engine.languages.surfaces.jax.lax.basics import full_like

            x = sum_(ar.select(mask, x, full_like(x, 0)), second)
            term = term[:second] + term[second + 1 :]
    gone = tuple(i for i, letter in enumerate(term) if letter not in wanted)
    if gone:
        x = sum_(x, gone)
        term = "".join(c for c in term if c in wanted)
    return term, x


def _pair(a: str, x: Any, b: str, y: Any, later: str) -> tuple[str, Any]:
    """Two operands as one."""
    a, x = _alone(a, x, b + later)
    b, y = _alone(b, y, a + later)
    batch = [c for c in a if c in b and c in later]
    contracted = [c for c in a if c in b and c not in later]
    sizes = dict(zip(a, shape_of(x), strict=True))
    for letter, length in zip(b, shape_of(y), strict=True):
        if letter in sizes and sizes[letter] != length and 1 in (sizes[letter], length):
            if sizes[letter] == 1:
                x, a = squeeze(x, (a.index(letter),)), a.replace(letter, "")
            else:
                y, b = squeeze(y, (b.index(letter),)), b.replace(letter, "")
            return _pair(a, x, b, y, later)
    places = (
        (tuple(a.index(c) for c in contracted), tuple(b.index(c) for c in contracted)),
        (tuple(a.index(c) for c in batch), tuple(b.index(c) for c in batch)),
    )
    rest_a, rest_b = [c for c in a if c not in b], [c for c in b if c not in a]
    out = dot_general(x, y, places, None, aval_of(x).dtype)
    return "".join([*batch, *rest_a, *rest_b]), out
