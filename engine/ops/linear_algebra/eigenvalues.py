"""Eigenvalues and eigenvectors of any square matrix: complex numbers. PyTorch's surface uses them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.tensors import Array
from engine.ops.elementwise.complex_numbers import BY_PYTORCH, WHOLE, whole_type
from engine.ops.linear_algebra.factorization import solvable


def _effort(made: int, arguments: Any) -> int:
    """25 n³ of each matrix."""
    (matrix,) = arguments
    return int(25 * np.size(matrix) * np.shape(matrix)[-1])


@op(
    "Eig",
    inputs="input",
    outputs=lambda attributes: whole_type(attributes) * 2,
    shape=lambda a: [a[:-1], a],
    effort=_effort,
    latex=r"{input} = V\, \mathrm{diag}(\lambda)\, V^{-1}",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("方阵的特征值和特征向量（每列一个），均为复数。")
def eig(input: Array) -> Any:
    """Eigenvalues and eigenvectors, one in each column. Shapes: a (*B, n, n) -> (*B, n), (*B, n, n)."""
    kind = WHOLE.get(input.dtype.name, input.dtype.name)
    return [part.astype(kind) for part in solvable(np.linalg.eig, input)]
