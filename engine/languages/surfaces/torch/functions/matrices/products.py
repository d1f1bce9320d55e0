"""Products of matrices, and batches of them: `torch.mm`, `torch.bmm`, `torch.matmul`."""

from __future__ import annotations

from math import prod
from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.matrices.vectors import dot, mv, shape_text
from engine.languages.surfaces.torch.functions.operands import broadcast_shape
from engine.languages.surfaces.torch.functions.shaping import (
    expand,
    reshape,
    squeeze,
    t,
    transpose,
    unsafe_view,
    unsqueeze,
)
from engine.languages.surfaces.torch.functions.untracked import is_noted
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import Tensor


def check_types(a: Any, b: Any, *, added: bool = False) -> None:
    """Raises: RuntimeError in the words of a product, or of one to which something is added."""
    if a.dtype is b.dtype:
        return
    if added:
        x, y = (one.dtype.scalar_name for one in (a, b))
        words = f"mat1 and mat2 must have the same dtype, but got {x} and {y}"
    else:
        x, y = (one.dtype.cpp_name for one in (a, b))
        words = f"expected m1 and m2 to have the same dtype, but got: {x} != {y}"
    raise torch_error(
        words,
        f"两个矩阵的元素类型不同：{a.dtype.name} 与 {b.dtype.name}。",
        code="dtype_mismatch",
    )


@differentiable("MmBackward0", saves="self:mat2 self_sym_sizes mat2:self mat2_sym_sizes", inputs="self mat2")
def _mm(self: Any, mat2: Any) -> Any:
    return ops.matrix_product(self, mat2)


_mm.shown = ("mat2", "mat2_sym_sizes", "mat2_sym_strides", "self", "self_sym_sizes", "self_sym_strides")


@_mm.backward
def _mm_backward(saved: Any, grad: Any) -> Any:
    return lambda: times_turned(grad, saved.mat2), lambda: turned_times(saved.self, grad)


@differentiable("NotImplemented", inputs="self mat2")
def _times_turned(self: Any, mat2: Any) -> Any:
    return ops.matrix_product(self, mat2, transpose_b=True)


@differentiable("NotImplemented", inputs="self mat2")
def _turned_times(self: Any, mat2: Any) -> Any:
    return ops.matrix_product(self, mat2, transpose_a=True)


def times_turned(a: Any, b: Any) -> Any:
    """a bᵀ, as one op where autograd takes no note. Shapes: (n, m), (p, m) -> (n, p)."""
    return mm(a, t(b)) if is_noted(a, b) else _times_turned(a, b)


def turned_times(a: Any, b: Any) -> Any:
    """aᵀ b, as one op where autograd takes no note. Shapes: (m, n), (m, p) -> (n, p)."""
    return mm(t(a), b) if is_noted(a, b) else _turned_times(a, b)


@torch_function("mm", method=True)
def mm(input: Any, mat2: Any, *, out: Any = None) -> Any:
    """The product of two matrices. Shapes: (n, m), (m, p) -> (n, p)."""
    if input.form.ndim != 2:
        raise torch_error("self must be a matrix", "第一个参数必须是矩阵。", code="shape_mismatch")
    if mat2.form.ndim != 2:
        raise torch_error("mat2 must be a matrix", "第二个参数必须是矩阵。", code="shape_mismatch")
    check_inner(input, mat2)
    check_types(input, mat2)
    return _mm(input, mat2)


def check_inner(a: Any, b: Any) -> None:
    """Raises: RuntimeError where the columns of the first are not as many as the rows of the second."""
    if a.shape[1] != b.shape[0]:
        raise torch_error(
            f"mat1 and mat2 shapes cannot be multiplied ({shape_text(a)} and {shape_text(b)})",
            f"形状 {shape_text(a)} 与 {shape_text(b)} 的矩阵不能相乘。",
            code="shape_mismatch",
            hint="The columns of the first must be as many as the rows of the second.",
            hint_zh="第一个矩阵的列数必须等于第二个的行数。",
        )


@differentiable("BmmBackward0", saves="self:mat2 mat2:self", inputs="self mat2")
def _bmm(self: Any, mat2: Any) -> Any:
    return ops.matrix_product(self, mat2)


@_bmm.backward
def _bmm_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: bmm(grad, transpose(saved.mat2, 1, 2)),
        lambda: bmm(transpose(saved.self, 1, 2), grad),
    )


