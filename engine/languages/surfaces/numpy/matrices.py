"""numpy's linear algebra: products, norms, inverses, factors, triangles and diagonals."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import Argument, word_of
from engine.languages.interpreter.builtins.containers import taken
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import check_operands, work_of_product
from engine.languages.surfaces.numpy.arranging import WORDS, on_arrays
from engine.languages.surfaces.numpy.module import ANY_NUMPY, NUMPY, numpy_dtype, option, to_array, unpack
from engine.languages.surfaces.numpy.sizes import CALLING, solving, summed
from engine.languages.surfaces.numpy.universal import given_back, written_into

EINSUM = re.compile(r"[A-Za-z,. ]*(->[A-Za-z. ]*)?")
SUBSCRIPTS = Argument(
    "letters, commas and ->",
    "字母、逗号和 ->",
    lambda value: isinstance(value, str) and EINSUM.fullmatch(value) is not None,
    'Write one letter for each axis: "ij,jk->ik".',
    '每个轴写一个字母："ij,jk->ik"。',
    code="unknown_word",
)

ON_ARRAYS: dict[str, Callable[..., Any]] = {
    "triu": lambda m, k=0: np.triu(m, k),
    "tril": lambda m, k=0: np.tril(m, k),
    "cross": lambda a, b, axisa=-1, axisb=-1, axisc=-1, axis=None: np.cross(a, b, axisa, axisb, axisc, axis),
    "linalg.norm": lambda x, ord=None, axis=None, keepdims=False: np.linalg.norm(x, ord, axis, keepdims),
}
for name, function in ON_ARRAYS.items():
    NUMPY.function(name, **WORDS.get(name, {}))(on_arrays(name, function))


@NUMPY.function("trace")
def trace(
    interpreter: Interpreter, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None
) -> Any:
    """The sum of a diagonal of each matrix."""
    return unpack(np.trace(to_array(interpreter, a), int(offset), axis1, axis2, numpy_dtype(dtype)))


def _check_product(interpreter: Interpreter, a: Any, b: Any) -> None:
    """A product over the last axis of a: how large it is, and how much work."""
    inner = a.shape[-1] if a.ndim else 1
    interpreter.budget.check_elements((*a.shape[:-1], *b.shape[:-2], *b.shape[-1:]))
    interpreter.budget.spend(work_of_product(a.size * max(b.size // max(inner, 1), 1), a, b))


@NUMPY.function("dot")
def dot(interpreter: Interpreter, a: Any, b: Any, out: Any = None) -> Any:
    """The matrix product; of stacks of matrices that of each with each."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    _check_product(interpreter, left, right)
    return given_back(np.dot(left, right, None if out is None else written_into(out)), out)


@NUMPY.function("matmul")
def matmul(interpreter: Interpreter, x1: Any, x2: Any, /, out: Any = None) -> Any:
    """The matrix product; of stacks of matrices that of each pair."""
    left, right = to_array(interpreter, x1), to_array(interpreter, x2)
    check_operands(ast.MatMult, left, right, interpreter.budget)
    target = {} if out is None else {"out": written_into(out)}
    return given_back(np.matmul(left, right, **target), out)


