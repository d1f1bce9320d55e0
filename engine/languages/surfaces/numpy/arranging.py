"""numpy's functions that arrange elements anew: repeat, tile, flip, sort, split, grids, positions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import Any

import numpy as np

from engine.languages.interpreter.arguments import Argument, word_of
from engine.languages.interpreter.builtins.containers import taken
from engine.languages.interpreter.builtins.nested_sizes import check_convertible
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.numpy.module import (
    LAID_OUT,
    NUMPY,
    lengths_of,
    numpy_dtype,
    option,
    own_array,
    to_array,
    unpack,
)
from engine.languages.surfaces.numpy.sizes import CALLING, SIZES


def on_arrays(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for programs: parameters without a default are taken as arrays, the others as they are.

    What the call makes, by the rule of the function's name, is counted before it is made.
    """
    rule, words = SIZES.get(name), frozenset(WORDS.get(name, ()))
    asked = () if rule is None else tuple(inspect.signature(rule).parameters)
    signature = inspect.signature(function)
    arrays = tuple(name for name, p in signature.parameters.items() if p.default is Parameter.empty)

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        given = signature.bind(*args, **keywords).arguments
        given.update({name: to_array(interpreter, given[name]) for name in arrays})
        interpreter.budget.spend(sum(given[name].size for name in arrays))
        if any(isinstance(value, str) and key not in words for key, value in given.items()):
            raise TypeError
        for value in given.values():
            check_convertible(value, interpreter.budget.limits.tensor_elements)
        if rule is not None:
            rule(**{name: given[name] for name in asked if name in given}).check(interpreter.budget)
        return unpack(function(**given))

    first = Parameter("interpreter", Parameter.POSITIONAL_OR_KEYWORD)
    call.__signature__ = signature.replace(parameters=[first, *signature.parameters.values()])  # type: ignore[attr-defined]
    return call


