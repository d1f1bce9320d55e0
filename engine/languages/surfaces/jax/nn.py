"""`jax.nn`: activation functions, softmax, and `jax.scipy.special`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.api.own_rules.custom_jvp import JvpRule
from engine.languages.surfaces.jax.core.avals import held_as
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.run import default_float, run_now
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    convert,
    expand_dims,
    full_like,
    like,
    shape_of,
)
from engine.languages.surfaces.jax.lax.shapes import iota
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import known_number
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.reducing.sums import sum_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import where_jitted
from engine.languages.surfaces.left_out import takes_only

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jax.nn under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(names, function))
        return function

    return enter


def with_rule(function: Any, rule: Any, name: str, rule_name: str, *values: Any) -> Any:
    """A function of JAX's own whose tangents are computed by a rule of its own."""

    def of_tangents(primals: Any, tangents: Any) -> Any:
        out, moved = rule(primals, tangents)
        return [out], [moved]

    made = JvpRule(lambda *xs: [function(*xs)], of_tangents, name, rule_name)
    return run_now().trace.custom_jvp(made, [constant(x) for x in values])[0]


def _with_slope(name: str, function: Any, slope: Any) -> Callable[[Any], Any]:
    def rule(primals: Any, tangents: Any) -> Any:
        (x,), (t,) = primals, tangents
        return call(x), slope(x, t)

    def call(x: Any) -> Any:
        return with_rule(function, rule, name, "jvp", check_arrays(name, [x])[0])

    return call


@library_jit(name="relu")
def _relu(x: Any) -> Any:
    return JNP["maximum"](x, 0)


@library_jit(name="relu6")
def _relu6(x: Any) -> Any:
    return JNP["minimum"](JNP["maximum"](x, 0), 6.0)


def _where_positive(x: Any, t: Any) -> Any:
    return ar.select(ar.gt(x, like(x, 0)), t, full_like(t, 0))


def _where_between(x: Any, t: Any) -> Any:
    inside = ar.and_p(ar.gt(x, like(x, 0)), ar.lt(x, like(x, 6)))
    return ar.select(inside, t, full_like(t, 0))


FUNCTIONS["relu"] = _with_slope("relu", _relu, _where_positive)
FUNCTIONS["relu6"] = _with_slope("relu6", _relu6, _where_between)


@named("sigmoid")
def sigmoid(x: Any) -> Any:
    """1 / (1 + e⁻ˣ)."""
    return el.logistic(*check_arrays("sigmoid", [x]))


@named("softplus")
@library_jit()
def softplus(x: Any) -> Any:
    """log(1 + eˣ)."""
    return logaddexp(x, Constant(np.asarray(0.0, default_float()), True))


def _log_sum(x: Any, y: Any) -> Any:
    larger = ar.max_p(x, y)
    delta = ar.sub(x, y)
    is_undefined, plain = ar.ne(delta, delta), ar.add(x, y)
    total = ar.add(larger, el.log1p(el.exp(ar.neg(el.abs_p(delta)))))
    return ar.select(is_undefined, plain, total)


def _log_sum_rule(primals: Any, tangents: Any) -> Any:
    (x, y), (s, t) = primals, tangents
    out = logaddexp(x, y)
    shape = shape_of(out)
    parts = []
    for value, tangent in ((x, s), (y, t)):
        weight = el.exp(ar.sub(_replaced(value), _replaced(out)))
        if shape_of(tangent) not in (shape, ()):
            tangent = broadcast_in_dim(tangent, shape, range(len(shape) - len(shape_of(tangent)), len(shape)))
        parts.append(ar.mul(tangent, weight))
    return out, ar.add(*parts)


def _replaced(x: Any) -> Any:
    return ar.select(ar.eq(x, like(x, np.inf)), full_like(x, 0), x)


def logaddexp(x1: Any, x2: Any) -> Any:
    """log(eˣ + eʸ), without overflow."""
    x, y = promote("logaddexp", x1, x2, inexact=True)
    return with_rule(_log_sum, _log_sum_rule, "logaddexp", "_logaddexp_jvp", x, y)


JNP["logaddexp"] = logaddexp


