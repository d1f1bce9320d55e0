"""numpy's counts and figures of a sample: histograms, covariances, sets, sums over a window."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.builtins.containers import taken
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.numpy.module import ANY_NUMPY, NUMPY, option, to_array, unpack
from engine.languages.surfaces.numpy.sizes import in_order

WINDOW = word_of("full", "same", "valid")


@NUMPY.function("bincount")
def bincount(interpreter: Interpreter, x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each whole number from 0 on occurs, or the sum of the weights of each."""
    values = to_array(interpreter, x)
    share = None if weights is None else to_array(interpreter, weights)
    longest = max(int(values.max(initial=-1)) + 1, int(minlength))
    interpreter.budget.check_elements((max(longest, 0),))
    interpreter.budget.spend(values.size)
    return np.bincount(values, share, int(minlength))


def _edges(interpreter: Interpreter, bins: Any, size: int) -> Any:
    """The bins as a number or as an array of edges, the work counted. Raises: ValueRefused for a rule."""
    if isinstance(bins, str):
        raise ValueRefused(
            "`bins` takes a number, or the edges of the bins in order.",
            hint="Write bins=10, or bins=[0, 1, 2].",
            message_zh="`bins` 需要一个数字，或按顺序列出的边界。",
            hint_zh="请写 bins=10 或 bins=[0, 1, 2]。",
            code="unknown_word",
        )
    edges = option(interpreter, bins)
    count = int(edges) if np.ndim(edges) == 0 else np.size(edges)
    interpreter.budget.check_elements((max(count, 0),))
    interpreter.budget.spend(in_order(size) + max(count, 0))
    return edges


@NUMPY.function("histogram")
def histogram(
    interpreter: Interpreter,
    a: Any,
    bins: Any = 10,
    range: Any = None,
    density: Any = None,
    weights: Any = None,
) -> Any:
    """How many elements lie in each bin, and the edges of the bins."""
    values = to_array(interpreter, a)
    share = None if weights is None else to_array(interpreter, weights)
    ends = None if range is None else tuple(float(end) for end in taken(range, interpreter.budget))
    edges = _edges(interpreter, bins, values.size)
    return np.histogram(values, edges, ends, bool(density), share)  # type: ignore[arg-type]  # two ends


@NUMPY.function("histogram_bin_edges")
def histogram_bin_edges(interpreter: Interpreter, a: Any, bins: Any = 10, range: Any = None) -> Any:
    """The edges of the bins alone."""
    values = to_array(interpreter, a)
    ends = None if range is None else tuple(float(end) for end in taken(range, interpreter.budget))
    return np.histogram_bin_edges(values, _edges(interpreter, bins, values.size), ends)  # type: ignore[arg-type]


@NUMPY.function("histogram2d")
def histogram2d(interpreter: Interpreter, x: Any, y: Any, bins: Any = 10, density: Any = None) -> Any:
    """How many points lie in each box of a grid, and the edges along both axes."""
    first, second = to_array(interpreter, x), to_array(interpreter, y)
    both = [bins, bins] if np.ndim(option(interpreter, bins)) == 0 else list(taken(bins, interpreter.budget))
    sides = [_edges(interpreter, one, first.size) for one in both]
    interpreter.budget.check_elements([int(s) if np.ndim(s) == 0 else np.size(s) for s in sides])
    return np.histogram2d(first, second, sides, density=bool(density))


@NUMPY.function("unique")
def unique(
    interpreter: Interpreter,
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
) -> Any:
    """The different elements in order; where each stands first, which one each element is, how often."""
    array = to_array(interpreter, ar)
    interpreter.budget.check_elements((3, *array.shape))
    interpreter.budget.spend(in_order(array.size))
    return ANY_NUMPY.unique(array, bool(return_index), bool(return_inverse), bool(return_counts), axis)


def _together(name: str) -> None:
    """Of two sets: what is in both, in either, in one alone."""
    combine: Callable[..., Any] = getattr(np, name)

    def call(interpreter: Interpreter, ar1: Any, ar2: Any) -> Any:
        first, second = to_array(interpreter, ar1), to_array(interpreter, ar2)
        interpreter.budget.check_elements((first.size + second.size,))
        interpreter.budget.spend(in_order(first.size + second.size))
        return combine(first, second)

    NUMPY.function(name)(call)


for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
    _together(name)


