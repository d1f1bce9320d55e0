"""TensorFlow's linear algebra: diagonals, triangles, inverses, norms."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import offer, offer_op
from engine.ops.linear_algebra import decomposition, diagonals, factorization, solving, triangular
from engine.ops.linear_algebra import products as linalg
from engine.ops.networks import normalizing

offer(diagonals.eye, "eye", "linalg.eye")
offer(diagonals.matrix_diag, "linalg.diag", "matrix_diag")
offer(diagonals.matrix_diag_part, "linalg.diag_part", "matrix_diag_part")
offer(diagonals.matrix_set_diag, "linalg.set_diag", "matrix_set_diag")
offer(diagonals.trace, "linalg.trace", "trace")
offer(factorization.adjoint, "linalg.adjoint")
offer(factorization.matrix_transpose, "linalg.transpose", "matrix_transpose")
offer(linalg.matvec, "linalg.matvec")
offer(normalizing.norm, "linalg.norm", "norm", keep_dims="keepdims")
offer(triangular.cholesky_solve, "cholesky_solve", "linalg.cholesky_solve")
offer(triangular.matrix_band_part, "linalg.band_part", "matrix_band_part")

offer(solving.logdet, "linalg.logdet")
offer(solving.lstsq, "linalg.lstsq", "matrix_solve_ls")

offer_op(diagonals.diag, "diag")
offer_op(diagonals.diag_part, "diag_part")
offer_op(factorization.matrix_determinant, "linalg.det", "matrix_determinant")
offer_op(factorization.matrix_inverse, "linalg.inv", "matrix_inverse")
offer_op(factorization.matrix_solve, "linalg.solve", "matrix_solve")
offer_op(linalg.cross, "cross", "linalg.cross")
offer_op(triangular.cholesky, "cholesky", "linalg.cholesky")
offer_op(triangular.matrix_triangular_solve, "linalg.triangular_solve", "matrix_triangular_solve")


@TF.function("linalg.slogdet")
def slogdet(input: Any, name: Any = None) -> Any:
    """Sign and logarithm of the determinant."""
    return tuple(factorization.slogdet.node(input, name=name).outputs)


def _note_signs(interpreter: Interpreter) -> None:
    """Where TensorFlow's own vectors may point the other way."""
    interpreter.note(
        "signs_of_vectors",
        "These vectors are given up to their signs: TensorFlow may print some of them times -1.",
        "这些向量的正负号不唯一：TensorFlow 打印的某些向量可能相差一个负号。",
    )


@TF.function("linalg.svd", "svd")
def svd(
    interpreter: Interpreter,
    tensor: Any,
    full_matrices: Any = False,
    compute_uv: Any = True,
    name: Any = None,
) -> Any:
    """Singular values, and two orthonormal matrices: x = u diag(s) v^T."""
    options = {"compute_uv": bool(compute_uv), "full_matrices": bool(full_matrices)}
    s, u, v = decomposition.svd.node(tensor, name=name, **options).outputs
    if not compute_uv:
        return s
    _note_signs(interpreter)
    return s, u, v


@TF.function("linalg.qr", "qr")
def qr(input: Any, full_matrices: Any = False, name: Any = None) -> Any:
    """An orthonormal matrix times an upper triangle."""
    return tuple(decomposition.qr.node(input, name=name, full_matrices=bool(full_matrices)).outputs)


@TF.function("linalg.eigh", "self_adjoint_eig")
def self_adjoint_eig(interpreter: Interpreter, tensor: Any, name: Any = None) -> Any:
    """Eigenvalues and eigenvectors of a symmetric matrix."""
    _note_signs(interpreter)
    return tuple(decomposition.self_adjoint_eig.node(tensor, name=name).outputs)


@TF.function("linalg.eigvalsh", "self_adjoint_eigvals")
def self_adjoint_eigvals(tensor: Any, name: Any = None) -> Any:
    """Eigenvalues of a symmetric matrix."""
    return decomposition.self_adjoint_eig.node(tensor, name=name, compute_v=False).outputs[0]
