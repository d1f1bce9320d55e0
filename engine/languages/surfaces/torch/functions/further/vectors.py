"""Cross products, angles of two numbers' signs, whole-number arithmetic, the inverse error function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL, dtype_of
from engine.languages.surfaces.torch.errors import not_differentiable, torch_error
from engine.languages.surfaces.torch.functions.comparison import check_whole, where
from engine.languages.surfaces.torch.functions.elementwise.exponentials import exp
from engine.languages.surfaces.torch.functions.elementwise.unary import unary
from engine.languages.surfaces.torch.functions.numbers import scaled
from engine.languages.surfaces.torch.functions.operands import (
    alike,
    as_floats,
    axis_of,
    no_tensor,
    plain,
    to_type,
)
from engine.languages.surfaces.torch.functions.reductions import sum
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, of_scalar


@differentiable("LinalgCrossBackward0", saves="self:other other:self dim", inputs="self other")
def _cross(self: Any, other: Any, dim: int) -> Any:
    a, b = ops.unstack(self, 3, dim), ops.unstack(other, 3, dim)
    parts = [ops.sub(ops.mul(a[i - 2], b[i - 1]), ops.mul(a[i - 1], b[i - 2])) for i in range(3)]
    return ops.stack(parts, axis=dim)


@_cross.backward
def _cross_backward(saved: Any, grad: Any) -> Any:
    return lambda: _cross(saved.other, grad, saved.dim), lambda: _cross(grad, saved.self, saved.dim)


@torch_function("cross", method=True)
def cross(input: Any, other: Any, dim: Any = None) -> Any:
    """The vector that stands at right angles to both, along an axis of length 3."""
    axis = next((a for a, n in enumerate(input.shape) if n == 3), None) if dim is None else dim
    return linalg_cross(input, other, dim=-1 if axis is None else axis)


@torch_function("linalg.cross")
def linalg_cross(input: Any, other: Any, *, dim: Any = -1) -> Any:
    """The same along the last axis, unless another one is said."""
    a, b = alike("linalg.cross", input, other)
    axis = axis_of(dim, a.array.ndim)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise torch_error(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {a.shape[axis]} and "
            f"{b.shape[axis]}",
            "cross 的维度长度必须是 3。",
            code="shape_mismatch",
        )
    return _cross(*OPERATORS["broadcast_tensors"](a, b), axis)


@torch_function("linalg.vecdot")
def vecdot(x: Any, y: Any, *, dim: Any = -1) -> Any:
    """The sums of products along an axis."""
    return sum(x * y, dim)


@unary("erfinv", also="special.erfinv")
@differentiable("ErfinvBackward0", saves="self")
def erfinv(self: Any) -> Any:
    from_newton = _first_guess(self)
    for _ in range(4):  # each step doubles the right digits
        error = ops.sub(ops.erf(from_newton), self)
        slope = ops.mul(ops.exp(ops.neg(ops.square(from_newton))), 2 / math.sqrt(math.pi))
        from_newton = ops.sub(from_newton, ops.divide(error, slope))
    at_the_ends = ops.divide(self, ops.sub(1.0, ops.absolute(self)))  # ±∞
    return ops.select(ops.equal(ops.absolute(self), 1.0), at_the_ends, from_newton)


def _first_guess(value: Any) -> Any:
    """Winitzki's formula, right to three digits."""
    a = 0.147
    logarithm = ops.log(ops.sub(1.0, ops.square(value)))
    half = ops.add(ops.mul(logarithm, 0.5), 2 / (math.pi * a))
    inner = ops.sub(ops.square(half), ops.divide(logarithm, a))
    return ops.mul(ops.sign(value), ops.sqrt(ops.sub(ops.sqrt(inner), half)))


@erfinv.backward
def _erfinv_backward(saved: Any, grad: Any) -> Any:
    return scaled(exp(erfinv(saved.self).__pow__(2)), 0.5 * math.sqrt(math.pi)) * grad


