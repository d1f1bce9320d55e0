"""`jax.scipy.linalg`: matrices that a rule gives, such as those of Hankel, Hadamard and Pascal."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def matrix(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: a function under its own name."""
    FUNCTIONS[function.__name__] = function
    return function


def _vectors(name: str, *values: Any) -> list[Any]:
    """Arrays as vectors. Raises: TypeError for lists, as JAX does."""
    return [JNP["ravel"](x) for x in check_arrays(name, values)]


@matrix
def circulant(c: Any) -> Any:
    """Each column is the one before, moved down by one. Shapes: (n,) -> (n, n)."""
    (x,) = _vectors("circulant", c)
    n = shape_of(x)[0]
    return JNP["take"](x, (np.arange(n)[:, None] - np.arange(n)[None, :]) % n, 0)


@matrix
def hankel(c: Any, r: Any = None) -> Any:
    """Constant along the other diagonals; its first column, last row. Shapes: (n,), (m,) -> (n, m)."""
    column = _vectors("hankel", c)[0]
    row = JNP["zeros_like"](column) if r is None else _vectors("hankel", r)[0]
    every = JNP["concatenate"]([column, row[1:]])
    n, m = shape_of(column)[0], shape_of(row)[0]
    return JNP["take"](every, np.arange(n)[:, None] + np.arange(m)[None, :], 0)


@matrix
def companion(a: Any) -> Any:
    """The matrix with a characteristic polynomial of these coefficients. Shapes: (n,) -> (n - 1, n - 1)."""
    (x,) = promote("companion", *_vectors("companion", a), inexact=True)
    n = shape_of(x)[0] - 1
    below = np.eye(n, k=-1, dtype=aval_of(x).dtype)
    return JNP["vstack"]([-x[1:] / x[0], array(below[1:])])


@matrix
def leslie(f: Any, s: Any) -> Any:
    """How many are born of each age, and which share lives on. Shapes: (n,), (n - 1,) -> (n, n)."""
    born, alive = promote("leslie", *_vectors("leslie", f, s))
    rest = JNP["pad"](JNP["diag"](alive), ((0, 0), (0, 1)))
    return JNP["vstack"]([born, rest])


@matrix
def convolution_matrix(a: Any, n: Any, mode: Any = "full") -> Any:
    """The matrix whose product with a vector of n numbers is their convolution with a."""
    (x,), count = _vectors("convolution_matrix", a), int(n)
    length = shape_of(x)[0]
    rows = np.arange(length + count - 1)[:, None] - np.arange(count)[None, :]
    inside = (rows >= 0) & (rows < length)
    found = JNP["where"](inside, JNP["take"](x, np.clip(rows, 0, length - 1), 0), 0)
    first = {"full": 0, "same": (min(count, length) - 1) // 2, "valid": min(count, length) - 1}[mode]
    sizes = {"full": length + count - 1, "same": max(count, length), "valid": abs(count - length) + 1}
    return found[first : first + sizes[mode]]


@matrix
def fiedler(a: Any) -> Any:
    """|aᵢ - aⱼ|. Shapes: (n,) -> (n, n)."""
    (x,) = _vectors("fiedler", a)
    return JNP["abs"](x[:, None] - x[None, :])


def _of_float(rows: Any) -> Any:
    return array(np.asarray(rows), dtype=default_float())


@matrix
def hadamard(n: Any, dtype: Any = None) -> Any:
    """Rows of 1 and -1 at right angles; n is a power of two. Raises: ValueError where it is not."""
    count = int(n)
    if count < 1 or count & (count - 1):
        raise value_error("n must be an integer, and n must be a power of 2", "n 必须是 2 的幂。")
    found = np.ones((1, 1), int)
    while len(found) < count:
        found = np.block([[found, found], [found, -found]])
    return array(found, dtype=dtype or default_int())


@matrix
def invhilbert(n: Any) -> Any:
    """The inverse of `hilbert(n)`, of whole numbers."""
    m = int(n)
    places = range(1, m + 1)
    rows = [
        [
            (-1) ** (i + j)
            * (i + j - 1)
            * comb(m + i - 1, m - j)
            * comb(m + j - 1, m - i)
            * comb(i + j - 2, i - 1) ** 2
            for j in places
        ]
        for i in places
    ]
    return _of_float(rows)


def _pascal(n: int, kind: str) -> Any:
    lower = np.array([[comb(i, j) for j in range(n)] for i in range(n)], float)
    return {"lower": lower, "upper": lower.T, "symmetric": lower @ lower.T}[kind]


@matrix
def pascal(n: Any, kind: Any = None) -> Any:
    """Binomial coefficients. Raises: ValueError for an unknown kind."""
    return _of_float(_pascal(int(n), _known_kind(kind)))


@matrix
def invpascal(n: Any, kind: Any = None) -> Any:
    """The inverse of `pascal(n, kind)`."""
    return _of_float(np.rint(np.linalg.inv(_pascal(int(n), _known_kind(kind)))))


def _known_kind(kind: Any) -> str:
    kind = "symmetric" if kind is None else kind
    if kind not in ("lower", "upper", "symmetric"):
        said = 'kind must be "symmetric", "lower", or "upper"'
        raise value_error(said, f"kind 不能是 {kind!r}。")
    return str(kind)


@matrix
def helmert(n: Any, full: Any = False) -> Any:
    """Orthogonal rows: each compares a number with the mean of those before. Shapes: (n - 1, n)."""
    count = int(n)
    rows = np.tril(np.ones((count, count)), -1) - np.diag(np.arange(count, dtype=float))
    rows[0] = 1
    sizes = np.arange(count) * np.arange(1, count + 1)
    sizes[0] = count
    return _of_float((rows / np.sqrt(sizes)[:, None])[0 if full else 1 :])


@matrix
@takes_only(scale=(None, "sqrtn", "n"))
def dft(n: Any, scale: Any = None) -> Any:
    """The matrix of the discrete Fourier transform: exp(-2πi jk / n)."""
    count = int(n)
    turns = np.outer(np.arange(count), np.arange(count))
    found = np.exp(-2j * np.pi * turns / count)
    return array(found / {None: 1, "sqrtn": np.sqrt(count), "n": count}[scale], dtype="complex64")
