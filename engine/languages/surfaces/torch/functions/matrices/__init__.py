"""Products of matrices and vectors, einsum, and what linear algebra makes of a matrix."""

from engine.languages.surfaces.torch.functions.matrices.added_products import addmm, addmv, baddbmm
from engine.languages.surfaces.torch.functions.matrices.contractions import kron, multi_dot, tensordot
from engine.languages.surfaces.torch.functions.matrices.einsum import einsum
from engine.languages.surfaces.torch.functions.matrices.inverses import (
    cholesky,
    det,
    inverse,
    logdet,
    matrix_power,
    solve,
)
from engine.languages.surfaces.torch.functions.matrices.parts import trace
from engine.languages.surfaces.torch.functions.matrices.products import bmm, matmul, mm
from engine.languages.surfaces.torch.functions.matrices.vectors import dot, mv, outer

__all__ = [
    "addmm",
    "addmv",
    "baddbmm",
    "bmm",
    "cholesky",
    "det",
    "dot",
    "einsum",
    "inverse",
    "kron",
    "logdet",
    "matmul",
    "matrix_power",
    "mm",
    "multi_dot",
    "mv",
    "outer",
    "solve",
    "tensordot",
    "trace",
]
