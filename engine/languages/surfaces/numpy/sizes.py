"""How large the results of numpy's functions are, and how much work: known before a function is called.

A size rule takes what it asks for of what the function takes, lists as arrays, and gives a `Size`. A
function without a rule gives no more elements than the largest of its arguments, and looks at each of them
a few times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.operators import work_of_product

SORTING = 8  # element operations to put one element in order, about
CALLING = 1000  # to call numpy on a few numbers


@dataclass(frozen=True, slots=True)
class Size:
    """shape: of the largest array that a call makes. operations: on single elements, beside making it."""

    shape: Sequence[int] = ()
    operations: int = 0

    def check(self, budget: Budget) -> None:
        """Raises: LimitError where a budget has no room for it."""
        budget.check_elements(self.shape)
        budget.spend(self.operations)


Rule = Callable[..., Size]


def together(*values: Any) -> tuple[int, ...]:
    """The shape that arrays and numbers are broadcast to. Raises: ValueError where they do not fit."""
    return np.broadcast_shapes(*(np.shape(value) for value in values if value is not None))


def rows_along(a: Any, axis: Any) -> int:
    """How many vectors an array has along an axis; of all elements in a row there is one."""
    return 1 if axis is None or not a.ndim else a.size // max(a.shape[axis], 1)


def in_order(count: int) -> int:
    """Element operations to sort so many elements."""
    return count * SORTING


def factoring(a: Any) -> int:
    """Element operations to take matrices apart: their elements times the shorter of their sides."""
    return int(a.size) * (min(a.shape[-2:]) if a.ndim > 1 else 1)


def solving(a: Any, *more: Any) -> Size:
    """Of a function of matrices in stacks; what else it takes is broadcast to as many."""
    if not more:
        return Size(a.shape, factoring(a))
    given = more[0]
    stacked = np.broadcast_shapes(a.shape[:-2], given.shape[:-2] if given.ndim > 1 else ())
    repeated = max(prod(stacked) // max(prod(given.shape[:-2]), 1), 1)
    columns = repeated * given.size * (a.shape[-1] if a.ndim else 1)
    repeated = max(prod(stacked) // max(prod(a.shape[:-2]), 1), 1)
    return Size((*stacked, *given.shape[-2:]), max(repeated * factoring(a), columns))


def summed(subscripts: str, arrays: Sequence[Any]) -> Size:
    """Of `einsum`: the letters of the result, and all letters together."""
    terms, arrow, result = subscripts.replace(" ", "").partition("->")
    lengths: dict[str, int] = {}
    widest = ""
    for term, array in zip(terms.split(","), arrays, strict=True):
        more = _ellipsis(array.ndim - len(term.replace("...", "")))
        widest = max(widest, more, key=len) if "..." in term else widest
        for letter, length in zip(term.replace("...", more), array.shape, strict=True):
            lengths[letter] = max(length, lengths.get(letter, 1))
    if not arrow:
        alone = [letter for letter in set(terms) if terms.count(letter) == 1 and letter.isalpha()]
        result = "..." + "".join(alone)
    shape = [lengths[letter] for letter in result.replace("...", widest)]
    return Size(shape, work_of_product(prod(lengths.values()), *arrays))


def _ellipsis(count: int) -> str:
    """Digits in place of `...`, counted from the last axis, so that operands are aligned there."""
    return "".join(str(place) for place in range(count - 1, -1, -1))


def _taken(a: Any, indices: Any, axis: Any = None) -> Size:
    return Size((np.size(indices), rows_along(a, axis)))


def _inserted(arr: Any, obj: Any = 0, values: Any = 0, axis: Any = None) -> Size:
    more = max(np.size(obj), np.size(values)) * rows_along(arr, axis)
    return Size((arr.size + more,), in_order(np.size(obj)))


def _ranked(a: Any, q: Any, axis: Any = None) -> Size:
    return Size((np.size(q), rows_along(a, axis if isinstance(axis, int) else None)), in_order(a.size))


def _missing_ranked(a: Any, q: Any, axis: Any = None) -> Size:
    """Where some numbers are missing each row is looked at by itself."""
    size = _ranked(a, q, axis)
    return Size(size.shape, size.operations + CALLING * a.size)


def _crossed(a: Any, b: Any) -> Size:
    return Size((*together(a[..., 0], b[..., 0]), 3)) if a.ndim and b.ndim else Size()


def _polynomial(p: Any, x: Any) -> Size:
    shape = np.broadcast_shapes(p.shape[1:], x.shape)
    return Size(shape, (p.shape or (1,))[0] * (prod(shape) + CALLING))


def _of_coefficients(p: Any, m: Any = 1) -> Size:
    """Of a polynomial in a row, taken so many times."""
    if p.ndim > 1:
        raise ValueError
    return Size((p.size + max(int(m), 0),), (p.size + CALLING) * max(int(m), 1))


def _fitted(x: Any, deg: Any = 1) -> Size:
    columns = min(max(int(deg), 0), x.size) + 1
    return Size((max(x.size, 1), columns), x.size * columns**2)


def _rolled(a: Any, shift: Any = 0, axis: Any = None) -> Size:
    axes = 1 if axis is None else min(np.size(axis), sum(length > 1 for length in a.shape))
    return Size(a.shape, (2**axes + max(np.size(shift), np.size(axis))) * CALLING)


def _triangle(m: Any) -> Size:
    return Size((m.size, m.size) if m.ndim == 1 else m.shape)


def _places(a: Any) -> Size:
    return Size((a.size, max(a.ndim, 1)))


def _norm(x: Any, ord: Any = None) -> Size:
    of_values = ord in (2, -2, "nuc") and x.ndim > 1
    return Size(x.shape, factoring(x) if of_values else 0)


def _pair(a: Any, b: Any, rtol: Any = 0, atol: Any = 0) -> Size:
    return Size(together(a, b, rtol, atol))


SIZES: Mapping[str, Rule] = {
    "allclose": _pair,
    "argsort": lambda a: Size(a.shape, in_order(a.size)),
    "argwhere": _places,
    "argpartition": lambda a, kth: Size(a.shape, in_order(a.size + kth.size)),
    "compress": lambda condition, a: Size(a.shape),
    "digitize": lambda x, bins: Size(x.shape, in_order(x.size + bins.size)),
    "ediff1d": lambda ary: Size((ary.size,)),
    "flatnonzero": lambda a: Size((a.size,)),
    "i0": lambda x: Size((32, *x.shape)),
    "lexsort": lambda keys: Size(keys.shape, in_order(keys.size)),
    "clip": lambda a, a_min, a_max: Size(together(a, a_min, a_max)),
    "cross": _crossed,
    "delete": lambda arr, obj=0: Size(arr.shape, in_order(np.size(obj))),
    "diff": lambda a, n=1: Size(a.shape, max(int(n), 0) * (a.size + CALLING)),
    "insert": _inserted,
    "isclose": _pair,
    "isin": lambda element, test_elements: Size((), in_order(element.size + test_elements.size)),
    "linalg.norm": _norm,
    "median": lambda a: Size((), in_order(a.size)),
    "nan_to_num": lambda x, nan=0.0, posinf=None, neginf=None: Size(together(x, nan, posinf, neginf)),
    "nanmedian": lambda a: Size(a.shape, in_order(a.size) + CALLING * a.size),
    "nanpercentile": lambda a, q, axis=None: _missing_ranked(a, q, axis),
    "nanquantile": lambda a, q, axis=None: _missing_ranked(a, q, axis),
    "nonzero": _places,
    "partition": lambda a, kth: Size(a.shape, in_order(a.size + kth.size)),
    "percentile": _ranked,
    "polyfit": _fitted,
    "polyadd": lambda a1, a2: Size((a1.size + a2.size,)),
    "polyder": _of_coefficients,
    "polyint": _of_coefficients,
    "polymul": lambda a1, a2: Size((a1.size + a2.size,), a1.size * a2.size),
    "polysub": lambda a1, a2: Size((a1.size + a2.size,)),
    "polyval": _polynomial,
    "quantile": _ranked,
    "roll": _rolled,
    "searchsorted": lambda v: Size(v.shape, in_order(v.size)),
    "sort": lambda a: Size(a.shape, in_order(a.size)),
    "take": _taken,
    "tril": _triangle,
    "triu": _triangle,
    "trim_zeros": lambda filt: Size(filt.shape, CALLING * filt.size),
}
