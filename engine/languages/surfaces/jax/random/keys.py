"""Keys as programs see them, and the primitives that draw bits of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.core.avals import KEY, Aval
from engine.languages.surfaces.jax.core.batching import move_axis
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import without_tangent
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer, aval_of, constant
from engine.languages.surfaces.jax.lax.basics import convert
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.random import threefry
from engine.languages.surfaces.left_out import takes_only

IMPL = "fry"


def words(keys: Any) -> Any:
    """The two words of each key. Shapes: (*S) -> (*S, 2)."""
    return np.stack([keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)], axis=-1).astype(np.uint32)


def joined(pairs: Any) -> Any:
    """Keys of their two words. Shapes: (*S, 2) -> (*S)."""
    wide = pairs.astype(np.uint64)
    return (wide[..., 0] << np.uint64(32)) | wide[..., 1]


def _each(function: Callable[[Any], Any], keys: Any) -> Any:
    """A function of each key of an array."""
    found = [function(pair) for pair in words(keys).reshape(-1, 2)]
    return (
        np.stack(found).reshape((*keys.shape, *np.shape(found[0]))) if found else np.zeros((*keys.shape, 0))
    )


def _primitive(name: str, compute: Callable[..., Any], types: Callable[..., Aval]) -> Primitive:
    primitive = Primitive(name)
    primitive.compute, primitive.types = compute, types
    primitive.batch = lambda size, values, axes, **parameters: (
        primitive(move_axis(values[0], axes[0], 0), *values[1:], **parameters),
        0,
    )
    without_tangent(primitive)
    return primitive


seed_p = _primitive("random_seed", lambda x, impl: _seeds(x), lambda x, impl: Aval(x.shape, KEY))
bits_p = _primitive(
    "random_bits",
    lambda keys, bit_width, shape: _each(lambda key: threefry.bits(key, bit_width, shape), keys),
    lambda keys, bit_width, shape: Aval((*keys.shape, *shape), f"uint{bit_width}"),
)
split_p = _primitive(
    "random_split",
    lambda keys, shape: joined(_each(lambda key: threefry.split(key, shape), keys)),
    lambda keys, shape: Aval((*keys.shape, *shape), KEY),
)
fold_p = _primitive(
    "random_fold_in",
    lambda keys, data: _folded(keys, data),
    lambda keys, data: Aval(np.broadcast_shapes(keys.shape, data.shape), KEY),
)
wrap_p = _primitive("random_wrap", lambda x, impl: joined(x), lambda x, impl: Aval(x.shape[:-1], KEY))
unwrap_p = _primitive("random_unwrap", words, lambda keys: Aval((*keys.shape, 2), "uint32"))


def _fold_batch(size: int, values: Any, axes: Any) -> tuple[Any, int]:
    from engine.languages.surfaces.jax.core.batching import at_axis_0

    return fold_p(*(at_axis_0(x, axis, size) for x, axis in zip(values, axes, strict=True))), 0


fold_p.batch = _fold_batch


def _seeds(x: Any) -> Any:
    return joined(np.stack([threefry.seed(one) for one in np.ravel(x)]).reshape((*np.shape(x), 2)))


def _folded(keys: Any, data: Any) -> Any:
    shape = np.broadcast_shapes(keys.shape, data.shape)
    pairs = words(np.broadcast_to(keys, shape)).reshape(-1, 2)
    numbers = np.broadcast_to(data, shape).ravel()
    found = [threefry.fold_in(key, number) for key, number in zip(pairs, numbers, strict=True)]
    return joined(np.stack(found).reshape((*shape, 2)))


def wrapped(name: str, key: Any, single: bool = True) -> tuple[Any, bool]:
    """A key as one of `jax.random.key`, and whether it was given as its two words."""
    if key is None or isinstance(key, (tuple, list, dict, str)):
        said = f"unexpected PRNG key type <class '{python_name(key)}'>"
        raise type_error(said, f"这里需要随机数的 key，不能是 {python_name(key)}。")
    if not isinstance(key, (JaxArray, Tracer, np.ndarray)):
        raise type_error(
            f"JAX encountered invalid PRNG key data: expected key_data to have ndim, shape, and "
            f"dtype attributes. "
            f"Got {key}",
            "这里需要随机数的 key。",
            "Make one: key = jax.random.key(0).",
            "请先创建：key = jax.random.key(0)。",
        )
    value = constant(key)
    is_raw = aval_of(value).dtype != KEY
    if is_raw:
        aval = aval_of(value)
        if aval.dtype != "uint32" or not aval.shape or aval.shape[-1] != 2:
            raise type_error(
                f"JAX encountered invalid PRNG key data: expected key_data.dtype = uint32; got "
                f"dtype={aval.dtype}",
                "这不是随机数的 key。",
            )
        value = wrap_p(value, impl=IMPL)
    if single and aval_of(value).shape:
        shape = aval_of(key).shape
        raise value_error(
            f"{name} accepts a single key, but was given a key array of shape {shape} != (). Use jax.vmap "
            "for batching.",
            f"{name} 只接受一个 key，但得到形状为 {shape} 的 key 数组。",
        )
    return value, is_raw


@takes_only(impl=(None, "threefry2x32"))
def key(seed: Any, *, impl: Any = None) -> Any:
    """The key of a seed."""
    return seed_p(_seed(seed), impl=IMPL)


def _seed(seed: Any) -> Any:
    if isinstance(seed, int) and not isinstance(seed, bool) and abs(seed) >= 2**31:
        return JaxArray(np.asarray(seed % 2**32, np.uint32))
    value = constant(seed)
    if aval_of(value).shape:
        raise type_error(
            "PRNGKey accepts a scalar seed, but was given an array of shape "
            f"{aval_of(value).shape} != (). Use jax.vmap for batching",
            "随机数的种子必须是一个整数。",
        )
    if not aval_of(value).dtype.startswith(("int", "uint")):
        raise type_error(f"PRNG key seed must be an integer; got {seed}", "随机数的种子必须是整数。")
    return value


@takes_only(impl=(None, "threefry2x32"))
def prng_key(seed: Any, *, impl: Any = None) -> Any:
    """The key of a seed, as its two words."""
    return unwrap_p(key(seed))


def split(key: Any, num: Any = 2) -> Any:
    """New keys of one."""
    value, is_raw = wrapped("split", key)
    found = split_p(value, shape=lengths(num))
    return unwrap_p(found) if is_raw else found


def fold_in(key: Any, data: Any) -> Any:
    """The key of a key and a number."""
    value, is_raw = wrapped("fold_in", key)
    found = fold_p(value, convert(constant(data), "uint32"))
    return unwrap_p(found) if is_raw else found


def key_data(keys: Any) -> Any:
    """The two words of a key."""
    return unwrap_p(wrapped("key_data", keys, False)[0])


@takes_only(impl=(None, "threefry2x32"))
def wrap_key_data(key_bits_array: Any, *, impl: Any = None) -> Any:
    """A key of its two words."""
    return wrap_p(constant(key_bits_array), impl=IMPL)


def random_bits(key: Any, width: int, shape: Sequence[int]) -> Any:
    """Random bits of a key."""
    return bits_p(key, bit_width=width, shape=tuple(shape))


def key_impl(keys: Any) -> str:
    """The name of what makes numbers of a key."""
    wrapped("key_impl", keys, False)
    return "threefry2x32"


def clone(key: Any) -> Any:
    """The same key."""
    return key
