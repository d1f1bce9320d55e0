"""Arithmetic of two arrays, powers, comparisons and choices, with their tangents and transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.contraction import CONTRACTED, Product
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import at_axis_0, elementwise, move_axis
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.tangents import (
    by_argument,
    by_result,
    is_zero,
    linear,
    without_tangent,
)
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Zero, aval_of, constant, zero_tangent
from engine.languages.surfaces.jax.lax.basics import (
    binary,
    broadcast_in_dim,
    constant_beside,
    full_like,
    like,
    maybe_broadcast,
    shape_of,
    unary,
    unbroadcast,
)

# -- sums and differences ----------------------------------------------------------------------------

neg = unary("neg", np.negative)
linear(neg, lambda ct, x: [Zero(x.aval) if is_zero(ct) else neg(ct)])

add, sub = binary("add", np.add), binary("sub", np.subtract)


def _sum_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    out, (s, t) = add(*primals), tangents
    if is_zero(s) and is_zero(t):
        return out, zero_tangent(out)
    if is_zero(s) or is_zero(t):
        return out, maybe_broadcast(shape_of(out), t if is_zero(s) else s)
    return out, add(s, t)


def _difference_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    out, (s, t) = sub(*primals), tangents
    if is_zero(s) and is_zero(t):
        return out, zero_tangent(out)
    if is_zero(s):
        return out, maybe_broadcast(shape_of(out), neg(t))
    if is_zero(t):
        return out, maybe_broadcast(shape_of(out), s)
    return out, sub(s, t)


def _sum_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    return [unbroadcast(aval_of(side), ct) if is_undefined(side) else None for side in (x, y)]


def _difference_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    left = unbroadcast(aval_of(x), ct) if is_undefined(x) else None
    right = unbroadcast(aval_of(y), neg(ct)) if is_undefined(y) else None
    return [left, right]


add.tangent, add.transpose = _sum_tangent, _sum_transpose
sub.tangent, sub.transpose = _difference_tangent, _difference_transpose

add_any = Primitive("add_any")
add_any.compute = np.add
add_any.types = lambda x, y: Aval(x.shape, x.dtype, x.weak and y.weak)
linear(add_any, lambda ct, x, y: [ct, ct])


def _add_any_batch(size: int, values: Any, axes: Any) -> tuple[Any, Any]:
    from engine.languages.surfaces.jax.core.batching import broadcast_axis

    (x, y), (i, j) = values, axes
    if i == j:
        return add_any(x, y), i
    if i is None:
        return add_any(broadcast_axis(x, size, j), y), j
    if j is None:
        return add_any(x, broadcast_axis(y, size, i)), i
    return add_any(move_axis(x, i, j), y), j


add_any.batch = _add_any_batch

# -- products ----------------------------------------------------------------------------------------

mul = binary("mul", np.multiply)
by_argument(mul, lambda g, x, y: mul(g, y), lambda g, x, y: mul(x, g))


def _product_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    if is_undefined(x):
        return [unbroadcast(x.aval, mul(ct, y)), None]
    return [None, unbroadcast(y.aval, mul(x, ct))]


mul.transpose = _product_transpose


def _divide(x: Any, y: Any) -> Any:
    if x.dtype.kind == "f":  # XLA divides by what is broadcast once, and multiplies
        return x * (1 / y).astype(x.dtype) if y.size < max(x.size, 1) else np.divide(x, y)
    safe = np.where(y == 0, 1, y)  # XLA: -1 where an integer is divided by 0
    wide = x.astype("int64") if x.dtype != np.uint64 else x
    quotient = np.sign(wide) * np.sign(safe) * (np.abs(wide) // np.abs(safe))
    return np.where(y == 0, -1, quotient).astype(x.dtype)


def _times_inverse(x: Any, y: Any) -> Any:
    return x * (1 / y).astype(x.dtype) if x.dtype.kind == "f" else _divide(x, y)


div = binary("div", _divide)
div.compute_by_number = _times_inverse
by_argument(div, lambda g, x, y: div(g, y), lambda g, x, y: mul(mul(neg(g), x), integer_pow(y, -2)))


def _added(product: Product, a: Any, b: Any, arrays: Sequence[Any], parameters: Any) -> Any:
    """a b + c or c + a b, rounded once."""
    together = product.sign * np.multiply(a, b, dtype=np.float64)
    return (together + arrays[1 - product.place]).astype(np.float32)


def _subtracted(product: Product, a: Any, b: Any, arrays: Sequence[Any], parameters: Any) -> Any:
    """a b - c or c - a b, rounded once."""
    together = product.sign * np.multiply(a, b, dtype=np.float64)
    other = arrays[1 - product.place]
    return (together - other if product.place == 0 else other - together).astype(np.float32)


def add_product(x: Any, y: Any, a: Any, b: Any, place: int = 1) -> Any:
    """x + y in a compiled function of JAX's own, rounded once.

    a, b: the factors of y; of x where place is 0.
    """
    run = run_now()
    if run.trace is not run.evaluation:
        return add(x, y)
    known = Product(place, (), lambda: (constant(a).array, constant(b).array))

    def together(*arrays: Any) -> Any:
        found = known.compute("add", arrays, (), {})
        return np.add(*arrays) if found is None else found

    return run.evaluation.computed_by(together, add, [constant(x), constant(y)], {})


CONTRACTED.update({"add": _added, "add_any": _added, "sub": _subtracted})


def divide_by_number(x: Any, number: Any) -> Any:
    """A quotient in a function of JAX's own, compiled with the divisor: XLA multiplies by its inverse."""
    run = run_now()
    if run.trace is run.evaluation:
        return run.evaluation.computed_by(_times_inverse, div, [constant(x), like(x, number)], {})
    return div(x, like(x, number))


