"""Orders and choices: `jax.random.permutation`, `jax.random.choice`, `jax.random.categorical`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of, known
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import convert, expand_dims, reshape, shape_of
from engine.languages.surfaces.jax.numpy.further.sorting import sorted_with, top_k
from engine.languages.surfaces.jax.numpy.further.taking import take
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.random import keys as ky
from engine.languages.surfaces.jax.random.draws import each_key, gumbel, randint, uniform
from engine.languages.surfaces.jax.random.table import named
from engine.languages.surfaces.left_out import takes_only


def _shuffled(key: Any, x: Any, axis: int) -> Any:
    size = aval_of(x).size
    rounds = int(np.ceil(3 * np.log(max(1, size)) / np.log(np.iinfo(np.uint32).max)))
    for _ in range(rounds):
        pair = ky.split_p(key, shape=(2,))
        key, sub = each_key(pair)
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
    return convert(top_k(scores, draws)[1], default_int())


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
