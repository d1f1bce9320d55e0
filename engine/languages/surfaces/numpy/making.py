"""numpy's functions that make arrays by a rule: diagonals, triangles, grids, evenly spaced numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.builtins.containers import taken
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.numpy.module import ANY_NUMPY, NUMPY, lengths_of, numpy_dtype, to_array, unpack
from engine.languages.surfaces.numpy.sizes import together


def _whole(value: Any) -> int:
    """A whole number. Raises: TypeError for anything else."""
    if not isinstance(value, (int, np.integer)):
        raise TypeError
    return int(value)


@NUMPY.function("eye")
def eye(interpreter: Interpreter, N: int, M: Any = None, k: Any = 0, dtype: Any = "float64") -> Any:
    """Ones on a diagonal, the k-th above the main one."""
    rows, columns = _whole(N), _whole(N) if M is None else _whole(M)
    interpreter.budget.check_elements((max(rows, 0), max(columns, 0)))
    return np.eye(rows, columns, _whole(k), dtype=numpy_dtype(dtype))


@NUMPY.function("identity")
def identity(interpreter: Interpreter, n: int, dtype: Any = "float64") -> Any:
    """Ones on the diagonal of a square."""
    return eye(interpreter, n, dtype=dtype)


@NUMPY.function("tri")
def tri(interpreter: Interpreter, N: int, M: Any = None, k: Any = 0, dtype: Any = "float64") -> Any:
    """Ones at and below a diagonal."""
    rows, columns = _whole(N), _whole(N) if M is None else _whole(M)
    interpreter.budget.check_elements((max(rows, 0), max(columns, 0)))
    return np.tri(rows, columns, _whole(k), dtype=numpy_dtype(dtype))


@NUMPY.function("vander")
def vander(interpreter: Interpreter, x: Any, N: Any = None, increasing: Any = False) -> Any:
    """The powers of each element in a row."""
    values = to_array(interpreter, x)
    columns = values.size if N is None else _whole(N)
    interpreter.budget.check_elements((values.size, max(columns, 0)))
    return np.vander(values, columns, bool(increasing))


@NUMPY.function("diagflat")
def diagflat(interpreter: Interpreter, v: Any, k: Any = 0) -> Any:
    """The matrix with these elements on a diagonal."""
    values = to_array(interpreter, v)
    side = values.size + abs(_whole(k))
    interpreter.budget.check_elements((side, side))
    return np.diagflat(values, _whole(k))


@NUMPY.function("fill_diagonal")
def fill_diagonal(interpreter: Interpreter, a: Any, val: Any, wrap: Any = False) -> None:
    """Write these elements onto the diagonal of an array, in place."""
    if not isinstance(a, np.ndarray):
        raise TypeError
    interpreter.budget.spend(a.size)
    np.fill_diagonal(a, to_array(interpreter, val), bool(wrap))


@NUMPY.function("indices")
def indices(interpreter: Interpreter, dimensions: Any, dtype: Any = "int64") -> Any:
    """The coordinates of every place of an array of this shape."""
    lengths = lengths_of(interpreter, dimensions)
    interpreter.budget.check_elements((len(lengths), *lengths))
    return ANY_NUMPY.indices(lengths, dtype=numpy_dtype(dtype))


def _corner(name: str) -> None:
    make = getattr(np, name)

    def call(interpreter: Interpreter, n: int, k: Any = 0, m: Any = None) -> Any:
        rows, columns = _whole(n), _whole(n) if m is None else _whole(m)
        interpreter.budget.check_elements((2, max(rows, 0), max(columns, 0)))
        return make(rows, _whole(k), columns)

    NUMPY.function(name)(call)


for name in ("tril_indices", "triu_indices"):
    _corner(name)


@NUMPY.function("linspace")
def linspace(
    interpreter: Interpreter,
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """Evenly spaced numbers by their count; `retstep` also gives the distance between them."""
    first, last = to_array(interpreter, start), to_array(interpreter, stop)
    interpreter.budget.check_elements((max(_whole(num), 0), *together(first, last)))
    kind, place = numpy_dtype(dtype), _whole(axis)
    made = np.linspace(first, last, int(num), bool(endpoint), bool(retstep), kind, place)  # type: ignore[call-overload]
    return (made[0], unpack(np.asarray(made[1]))) if retstep else made


@NUMPY.function("geomspace")
def geomspace(
    interpreter: Interpreter, start: Any, stop: Any, num: int = 50, endpoint: Any = True, dtype: Any = None
) -> Any:
    """Numbers each of which is the one before it times the same factor."""
    interpreter.budget.check_elements((max(_whole(num), 0),))
    return np.geomspace(float(start), float(stop), int(num), bool(endpoint), numpy_dtype(dtype))


@NUMPY.function("fromiter")
def fromiter(interpreter: Interpreter, iter: Any, dtype: Any, count: Any = -1) -> Any:
    """A row of the items that something gives one by one."""
    items = list(taken(iter, interpreter.budget))
    return to_array(interpreter, items if _whole(count) < 0 else items[: int(count)], numpy_dtype(dtype))


@NUMPY.function("broadcast_to")
def broadcast_to(interpreter: Interpreter, array: Any, shape: Any) -> Any:
    """The array as one of a larger shape, which shows its elements more than once and is read-only."""
    return np.broadcast_to(to_array(interpreter, array), lengths_of(interpreter, shape))


@NUMPY.function("broadcast_arrays")
def broadcast_arrays(interpreter: Interpreter, *args: Any) -> Any:
    """Arrays as ones of the shape that they are broadcast to together."""
    arrays = [to_array(interpreter, one) for one in args]
    shape = together(*arrays)
    interpreter.budget.check_elements((max(len(arrays), 1), *shape))
    return tuple(np.broadcast_to(array, shape).copy() for array in arrays)


@NUMPY.function("meshgrid", indexing=word_of("xy", "ij"))
def meshgrid(
    interpreter: Interpreter, *xi: Any, copy: Any = True, sparse: Any = False, indexing: str = "xy"
) -> list[Any]:
    """For each vector of coordinates an array that has them along its own axis."""
    vectors = [to_array(interpreter, x) for x in xi]
    lengths = [1] if sparse else [max(vector.size, 1) for vector in vectors]
    interpreter.budget.check_elements((len(vectors), *lengths))
    grids = np.meshgrid(*vectors, sparse=bool(sparse), indexing=indexing)  # type: ignore[call-overload]  # "xy" or "ij"
    return [np.array(grid) for grid in grids]
