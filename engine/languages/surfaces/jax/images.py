"""`jax.image.resize`: each new pixel as a weighted mean of the old ones near it, axis by axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.further.taking import take
from engine.languages.surfaces.jax.numpy.making.arrays import on_device
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP


def _triangle(x: Any) -> Any:
    return np.maximum(0, 1 - np.abs(x))


def _keys(x: Any) -> Any:
    """Keys' cubic (1981) with a = -1/2."""
    x = np.abs(x)
    near, far = ((1.5 * x - 2.5) * x) * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _weights(old: int, new: int, kernel: Callable[[Any], Any], antialias: bool) -> Any:
    """How much of each old place is in each new one. Shapes: () -> (old, new)."""
    step = old / new
    place = (np.arange(new) + 0.5) * step - 0.5
    x = (place[None, :] - np.arange(old)[:, None]) / (max(step, 1.0) if antialias else 1.0)
    found = kernel(x)
    total = found.sum(0, keepdims=True)
    found = np.where(np.abs(total) > 1000 * np.finfo(np.float32).eps, found / np.where(total, total, 1), 0)
    return np.where((place >= -0.5) & (place <= old - 0.5), found, 0)


KERNELS: dict[str, Callable[[Any], Any] | None] = {
    "nearest": None,
    **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), _triangle),
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), _keys),
}


def resize(image: Any, shape: Any, method: Any, antialias: Any = True, **_: Any) -> Any:
    """The image in another size. Shapes: as many axes as before."""
    (x,) = promote("resize", JNP["asarray"](image))
    if method not in KERNELS:
        raise value_error(f'Unknown resize method "{method}"', f"不认识的方法 {method}。")
    kernel = KERNELS[method]
    if kernel is not None:
        (x,) = promote("resize", x, inexact=True)
    for axis, (old, new) in enumerate(zip(shape_of(x), lengths(shape), strict=True)):
        if old == new:
            continue
        if kernel is None:
            rows = np.floor((np.arange(new) + 0.5) * old / new).astype("int32")
            x = take(x, on_device(rows), axis)
        else:
            weights = on_device(_weights(old, new, kernel, bool(antialias)).astype(aval_of(x).dtype))
            x = JNP["moveaxis"](JNP["tensordot"](x, weights, ((axis,), (0,))), -1, axis)
    return x