@named("log_sigmoid")
@library_jit()
def log_sigmoid(x: Any) -> Any:
    """log(1 / (1 + e⁻ˣ))."""
    (x,) = promote("log_sigmoid", x)
    return ar.neg(softplus(ar.neg(x)))


@named("silu", "swish")
@library_jit(name="silu")
def silu(x: Any) -> Any:
    """x times its sigmoid."""
    (x,) = check_arrays("silu", [x])
    return ar.mul(x, sigmoid(x))


@named("tanh")
def tanh(x: Any) -> Any:
    """The hyperbolic tangent."""
    return JNP["tanh"](x)


@named("soft_sign")
@library_jit()
def soft_sign(x: Any) -> Any:
    """x / (1 + |x|)."""
    (x,) = promote("soft_sign", x, inexact=True)
    return ar.div(x, ar.add(el.abs_p(x), like(x, 1)))


@named("elu")
def elu(x: Any, alpha: Any = 1.0) -> Any:
    """x where that is positive, α (eˣ - 1) elsewhere."""
    return (
        _elu(*check_arrays("elu", [x]), alpha=float(alpha))
        if isinstance(alpha, (int, float))
        else _elu_of(x, alpha)
    )


@library_jit(1, name="elu")
def _elu(x: Any, alpha: float) -> Any:
    return _elu_of(x, alpha)


def _elu_of(x: Any, alpha: Any) -> Any:
    (x,) = promote("elu", x, inexact=True)
    positive = ar.gt(x, like(x, 0))
    safe = where_jitted(ar.gt(x, like(x, 0)), Constant(np.asarray(0.0, default_float()), True), x)
    return where_jitted(positive, x, JNP["multiply"](alpha, el.expm1(safe)))


@named("selu")
@library_jit()
def selu(x: Any) -> Any:
    """The self-normalizing elu."""
    return JNP["multiply"](
        1.0507009873554804934193349852946, _elu_inner(x, 1.6732632423543772848170429916717)
    )


@library_jit(name="elu")
def _elu_inner(x: Any, alpha: Any) -> Any:
    return _elu_of(x, alpha)


@named("celu")
@library_jit(1, name="celu")
def celu(x: Any, alpha: Any = 1.0) -> Any:
    """The continuous elu."""
    (x,) = promote("celu", x, inexact=True)
    low = JNP["true_divide"](JNP["minimum"](x, 0.0), alpha)
    return ar.add(JNP["maximum"](x, 0.0), JNP["multiply"](alpha, el.expm1(low)))


@named("leaky_relu")
@library_jit(1, name="leaky_relu")
def leaky_relu(x: Any, negative_slope: Any = 1e-2) -> Any:
    """x where that is positive, a small part of it elsewhere."""
    (x,) = promote("leaky_relu", x)
    return where_jitted(ar.ge(x, like(x, 0)), x, JNP["multiply"](negative_slope, x))


@named("hard_tanh")
@library_jit()
def hard_tanh(x: Any) -> Any:
    """x, cut to [-1, 1]."""
    (x,) = promote("hard_tanh", x)
    low = where_jitted(ar.lt(x, like(x, -1)), constant(-1), x)
    return where_jitted(ar.gt(x, like(x, 1)), constant(1), low)


@named("hard_sigmoid")
@library_jit()
def hard_sigmoid(x: Any) -> Any:
    """A sigmoid of straight lines."""
    return JNP["true_divide"](FUNCTIONS["relu6"](JNP["add"](x, 3.0)), 6.0)


@named("hard_silu", "hard_swish")
@library_jit(name="hard_silu")
def hard_silu(x: Any) -> Any:
    """x times its hard sigmoid."""
    return JNP["multiply"](x, hard_sigmoid(x))


@named("squareplus")
@library_jit(1, name="squareplus")
def squareplus(x: Any, b: Any = 4) -> Any:
    """(x + √(x² + b)) / 2."""
    (x,) = promote("squareplus", x, inexact=True)
    return ar.div(ar.add(x, el.sqrt(JNP["add"](ar.square(x), b))), like(x, 2))