@differentiable("CopysignBackward0", saves="self other result", inputs="self other")
def _copysign(self: Any, other: Any) -> Any:
    """The sign of zero counts, too: 1 / other has it."""
    upside_down = ops.divide(ops.ones_like(other), other)
    is_negative: Any = ops.less(ops.select(ops.equal(other, ops.zeros_like(other)), upside_down, other), 0.0)
    size: Any = ops.absolute(self)
    shape = np.broadcast_shapes(size.form.shape, is_negative.form.shape)
    size, is_negative = (
        one if one.form.shape == shape else ops.broadcast_to(one, list(shape)) for one in (size, is_negative)
    )
    return ops.select(is_negative, ops.neg(size), size)


@_copysign.backward
def _copysign_backward(saved: Any, grad: Any) -> Any:
    ratio = where(OPERATORS["eq"](saved.self, 0), of_scalar(0, grad.dtype), saved.result / saved.self)
    return lambda: grad * ratio, lambda: grad * 0


@torch_function("copysign", method=True)
def copysign(input: Any, other: Any, *, out: Any = None) -> Any:
    """The size of input with the sign of other."""
    made = _copysign(*alike("copysign", input, other, floating=True))
    if made.node is not None and not isinstance(other, Tensor):
        made.node.name = "CopysignBackward1"
    return made


torch_function("signbit", method=True)(lambda input: of_numbers(np.signbit(input.array)))


@differentiable("HeavisideBackward0", saves="", inputs="self values")
def _heaviside(self: Any, values: Any) -> Any:
    steps: Any = ops.cast(ops.greater(self, ops.zeros_like(self)), self.dtype)
    shape = np.broadcast_shapes(self.form.shape, values.form.shape)
    wide = [one if one.form.shape == shape else ops.broadcast_to(one, list(shape)) for one in (steps, values)]
    is_zero: Any = ops.equal(self, ops.zeros_like(self))
    return ops.select(ops.broadcast_to(is_zero, list(shape)), wide[1], wide[0])


@_heaviside.backward
def _heaviside_backward(saved: Any, grad: Any) -> Any:
    raise not_differentiable("aten::heaviside")


_heaviside.node_name = "NotImplemented"


@torch_function("heaviside", method=True)
def heaviside(input: Any, values: Any, *, out: Any = None) -> Any:
    """0 below 0, 1 above, `values` at 0. Its gradient is refused, as by PyTorch."""
    if not isinstance(values, Tensor):
        raise no_tensor("heaviside", values, "values", 2)
    if values.dtype is not input.dtype:
        raise torch_error(
            "heaviside is not yet implemented for tensors with different dtypes.",
            "heaviside 的两个张量必须是同一类型。",
        )
    return _heaviside(input, values)


@torch_function("logaddexp2", method=True)
def logaddexp2(input: Any, other: Any) -> Any:
    """log2(2^input + 2^other)."""
    return _logaddexp2(*alike("logaddexp2", input, other))


@composite("Logaddexp2Backward0", "input other")
def _logaddexp2(input: Any, other: Any) -> Any:
    ln2 = math.log(2)
    return OPERATORS["logaddexp"](input * ln2, other * ln2) / ln2


