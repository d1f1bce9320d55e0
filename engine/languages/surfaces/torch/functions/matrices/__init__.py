"""Products of matrices and vectors, einsum, and what linear algebra makes of a matrix."""

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
from engine.languages.surfaces.torch.functions.matrices.products import (
    MM,
    addmm,
    addmv,
    baddbmm,
    bmm,
    dot,
    kron,
    matmul,
    mm,
    multi_dot,
    mv,
    outer,
    tensordot,
)

__all__ = [
    "MM",
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