@named("mish")
@library_jit()
def mish(x: Any) -> Any:
    """x tanh(softplus x)."""
    (x,) = promote("mish", x, inexact=True)
    return ar.mul(x, el.tanh(softplus(x)))


@named("gelu")
def gelu(x: Any, approximate: Any = True) -> Any:
    """x times the normal distribution at x."""
    (x,) = promote("gelu", x, inexact=True)
    if approximate:
        root = typed(np.sqrt(2 / np.pi), aval_of(x).dtype)  # of a type that is not weak, as JAX has it
        return x * (0.5 * (1.0 + JNP["tanh"](root * (x + 0.044715 * x**3))))
    scaled = ar.divide_by_number(ar.neg(x), np.sqrt(2))
    return ar.mul(ar.mul(like(x, 0.5), x), el.erfc(scaled))


@named("glu")
def glu(x: Any, axis: Any = -1) -> Any:
    """One half times the sigmoid of the other."""
    first, second = JNP["split"](x, 2, axis)
    return ar.mul(first, sigmoid(second))


@named("identity")
def identity(x: Any) -> Any:
    """x itself."""
    return constant(x)


@named("sparse_plus")
def sparse_plus(x: Any) -> Any:
    """0 up to -1, (x + 1)² / 4 in between, x from 1 on."""
    (x,) = promote("sparse_plus", x, inexact=True)
    return JNP["where"](x <= -1.0, 0.0, JNP["where"](x >= 1.0, x, (x + 1.0) ** 2 / 4))


@named("sparse_sigmoid")
def sparse_sigmoid(x: Any) -> Any:
    """(x + 1) / 2, cut to [0, 1]."""
    (x,) = promote("sparse_sigmoid", x, inexact=True)
    return 0.5 * JNP["clip"](x + 1.0, 0.0, 2.0)


@named("log1mexp")
def log1mexp(x: Any) -> Any:
    """log(1 - e⁻ˣ), without cancellation."""
    (x,) = promote("log1mexp", x, inexact=True)
    return JNP["where"](x < float(np.log(2)), el.log(-JNP["expm1"](-x)), el.log1p(-el.exp(-x)))


# -- softmax -----------------------------------------------------------------------------------------


def _largest(x: Any, axes: tuple[int, ...]) -> Any:
    found = re.reduce_max_p(convert(x, aval_of(x).dtype), axes=axes)
    return ar.max_p(like(found, -np.inf), found)


@named("softmax")
def softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """Exponentials that add up to 1."""
    (x,) = check_arrays("max", [x])
    axes = axes_of(x, axis)
    if aval_of(x).dtype.startswith("uint") and where is None:
        below = ar.sub(x, expand_dims(_largest(x, axes), axes))  # goes round below zero, as in JAX
        powers = el.exp(*promote("softmax", below, inexact=True))
        return ar.div(powers, sum_(powers, axes, keepdims=True))
    (x,) = promote("softmax", x, inexact=True)
    if where is not None:
        x = JNP["where"](where, x, -np.inf)
    top = expand_dims(_largest(x, axes), axes)
    powers = el.exp(ar.sub(*promote_types([x, el.stop_gradient(top)])))
    return ar.div(powers, sum_(powers, axes, keepdims=True))


@named("log_softmax")
@takes_only(where=(None,))
def log_softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """The logarithms of the softmax."""
    (x,) = check_arrays("log_softmax", [x])
    return _log_softmax(x, axes=axes_of(x, axis))


@library_jit(1, name="log_softmax")
def _log_softmax(x: Any, axes: tuple[int, ...]) -> Any:
    if aval_of(x).dtype.startswith("uint"):
        below = ar.sub(x, expand_dims(_largest(x, axes), axes))  # goes round below zero, as in JAX
        (shifted,) = promote("log_softmax", below, inexact=True)
        return ar.sub(shifted, el.log(sum_(el.exp(shifted), axes, keepdims=True)))
    (x,) = promote("log_softmax", x, inexact=True)
    top = expand_dims(_largest(x, axes), axes)
    shifted = ar.sub(*promote_types([x, el.stop_gradient(top)]))
    total = sum_(el.exp(shifted), axes, keepdims=True)
    return ar.sub(shifted, el.log(total))