@torch_function("nanmean", method=True)
def nanmean(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The mean of the elements that are numbers."""
    if not input.dtype.is_floating:
        raise torch_error(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{input.dtype.scalar_name}",
            f"nanmean() 需要浮点张量，而这里是 {input.dtype.scalar_name}。",
            hint="Write x.float() first.",
            hint_zh="请先写 x.float()。",
        )
    wanted = dtype_of(dtype)
    if wanted is not None:
        input = to_type(input, wanted)
    count = sum(OPERATORS["eq"](input, input), dim, keepdim)
    return OPERATORS["nansum"](input, dim, keepdim) / count


def _of_whole_numbers(name: str, function: Any) -> None:
    def call(input: Any, other: Any) -> Any:
        a, b = alike(name, input, other)
        return of_numbers(function(np.asarray(a.array), np.asarray(b.array)))

    call.__doc__ = f"The {name} of whole numbers."
    torch_function(name, method=True)(call)


_of_whole_numbers("gcd", np.gcd)
_of_whole_numbers("lcm", np.lcm)


def _shifted(kernel: str, shift: Any, input: Any, other: Any) -> Any:
    """The bits moved; by a negative number, or by more than there are, as far as they go."""
    a, b = alike(kernel, input, other)
    if a.dtype is BOOL:
        raise torch_error(
            f"\"{kernel}\" not implemented for 'Bool'", "bool 张量不能移位。", kind="NotImplementedError"
        )
    check_whole(a, kernel)
    bits = 8 * a.array.itemsize
    is_out = (b.array < 0) | (b.array >= bits)
    is_signed = a.array.dtype.kind == "i"
    farthest = a.array * 0 if shift is np.left_shift or not is_signed else shift(a.array, bits - 1)
    return of_numbers(
        np.where(is_out, farthest, shift(a.array, np.where(is_out, 0, b.array))).astype(a.array.dtype)
    )


@torch_function("bitwise_left_shift", method=True, operator="lshift")
def left_shift(input: Any, other: Any) -> Any:
    """input * 2^other, of whole numbers."""
    return _shifted("lshift_cpu", np.left_shift, input, other)


@torch_function("bitwise_right_shift", method=True, operator="rshift")
def right_shift(input: Any, other: Any) -> Any:
    """input // 2^other, of whole numbers, rounded down."""
    return _shifted("rshift_cpu", np.right_shift, input, other)


@differentiable("PolygammaBackward0", saves="n self")
def _polygamma(self: Any, n: int) -> Any:
    return ops.polygamma(np.asarray(n, self.dtype), self)


@_polygamma.backward
def _polygamma_backward(saved: Any, grad: Any) -> Any:
    return grad * _polygamma(saved.self, saved.n + 1)


@torch_function("polygamma", "special.polygamma")
def polygamma(n: Any, input: Any, *, out: Any = None) -> Any:
    """The n-th derivative of digamma."""
    order = int(plain(n))
    if order < 0:
        raise torch_error("polygamma(n, x) does not support negative n.", "polygamma 的 n 不能为负。")
    made = OPERATORS["digamma"](as_floats(input)) if order == 0 else _polygamma(as_floats(input), order)
    if made.node is not None:
        made.node.name = "PolygammaBackward0"
    return made


@torch_function("polygamma", method="only")
def polygamma_of(self: Any, n: Any) -> Any:
    """The n-th derivative of digamma."""
    return polygamma(n, self)


@torch_function("trapezoid", "trapz")
def trapezoid(y: Any, x: Any = None, *, dx: Any = 1.0, dim: Any = -1) -> Any:
    """The area below points joined by lines."""
    axis = axis_of(dim, y.array.ndim)
    narrow, length = OPERATORS["narrow"], y.shape[axis]
    left, right = narrow(y, axis, 0, length - 1), narrow(y, axis, 1, length - 1)
    if x is None:
        ends = OPERATORS["select"](y, axis, 0) + OPERATORS["select"](y, axis, -1)
        return (sum(y, axis) - ends * 0.5) * plain(dx)
    widths = OPERATORS["diff"](x, 1, -1)
    return sum((left + right) * widths, axis) / 2


@torch_function("renorm", method=True)
def renorm(input: Any, p: Any, dim: Any, maxnorm: Any) -> Any:
    """Parts along an axis, none longer than the bound."""
    axis = axis_of(dim, input.array.ndim)
    return _renorm(input, p=plain(p), dim=axis, maxnorm=plain(maxnorm))


@composite("RenormBackward0", "input", shown="dim maxnorm p input")
def _renorm(input: Any, p: Any, dim: Any, maxnorm: Any) -> Any:
    others = tuple(a for a in range(input.form.ndim) if a != dim)
    length = OPERATORS["norm"](input, p, others, True)
    return where(OPERATORS["gt"](length, maxnorm), input * (maxnorm / (length + 1e-7)), input)
