"""Products with vectors: `torch.mv`, `torch.dot`, `torch.outer`."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.shaping import reshape, t
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS


def shape_text(tensor: Any) -> str:
    """A shape as messages about products write it: 2x3."""
    return "x".join(map(str, tensor.shape))


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
            f"size mismatch, got input ({input.shape[0]}), mat ({shape_text(input)}), vec ({vec.shape[0]})",
            f"形状 {shape_text(input)} 的矩阵不能乘长度为 {vec.shape[0]} 的向量。",
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
    """The sum of the products of two vectors, the first one conjugated."""
    return _vdot(input, other) if input.dtype.is_complex else dot(input, other)


@composite("VdotBackward0", "self other")
def _vdot(self: Any, other: Any) -> Any:
    return dot(OPERATORS["conj"](self), other)


@torch_function("outer", "ger", method=True)
def outer(input: Any, vec2: Any, *, out: Any = None) -> Any:
    """All products of an element of one with one of the other. Shapes: (n,), (m,) -> (n, m)."""
    for name, one in (("self", input), ("vec2", vec2)):
        if one.form.ndim != 1:
            raise torch_error(
                f"outer: Expected 1-D argument {name}, but got {one.form.ndim}-D", "outer 需要两个一维张量。"
            )
    return reshape(input, (input.shape[0], 1)) * vec2