def _quotient_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    return [unbroadcast(x.aval, div(ct, y)), None]


div.transpose = _quotient_transpose


# -- powers ------------------------------------------------------------------------------------------


def _whole_power(x: Any, y: int) -> Any:
    if y == 0:
        return np.ones_like(x)
    power, factor, left = None, x, abs(y)
    while left:  # by squaring, as XLA multiplies
        if left & 1:
            power = factor if power is None else power * factor
        left >>= 1
        if left:
            factor = factor * factor
    assert power is not None
    return np.asarray(1 / power, x.dtype) if y < 0 else power


integer_pow_p = unary("integer_pow", _whole_power)
integer_pow_p.work = lambda avals, types, parameters: (
    types[0].size * max(abs(parameters["y"]).bit_length(), 1)
)


def _whole_power_tangent(g: Any, x: Any, y: int) -> Any:
    if y == 0:
        return full_like(g, 0)
    if y == 1:
        return g
    return mul(g, mul(constant_beside(x, y), x if y == 2 else integer_pow(x, y - 1)))


by_argument(integer_pow_p, _whole_power_tangent)


def integer_pow(x: Any, y: int) -> Any:
    """A power with a whole exponent that the program names."""
    return integer_pow_p(x, y=y)


square = unary("square", np.square)
by_result(square, lambda g, ans, x: mul(g, mul(constant_beside(x, 2), x)))


# -- comparisons -------------------------------------------------------------------------------------

eq, ne = binary("eq", np.equal, "bool"), binary("ne", np.not_equal, "bool")
ge, gt = binary("ge", np.greater_equal, "bool"), binary("gt", np.greater, "bool")
le, lt = binary("le", np.less_equal, "bool"), binary("lt", np.less, "bool")
and_p, or_p, xor = binary("and", np.bitwise_and), binary("or", np.bitwise_or), binary("xor", np.bitwise_xor)
SIGNED = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}


def _shift_left(x: Any, y: Any) -> Any:
    bits = x.dtype.itemsize * 8
    return np.where(y.astype("int64") >= bits, 0, np.left_shift(x, np.minimum(y, bits - 1))).astype(x.dtype)


def _shift_logical(x: Any, y: Any) -> Any:
    unsigned, bits = np.dtype(f"uint{x.dtype.itemsize * 8}"), x.dtype.itemsize * 8
    moved = np.right_shift(x.view(unsigned), np.minimum(y, bits - 1).astype(unsigned))
    return np.where(y.astype("int64") >= bits, 0, moved).astype(unsigned).view(x.dtype)


shift_left = binary("shift_left", _shift_left)
shift_right_logical = binary("shift_right_logical", _shift_logical)
shift_right_arithmetic = binary("shift_right_arithmetic", np.right_shift)
for primitive in (
    *(eq, ne, ge, gt, le, lt, and_p, or_p, xor),
    *(shift_left, shift_right_logical, shift_right_arithmetic),
):
    without_tangent(primitive)

nextafter = binary("nextafter", np.nextafter)
without_tangent(nextafter)
atan2 = binary("atan2", lambda y, x: np.arctan2(y, x, dtype="float64").astype(y.dtype))
by_argument(
    atan2,
    lambda g, x, y: mul(g, div(y, add(square(x), square(y)))),
    lambda g, x, y: mul(g, div(neg(x), add(square(x), square(y)))),
)

# -- the larger and the smaller ----------------------------------------------------------------------

max_p, min_p = binary("max", np.maximum), binary("min", np.minimum)


def _share(x: Any, out: Any, y: Any) -> Any:
    """1 where x is chosen, 1/2 at a tie."""
    chosen = select(eq(x, out), full_like(out, 1), full_like(out, 0))
    return div(chosen, select(eq(y, out), full_like(out, 2), full_like(out, 1)))


for primitive in (max_p, min_p):
    by_result(
        primitive,
        lambda g, ans, x, y: mul(g, _share(x, ans, y)),
        lambda g, ans, x, y: mul(g, _share(y, ans, x)),
    )