PAD_MODES = (
    *("constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum"),
    *("reflect", "symmetric", "wrap"),
)  # "empty" would show what is left in memory
NORM = Argument(
    "a number or one of its words",
    "数字或规定的文字之一",
    lambda value: not isinstance(value, str) or value in ("fro", "nuc"),
    'It takes 1, 2, np.inf, "fro", "nuc".',
    '它可以是 1、2、np.inf、"fro"、"nuc"。',
    code="unknown_word",
)
SORTS = Argument(
    "one of its words",
    "规定的文字之一",
    lambda value: value is None or value in ("quicksort", "mergesort", "heapsort", "stable"),
    'It takes "quicksort", "mergesort", "heapsort", "stable".',
    '它可以是 "quicksort"、"mergesort"、"heapsort"、"stable"。',
    code="unknown_word",
)
WORDS = {
    "searchsorted": {"side": word_of("left", "right")},
    "linalg.norm": {"ord": NORM},
    "sort": {"kind": SORTS},
    "argsort": {"kind": SORTS},
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    # another order or shape
    "ravel": lambda a: np.ravel(a),
    "flip": lambda m, axis=None: np.flip(m, axis),
    "fliplr": lambda m: np.fliplr(m),
    "flipud": lambda m: np.flipud(m),
    "roll": lambda a, shift=0, axis=None: np.roll(a, shift, axis),
    "swapaxes": lambda a, axis1=0, axis2=1: np.swapaxes(a, axis1, axis2),
    "moveaxis": lambda a, source=0, destination=0: np.moveaxis(a, source, destination),
    "atleast_1d": lambda a: np.atleast_1d(a),
    "atleast_2d": lambda a: np.atleast_2d(a),
    "rollaxis": lambda a, axis=0, start=0: np.rollaxis(a, axis, start),
    "rot90": lambda m, k=1, axes=(0, 1): np.rot90(m, k, axes),
    "diagonal": lambda a, offset=0, axis1=0, axis2=1: np.diagonal(a, offset, axis1, axis2),
    "atleast_3d": lambda a: np.atleast_3d(a),
    "sort": lambda a, axis=-1, kind=None: np.sort(a, axis=axis, kind=kind),
    "argsort": lambda a, axis=-1, kind=None: np.argsort(a, axis=axis, kind=kind),
    "lexsort": lambda keys, axis=-1: np.lexsort(keys, axis),
    "partition": lambda a, kth, axis=-1: np.partition(a, kth, axis),
    "argpartition": lambda a, kth, axis=-1: np.argpartition(a, kth, axis),
    "copy": lambda a: a.copy(),
    # some of the elements
    "delete": lambda arr, obj=0, axis=None: np.delete(arr, obj, axis),
    "take": lambda a, indices, axis=None: np.take(a, indices, axis),
    "diff": lambda a, n=1, axis=-1: np.diff(a, min(n, a.size), axis),
    "insert": lambda arr, obj=0, values=0, axis=None: np.insert(arr, obj, values, axis),
    "trim_zeros": lambda filt: np.trim_zeros(filt),
    "extract": lambda condition, arr: np.extract(condition, arr),
    "compress": lambda condition, a, axis=None: np.compress(condition, a, axis),
    # positions and counts
    "flatnonzero": lambda a: np.flatnonzero(a),
    "digitize": lambda x, bins, right=False: np.digitize(x, bins, right),
    "count_nonzero": lambda a, axis=None: np.count_nonzero(a, axis=axis),
    "argwhere": lambda a: np.argwhere(a),
    "size": lambda a, axis=None: a.size if axis is None else a.shape[axis],
    "ndim": lambda a: a.ndim,
    "searchsorted": lambda a, v, side="left": np.searchsorted(a, v, side),
    "isin": lambda element, test_elements: np.isin(element, test_elements),
    # element by element, without a place to write into
    "sinc": lambda x: np.sinc(x),
    "i0": lambda x: np.i0(x),
    "fix": lambda x: np.trunc(x),
    "angle": lambda z, deg=False: np.angle(z, bool(deg)),
    "imag": lambda val: np.imag(val),
    "real": lambda val: np.real(val),
    "isneginf": lambda x: np.isneginf(x),
    "isposinf": lambda x: np.isposinf(x),
    "isreal": lambda x: np.isreal(x),
    # comparisons of whole arrays
    "isclose": lambda a, b, rtol=1e-05, atol=1e-08: np.isclose(a, b, rtol, atol),
    "array_equal": lambda a1, a2: bool(np.array_equal(a1, a2)),
    # figures of a sample
    "median": lambda a, axis=None, keepdims=False: np.median(a, axis, keepdims=keepdims),
    "percentile": lambda a, q, axis=None, keepdims=False: np.percentile(a, q, axis, keepdims=bool(keepdims)),
    "quantile": lambda a, q, axis=None, keepdims=False: np.quantile(a, q, axis, keepdims=bool(keepdims)),
    "nanmedian": lambda a, axis=None, keepdims=False: np.nanmedian(a, axis, keepdims=bool(keepdims)),
    "nanpercentile": lambda a, q, axis=None, keepdims=False: np.nanpercentile(
        a, q, axis, keepdims=bool(keepdims)
    ),
    "nanquantile": lambda a, q, axis=None, keepdims=False: np.nanquantile(
        a, q, axis, keepdims=bool(keepdims)
    ),
    "ediff1d": lambda ary: np.ediff1d(ary),
    "ptp": lambda a, axis=None, keepdims=False: np.ptp(a, axis, keepdims=bool(keepdims)),
    "nan_to_num": lambda x, copy=True, nan=0.0, posinf=None, neginf=None: np.nan_to_num(
        x, True, nan, posinf, neginf
    ),
    "interp": lambda x, xp, fp: np.interp(x, xp, fp),
    "polyval": lambda p, x: np.polyval(p, x),
    "polyder": lambda p, m=1: np.polyder(p, min(m, p.size)),
    "polyint": lambda p, m=1: np.polyint(p, m),
    "polyadd": lambda a1, a2: np.polyadd(a1, a2),
    "polysub": lambda a1, a2: np.polysub(a1, a2),
    "polymul": lambda a1, a2: np.polymul(a1, a2),
    "polyfit": lambda x, y, deg=1: np.polyfit(x, y, min(deg, x.size)),
}
for name, function in FUNCTIONS.items():
    NUMPY.function(name, **WORDS.get(name, {}))(on_arrays(name, function))


@NUMPY.function("nonzero")
def nonzero(interpreter: Interpreter, a: Any) -> tuple[Any, ...]:
    """Where elements are not 0: one array of places for each axis."""
    array = to_array(interpreter, a)
    SIZES["nonzero"](array).check(interpreter.budget)
    return np.nonzero(array)


# -- results that are larger than what was given -----------------------------------------------------


