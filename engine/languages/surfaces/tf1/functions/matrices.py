"""TensorFlow's linear algebra: diagonals, triangles, inverses, norms."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import offer, offer_op
from engine.ops.linear_algebra import diagonals, factorization, triangular
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
