"""`jax.scipy.stats` of samples: ranks, and the most frequent element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only

MODE = RecordKind("ModeResult", ("mode", "count"))
METHODS = ("average", "min", "max", "dense", "ordinal")


@takes_only(nan_policy=("propagate",))
def rankdata(a: Any, method: Any = "average", *, axis: Any = None, nan_policy: Any = "propagate") -> Any:
    """Which place each element has in the order of all, from 1; ties as the method says."""
    (x,) = check_arrays("rankdata", [a])
    if method not in METHODS:
        raise value_error(
            f"unknown method '{method}'", f"method 不能是 {method!r}，可选：{'、'.join(METHODS)}。"
        )
    if axis is None:
        return _ranks(JNP["ravel"](x), method)
    rows = JNP["moveaxis"](x, axis, -1)
    return JNP["moveaxis"](_ranks(rows, method), -1, axis)


def _ranks(x: Any, method: str) -> Any:
    """Shapes: (*S, n) -> (*S, n)."""
    count, kind = shape_of(x)[-1], default_float()
    mine, other = JNP["expand_dims"](x, -1), JNP["expand_dims"](x, -2)
    less = JNP["sum"](other < mine, -1)
    same = JNP["sum"](JNP["equal"](other, mine), -1)
    if method == "ordinal":
        places = JNP["arange"](count)
        earlier = JNP["equal"](other, mine) & (JNP["expand_dims"](places, 0) < JNP["expand_dims"](places, 1))
        return JNP["astype"](less + JNP["sum"](earlier, -1) + 1, kind)
    if method == "dense":
        places = JNP["arange"](count)
        again = JNP["equal"](other, mine) & (JNP["expand_dims"](places, 0) < JNP["expand_dims"](places, 1))
        is_first = JNP["expand_dims"](JNP["equal"](JNP["sum"](again, -1), 0), -2)
        return JNP["astype"](JNP["sum"]((other < mine) & is_first, -1) + 1, kind)
    first, last = less + 1, less + same
    if method == "average":
        return JNP["astype"](first + last, kind) / 2
    return JNP["astype"](first if method == "min" else last, kind)


@takes_only(nan_policy=("propagate",))
def mode(a: Any, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False) -> Record:
    """The most frequent element, the least of several, and how often it is there."""
    (x,) = check_arrays("mode", [a])
    flat = JNP["ravel"](x) if axis is None else JNP["moveaxis"](x, axis, -1)
    rows = JNP["sort"](flat, -1)
    counts = JNP["sum"](JNP["equal"](JNP["expand_dims"](rows, -1), JNP["expand_dims"](rows, -2)), -1)
    place = JNP["expand_dims"](JNP["argmax"](counts, -1), -1)
    found = [JNP["take_along_axis"](one, place, axis=-1) for one in (rows, counts)]
    if keepdims:
        back = (lambda one: JNP["reshape"](one, (1,) * aval_of(x).ndim)) if axis is None else None
        return Record(MODE, [back(one) if back else JNP["moveaxis"](one, -1, axis) for one in found])
    return Record(MODE, [JNP["squeeze"](one, -1) for one in found])


FUNCTIONS: dict[str, Callable[..., Any]] = {"rankdata": rankdata, "mode": mode}
