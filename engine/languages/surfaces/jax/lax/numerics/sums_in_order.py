"""Sums of float32 in the order in which XLA adds them on a processor, as far as that is known.

Source: found by comparing with JAX 0.10.2 on a processor with AVX2, sum by sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

LONGEST = 32  # elements that are added one after the other
UNROLLED = 8  # elements of a row from which on the rows are added as one

Terms = tuple[
    Any, ...
]  # arrays along whose first axis the sum is taken: (x,), or (a, b) for a sum of products


def sum_in_order(x: Any, axes: Sequence[int]) -> Any | None:
    """The sum along some axes; None where the order is not known. Shapes: x (*S) -> (*S without the axes)."""
    return _total((x,), axes, _add_up)


def sum_of_products(a: Any, b: Any, axes: Sequence[int]) -> Any | None:
    """The sum of a b along some axes, rounded once for each product; None where the order is not known.

    Shapes: a, b (*S) -> (*S without the axes).
    """
    return _total((a, b), axes, _squares if a is b else _products)


def _total(terms: Terms, axes: Sequence[int], add: Callable[[Terms], Any]) -> Any | None:
    shape = terms[0].shape
    if terms[0].dtype != np.float32 or 0 in shape:
        return None
    out_shape = [n for axis, n in enumerate(shape) if axis not in tuple(axes)]
    axes = [axis for axis in axes if shape[axis] > 1]
    stay = [axis for axis in range(len(shape)) if axis not in axes]
    kept = [shape[axis] for axis in stay if shape[axis] > 1]
    lengths = [shape[axis] for axis in axes]
    ordered = _ordered(terms, [*axes, *stay], [*lengths, prod(kept)])
    if len(lengths) == 2 and not kept:
        found = _of_rows(ordered, add)
    elif prod(lengths) <= LONGEST:
        found = add(_ordered(ordered, range(len(lengths) + 1), [prod(lengths), prod(kept)]))
    else:
        return None
    return None if found is None else found.reshape(out_shape)


def _ordered(terms: Terms, order: Sequence[int], shape: Sequence[int]) -> Terms:
    """The terms with the axes that are taken together first; a square stays one of the same array."""
    made = {id(x): np.transpose(x, order).reshape(shape) for x in terms}
    return tuple(made[id(x)] for x in terms)


def _of_rows(terms: Terms, add: Callable[[Terms], Any]) -> Any | None:
    """All elements of a matrix: two short rows each by itself, any other number of rows as one row."""
    rows, columns, _ = terms[0].shape
    if rows > LONGEST or columns > LONGEST or (rows % 4 == 0 and columns < UNROLLED):
        return None
    if rows == 2 and columns < UNROLLED:
        first, second = (add(_ordered(tuple(x[row] for x in terms), (0, 1), (columns, 1))) for row in (0, 1))
        return first + second
    return add(_ordered(terms, (0, 1, 2), (rows * columns, 1)))


def _add_up(terms: Terms) -> Any:
    (x,) = terms
    return np.add.accumulate(x, axis=0)[-1] + np.float32(0)


def _products(terms: Terms) -> Any:
    a, b = (x.astype(np.float64) for x in terms)
    total = (a[0] * b[0]).astype(np.float32)
    for row in range(1, len(a)):
        total = (a[row] * b[row] + total).astype(np.float32)
    return total


def _squares(terms: Terms) -> Any:
    """Of the first two squares it is the second that is rounded alone."""
    order = np.arange(len(terms[0]))
    order[:2] = order[:2][::-1]
    x = terms[0][order]
    return _products((x, x))