@NUMPY.function("vdot")
def vdot(interpreter: Interpreter, a: Any, b: Any, /) -> Any:
    """The sum of the products of all elements."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    interpreter.budget.spend(work_of_product(left.size, left, right))
    return unpack(np.vdot(left, right))


@NUMPY.function("inner")
def inner(interpreter: Interpreter, a: Any, b: Any, /) -> Any:
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
        with _answering():
            found = _real(function(*arrays))
        return tuple(found) if isinstance(found, tuple) else unpack(found)

    return call


@contextmanager
def _answering() -> Iterator[None]:
    """Raises: ProgramError where numpy finds no answer inside."""
    try:
        yield
    except np.linalg.LinAlgError as error:
        raise _no_answer(error) from None


def _no_answer(error: Exception) -> ProgramError:
    reason = str(error).rstrip(".")
    return ProgramError(
        f"numpy finds no answer: {reason}.",
        message_zh=f"numpy 无法求解：{reason}。",
        hint="The matrix must be square, and for this its rows may not depend on each other.",
        hint_zh="矩阵必须是方阵，且各行不能线性相关。",
        kind="LinAlgError",
        said=str(error),
        code="singular_matrix",
    )


SOLVERS: dict[str, Callable[..., Any]] = {
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "pinv": np.linalg.pinv,
    "eigh": lambda a: tuple(np.linalg.eigh(a)),
    "eigvalsh": np.linalg.eigvalsh,
    "cholesky": np.linalg.cholesky,
    "matrix_rank": np.linalg.matrix_rank,
    "solve": np.linalg.solve,
    "eigvals": np.linalg.eigvals,
    "eig": lambda a: tuple(np.linalg.eig(a)),
    "slogdet": lambda a: tuple(map(unpack, np.linalg.slogdet(a))),
}
for name, function in SOLVERS.items():
    NUMPY.function(f"linalg.{name}")(_solving(function))


def _real(found: Any) -> Any:
    """Raises: ProgramError for complex numbers, which arrays here do not hold."""
    parts = found if isinstance(found, tuple) else (found,)
    if any(np.iscomplexobj(part) for part in parts):
        raise ProgramError(
            "The eigenvalues of this matrix are complex numbers, which are not supported.",
            message_zh="该矩阵的特征值是复数，这里不支持复数。",
            hint="A symmetric matrix has real ones: np.linalg.eigh(a).",
            hint_zh="对称矩阵的特征值是实数：np.linalg.eigh(a)。",
            code="refused_complex",
        )
    return found


SIDES = word_of("reduced", "complete")


@NUMPY.function("linalg.lstsq")
def lstsq(interpreter: Interpreter, a: Any, b: Any, rcond: Any = None) -> Any:
    """The x for which a x is nearest to b, with the rest, the rank and the singular values."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    solving(left, right).check(interpreter.budget)
    with _answering():
        found = np.linalg.lstsq(left, right, rcond=None if rcond is None else float(rcond))
    return tuple(unpack(part) if isinstance(part, np.ndarray) else part for part in found)


@NUMPY.function("linalg.svd")
def svd(
    interpreter: Interpreter,
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    hermitian: Any = False,
) -> Any:
    """A matrix as u @ diag(s) @ vh, with the singular values s in order."""
    matrix = to_array(interpreter, a)
    sides = matrix.shape[-2:]
    if full_matrices and compute_uv:
        interpreter.budget.check_elements((*matrix.shape[:-2], *(max(sides, default=0),) * 2))
    interpreter.budget.spend(matrix.size * max(sides, default=1))
    with _answering():
        found = ANY_NUMPY.linalg.svd(matrix, bool(full_matrices), bool(compute_uv), bool(hermitian))
    return tuple(found) if compute_uv else found


@NUMPY.function("linalg.qr", mode=SIDES)
def qr(interpreter: Interpreter, a: Any, mode: str = "reduced") -> Any:
    """A matrix as an orthonormal one times an upper triangle."""
    matrix = to_array(interpreter, a)
    if mode == "complete":
        interpreter.budget.check_elements((*matrix.shape[:-1], *matrix.shape[-2:-1]))
    interpreter.budget.spend(matrix.size * max(matrix.shape[-2:], default=1))
    with _answering():
        return tuple(np.linalg.qr(matrix, mode))  # type: ignore[call-overload]  # one of SIDES


@NUMPY.function("linalg.matrix_power")
def matrix_power(interpreter: Interpreter, a: Any, n: Any) -> Any:
    """A matrix times itself, so many factors in all."""
    matrix = to_array(interpreter, a)
    times = max(abs(int(n)).bit_length(), 1) * 2
    interpreter.budget.spend(times * (solving(matrix).operations + CALLING))
    with _answering():
        return np.linalg.matrix_power(matrix, int(n))


@NUMPY.function("linalg.cond")
def cond(interpreter: Interpreter, x: Any) -> Any:
    """The largest singular value over the smallest."""
    matrix = to_array(interpreter, x)
    solving(matrix).check(interpreter.budget)
    with _answering():
        return unpack(np.linalg.cond(matrix))


@NUMPY.function("linalg.multi_dot")
def multi_dot(interpreter: Interpreter, arrays: Any) -> Any:
    """The product of several matrices."""
    first, *others = (to_array(interpreter, one) for one in taken(arrays, interpreter.budget))
    for other in others:
        check_operands(ast.MatMult, first, other, interpreter.budget)
        first = first @ other
    return unpack(first)


@NUMPY.function("roots")
def roots(interpreter: Interpreter, p: Any) -> Any:
    """Where a polynomial is 0."""
    coefficients = to_array(interpreter, p)
    interpreter.budget.check_elements((coefficients.size, coefficients.size))
    interpreter.budget.spend(coefficients.size**3)
    return _real(np.roots(coefficients))


NUMPY.value(EXCEPTIONS["LinAlgError"], "linalg.LinAlgError")
