"""numpy's linear algebra: products, norms, inverses, factors, triangles and diagonals."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import work_of_product
from engine.languages.surfaces.numpy.arranging import WORDS, on_arrays
from engine.languages.surfaces.numpy.module import NUMPY, option, to_array, unpack
from engine.languages.surfaces.numpy.sizes import solving, summed

EINSUM = re.compile(r"[A-Za-z, ]*(->[A-Za-z ]*)?")
SUBSCRIPTS = Argument(
    "letters, commas and ->",
    "字母、逗号和 ->",
    lambda value: isinstance(value, str) and EINSUM.fullmatch(value) is not None,
    'Write one letter for each axis: "ij,jk->ik".',
    '每个轴写一个字母："ij,jk->ik"。',
    code="unknown_word",
)

ON_ARRAYS: dict[str, Callable[..., Any]] = {
    "trace": lambda a, offset=0: np.trace(a, offset),
    "triu": lambda m, k=0: np.triu(m, k),
    "tril": lambda m, k=0: np.tril(m, k),
    "cross": lambda a, b: np.cross(a, b),
    "linalg.norm": lambda x, ord=None, axis=None, keepdims=False: np.linalg.norm(x, ord, axis, keepdims),
}
for name, function in ON_ARRAYS.items():
    NUMPY.function(name, **WORDS.get(name, {}))(on_arrays(name, function))


def _check_product(interpreter: Interpreter, a: Any, b: Any) -> None:
    """A product over the last axis of a: how large it is, and how much work."""
    inner = a.shape[-1] if a.ndim else 1
    interpreter.budget.check_elements((*a.shape[:-1], *b.shape[:-2], *b.shape[-1:]))
    interpreter.budget.spend(work_of_product(a.size * max(b.size // max(inner, 1), 1), a, b))


@NUMPY.function("dot", "matmul")
def dot(interpreter: Interpreter, a: Any, b: Any) -> Any:
    """The matrix product."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    _check_product(interpreter, left, right)
    return unpack(np.dot(left, right))


@NUMPY.function("vdot")
def vdot(interpreter: Interpreter, a: Any, b: Any) -> Any:
    """The sum of the products of all elements."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    interpreter.budget.spend(work_of_product(left.size, left, right))
    return unpack(np.vdot(left, right))


@NUMPY.function("inner")
def inner(interpreter: Interpreter, a: Any, b: Any) -> Any:
    """The sum of products over the last axes."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    interpreter.budget.check_elements((*left.shape[:-1], *right.shape[:-1]))
    interpreter.budget.spend(work_of_product(left.size * max(prod(right.shape[:-1]), 1), left, right))
    return unpack(np.inner(left, right))


@NUMPY.function("outer")
def outer(interpreter: Interpreter, a: Any, b: Any) -> Any:
    """Every element of a times every element of b."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    interpreter.budget.check_elements((left.size, right.size))
    return np.outer(left, right)


@NUMPY.function("kron")
def kron(interpreter: Interpreter, a: Any, b: Any) -> Any:
    """Every element of a times the whole of b."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    interpreter.budget.check_elements((left.size, right.size))
    return np.kron(left, right)


@NUMPY.function("tensordot")
def tensordot(interpreter: Interpreter, a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    if np.ndim(axes) == 0 and not 0 <= int(axes) <= min(left.ndim, right.ndim):
        raise ValueError
    over = axes if isinstance(axes, (int, np.integer)) else option(interpreter, axes[0])
    pairs = range(max(left.ndim - over, 0), left.ndim) if np.ndim(axes) == 0 else np.atleast_1d(over)
    inside = prod(left.shape[axis] for axis in pairs)
    made = (left.size // max(inside, 1)) * (right.size // max(inside, 1))
    interpreter.budget.check_elements((made,))
    interpreter.budget.spend(work_of_product(made * inside, left, right))
    return unpack(np.tensordot(left, right, axes))


@NUMPY.function("einsum", subscripts=SUBSCRIPTS)
def einsum(interpreter: Interpreter, subscripts: str, *operands: Any) -> Any:
    """Sums of products with one letter per axis: `ij,jk->ik` is a matrix product."""
    arrays = [to_array(interpreter, operand) for operand in operands]
    summed(subscripts, arrays).check(interpreter.budget)
    return unpack(np.einsum(subscripts, *arrays))


@NUMPY.function("diag")
def diag(interpreter: Interpreter, v: Any, k: int = 0) -> Any:
    """The diagonal of a matrix, or the matrix with this diagonal."""
    array = to_array(interpreter, v)
    side = array.size + abs(int(k))
    if array.ndim == 1:
        interpreter.budget.check_elements((side, side))
    return np.diag(array, int(k)).copy()


# -- inverses and factors ----------------------------------------------------------------------------


def _solving(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of square matrices, its work counted; one that has no answer is refused."""

    def call(interpreter: Interpreter, a: Any, *more: Any) -> Any:
        arrays = [to_array(interpreter, one) for one in (a, *more)]
        solving(*arrays).check(interpreter.budget)
        try:
            found = function(*arrays)
        except np.linalg.LinAlgError as error:
            raise _no_answer(error) from None
        return tuple(found) if isinstance(found, tuple) else unpack(found)

    return call


def _no_answer(error: Exception) -> ProgramError:
    reason = str(error).rstrip(".")
    return ProgramError(
        f"numpy finds no answer: {reason}.",
        message_zh=f"numpy 无法求解：{reason}。",
        hint="The matrix must be square, and for this its rows may not depend on each other.",
        hint_zh="矩阵必须是方阵，且各行不能线性相关。",
        code="singular_matrix",
    )


SOLVERS: dict[str, Callable[..., Any]] = {
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "pinv": np.linalg.pinv,
    "eigh": np.linalg.eigh,
    "eigvalsh": np.linalg.eigvalsh,
    "cholesky": np.linalg.cholesky,
    "matrix_rank": np.linalg.matrix_rank,
    "solve": np.linalg.solve,
    "lstsq": lambda a, b: tuple(np.linalg.lstsq(a, b, rcond=None)),
}
for name, function in SOLVERS.items():
    NUMPY.function(f"linalg.{name}")(_solving(function))