clamp_p = Primitive("clamp")
clamp_p.compute = lambda low, x, high: np.minimum(np.maximum(x, low), high)
clamp_p.types = lambda low, x, high: x
by_argument(
    clamp_p,
    lambda g, low, x, high: select(and_p(gt(low, x), lt(low, high)), g, full_like(x, 0)),
    lambda g, low, x, high: select(and_p(gt(x, low), lt(x, high)), g, full_like(x, 0)),
    lambda g, low, x, high: select(lt(high, x), g, full_like(x, 0)),
)


def _clamp_batch(size: int, values: Any, axes: Any) -> tuple[Any, int]:
    if all(not shape_of(x) for x in (values[0], values[2])) and axes[1] is not None:
        return clamp_p(*values), axes[1]
    shape = (size, *[n for i, n in enumerate(shape_of(values[1])) if i != axes[1]])
    moved = [at_axis_0(x, axis, size) for x, axis in zip(values, axes, strict=True)]
    return clamp_p(*(x if shape_of(x) == shape else broadcast_in_dim(x, shape, [0]) for x in moved)), 0


clamp_p.batch = _clamp_batch

# -- choices -----------------------------------------------------------------------------------------

select_n_p = Primitive("select_n")


def _choose(which: Any, *cases: Any) -> Any:
    shape = cases[0].shape
    index = np.broadcast_to(which.reshape(which.shape + (1,) * (len(shape) - which.ndim)), shape)
    if which.dtype == bool:
        return np.where(index, cases[-1], cases[0])
    return np.choose(np.clip(index, 0, len(cases) - 1), cases)


def _choose_types(which: Aval, *cases: Aval) -> Aval:
    if any(case.shape != cases[0].shape for case in cases):
        listed = ", ".join(str(case.shape) for case in cases)
        raise type_error(
            f"select cases must have the same shapes, got [{listed}].",
            f"select 的各个值形状必须相同，但得到 [{listed}]。",
            code="shape_mismatch",
        )
    if which.shape and which.shape != cases[0].shape:
        raise type_error(
            "select `which` must be scalar or have the same shape as cases, got `which` shape "
            f"{which.shape} but case shape {cases[0].shape}.",
            f"select 的条件形状 {which.shape} 与值的形状 {cases[0].shape} 不同。",
            code="shape_mismatch",
        )
    return Aval(cases[0].shape, cases[0].dtype, all(case.weak for case in cases))


def _choose_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    which, *cases = primals
    out, moving = select_n_p(which, *cases), tangents[1:]
    if all(map(is_zero, moving)):
        return out, zero_tangent(out)
    zeros = full_like(next(t for t in moving if not is_zero(t)), 0)
    return out, select_n_p(which, *(zeros if is_zero(t) else t for t in moving))


def _choose_transpose(ct: Any, which: Any, *cases: Any) -> list[Any]:
    if is_zero(ct):
        return [None, *(Zero(case.aval) if is_undefined(case) else None for case in cases)]
    zeros = full_like(ct, 0)

    def where_it_is(place: int) -> Any:
        if aval_of(which).dtype == "bool":
            return select_n_p(which, *(ct if other == place else zeros for other in (0, 1)))
        return select_n_p(eq(which, like(which, place)), zeros, ct)

    return [None, *(where_it_is(i) if is_undefined(case) else None for i, case in enumerate(cases))]


def _choose_batch(size: int, values: Any, axes: Any) -> tuple[Any, int]:
    (which, *cases), (axis, *case_axes) = values, axes
    if all(axis == one for one in case_axes):
        if shape_of(which) != shape_of(cases[0]):
            which = broadcast_in_dim(which, shape_of(cases[0]), [axis])
        return select_n_p(which, *cases), axis
    if not shape_of(which) and all(one is not None for one in case_axes):
        moved = [move_axis(x, one, case_axes[0]) for x, one in zip(cases, case_axes, strict=True)]
        return select_n_p(which, *moved), case_axes[0]
    which = at_axis_0(which, axis, size) if shape_of(which) else which
    if not all(shape_of(case) == () for case in cases):
        cases = [at_axis_0(x, one, size) for x, one in zip(cases, case_axes, strict=True)]
    return select_n_p(*_as_deep_as(which, cases)), 0


def _as_deep_as(which: Any, cases: Sequence[Any]) -> list[Any]:
    shape = shape_of(cases[0])
    if 0 < len(shape_of(which)) < len(shape):
        which = broadcast_in_dim(which, shape, [0])
    if len(shape_of(which)) > len(shape):
        cases = [broadcast_in_dim(case, shape_of(which), ()) for case in cases]
    return [which, *cases]


select_n_p.compute, select_n_p.types = _choose, _choose_types
select_n_p.tangent, select_n_p.transpose = _choose_tangent, _choose_transpose
select_n_p.batch = _choose_batch


def select(condition: Any, then: Any, otherwise: Any) -> Any:
    """Elements of `then` where the condition holds, of `otherwise` elsewhere."""
    return select_n_p(condition, otherwise, then)


def clamp(low: Any, x: Any, high: Any) -> Any:
    """The array, cut to a range."""
    return clamp_p(low, x, high)


elementwise(square)
