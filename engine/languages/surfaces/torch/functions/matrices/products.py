"""Products of matrices and vectors, and batches of them."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import broadcast_shape, plain
from engine.languages.surfaces.torch.functions.shaping import (
    check_expands,
    expand,
    permute,
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

MM = "self:mat2 self_sym_sizes self_sym_strides mat2:self mat2_sym_sizes mat2_sym_strides"


def _check_types(a: Any, b: Any, *, added: bool = False) -> None:
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


def _shape_text(tensor: Any) -> Any:
    return "x".join(map(str, tensor.shape))


@torch_function("mm", method=True)
def mm(input: Any, mat2: Any, *, out: Any = None) -> Any:
    """The product of two matrices. Shapes: (n, m), (m, p) -> (n, p)."""
    if input.form.ndim != 2:
        raise torch_error("self must be a matrix", "第一个参数必须是矩阵。", code="shape_mismatch")
    if mat2.form.ndim != 2:
        raise torch_error("mat2 must be a matrix", "第二个参数必须是矩阵。", code="shape_mismatch")
    _check_inner(input, mat2)
    _check_types(input, mat2)
    return _mm(input, mat2)


def _check_inner(a: Any, b: Any) -> Any:
    if a.shape[1] != b.shape[0]:
        raise torch_error(
            f"mat1 and mat2 shapes cannot be multiplied ({_shape_text(a)} and {_shape_text(b)})",
            f"形状 {_shape_text(a)} 与 {_shape_text(b)} 的矩阵不能相乘。",
            code="shape_mismatch",
            hint="The columns of the first must be as many as the rows of the second.",
            hint_zh="第一个矩阵的列数必须等于第二个的行数。",
        )


@differentiable("MvBackward0", saves="self:vec vec:self", inputs="self vec")
def _mv(self: Any, vec: Any) -> Any:
    return ops.matvec(self, vec)


@_mv.backward
def _mv_backward(saved: Any, grad: Any) -> Any:
    return lambda: outer(grad, saved.vec), lambda: mv(t(saved.self), grad)


@torch_function("mv", method=True)
def mv(input: Any, vec: Any, *, out: Any = None) -> Any:
    """A matrix times a vector. Shapes: (n, m), (m,) -> (n,)."""
    if input.form.ndim != 2 or vec.form.ndim != 1:
        raise torch_error(
            f"vector + matrix @ vector expected, got 1, {input.form.ndim}, {vec.form.ndim}",
            "mv 需要矩阵和向量。",
        )
    if input.shape[1] != vec.shape[0]:
        raise torch_error(
            f"size mismatch, got input ({input.shape[0]}), mat ({_shape_text(input)}), vec ({vec.shape[0]})",
            f"形状 {_shape_text(input)} 的矩阵不能乘长度为 {vec.shape[0]} 的向量。",
            code="shape_mismatch",
        )
    if input.dtype is not vec.dtype:
        x, y = (one.dtype.scalar_name for one in (input, vec))
        raise torch_error(
            f"addmv input tensors must have the same dtype, but got {y}, {x}, and {y}",
            f"矩阵与向量的元素类型不同：{input.dtype.name} 与 {vec.dtype.name}。",
            code="dtype_mismatch",
        )
    return _mv(input, vec)


@differentiable("DotBackward0", saves="self:tensor tensor:self", inputs="self tensor")
def _dot(self: Any, tensor: Any) -> Any:
    return ops.reduce_sum(ops.mul(self, tensor))


@_dot.backward
def _dot_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * saved.tensor, lambda: grad * saved.self


@torch_function("inner", method=True)
def inner(input: Any, other: Any, *, out: Any = None) -> Any:
    """The sums of the products along the last axes. Shapes: (*A, n), (*B, n) -> (*A, *B)."""
    if not input.array.ndim or not other.array.ndim:
        return input * other
    if input.array.ndim == other.array.ndim == 1:
        return dot(input, other)
    if input.shape[-1] != other.shape[-1]:
        raise torch_error(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}",
            f"inner 的两个张量最后一维的长度不同：{input.shape[-1]} 与 {other.shape[-1]}。",
            code="shape_mismatch",
        )
    return tensordot(input, other, ([-1], [-1]))


@torch_function("dot", method=True)
def dot(input: Any, tensor: Any, *, out: Any = None) -> Any:
    """The sum of the products of two vectors."""
    if input.form.ndim != 1 or tensor.form.ndim != 1:
        raise torch_error(
            f"1D tensors expected, but got {input.form.ndim}D and {tensor.form.ndim}D tensors",
            f"dot 需要一维张量，而这里是 {input.form.ndim} 维和 {tensor.form.ndim} 维。",
            code="shape_mismatch",
        )
    if input.dtype is not tensor.dtype:
        raise torch_error(
            f"dot : expected both vectors to have same dtype, but found {input.dtype.scalar_name} and "
            f"{tensor.dtype.scalar_name}",
            "两个向量的元素类型不同。",
        )
    if input.shape != tensor.shape:
        raise torch_error(
            f"inconsistent tensor size, expected tensor [{input.shape[0]}] and src [{tensor.shape[0]}] to "
            "have the "
            f"same number of elements, but got {input.shape[0]} and {tensor.shape[0]} elements respectively",
            f"两个向量的长度不同：{input.shape[0]} 与 {tensor.shape[0]}。",
            code="shape_mismatch",
        )
    return _dot(input, tensor)


@torch_function("vdot", method=True)
def vdot(input: Any, other: Any, *, out: Any = None) -> Any:
    """The sum of the products of two vectors; its second has another name than `dot`'s."""
    return dot(input, other)


