"""Products of matrices and vectors, einsum, and what linear algebra makes of a matrix."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.elementwise import log
from engine.languages.surfaces.torch.functions.operands import plain, to_type
from engine.languages.surfaces.torch.functions.shaping import (
    expand,
    numpy_t,
    permute,
    reshape,
    squeeze,
    t,
    transpose,
    unsafe_view,
    unsqueeze,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

MM = "self:mat2 self_sym_sizes self_sym_strides mat2:self mat2_sym_sizes mat2_sym_strides"


def _check_types(a: Any, b: Any, name: Any = "mat1 and mat2") -> Any:
    if a.dtype is not b.dtype:
        first = {"float32": "float", "float64": "double", "int64": "long int", "float16": "c10::Half"}
        x, y = (first.get(one.dtype.name, one.dtype.name) for one in (a, b))
        raise torch_error(
            f"expected m1 and m2 to have the same dtype, but got: {x} != {y}",
            f"两个矩阵的元素类型不同：{a.dtype.name} 与 {b.dtype.name}。",
            code="dtype_mismatch",
        )


@differentiable("MmBackward0", saves="self:mat2 self_sym_sizes mat2:self mat2_sym_sizes", inputs="self mat2")
def _mm(self: Any, mat2: Any) -> Any:
    return ops.matrix_product(self, mat2)


_mm.shown = ("mat2", "mat2_sym_sizes", "mat2_sym_strides", "self", "self_sym_sizes", "self_sym_strides")


@_mm.backward
def _mm_backward(saved: Any, grad: Any) -> Any:
    return lambda: mm(grad, t(saved.mat2)), lambda: mm(t(saved.self), grad)


def _shape_text(tensor: Any) -> Any:
    return "x".join(map(str, tensor.shape))


@torch_function("mm", method=True)
def mm(input: Any, mat2: Any, *, out: Any = None) -> Any:
    """The product of two matrices. Shapes: (n, m), (m, p) -> (n, p)."""
    if input.array.ndim != 2:
        raise torch_error("self must be a matrix", "第一个参数必须是矩阵。", code="shape_mismatch")
    if mat2.array.ndim != 2:
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
    if input.array.ndim != 2 or vec.array.ndim != 1:
        raise torch_error(
            f"vector + matrix @ vector expected, got 1, {input.array.ndim}, {vec.array.ndim}",
            "mv 需要矩阵和向量。",
        )
    if input.shape[1] != vec.shape[0]:
        raise torch_error(
            f"size mismatch, got input ({input.shape[0]}), mat ({_shape_text(input)}), vec ({vec.shape[0]})",
            f"形状 {_shape_text(input)} 的矩阵不能乘长度为 {vec.shape[0]} 的向量。",
            code="shape_mismatch",
        )
    _check_types(input, vec)
    return _mv(input, vec)


@differentiable("DotBackward0", saves="self:tensor tensor:self", inputs="self tensor")
def _dot(self: Any, tensor: Any) -> Any:
    return ops.reduce_sum(ops.mul(self, tensor))


@_dot.backward
def _dot_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * saved.tensor, lambda: grad * saved.self


@torch_function("dot", "vdot", "inner", method=True)
def dot(input: Any, tensor: Any, *, out: Any = None) -> Any:
    """The sum of the products of two vectors."""
    if input.array.ndim != 1 or tensor.array.ndim != 1:
        raise torch_error(
            f"1D tensors expected, but got {input.array.ndim}D and {tensor.array.ndim}D tensors",
            f"dot 需要一维张量，而这里是 {input.array.ndim} 维和 {tensor.array.ndim} 维。",
            code="shape_mismatch",
        )
    if input.shape != tensor.shape:
        raise torch_error(
            f"inconsistent tensor size, expected tensor [{input.shape[0]}] and src [{tensor.shape[0]}] to have the "
            f"same number of elements, but got {input.shape[0]} and {tensor.shape[0]} elements respectively",
            f"两个向量的长度不同：{input.shape[0]} 与 {tensor.shape[0]}。",
            code="shape_mismatch",
        )
    if input.dtype is not tensor.dtype:
        raise torch_error(
            f"dot : expected both vectors to have same dtype, but found {input.dtype.scalar_name} and {tensor.dtype.scalar_name}",
            "两个向量的元素类型不同。",
        )
    return _dot(input, tensor)


@torch_function("outer", "ger", method=True)
def outer(input: Any, vec2: Any, *, out: Any = None) -> Any:
    """All products of an element of one with one of the other. Shapes: (n,), (m,) -> (n, m)."""
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
    if input.array.ndim != 3 or mat2.array.ndim != 3:
        raise torch_error(
            "batch1 must be a 3D tensor" if input.array.ndim != 3 else "batch2 must be a 3D tensor",
            "bmm 需要三维张量。",
            code="shape_mismatch",
        )
    expected = (input.shape[0], input.shape[2])
    if mat2.shape[:2] != expected:
        raise torch_error(
            f"Expected size for first two dimensions of batch2 tensor to be: [{expected[0]}, {expected[1]}] but got: "
            f"[{mat2.shape[0]}, {mat2.shape[1]}].",
            f"第二个张量的前两维应为 {list(expected)}，实际为 {list(mat2.shape[:2])}。",
            code="shape_mismatch",
        )
    _check_types(input, mat2)
    return _bmm(input, mat2)


@torch_function("matmul", method=True, operator="matmul")
def matmul(input: Any, other: Any, *, out: Any = None) -> Any:
    """The product of vectors, matrices, or batches of them."""
    if not isinstance(input, Tensor) or not isinstance(other, Tensor):
        raise torch_error("matmul(): argument 'other' must be Tensor", "matmul 需要张量。", kind="TypeError")
    a, b = input.array.ndim, other.array.ndim
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
    first, second = a.array.ndim, b.array.ndim
    if (first >= 3 and second in (1, 2)) or (first in (1, 2) and second >= 3):
        if _folds(a, b):
            return _folded(a, b)
    left = unsqueeze(a, 0) if first == 1 else a
    right = unsqueeze(b, 1) if second == 1 else b
    n, m, p = left.shape[-2], left.shape[-1], right.shape[-1]
    if right.shape[-2] != m:
        raise torch_error(
            f"Expected size for first two dimensions of batch2 tensor to be: [{prod(left.shape[:-2])}, {m}] but got: "
            f"[{prod(right.shape[:-2])}, {right.shape[-2]}].",
            f"矩阵的形状 {list(a.shape)} 与 {list(b.shape)} 不能相乘。",
            code="shape_mismatch",
        )
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    left = reshape(expand(left, (*batch, n, m)), (prod(batch), n, m))
    right = reshape(expand(right, (*batch, m, p)), (prod(batch), m, p))
    made = unsafe_view(
        bmm(left, right), (*batch, *((n,) if first > 1 else ()), *((p,) if second > 1 else ()))
    )
    return made


def _folds(a: Any, b: Any) -> Any:
    large, small = (a, b) if a.array.ndim >= b.array.ndim else (b, a)
    return not (small.requires_grad and not large.requires_grad and False)


def _folded(a: Any, b: Any) -> Any:
    if a.array.ndim >= b.array.ndim:
        size = a.shape
        if size[-1] != b.shape[0]:
            raise torch_error(
                f"mat1 and mat2 shapes cannot be multiplied ({prod(size[:-1])}x{size[-1]} and {_shape_text(b)})"
                if b.array.ndim == 2
                else f"size mismatch, got input ({prod(size[:-1])}), mat ({prod(size[:-1])}x{size[-1]}), vec ({b.shape[0]})",
                f"形状 {list(a.shape)} 与 {list(b.shape)} 不能相乘。",
                code="shape_mismatch",
            )
        flat = reshape(a, (prod(size[:-1]), size[-1]))
        if b.array.ndim == 1:
            return unsafe_view(mv(flat, b), size[:-1])
        return unsafe_view(mm(flat, b), (*size[:-1], b.shape[1]))
    turned = transpose(b, -1, -2)
    if a.array.ndim == 1:
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
        lambda: scaled(mm(grad, t(saved.mat2)), saved.alpha),
        lambda: scaled(mm(t(saved.mat1), grad), saved.alpha),
    )


@torch_function("addmm", method=True)
def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""
    _check_inner(mat1, mat2)
    _check_types(mat1, mat2)
    return _addmm(input, mat1, mat2, plain(beta), plain(alpha))


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
    return _baddbmm(input, batch1, batch2, plain(beta), plain(alpha))


@torch_function("linalg.multi_dot", "chain_matmul")
def multi_dot(tensors: Any, *more: Any) -> Any:
    """The product of several matrices."""
    given = [*tensors, *more] if isinstance(tensors, (list, tuple)) else [tensors, *more]
    made = given[0]
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
        first, second = list(range(a.array.ndim - count, a.array.ndim)), list(range(count))
    first = [one % a.array.ndim for one in first]
    second = [one % b.array.ndim for one in second]
    rest_a = [axis for axis in range(a.array.ndim) if axis not in first]
    rest_b = [axis for axis in range(b.array.ndim) if axis not in second]
    for x, y in zip(first, second, strict=True):
        if a.shape[x] != b.shape[y]:
            raise torch_error(
                f"contracted dimensions need to match, but first has size {a.shape[x]} in dim {x} and second has size "
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
    rank = max(input.array.ndim, other.array.ndim)
    a = reshape(input, (1,) * (rank - input.array.ndim) + tuple(input.shape))
    b = reshape(other, (1,) * (rank - other.array.ndim) + tuple(other.shape))
    left = reshape(a, [one for n in a.shape for one in (n, 1)])
    right = reshape(b, [one for n in b.shape for one in (1, n)])
    return unsafe_view(left * right, tuple(x * y for x, y in zip(a.shape, b.shape, strict=True)))


# -- einsum ----------------------------------------------------------------------------------------------


@torch_function("einsum")
def einsum(equation: Any, *operands: Any) -> Any:
    """A sum of products over the letters that the result leaves out."""
    given = (
        list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    )
    return _Einsum(equation, given).result()


class _Einsum:
    """One einsum, as PyTorch does it: every operand gets all letters as axes, then they are multiplied one after
    the other, summed over what no later one and not the result needs."""

    def __init__(self, equation: Any, operands: Any) -> None:
        left, arrow, right = equation.replace(" ", "").partition("->")
        self.operands = operands
        terms = left.split(",")
        if len(terms) != len(operands):
            raise torch_error(
                "einsum(): "
                + ("fewer" if len(operands) < len(terms) else "more")
                + " operands were provided than specified in the equation",
                f"einsum 的式子有 {len(terms)} 项，却给了 {len(operands)} 个张量。",
            )
        dots = max(
            (
                one.array.ndim - len(term.replace("...", ""))
                for term, one in zip(terms, operands, strict=True)
                if "..." in term
            ),
            default=0,
        )
        self.terms = [self._spelled(term, one, dots) for term, one in zip(terms, operands, strict=True)]
        for term, one in zip(self.terms, operands, strict=True):
            if len(term) != one.array.ndim:
                raise torch_error(
                    f"einsum(): the number of subscripts in the equation ({len(term)}) does not match the number of "
                    f"dimensions ({one.array.ndim}) for operand {self.terms.index(term)} and no ellipsis was given",
                    "einsum 的下标个数与张量的维数不同。",
                    code="shape_mismatch",
                )
        letters = [letter for term in self.terms for letter in term]
        if arrow:
            self.output = self._dotted(right, dots)
        else:
            self.output = [
                one for one in sorted(set(letters)) if letters.count(one) == 1 or one.startswith(".")
            ]
            self.output.sort(key=lambda one: (not one.startswith("."), one))
        rest = sorted(set(letters) - set(self.output), key=letters.index)
        rest.sort()
        self.order = [*self.output, *rest]

    def _dotted(self, term: Any, dots: Any) -> Any:
        head, found, tail = term.partition("...")
        return [*head, *([f".{place}" for place in range(dots)] if found else []), *tail]

    def _spelled(self, term: Any, operand: Any, dots: Any) -> Any:
        head, found, tail = term.partition("...")
        own = operand.array.ndim - len(head) - len(tail) if found else 0
        return [*head, *(f".{place}" for place in range(dots - own, dots) if found), *tail]

    def _spread(self, tensor: Any, term: Any) -> Any:
        """An operand with all letters as axes, those that it lacks of length 1."""
        while len(set(term)) < len(term):
            letter = next(one for one in term if term.count(one) > 1)
            a = term.index(letter)
            b = term.index(letter, a + 1)
            tensor = OPERATORS["movedim"](OPERATORS["diagonal"](tensor, 0, a, b), -1, a)
            term = [one for place, one in enumerate(term) if place != b]
        axes = [term.index(one) for one in self.order if one in term]
        rank = len(term)
        missing = len(self.order) - rank
        for _ in range(missing):
            tensor = unsqueeze(tensor, tensor.array.ndim)
        extra = iter(range(rank, rank + missing))
        places = iter(axes)
        return permute(tensor, [next(places) if one in term else next(extra) for one in self.order])

    def result(self) -> Any:
        spread = [self._spread(one, term) for one, term in zip(self.operands, self.terms, strict=True)]
        self._check(spread)
        kept = len(self.output)
        made = spread[0]
        if len(spread) == 1:
            axes = tuple(range(kept, len(self.order)))
            return OPERATORS["sum"](made, axes) if axes else made
        for place, other in enumerate(spread[1:], 1):
            later = {letter for term in self.terms[place + 1 :] for letter in term}
            summed = [axis for axis in range(kept, len(self.order)) if self.order[axis] not in later]
            summed = [axis for axis in summed if made.shape[axis] != 0]
            made = _sumproduct(made, other, [a for a in summed if a not in self._done(place)])
        return reshape(made, made.shape[:kept]) if len(self.order) > kept else made

    def _done(self, place: Any) -> Any:
        """Axes that were summed before."""
        done = set()
        for before in range(1, place):
            later = {letter for term in self.terms[before + 1 :] for letter in term}
            done |= {a for a in range(len(self.output), len(self.order)) if self.order[a] not in later}
        return done

    def _check(self, spread: Any) -> Any:
        for axis, letter in enumerate(self.order):
            lengths = {one.shape[axis] for one in spread} - {1}
            if len(lengths) > 1:
                raise torch_error(
                    f"einsum(): subscript {letter} has size {sorted(lengths)[0]} for operand 1 which does not broadcast "
                    f"with previously seen size {sorted(lengths)[1]}",
                    f"einsum 的下标 {letter} 在不同张量中的长度不同。",
                    code="shape_mismatch",
                )


def _sumproduct(left: Any, right: Any, summed: Any) -> Any:
    """Two spread operands multiplied and summed over some axes, as a product of matrices; the axes stay, of
    length 1."""
    if not summed:
        return left * right
    rank = left.array.ndim
    for axis in list(summed):
        if left.shape[axis] == 1 or right.shape[axis] == 1:
            if left.shape[axis] != 1:
                left = OPERATORS["sum"](left, (axis,), True)
            elif right.shape[axis] != 1:
                right = OPERATORS["sum"](right, (axis,), True)
    batch = [a for a in range(rank) if a not in summed and left.shape[a] != 1 and right.shape[a] != 1]
    only_left = [a for a in range(rank) if a not in summed and left.shape[a] != 1 and right.shape[a] == 1]
    only_right = [a for a in range(rank) if a not in summed and left.shape[a] == 1]
    sizes = {a: max(left.shape[a], right.shape[a]) for a in range(rank)}
    size = lambda axes: prod(sizes[a] for a in axes)  # noqa: E731  # of four groups
    inner = prod(left.shape[a] for a in summed)
    a = reshape(permute(left, batch + only_left + summed + only_right), (size(batch), size(only_left), inner))
    b = reshape(
        permute(right, batch + summed + only_right + only_left), (size(batch), inner, size(only_right))
    )
    made = bmm(a, b)
    full = [*batch, *only_left, *summed, *only_right]
    made = reshape(made, [1 if axis in summed else sizes[axis] for axis in full])
    return permute(made, [full.index(axis) for axis in range(rank)])


# -- parts of a matrix -----------------------------------------------------------------------------------


@differentiable("TraceBackward0", saves="self_sym_sizes")
def _trace(self: Any) -> Any:
    return ops.reduce_sum(ops.matrix_diag_part(self))


@_trace.backward
def _trace_backward(saved: Any, grad: Any) -> Any:
    rows, columns = saved.self_sym_sizes
    eye = OPERATORS["of_numbers"](np.eye(rows, columns, dtype=grad.dtype.name))
    return grad * eye


@torch_function("trace", method=True)
def trace(input: Any) -> Any:
    """The sum of the diagonal."""
    return _trace(input)


def _triangle(name: Any, node_name: Any, of_array: Any) -> Any:
    @differentiable(node_name, saves="diagonal")
    def function(self: Any, diagonal: Any = 0) -> Any:
        mask = of_array(np.ones(self.array.shape[-2:], dtype=self.dtype), diagonal)
        return ops.mul(self, mask)

    @function.backward
    def backward(saved: Any, grad: Any) -> Any:
        return function(grad, saved.diagonal)

    def call(input: Any, diagonal: Any = 0, *, out: Any = None) -> Any:
        return function(input, int(plain(diagonal)))

    call.__doc__ = f"The triangle `{name}` of a matrix, 0 elsewhere."
    torch_function(name, method=True)(call)


_triangle("triu", "TriuBackward0", np.triu)
_triangle("tril", "TrilBackward0", np.tril)


# -- linear algebra --------------------------------------------------------------------------------------


@differentiable("LinalgInvExBackward0", saves="result", outputs="result")
def _inverse(self: Any) -> Any:
    return ops.matrix_inverse(self)


_inverse.shown = ("inverse",)


@_inverse.backward
def _inverse_backward(saved: Any, grad: Any) -> Any:
    turned = transpose(saved.result, -2, -1)
    return -matmul(turned, matmul(grad, turned))


@torch_function("inverse", "linalg.inv", method=True)
def inverse(input: Any, *, out: Any = None) -> Any:
    """The inverse of a matrix."""
    _check_square(input, "linalg.inv")
    if np.any(np.linalg.matrix_rank(input.array.astype("float64")) < input.shape[-1]):
        raise torch_error(
            "linalg.inv: The diagonal element is zero, the inversion could not be completed because the input matrix "
            "is singular.",
            "矩阵是奇异的，没有逆。",
            kind="RuntimeError",
        )
    return _inverse(input)


def _check_square(tensor: Any, name: Any) -> Any:
    if tensor.array.ndim < 2 or tensor.shape[-1] != tensor.shape[-2]:
        raise torch_error(
            f"{name}: A must be batches of square matrices, but they are {tensor.shape[-2] if tensor.array.ndim > 1 else 1} by "
            f"{tensor.shape[-1] if tensor.array.ndim else 1} matrices",
            f"{name} 需要方阵。",
            code="shape_mismatch",
        )


@differentiable("LinalgDetBackward0", saves="self result")
def _det(self: Any) -> Any:
    return ops.matrix_determinant(self)


_det.shown = ("A", "LU", "pivots", "result")


@_det.backward
def _det_backward(saved: Any, grad: Any) -> Any:
    turned = transpose(inverse(saved.self), -2, -1)
    return unsqueeze(unsqueeze(grad * saved.result, -1), -1) * turned


@torch_function("det", "linalg.det", method=True)
def det(input: Any, *, out: Any = None) -> Any:
    """The determinant."""
    _check_square(input, "linalg.det")
    return _det(input)


@torch_function("logdet", method=True)
def logdet(input: Any) -> Any:
    """The logarithm of the determinant."""
    return log(det(input))


@torch_function("linalg.solve")
def solve(A: Any, B: Any, *, left: Any = True) -> Any:
    """The x for which A x = B."""
    _check_square(A, "linalg.solve")
    is_vector = B.array.ndim == 1
    right = unsqueeze(B, -1) if is_vector else B
    made = _solve(A, right)
    return squeeze(made, -1) if is_vector else made


@differentiable("LinalgSolveExBackward0", saves="self result", inputs="self other")
def _solve(self: Any, other: Any) -> Any:
    return ops.matrix_solve(self, other)


_solve.shown = ("A", "LU", "left", "pivots", "result")


@_solve.backward
def _solve_backward(saved: Any, grad: Any) -> Any:
    turned = _solve(transpose(saved.self, -2, -1), grad)
    return lambda: -matmul(turned, transpose(saved.result, -2, -1)), turned


@differentiable("LinalgCholeskyExBackward0", saves="result")
def _cholesky(self: Any) -> Any:
    return ops.cholesky(self)


_cholesky.shown = ("L", "upper")


@_cholesky.backward
def _cholesky_backward(saved: Any, grad: Any) -> Any:
    lower = saved.result
    inner = matmul(transpose(lower, -2, -1), grad)
    mask = np.tril(np.ones(lower.shape[-2:], dtype=grad.dtype.name)) - 0.5 * np.eye(
        lower.shape[-1], dtype=grad.dtype.name
    )
    middle = inner * OPERATORS["of_numbers"](mask.astype(grad.dtype.name))
    back = inverse(lower)
    found = matmul(matmul(transpose(back, -2, -1), middle), back)
    return (found + transpose(found, -2, -1)) / 2


@torch_function("linalg.cholesky", "cholesky")
def cholesky(input: Any, *, upper: Any = False) -> Any:
    """The lower triangle L for which L Lᵀ is the matrix."""
    _check_square(input, "linalg.cholesky")
    made = _cholesky(input)
    return transpose(made, -2, -1) if upper else made


@torch_function("linalg.matrix_power", "matrix_power", method=True)
def matrix_power(input: Any, n: Any) -> Any:
    """A matrix times itself so many times."""
    power = int(n)
    base = inverse(input) if power < 0 else input
    if power == 0:
        return OPERATORS["of_numbers"](np.eye(input.shape[-1], dtype=input.dtype.name))
    made = base
    for _ in range(abs(power) - 1):
        made = matmul(made, base)
    return made


def _left_out(name: Any) -> Any:
    def refuse(*args: Any, **keywords: Any) -> Any:
        raise not_here(f"torch.{name}", f" torch.{name}")

    refuse.__doc__ = "Refused."
    torch_function(name)(refuse)


for _name in ("linalg.eig", "linalg.lstsq", "linalg.lu", "lu", "matrix_exp", "linalg.matrix_exp"):
    _left_out(_name)

__all__ = ["addmm", "matmul", "mm", "numpy_t", "to_type"]
