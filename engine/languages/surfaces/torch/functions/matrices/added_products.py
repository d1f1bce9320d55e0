"""What is added to a product: `torch.addmm`, `torch.addmv`, `torch.baddbmm`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.matrices.products import (
    bmm,
    check_inner,
    check_types,
    times_turned,
    turned_times,
)
from engine.languages.surfaces.torch.functions.matrices.vectors import mv, outer, shape_text
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import check_expands, t, transpose
from engine.languages.surfaces.torch.registry import torch_function


@differentiable("AddmmBackward0", saves="mat1:mat2 mat2:mat1 beta alpha", inputs="self mat1 mat2")
def _addmm(self: Any, mat1: Any, mat2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    product_ = ops.matrix_product(mat1, mat2)
    if alpha != 1:
        product_ = ops.mul(product_, np.asarray(alpha, dtype=mat1.dtype))
    if beta != 1:
        self = ops.mul(self, np.asarray(beta, dtype=mat1.dtype))
    return ops.add(product_, self)


_addmm.shown = (
    *("alpha", "beta", "mat1", "mat1_sym_sizes", "mat1_sym_strides"),
    *("mat2", "mat2_sym_sizes", "mat2_sym_strides"),
)


@_addmm.backward
def _addmm_backward(saved: Any, grad: Any) -> Any:
    def scaled(tensor: Any, factor: Any) -> Any:
        return tensor if factor == 1 else tensor * factor

    return (
        lambda: scaled(grad, saved.beta),
        lambda: scaled(times_turned(grad, saved.mat2), saved.alpha),
        lambda: scaled(turned_times(saved.mat1, grad), saved.alpha),
    )


@torch_function("addmm", method=True)
def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""
    check_types(mat1, mat2, added=True)
    if mat2.form.ndim != 2:
        raise torch_error(
            f"mat2 must be a matrix, got {mat2.form.ndim}-D tensor",
            "第二个参数必须是矩阵。",
            code="shape_mismatch",
        )
    check_inner(mat1, mat2)
    check_expands(input, (mat1.shape[0], mat2.shape[1]))
    _check_added(input, mat2)
    return _addmm(input, mat1, mat2, plain(beta), plain(alpha))


def _check_added(input: Any, mat2: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where what is added to a product is of another type."""
    if input.dtype is not mat2.dtype:
        found, wanted = input.dtype.scalar_name, mat2.dtype.scalar_name
        raise torch_error(
            f"self and mat2 must have the same dtype, but got {found} and {wanted}",
            f"加上的张量与矩阵的元素类型不同：{input.dtype.name} 与 {mat2.dtype.name}。",
            code="dtype_mismatch",
        )


@differentiable("AddmvBackward0", saves="mat:vec vec:mat beta alpha", inputs="self mat vec")
def _addmv(self: Any, mat: Any, vec: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    return ops.add(
        ops.mul(self, np.asarray(beta, dtype=mat.dtype)),
        ops.mul(ops.matvec(mat, vec), np.asarray(alpha, dtype=mat.dtype)),
    )


@_addmv.backward
def _addmv_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: grad * saved.beta,
        lambda: outer(grad, saved.vec) * saved.alpha,
        lambda: mv(t(saved.mat), grad) * saved.alpha,
    )


@torch_function("addmv", method=True)
def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    """beta * input + alpha * (mat @ vec)."""
    if mat.shape[1] != vec.shape[0] or input.form.shape not in ((mat.shape[0],), (1,), ()):
        raise torch_error(
            f"size mismatch, got input ({input.form.size}), mat ({shape_text(mat)}), vec ({vec.form.size})",
            f"形状 {shape_text(mat)} 的矩阵不能乘长度为 {vec.form.size} 的向量。",
            code="shape_mismatch",
        )
    return _addmv(input, mat, vec, plain(beta), plain(alpha))


@differentiable(
    "BaddbmmBackward0", saves="batch1:batch2 batch2:batch1 beta alpha", inputs="self batch1 batch2"
)
def _baddbmm(self: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    return ops.add(
        ops.mul(self, np.asarray(beta, dtype=batch1.dtype)),
        ops.mul(ops.matrix_product(batch1, batch2), np.asarray(alpha, dtype=batch1.dtype)),
    )


@_baddbmm.backward
def _baddbmm_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: grad * saved.beta,
        lambda: bmm(grad, transpose(saved.batch2, 1, 2)) * saved.alpha,
        lambda: bmm(transpose(saved.batch1, 1, 2), grad) * saved.alpha,
    )


@torch_function("baddbmm", method=True)
def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    """beta * input + alpha * bmm(batch1, batch2)."""
    check_expands(input, (*batch1.shape[:2], batch2.shape[-1]))
    return _baddbmm(input, batch1, batch2, plain(beta), plain(alpha))