@named("logsumexp")
def logsumexp(
    a: Any,
    axis: Any = None,
    b: Any = None,
    keepdims: Any = False,
    return_sign: Any = False,
    where: Any = None,
) -> Any:
    """The logarithm of the sum of exponentials, without overflow."""
    (x,) = promote("logsumexp", a, inexact=True)
    if where is not None:
        x = JNP["where"](where, x, -np.inf)
    axes = axes_of(x, axis)
    top = _largest(x, axes)
    top = el.stop_gradient(ar.select(el.is_finite(top), top, full_like(top, 0)))
    powers = el.exp(ar.sub(x, expand_dims(top, axes)))
    if b is not None:
        powers = JNP["multiply"](powers, b)
    total = sum_(powers, axes)
    sign = el.sign(total)
    found = ar.add(el.log(el.abs_p(total)), top)
    found = expand_dims(found, axes) if keepdims else found
    return (found, sign) if return_sign else found


@named("standardize")
def standardize(
    x: Any,
    axis: Any = -1,
    mean: Any = None,
    variance: Any = None,
    epsilon: Any = 1e-5,
    where: Any = None,
) -> Any:
    """Mean 0 and variance 1 along an axis."""
    (x,) = promote("standardize", x, inexact=True)
    center = JNP["mean"](x, axis, keepdims=True, where=where) if mean is None else mean
    spread = variance
    if variance is None:  # JAX takes the mean of squares less the square of the mean
        squares = JNP["mean"](JNP["square"](x), axis, keepdims=True, where=where)
        spread = JNP["subtract"](squares, JNP["square"](center))
    return JNP["multiply"](JNP["subtract"](x, center), el.rsqrt(JNP["add"](spread, epsilon)))


@named("one_hot")
def one_hot(x: Any, num_classes: Any, *, dtype: Any = None, axis: Any = -1) -> Any:
    """Rows with a single 1, at the place that is named."""
    value = constant(x) if not isinstance(x, (list, tuple)) else JNP["array"](x)
    kind = dtype_of(dtype) or default_float()
    num = known_number(num_classes, "The error arose in jax.nn.one_hot argument `num_classes`.")
    return _one_hot(value, num=int(num), dtype=kind, axis=int(axis))


@library_jit(1, name="_one_hot")
def _one_hot(x: Any, num: int, dtype: str, axis: int) -> Any:
    ndim = len(shape_of(x)) + 1
    place = axis % ndim
    left = expand_dims(x, (place,))
    shape = [1] * ndim
    shape[place] = num
    classes = iota(aval_of(x).dtype, shape, place)
    return convert(JNP["equal"](left, classes), dtype)


@named("dot_product_attention")
@takes_only(
    query_seq_lengths=(None,),
    key_value_seq_lengths=(None,),
    local_window_size=(None,),
    implementation=(None, "xla"),
    return_residual=(False,),
)
def attention(
    query: Any,
    key: Any,
    value: Any,
    bias: Any = None,
    mask: Any = None,
    *,
    scale: Any = None,
    is_causal: Any = False,
    query_seq_lengths: Any = None,
    key_value_seq_lengths: Any = None,
    local_window_size: Any = None,
    implementation: Any = None,
    return_residual: Any = False,
) -> Any:
    """Values weighed by how well keys fit queries.

    Shapes: query (…, T, N, H), key and value (…, S, N, H) -> (…, T, N, H).
    """
    factor = 1.0 / float(np.sqrt(shape_of(query)[-1])) if scale is None else scale
    logits = JNP["multiply"](JNP["einsum"]("...tnh,...snh->...nts", query, key), factor)
    least = -0.7 * float(np.finfo(held_as(aval_of(logits).dtype)).max)
    if bias is not None:
        logits = JNP["add"](logits, bias)
    if mask is not None:
        logits = JNP["where"](mask, logits, least)
    if is_causal:
        rows, columns = shape_of(logits)[-2:]
        logits = JNP["where"](JNP["tril"](JNP["ones"]((rows, columns), "bool")), logits, least)
    return JNP["einsum"]("...nts,...snh->...tnh", softmax(logits), value)
