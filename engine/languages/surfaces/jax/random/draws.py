"""The distributions of `jax.random`, each as JAX makes it of random bits."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from math import prod
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import BFLOAT16, element_type, is_complex, is_floating
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant, known, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import powers as pw
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import (
    broadcast,
    convert,
    expand_dims,
    full_like,
    like,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.numpy.further.sorting import sorted_with, top_k_p
from engine.languages.surfaces.jax.numpy.further.taking import take
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.random import keys as ky
from engine.languages.surfaces.left_out import takes_only

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "key": ky.key,
    "PRNGKey": ky.prng_key,
    "split": ky.split,
    "fold_in": ky.fold_in,
    "key_data": ky.key_data,
    "wrap_key_data": ky.wrap_key_data,
    "clone": ky.clone,
    "key_impl": ky.key_impl,
}
MANTISSA = {"bfloat16": 7, "float16": 10, "float32": 23, "float64": 52}
NARROW = {
    kind: (np.iinfo(kind).min, np.iinfo(kind).max) for kind in ("int8", "int16", "uint8", "uint16")
}  # ends of the types whose whole numbers are drawn in 32 bits
ONE_IN_BFLOAT16 = np.uint16(0x3F80)  # its bits


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jax.random under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update({name: checking_type(name, function) for name in names})
        return function

    return enter


NUMBERS = MappingProxyType(
    {
        **dict.fromkeys(("normal", "lognormal"), "a float or complex"),
        "bits": "an unsigned int",
        **dict.fromkeys(("randint", "poisson", "geometric"), "an int"),
        "rademacher": "",
    }
)  # what element types a distribution draws, where not floats


def checking_type(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which refuses element types that it does not draw, under its own name."""
    signature = inspect.signature(function)
    wanted = NUMBERS.get(name, "a float")
    if "dtype" not in signature.parameters or not wanted:
        return function

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            given = signature.bind_partial(*args, **keywords).arguments.get("dtype")
        except TypeError:
            given = None
        kind = dtype_of(given)
        if kind is not None and not _is_drawn(kind, wanted):
            raise _not_drawn({"loggamma": "gamma"}.get(name, name), kind, wanted)
        return function(*args, **keywords)

    return call


def _is_drawn(kind: str, wanted: str) -> bool:
    if wanted == "an int":
        return kind.startswith(("int", "uint"))
    return kind.startswith("uint") if wanted == "an unsigned int" else is_floating(kind) or is_complex(kind)


def _not_drawn(name: str, kind: str, wanted: str) -> Any:
    zh = f"{name} 不能使用元素类型 {kind}。"
    if name == "randint":
        return type_error(f"randint only accepts integer dtypes, got {kind}", zh)
    if wanted == "an int":
        return value_error(f"Invalid integer data type '{np.dtype(element_type(kind)).kind}'.", zh)
    return value_error(f"dtype argument to `{name}` must be {wanted} dtype, got {kind}", zh)


def floating(dtype: Any) -> str:
    """The element type of floats that an argument names. Raises: TypeError for another type."""
    kind = dtype_of(dtype) or default_float()
    if not is_floating(kind):
        raise type_error(
            f"dtype argument must be a float dtype, got {kind}", f"元素类型必须是浮点数，不能是 {kind}。"
        )
    return kind


def _limits(kind: str) -> Any:
    """The least numbers of a type of floats; bfloat16 has the exponents of float32."""
    if kind != BFLOAT16:
        return np.finfo(kind)
    return SimpleNamespace(tiny=2.0**-126, eps=2.0**-7, epsneg=2.0**-8)


def _number(value: Any, dtype: str) -> Constant:
    return typed(value, dtype)