@torch_function("bmm", method=True)
def bmm(input: Any, mat2: Any, *, out: Any = None) -> Any:
    """Products of matrices, one pair after the other. Shapes: (b, n, m), (b, m, p) -> (b, n, p)."""
    if input.form.ndim != 3 or mat2.form.ndim != 3:
        raise torch_error(
            "batch1 must be a 3D tensor" if input.form.ndim != 3 else "batch2 must be a 3D tensor",
            "bmm 需要三维张量。",
            code="shape_mismatch",
        )
    expected = (input.shape[0], input.shape[2])
    if mat2.shape[:2] != expected:
        raise torch_error(
            f"Expected size for first two dimensions of batch2 tensor to be: [{expected[0]}, "
            f"{expected[1]}] but got: "
            f"[{mat2.shape[0]}, {mat2.shape[1]}].",
            f"第二个张量的前两维应为 {list(expected)}，实际为 {list(mat2.shape[:2])}。",
            code="shape_mismatch",
        )
    _check_one_type(input, mat2)
    return _bmm(input, mat2)


def _check_one_type(a: Any, b: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where batches of matrices are of unlike types."""
    if a.dtype is not b.dtype:
        wanted, found = a.dtype.scalar_name, b.dtype.scalar_name
        raise torch_error(
            f"expected scalar type {wanted} but found {found}",
            f"两批矩阵的元素类型不同：{a.dtype.name} 与 {b.dtype.name}。",
            code="dtype_mismatch",
        )


@torch_function("matmul", method=True, operator="matmul")
def matmul(input: Any, other: Any, *, out: Any = None) -> Any:
    """The product of vectors, matrices, or batches of them."""
    if not isinstance(input, Tensor) or not isinstance(other, Tensor):
        raise TypeError  # said by what was given
    a, b = input.form.ndim, other.form.ndim
    if not a or not b:
        raise torch_error(
            f"both arguments to matmul need to be at least 1D, but they are {a}D and {b}D",
            f"matmul 的参数至少是一维，而这里是 {a} 维和 {b} 维。",
            code="shape_mismatch",
        )
    if a == b == 1:
        return dot(input, other)
    if (a, b) == (2, 1):
        return mv(input, other)
    if (a, b) == (1, 2):
        made = squeeze(mm(unsqueeze(input, 0), other), 0)
        return _named(made, "SqueezeBackward4")
    if (a, b) == (2, 2):
        return mm(input, other)
    return _batched(input, other)


def _named(tensor: Any, name: Any) -> Any:
    if tensor.node is not None:
        tensor.node.name = name
    return tensor


def _batched(a: Any, b: Any) -> Any:
    """Batches of matrices: folded into one matrix where only one side has several, else one by one."""
    first, second = a.form.ndim, b.form.ndim
    if (first >= 3 and second in (1, 2)) or (first in (1, 2) and second >= 3):
        return _folded(a, b)
    left = unsqueeze(a, 0) if first == 1 else a
    right = unsqueeze(b, 1) if second == 1 else b
    n, m, p = left.shape[-2], left.shape[-1], right.shape[-1]
    if right.shape[-2] != m:
        raise torch_error(
            f"Expected size for first two dimensions of batch2 tensor to be: [{prod(left.shape[:-2])}, "
            f"{m}] but got: "
            f"[{prod(right.shape[:-2])}, {right.shape[-2]}].",
            f"矩阵的形状 {list(a.shape)} 与 {list(b.shape)} 不能相乘。",
            code="shape_mismatch",
        )
    batch = broadcast_shape(tuple(left.shape[:-2]), tuple(right.shape[:-2]))
    left = reshape(expand(left, (*batch, n, m)), (prod(batch), n, m))
    right = reshape(expand(right, (*batch, m, p)), (prod(batch), m, p))
    return unsafe_view(
        bmm(left, right), (*batch, *((n,) if first > 1 else ()), *((p,) if second > 1 else ()))
    )


def _folded(a: Any, b: Any) -> Any:
    if a.form.ndim >= b.form.ndim:
        size = a.shape
        if size[-1] != b.shape[0]:
            raise torch_error(
                f"mat1 and mat2 shapes cannot be multiplied ({prod(size[:-1])}x{size[-1]} and "
                f"{shape_text(b)})"
                if b.form.ndim == 2
                else f"size mismatch, got input ({prod(size[:-1])}), mat ({prod(size[:-1])}x{size[-1]}), "
                f"vec ({b.shape[0]})",
                f"形状 {list(a.shape)} 与 {list(b.shape)} 不能相乘。",
                code="shape_mismatch",
            )
        flat = reshape(a, (prod(size[:-1]), size[-1]))
        if b.form.ndim == 1:
            return unsafe_view(mv(flat, b), size[:-1])
        return unsafe_view(mm(flat, b), (*size[:-1], b.shape[1]))
    turned = transpose(b, -1, -2)
    if a.form.ndim == 1:
        return _folded(turned, a)
    return transpose(_folded(turned, t(a)), -1, -2)