@torch_function("outer", "ger", method=True)
def outer(input: Any, vec2: Any, *, out: Any = None) -> Any:
    """All products of an element of one with one of the other. Shapes: (n,), (m,) -> (n, m)."""
    for name, one in (("self", input), ("vec2", vec2)):
        if one.form.ndim != 1:
            raise torch_error(
                f"outer: Expected 1-D argument {name}, but got {one.form.ndim}-D", "outer 需要两个一维张量。"
            )
    return reshape(input, (input.shape[0], 1)) * vec2


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
                f"{_shape_text(b)})"
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
    _check_types(mat1, mat2, added=True)
    if mat2.form.ndim != 2:
        raise torch_error(
            f"mat2 must be a matrix, got {mat2.form.ndim}-D tensor",
            "第二个参数必须是矩阵。",
            code="shape_mismatch",
        )
    _check_inner(mat1, mat2)
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
            f"size mismatch, got input ({input.form.size}), mat ({_shape_text(mat)}), vec ({vec.form.size})",
            f"形状 {_shape_text(mat)} 的矩阵不能乘长度为 {vec.form.size} 的向量。",
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


@torch_function("linalg.multi_dot", "chain_matmul")
def multi_dot(tensors: Any, *more: Any) -> Any:
    """The product of several matrices."""
    given = [*tensors, *more] if isinstance(tensors, (list, tuple)) else [tensors, *more]
    made = given[0]
    for place, (a, b) in enumerate(pairwise(given)):
        if a.shape[-1] != b.shape[0]:
            raise torch_error(
                f"multi_dot(): tensors {place} and {place + 1} with shapes {list(a.shape)} and "
                f"{list(b.shape)} cannot be multiplied",
                f"形状 {list(a.shape)} 与 {list(b.shape)} 的矩阵不能相乘。",
                code="shape_mismatch",
            )
    for one in given[1:]:
        made = matmul(made, one)
    return made


@torch_function("tensordot")
def tensordot(a: Any, b: Any, dims: Any = 2, out: Any = None) -> Any:
    """The sum of products over axes of both."""
    if isinstance(dims, (list, tuple)):
        first, second = ([one] if isinstance(one, int) else list(one) for one in dims)
    else:
        count = int(plain(dims))
        first, second = list(range(-count, 0)), list(range(count))
    if len(first) != len(second):
        raise torch_error("both dimension lists should have same length", "两个维度列表的长度必须相同。")
    given = list(zip(first, second, strict=True))
    first = [one % a.form.ndim for one in first]
    second = [one % b.form.ndim for one in second]
    rest_a = [axis for axis in range(a.form.ndim) if axis not in first]
    rest_b = [axis for axis in range(b.form.ndim) if axis not in second]
    for x, y in given:
        if a.shape[x] != b.shape[y]:
            raise torch_error(
                f"contracted dimensions need to match, but first has size {a.shape[x]} in dim {x} and "
                "second has size "
                f"{b.shape[y]} in dim {y}",
                f"求和的两维长度不同：{a.shape[x]} 与 {b.shape[y]}。",
                code="shape_mismatch",
            )
    count = prod(a.shape[one] for one in first)
    left = reshape(permute(a, rest_a + first), (prod(a.shape[one] for one in rest_a), count))
    right = reshape(permute(b, second + rest_b), (count, prod(b.shape[one] for one in rest_b)))
    return reshape(mm(left, right), (*(a.shape[one] for one in rest_a), *(b.shape[one] for one in rest_b)))


@torch_function("kron", method=True)
def kron(input: Any, other: Any) -> Any:
    """Every element of one times all of the other."""
    rank = max(input.form.ndim, other.form.ndim)
    a = reshape(input, (1,) * (rank - input.form.ndim) + tuple(input.shape))
    b = reshape(other, (1,) * (rank - other.form.ndim) + tuple(other.shape))
    left = reshape(a, [one for n in a.shape for one in (n, 1)])
    right = reshape(b, [one for n in b.shape for one in (1, n)])
    return unsafe_view(left * right, tuple(x * y for x, y in zip(a.shape, b.shape, strict=True)))