@named("bits")
def bits(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """Random bits as whole numbers."""
    kind = dtype_of(dtype) or "uint32"
    return ky.random_bits(ky.wrapped("bits", key)[0], np.dtype(kind).itemsize * 8, lengths(shape))


@named("uniform")
def uniform(
    key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0.0, maxval: Any = 1.0, **_: Any
) -> Any:
    """Numbers that are all as likely, between two bounds."""
    value = ky.wrapped("uniform", key)[0]
    return _uniform(value, constant(minval), constant(maxval), shape=lengths(shape), dtype=floating(dtype))


@library_jit(3, name="_uniform")
def _uniform(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return _uniform_of(key, low, high, shape, dtype)


def _uniform_of(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    low, high = convert(low, dtype), convert(high, dtype)
    low, high = (broadcast(x, (1,) * (len(shape) - len(shape_of(x)))) for x in (low, high))
    width = element_type(dtype).itemsize * 8
    unsigned = f"uint{width}"
    bits_of_each = 8 if dtype == BFLOAT16 else width
    raw = convert(ky.random_bits(key, bits_of_each, shape), unsigned)
    mantissa = ar.shift_right_logical(raw, _number(bits_of_each - MANTISSA[dtype], unsigned))
    one = Constant(ONE_IN_BFLOAT16) if dtype == BFLOAT16 else Constant(np.ones((), dtype).view(unsigned))
    floats = ar.sub(el.bitcast_p(ar.or_p(mantissa, one), new_dtype=dtype), _number(1, dtype))
    span = ar.sub(high, low)
    scaled = ar.add_product(ar.mul(floats, span), low, floats, span, place=0)
    return ar.max_p(low, reshape(scaled, shape))


@library_jit(3, name="_uniform")
def _uniform_by_name(key: Any, high: Any, low: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """The same with its bounds in the order of their names, as JAX gives what is named."""
    return _uniform_of(key, low, high, shape, dtype)


@named("normal")
def normal(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """Numbers of the normal distribution."""
    value = ky.wrapped("normal", key)[0]
    return _normal(value, shape=lengths(shape), dtype=floating(dtype))


@library_jit(1, name="_normal")
def _normal(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return _normal_real(key, shape=shape, dtype=dtype)


@library_jit(1, name="_normal_real")
def _normal_real(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    low = typed(-1.0 + 2.0 ** -(MANTISSA[dtype] + 1), dtype)  # the next number after -1
    u = _uniform(key, low, _number(1, dtype), shape=shape, dtype=dtype)
    return ar.mul(_number(np.sqrt(2), dtype), el.erf_inv(u))


@named("truncated_normal")
def truncated_normal(key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Numbers of the normal distribution, between two bounds."""
    value = ky.wrapped("truncated_normal", key)[0]
    kind = floating(dtype)
    low, high = constant(lower), constant(upper)
    want = np.broadcast_shapes(shape_of(low), shape_of(high)) if shape is None else lengths(shape)
    return _truncated_normal(value, low, high, shape=want, dtype=kind)


@library_jit(3, name="_truncated_normal")
def _truncated_normal(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    low, high, root = convert(low, dtype), convert(high, dtype), _number(np.sqrt(2), dtype)
    a, b = el.erf(ar.div(low, root)), el.erf(ar.div(high, root))
    found = ar.mul(root, el.erf_inv(_uniform(key, a, b, shape=shape, dtype=dtype)))
    least = ar.nextafter(el.stop_gradient(low), _number(np.inf, dtype))
    most = ar.nextafter(el.stop_gradient(high), _number(-np.inf, dtype))
    return JNP["clip"](found, least, most)


@named("randint")
def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, **_: Any) -> Any:
    """Whole numbers from one bound up to another, which is left out."""
    value = ky.wrapped("randint", key)[0]
    kind = dtype_of(dtype) or default_int()
    minval, maxval = (convert(x, default_int()) if aval_of(x).is_float else x for x in (minval, maxval))
    if kind in NARROW:
        low, high = (JNP["clip"](x, NARROW[kind][0], NARROW[kind][1] + 1) for x in (minval, maxval))
        return convert(_randint(value, low, high, shape=lengths(shape), dtype="int32"), kind)
    return _randint(value, constant(minval), constant(maxval), shape=lengths(shape), dtype=kind)


@library_jit(3, name="_randint")
def _randint(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    info = np.iinfo(dtype)
    beyond = ar.gt(high, _clipped(constant(info.max), dtype, aval_of(high).dtype))
    low, high = _clipped(low, dtype), _clipped(high, dtype)
    low, high = (broadcast(x, (1,) * (len(shape) - len(shape_of(x)))) for x in (low, high))
    width, unsigned = info.bits, f"uint{info.bits}"
    pair = ky.split_p(key, shape=(2,))
    first, second = _each_key(pair)
    upper, lower = ky.random_bits(first, width, shape), ky.random_bits(second, width, shape)
    span = convert(ar.sub(high, low), unsigned)
    span = ar.select(ar.le(high, low), full_like(span, 1), span)
    if shape_of(beyond):
        beyond = broadcast(beyond, (1,) * (len(shape) - len(shape_of(beyond))))
    wide = ar.and_p(beyond, ar.gt(high, low))
    span = ar.select(wide, ar.add(span, like(span, 1)), span)
    factor = pw.rem(like(span, 2 ** (width // 2)), span)
    factor = pw.rem(ar.mul(factor, factor), span)
    offset = ar.add(ar.mul(pw.rem(upper, span), factor), pw.rem(lower, span))
    return ar.add(low, convert(pw.rem(offset, span), dtype))


def _clipped(x: Any, dtype: str, own_type: str = "") -> Any:
    """Whole numbers between the ends of a type, and of their own."""
    info, own = np.iinfo(dtype), np.iinfo(own_type or aval_of(x).dtype)
    low, high = max(info.min, own.min), min(info.max, own.max)
    if own_type:
        x = typed(x.array, own_type, True)
        return JNP["clip"](x, typed(low, own_type, True), typed(high, own_type, True))
    kind = aval_of(x).dtype
    return convert(JNP["clip"](x, typed(low, kind, True), typed(high, kind, True)), dtype)


def _each_key(keys: Any) -> list[Any]:
    """The keys of an array of keys, one after the other."""
    count = shape_of(keys)[0]
    return [sh.squeeze(sh.slice_of(keys, (i,), (i + 1,), (1,)), (0,)) for i in range(count)]


@named("bernoulli")
def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, **_: Any) -> Any:
    """True with a probability."""
    ky.wrapped("bernoulli", key)
    if not aval_of(p).is_float:
        raise type_error(
            f"bernoulli probability `p` must have a floating dtype, got {aval_of(p).dtype}.",
            "bernoulli 的概率 p 必须是浮点数。",
        )
    (share,) = promote("bernoulli", p, inexact=True)
    share = convert(share, aval_of(share).dtype)
    want = shape_of(share) if shape is None else lengths(shape)
    return _bernoulli(ky.wrapped("bernoulli", key)[0], share, shape=want)


@library_jit(2, name="_bernoulli")
def _bernoulli(key: Any, share: Any, shape: tuple[int, ...]) -> Any:
    return JNP["less"](_between(key, 0.0, 1.0, shape, aval_of(share).dtype), share)


def _between(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return _uniform(key, constant(low), constant(high), shape=shape, dtype=dtype)


def _by_draws(name: str, found: Callable[..., Any]) -> None:
    """Numbers that are computed of uniform ones: found(key, shape, type)."""

    @library_jit(1, name=f"_{name}")
    def jitted(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
        return found(key, shape, dtype)

    def call(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
        return jitted(ky.wrapped(name, key)[0], shape=lengths(shape), dtype=floating(dtype))

    call.__name__, call.__doc__ = name, found.__doc__
    FUNCTIONS[name] = call


def _exponential(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the exponential distribution."""
    return ar.neg(el.log1p(ar.neg(_between(key, 0.0, 1.0, shape, dtype))))


@named("gumbel")
@takes_only(mode=(None, "low"))
def gumbel(key: Any, shape: Any = (), dtype: Any = None, mode: Any = None, **_: Any) -> Any:
    """Numbers of the Gumbel distribution."""
    kind = floating(dtype)
    return _gumbel(ky.wrapped("gumbel", key)[0], shape=lengths(shape), dtype=kind)


@library_jit(1, name="_gumbel")
def _gumbel(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    tiny = _number(_limits(dtype).tiny, dtype)
    u = _uniform_by_name(key, constant(1.0), tiny, shape=shape, dtype=dtype)
    return ar.neg(el.log(ar.neg(el.log(u))))


def _laplace(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the Laplace distribution."""
    low = _number(-1.0 + float(_limits(dtype).epsneg), dtype)
    u = _between(key, low, 1.0, shape, dtype)
    return ar.mul(el.sign(u), el.log1p(ar.neg(el.abs_p(u))))


def _logistic(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the logistic distribution."""
    u = _between(key, _number(_limits(dtype).tiny, dtype), 1.0, shape, dtype)
    return ar.sub(el.log(u), el.log1p(ar.neg(u)))


def _cauchy(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the Cauchy distribution."""
    u = _between(key, _number(_limits(dtype).eps, dtype), 1.0, shape, dtype)
    return el.tan(ar.mul(like(u, np.pi), ar.sub(u, like(u, 0.5))))


for _name, _found in {
    "exponential": _exponential,
    "laplace": _laplace,
    "logistic": _logistic,
    "cauchy": _cauchy,
}.items():
    _by_draws(_name, _found)


@named("rademacher")
def rademacher(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """-1 or 1."""
    kind = dtype_of(dtype) or default_int()
    return _rademacher(ky.wrapped("rademacher", key)[0], shape=lengths(shape), dtype=kind)


@library_jit(1, name="_rademacher")
def _rademacher(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    ones = convert(_bernoulli(key, _number(0.5, default_float()), shape=shape), dtype)
    return ar.sub(ar.mul(like(ones, 2), ones), like(ones, 1))


@named("lognormal")
def lognormal(key: Any, sigma: Any = 1.0, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """Exponentials of normal numbers."""
    return el.exp(JNP["multiply"](normal(key, shape, dtype), sigma))


# -- orders and choices ------------------------------------------------------------------------------


def _shuffled(key: Any, x: Any, axis: int) -> Any:
    size = aval_of(x).size
    rounds = int(np.ceil(3 * np.log(max(1, size)) / np.log(np.iinfo(np.uint32).max)))
    for _ in range(rounds):
        pair = ky.split_p(key, shape=(2,))
        key, sub = _each_key(pair)
        order = ky.random_bits(sub, 32, shape_of(x))
        x = sorted_with([order, x], axis)[1]
    return x


@library_jit(2, name="_shuffle")
def _shuffle(key: Any, x: Any, axis: int) -> Any:
    return _shuffled(key, x, axis)


@named("permutation")
def permutation(key: Any, x: Any, axis: Any = 0, independent: Any = False, **_: Any) -> Any:
    """The elements, or the numbers up to one, in a random order."""
    value = ky.wrapped("permutation", key)[0]
    given = JNP["array"](x)
    if not shape_of(given):
        if not aval_of(given).dtype.startswith(("int", "uint")):
            raise type_error("x must be an integer or at least 1-dimensional", "x 必须是整数或数组。")
        return _shuffle(value, JNP["arange"](int(known(given))), axis=0)
    place = int(axis) % len(shape_of(given))
    if independent or len(shape_of(given)) == 1:
        return _shuffle(value, given, axis=place)
    return take(given, _shuffle(value, JNP["arange"](shape_of(given)[place]), axis=0), place)


@named("choice")
def choice(
    key: Any, a: Any, shape: Any = (), replace: Any = True, p: Any = None, axis: Any = 0, **_: Any
) -> Any:
    """Elements of an array, or numbers up to one, drawn at random."""
    ky.wrapped("choice", key)
    given = JNP["array"](a)
    want = lengths(shape)
    is_number = not shape_of(given)
    place = 0 if is_number else int(axis) % len(shape_of(given))
    count = int(known(given)) if is_number else shape_of(given)[place]
    draws = prod(want)
    if count < 1 and draws:
        raise value_error("a must be greater than 0 unless no samples are taken", "没有可以抽取的元素。")
    if p is not None and shape_of(JNP["array"](p)) != (count,):
        raise value_error(
            "p must be None or a 1D vector with the same size as a.shape[axis]. p has shape "
            f"{shape_of(JNP['array'](p))} and a.shape[axis] is {count}.",
            f"p 的长度必须是 {count}。",
        )
    if not replace and draws > count:
        raise value_error(
            f"Cannot take a larger sample (size {draws}) than population (size {count}) when 'replace=False'",
            f"不放回时不能从 {count} 个中抽取 {draws} 个。",
        )
    if p is None and not replace:
        every = permutation(key, count if is_number else given, place)
        found = getitem(every, (*([slice(None)] * place), slice(0, draws)))
    else:
        index = randint(key, want, 0, count) if p is None else _weighted(key, p, want, bool(replace), draws)
        found = index if is_number else take(given, index, place)
    if is_number:
        return reshape(found, want)
    full = shape_of(given)
    return reshape(found, (*full[:place], *want, *full[place + 1 :]))


def _weighted(key: Any, p: Any, shape: Sequence[int], replace: bool, draws: int) -> Any:
    (weights,) = promote("choice", p if not isinstance(p, (list, tuple)) else JNP["array"](p), inexact=True)
    if replace:
        total = JNP["cumsum"](weights)
        last = getitem(total, -1)
        r = JNP["multiply"](last, JNP["subtract"](1, uniform(key, shape, aval_of(total).dtype)))
        return convert(JNP["searchsorted"](total, r), default_int())
    scores = ar.add(gumbel(key, shape_of(weights), aval_of(weights).dtype), el.log(weights))
    return convert(top_k_p(scores, k=draws)[1], default_int())


@named("categorical")
@takes_only(replace=(True,))
def categorical(
    key: Any, logits: Any, axis: Any = -1, shape: Any = None, replace: Any = True, **_: Any
) -> Any:
    """The places of classes, drawn with the probabilities that logits give."""
    (scores,) = check_arrays("categorical", [logits])
    full = shape_of(scores)
    place = int(axis) % len(full)
    batch = tuple(np.delete(full, place))
    want = tuple(int(n) for n in (batch if shape is None else lengths(shape)))
    extra = want[: len(want) - len(batch)]
    drawn = [*extra, *full]
    noise = gumbel(key, drawn, aval_of(scores).dtype)
    wide = expand_dims(scores, tuple(range(len(drawn) - len(shape_of(scores)))))
    return JNP["argmax"](ar.add(noise, wide), place + len(extra))


@named("multivariate_normal")
@takes_only(method=("cholesky",))
def multivariate_normal(
    key: Any, mean: Any, cov: Any, shape: Any = None, dtype: Any = None, method: Any = "cholesky", **_: Any
) -> Any:
    """Vectors of the normal distribution."""
    from engine.languages.surfaces.jax.numpy.linalg import cholesky

    center, spread = promote_both(mean, cov)
    n = shape_of(center)[-1]
    batch = shape_of(center)[:-1] if shape is None else lengths(shape)
    factor = cholesky(spread)
    sample = normal(key, (*batch, n), dtype)
    return JNP["add"](center, JNP["einsum"]("ij,...j->...i", factor, sample))


def promote_both(a: Any, b: Any) -> list[Any]:
    """Two arrays of one type of floats."""
    from engine.languages.surfaces.jax.numpy.promotion import promote_types

    return promote_types(check_arrays("multivariate_normal", [a, b]), inexact=True)