def _check_variables(interpreter: Interpreter, m: Any, y: Any) -> int:
    """How many variables there are; their table and the products are counted. Raises: LimitError."""
    arrays = [m] if y is None else [m, y]
    rows = sum(a.shape[0] if a.ndim > 1 else 1 for a in arrays)
    interpreter.budget.check_elements((rows, rows))
    interpreter.budget.spend(rows * sum(a.size for a in arrays))
    return rows


@NUMPY.function("cov")
def cov(
    interpreter: Interpreter, m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None
) -> Any:
    """How much each pair of variables varies together; each row is a variable."""
    first, second = to_array(interpreter, m), None if y is None else to_array(interpreter, y)
    _check_variables(interpreter, first if rowvar else first.T, second)
    return unpack(np.cov(first, second, bool(rowvar), bool(bias), ddof))


@NUMPY.function("corrcoef")
def corrcoef(interpreter: Interpreter, x: Any, y: Any = None, rowvar: Any = True) -> Any:
    """The correlation of each pair of variables; each row is a variable."""
    first, second = to_array(interpreter, x), None if y is None else to_array(interpreter, y)
    _check_variables(interpreter, first if rowvar else first.T, second)
    return unpack(np.corrcoef(first, second, bool(rowvar)))


def _windowed(name: str, default: str) -> None:
    slide: Callable[..., Any] = getattr(np, name)

    def call(interpreter: Interpreter, a: Any, v: Any, mode: str = default) -> Any:
        first, second = to_array(interpreter, a), to_array(interpreter, v)
        interpreter.budget.check_elements((first.size + second.size,))
        interpreter.budget.spend(first.size * second.size)
        return slide(first, second, mode)

    NUMPY.function(name, mode=WINDOW)(call)


_windowed("convolve", "full")
_windowed("correlate", "valid")


@NUMPY.function("gradient")
def gradient(interpreter: Interpreter, f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """Slopes by differences: of both neighbours inside, of one at the edges."""
    values = to_array(interpreter, f)
    interpreter.budget.check_elements((max(values.ndim, 1), *values.shape))
    apart = [option(interpreter, one) for one in varargs]
    found: Any = ANY_NUMPY.gradient(values, *apart, axis=axis, edge_order=int(edge_order))
    return found


@NUMPY.function("trapezoid", "trapz")
def trapezoid(interpreter: Interpreter, y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """The area below a curve, by trapezoids."""
    values, places = to_array(interpreter, y), None if x is None else to_array(interpreter, x)
    if places is not None:
        interpreter.budget.check_elements(np.broadcast_shapes(values.shape, places.shape))
    return unpack(np.trapezoid(values, places, dx, axis))


@NUMPY.function("select")
def select(interpreter: Interpreter, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """At each place the choice of the first condition that holds there."""
    conditions = [to_array(interpreter, one, "bool") for one in taken(condlist, interpreter.budget)]
    choices = [to_array(interpreter, one) for one in taken(choicelist, interpreter.budget)]
    shape = np.broadcast_shapes(*(one.shape for one in (*conditions, *choices)))
    interpreter.budget.check_elements((len(conditions) + len(choices) + 1, *shape))
    return unpack(np.select(conditions, choices, to_array(interpreter, default)))


@NUMPY.function("choose")
def choose(interpreter: Interpreter, a: Any, choices: Any) -> Any:
    """At each place an element of the array that is named there by number."""
    numbers = to_array(interpreter, a)
    arrays = [to_array(interpreter, one) for one in taken(choices, interpreter.budget)]
    shape = np.broadcast_shapes(numbers.shape, *(one.shape for one in arrays))
    interpreter.budget.check_elements((len(arrays) + 1, *shape))
    return unpack(np.choose(numbers, arrays))


@NUMPY.function("block")
def block(interpreter: Interpreter, arrays: Any) -> Any:
    """Blocks side by side and below each other."""
    rows = taken(arrays, interpreter.budget)
    nested = [
        [to_array(interpreter, one) for one in row]
        if isinstance(row, (list, tuple)) and any(np.ndim(option(interpreter, one)) for one in row)
        else to_array(interpreter, row)
        for row in rows
    ]
    parts = [one for row in nested for one in (row if isinstance(row, list) else [row])]
    interpreter.budget.check_elements((sum(max(prod(one.shape), 1) for one in parts),))
    return np.block(nested)
