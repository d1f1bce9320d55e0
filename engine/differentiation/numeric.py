"""Numeric differentiation: run the function again a little to the side, and divide by the distance.

δ is a distance between two points of the function; it is no learning rate. Too large, and the curve
bends away between the points (truncation); too small, and the digits cancel (rounding).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.differentiation.forward import jacobian
from engine.differentiation.walk import Compute, in_type, kernel, kernel_in, moving, values_beside, walk
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array

Function = Callable[[Array], Any]  # all inputs in one vector -> one number

DELTAS: Mapping[str, tuple[float, ...]] = {
    "float32": tuple(10.0**-k for k in range(1, 9)),
    "float64": tuple(10.0**-k for k in range(1, 16)),
}
COMPLEX: Mapping[str, str] = {"float32": "complex64", "float64": "complex128"}


def complex_kernel(dtype: str) -> Compute:
    """A `Compute` for analytic ops in complex numbers."""
    real = kernel_in(dtype)

    def compute(node: Node, arguments: Sequence[Any]) -> Sequence[Any]:
        if node.op.analytic == "symbolic":  # its kernel looks at the sign of its input
            return [node.op.symbolic(*arguments)]
        return real(node, arguments)

    return compute


@dataclass(frozen=True, slots=True)
class GraphFunction:
    """The sum of y's elements as a function of all elements of the xs, in a float type of choice.

    known: values of the xs at the point, and of whatever else y needs.
    """

    y: Tensor
    xs: tuple[Tensor, ...]
    known: Mapping[Tensor, Array]

    def point(self, dtype: str) -> Array:
        """The elements of all xs one after the other."""
        return np.concatenate([np.ravel(np.asarray(self.known[x], dtype=dtype)) for x in self.xs])

    def in_type(self, dtype: str) -> Function:
        """The function with every float computed in `dtype`."""
        compute = complex_kernel(dtype) if dtype in COMPLEX.values() else kernel_in(dtype)
        given = {tensor: in_type(tensor, value, dtype) for tensor, value in self.known.items()}
        beside = values_beside([self.y], self.xs, given, compute)

        def evaluate(point: Array) -> Any:
            found = walk([self.y], beside | self._split(point), compute)
            return np.sum(found[self.y])

        return evaluate

    def is_analytic(self) -> bool:
        """Whether every op between the xs and y has a kernel that continues to complex numbers."""
        return all(node.op.analytic for node in moving([self.y], self.xs))

    def _split(self, point: Array) -> dict[Tensor, Array]:
        """A point taken apart into one array per x."""
        pieces, start = {}, 0
        for x in self.xs:
            shape = np.shape(self.known[x])
            size = int(np.prod(shape, dtype=np.int64))
            pieces[x] = point[start : start + size].reshape(shape)
            start += size
        return pieces


# -- the three quotients -----------------------------------------------------------------------------


def forward_difference(f: Function, point: Array, delta: float, first: int | None = None) -> Array:
    """(f(x + δ) - f(x)) / δ for each element of the point: n + 1 runs. Error about δ f''/2.

    first: only for so many elements, as with the other quotients.
    """
    base = f(point)
    return _partials(point, first, lambda i: (f(_moved(point, i, delta)) - base) / point.dtype.type(delta))


def central_difference(f: Function, point: Array, delta: float, first: int | None = None) -> Array:
    """(f(x + δ) - f(x - δ)) / 2δ for each element of the point: 2n runs. Error about δ² f'''/6."""
    width = point.dtype.type(2 * delta)
    return _partials(
        point, first, lambda i: (f(_moved(point, i, delta)) - f(_moved(point, i, -delta))) / width
    )


def complex_step(f: Function, point: Array, delta: float, first: int | None = None) -> Array:
    """Im f(x + iδ) / δ for each element of the point: n runs. Error about δ² f'''/6, and no digits cancel.

    f must compute with complex numbers. Source: Squire & Trapp (1998).
    """
    beside = point.astype(COMPLEX[point.dtype.name])
    return _partials(point, first, lambda i: np.imag(f(_moved(beside, i, 1j * delta))) / delta)


def _partials(point: Array, first: int | None, partial: Callable[[int], Any]) -> Array:
    with np.errstate(all="ignore"):
        return np.array([partial(i) for i in range(point.size)[:first]], dtype=point.dtype)


def _moved(point: Array, index: int, distance: complex) -> Array:
    moved = point.copy()
    moved[index] += point.dtype.type(distance)
    return moved


# -- sweeps and checks -------------------------------------------------------------------------------


def sweep(
    function: GraphFunction, dtype: str, deltas: Sequence[float] | None = None, first: int | None = None
) -> dict[str, Any]:
    """All three quotients for every δ in one float type, for the first so many elements or for all.

    Returns: `delta`, and a list of gradients (one number per element) for `forward`, `central` and
             `complex_step`; that list is empty where an op on the way has no complex form.
    """
    chosen = tuple(deltas or DELTAS[dtype])
    f, point = function.in_type(dtype), function.point(dtype)
    complex_f = function.in_type(COMPLEX[dtype]) if function.is_analytic() else None
    return {
        "delta": list(chosen),
        "forward": [forward_difference(f, point, delta, first) for delta in chosen],
        "central": [central_difference(f, point, delta, first) for delta in chosen],
        "complex_step": []
        if complex_f is None
        else [complex_step(complex_f, point, d, first) for d in chosen],
    }


def numeric_jacobian(
    evaluate: Callable[[Array], Array], x: Array, delta: float = 1e-3, *, central: bool = True
) -> Array:
    """The Jacobian by differences, as `tf.test.compute_gradient` lays it out.

    evaluate: an array shaped like x -> an array of any shape.
    Shapes:   x (*S), evaluate(x) (*T) -> (elements of x, elements of the result).
    """
    base = np.ravel(evaluate(x))
    rows = []
    for index in range(x.size):
        ahead = np.ravel(evaluate(_moved(np.ravel(x), index, delta).reshape(x.shape)))
        behind = np.ravel(evaluate(_moved(np.ravel(x), index, -delta).reshape(x.shape))) if central else base
        rows.append((ahead - behind) / (2 * delta if central else delta))
    return np.array(rows, dtype=base.dtype).reshape(x.size, base.size)


def compute_gradient(
    y: Tensor, x: Tensor, known: Mapping[Tensor, Array], delta: float = 1e-3
) -> tuple[Array, Array]:
    """`tf.test.compute_gradient`: the Jacobian in theory (the graph's own) and by central differences.

    Both have one row per element of x and one column per element of y; the differences are taken in the
    tensors' own float type, with δ = 0.001 unless the caller says otherwise.
    """
    value = np.asarray(known[x])
    theory = np.reshape(jacobian(y, x, known), (-1, value.size)).T
    beside = values_beside([y], [x], known, kernel)

    def evaluate(moved: Array) -> Array:
        found: Array = walk([y], {**beside, x: moved}, kernel)[y]
        return found

    return theory, numeric_jacobian(evaluate, value, delta)


def compute_gradient_error(y: Tensor, x: Tensor, known: Mapping[Tensor, Array], delta: float = 1e-3) -> float:
    """`tf.test.compute_gradient_error`: the largest difference between the two Jacobians."""
    theory, numeric = compute_gradient(y, x, known, delta)
    return float(np.max(np.abs(theory - numeric), initial=0.0))