@NUMPY.function("repeat")
def repeat(interpreter: Interpreter, a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element several times."""
    array, times = to_array(interpreter, a), to_array(interpreter, repeats)
    interpreter.budget.check_elements((array.size, max(int(times.max(initial=0)), 1)))
    return np.repeat(array, times, axis)


@NUMPY.function("tile")
def tile(interpreter: Interpreter, A: Any, reps: Any) -> Any:
    """The whole array several times, along one axis or several."""
    array = to_array(interpreter, A)
    times = [int(n) for n in np.atleast_1d(to_array(interpreter, reps))]
    interpreter.budget.check_elements((array.size, *(max(n, 1) for n in times)))
    return np.tile(array, times)


@NUMPY.function("pad", mode=word_of(*PAD_MODES))
def pad(
    interpreter: Interpreter, array: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0
) -> Any:
    """A margin around an array."""
    inner, widths = to_array(interpreter, array), to_array(interpreter, pad_width)
    more = np.broadcast_to(widths, (inner.ndim, 2)).sum(axis=1)
    interpreter.budget.check_elements([length + int(n) for length, n in zip(inner.shape, more, strict=True)])
    options = {"constant_values": option(interpreter, constant_values)} if mode == "constant" else {}
    return np.pad(inner, widths, mode, **options)  # type: ignore[call-overload]  # one of PAD_MODES


@NUMPY.function("append")
def append(interpreter: Interpreter, arr: Any, values: Any, axis: Any = None) -> Any:
    """One array after another."""
    before, after = to_array(interpreter, arr), to_array(interpreter, values)
    interpreter.budget.check_elements((before.size + after.size,))
    return np.append(before, after, axis)


@NUMPY.function("column_stack")
def column_stack(interpreter: Interpreter, tup: Any) -> Any:
    """Vectors as the columns of a matrix."""
    columns = [to_array(interpreter, one) for one in interpreter.budget.paced(taken(tup, interpreter.budget))]
    interpreter.budget.check_elements((sum(column.size for column in columns),))
    return np.column_stack(columns)


@NUMPY.function("full_like", order=LAID_OUT)
def full_like(
    interpreter: Interpreter,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
) -> Any:
    """One value everywhere, shaped like an array or as it is said."""
    lengths = None if shape is None else lengths_of(interpreter, shape)
    return np.full_like(to_array(interpreter, a), fill_value, dtype=numpy_dtype(dtype), shape=lengths)


@NUMPY.function("logspace")
def logspace(
    interpreter: Interpreter,
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """Numbers whose logarithms are evenly spaced."""
    interpreter.budget.check_elements((int(num),))
    ends = float(start), float(stop)
    if int(axis) not in (0, -1):
        raise ValueError
    return np.logspace(*ends, int(num), bool(endpoint), float(base), numpy_dtype(dtype))


@NUMPY.function("split")
def split(interpreter: Interpreter, ary: Any, indices_or_sections: Any, axis: int = 0) -> Sequence[Any]:
    """Equal parts, or parts that end at given places."""
    return _parts(interpreter, np.split, ary, indices_or_sections, axis)


@NUMPY.function("array_split")
def array_split(interpreter: Interpreter, ary: Any, indices_or_sections: Any, axis: int = 0) -> Sequence[Any]:
    """Parts that are equal or differ by one element."""
    return _parts(interpreter, np.array_split, ary, indices_or_sections, axis)


@NUMPY.function("vsplit")
def vsplit(interpreter: Interpreter, ary: Any, indices_or_sections: Any) -> Sequence[Any]:
    """Parts one below the other."""
    return _parts(interpreter, np.split, ary, indices_or_sections, 0)


@NUMPY.function("hsplit")
def hsplit(interpreter: Interpreter, ary: Any, indices_or_sections: Any) -> Sequence[Any]:
    """Parts side by side; of a vector parts of it."""
    axis = min(to_array(interpreter, ary).ndim - 1, 1)
    return _parts(interpreter, np.split, ary, indices_or_sections, axis)


@NUMPY.function("dsplit")
def dsplit(interpreter: Interpreter, ary: Any, indices_or_sections: Any) -> Sequence[Any]:
    """Parts along the third axis."""
    return _parts(interpreter, np.split, ary, indices_or_sections, 2)


def _parts(
    interpreter: Interpreter, split: Callable[..., Any], ary: Any, sections: Any, axis: int
) -> Sequence[Any]:
    """Views of the parts, which may overlap where the places are not in order."""
    array, places = to_array(interpreter, ary), option(interpreter, sections)
    count = int(places) if np.ndim(places) == 0 else np.size(places) + 1
    interpreter.budget.check_length(count)
    interpreter.budget.spend(count * CALLING)
    parts: list[Any] = split(own_array(array, ary), places, axis)
    interpreter.budget.check_cells(sum(part.size for part in parts))
    return parts
