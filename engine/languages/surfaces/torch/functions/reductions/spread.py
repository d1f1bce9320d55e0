"""Variances and norms."""

from __future__ import annotations

from math import prod as product
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.arithmetic.signs import sgn
from engine.languages.surfaces.torch.functions.comparison import masked_fill
from engine.languages.surfaces.torch.functions.numbers import parted, scaled
from engine.languages.surfaces.torch.functions.operands import alike, axes_of, plain
from engine.languages.surfaces.torch.functions.reductions.extremes import amax, amin
from engine.languages.surfaces.torch.functions.reductions.sums import mean, restored, sum
from engine.languages.surfaces.torch.functions.shaping import broadcast_tensors, expand, to
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS


def _squares_around_mean(self: Any, dim: Any, keepdim: Any) -> Any:
    centred = ops.sub(self, ops.reduce_mean(self, axis=list(dim), keepdims=True))
    return ops.reduce_sum(ops.square(centred), axis=list(dim), keepdims=keepdim)


def _freedom(size: Any, dim: Any, correction: Any) -> Any:
    return np.maximum(product(size[axis] for axis in dim) - correction, 0)


@differentiable("VarBackward0", saves="self dim correction keepdim")
def _var(self: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    freedom = _freedom(self.form.shape, dim, correction)
    return ops.divide(_squares_around_mean(self, dim, keepdim), np.asarray(freedom, dtype=self.dtype))


def _var_backward_of(tensor: Any, grad: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    freedom = _freedom(tensor.shape, dim, correction)
    grad = restored(grad, tensor.form.ndim, dim, keepdim)
    scale = float("inf") if not freedom else 2.0 / float(freedom)
    return scaled(grad, scale) * (tensor - mean(tensor, dim, True))


@_var.backward
def _var_backward(saved: Any, grad: Any) -> Any:
    return _var_backward_of(saved.self, grad, saved.dim, saved.correction, saved.keepdim)


@differentiable("StdBackward0", saves="self result dim correction keepdim")
def _std(self: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    freedom = _freedom(self.form.shape, dim, correction)
    return ops.sqrt(
        ops.divide(_squares_around_mean(self, dim, keepdim), np.asarray(freedom, dtype=self.dtype))
    )


@_std.backward
def _std_backward(saved: Any, grad: Any) -> Any:
    return _std_slope(saved, grad, saved.result)


def _std_slope(saved: Any, grad: Any, result: Any) -> Any:
    of_var = masked_fill(grad / scaled(result, 2), OPERATORS["eq"](result, 0), 0)
    return _var_backward_of(saved.self, of_var, saved.dim, saved.correction, saved.keepdim)


def _slope_of_mean(saved: Any, grad: Any) -> Any:
    tensor = saved.self
    grad = restored(grad, tensor.form.ndim, saved.dim, saved.keepdim)
    return parted(expand(grad, tensor.shape), product(tensor.shape[axis] for axis in saved.dim))


def _and_mean(node_name: str, spread: Any, slope: Any) -> Any:
    """A measure of spread and the mean, which one node computes."""

    @differentiable(node_name, saves="self result0 dim correction keepdim", outputs="result0 result1")
    def function(self: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
        found = ops.reduce_mean(self, axis=list(dim), keepdims=keepdim)
        return spread.forward(self, dim, correction, keepdim), found

    @function.backward
    def backward(saved: Any, grad: Any, grad_of_mean: Any) -> Any:
        return slope(saved, grad) + _slope_of_mean(saved, grad_of_mean)

    return function


_var_mean = _and_mean("VarMeanBackward0", _var, _var_backward)


_std_mean = _and_mean("StdMeanBackward0", _std, lambda saved, grad: _std_slope(saved, grad, saved.result0))


def _with_mean(function: Any, input: Any, dim: Any, unbiased: Any, keepdim: Any, correction: Any) -> Any:
    return function(input, *_settings(input, dim, unbiased, correction), bool(keepdim))


def _settings(input: Any, dim: Any, unbiased: Any, correction: Any) -> tuple[Any, Any]:
    """The axes, and what is subtracted from the number of elements. Raises: for whole numbers."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(bool(unbiased))
    if not input.dtype.has_gradients:
        raise torch_error(
            "std and var only support floating point and complex dtypes",
            "var 和 std 需要浮点张量。",
        )
    return axes_of(dim, input.form.ndim), plain(correction)


def _spread(name: Any, function: Any, of_complex: Any) -> Any:
    def call(
        input: Any,
        dim: Any = None,
        unbiased: Any = None,
        keepdim: Any = False,
        *,
        correction: Any = None,
        axis: Any = None,
        out: Any = None,
    ) -> Any:
        settings = _settings(input, axis if dim is None else dim, unbiased, correction)
        return (of_complex if input.dtype.is_complex else function)(input, *settings, bool(keepdim))

    torch_function(name, method=True)(call)
    return call


@composite("VarBackward0", "self", shown="correction dim keepdim self")
def _var_of_parts(self: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    """The mean square distance from the mean: that of the real parts and that of the imaginary ones."""
    x, y = OPERATORS["real"](self), OPERATORS["imag"](self)
    return _var(x, dim, correction, keepdim) + _var(y, dim, correction, keepdim)


@composite("StdBackward0", "self", shown="correction dim keepdim result self")
def _std_of_parts(self: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    return OPERATORS["sqrt"](_var_of_parts.forward(self, dim, correction, keepdim))


var = _spread("var", _var, _var_of_parts)


std = _spread("std", _std, _std_of_parts)


var.__doc__ = "The variance, divided by n - 1 unless `correction=0`."


std.__doc__ = "The standard deviation, with n - 1 unless `correction=0`."


@torch_function("var_mean")
def var_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None
) -> Any:
    """The variance and the mean."""
    return _with_mean(_var_mean, input, dim, unbiased, keepdim, correction)


@torch_function("std_mean")
def std_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None
) -> Any:
    """The standard deviation and the mean."""
    return _with_mean(_std_mean, input, dim, unbiased, keepdim, correction)


@differentiable("LinalgVectorNormBackward0", saves="self ord dim keepdim result")
def _vector_norm(self: Any, ord: Any, dim: Any, keepdim: Any) -> Any:
    over = {"axis": list(dim), "keepdims": keepdim}
    size = ops.absolute(self)
    if ord == 2:
        return ops.sqrt(ops.reduce_sum(ops.square(self), **over))
    if ord == 1:
        return ops.reduce_sum(size, **over)
    if ord == float("inf"):
        return ops.reduce_max(size, **over)
    if ord == float("-inf"):
        return ops.reduce_min(size, **over)
    if ord == 0:
        return ops.reduce_sum(ops.cast(ops.not_equal(self, np.asarray(0, self.dtype)), self.dtype), **over)
    power = np.asarray(ord, dtype=self.dtype)
    return ops.power(ops.reduce_sum(ops.power(size, power), **over), np.asarray(1 / ord, dtype=self.dtype))


@_vector_norm.backward
def _vector_norm_backward(saved: Any, grad: Any) -> Any:
    tensor = saved.self
    rank = tensor.form.ndim
    grad = restored(grad, rank, saved.dim, saved.keepdim)
    norm_ = restored(saved.result, rank, saved.dim, saved.keepdim)
    return vector_norm_slope(tensor, norm_, saved.ord, grad, saved.dim)


def vector_norm_slope(tensor: Any, norm_: Any, order: Any, grad: Any, dim: Any = None) -> Any:
    """What a norm of order `order` sends back; 0 where the norm is 0."""
    rank = tensor.form.ndim
    if order == 0:
        return grad * tensor * 0
    if order == 1:
        return sgn(tensor) * grad
    if order == 2:
        return grad * masked_fill(tensor / norm_, OPERATORS["eq"](norm_, 0), 0)
    size = OPERATORS["abs"](tensor)
    if order in (float("inf"), float("-inf")):
        is_one = OPERATORS["eq"](size, norm_)
        count = sum(is_one, dim, True) if rank and dim else sum(is_one)
        return sgn(tensor) * (grad / count) * to(is_one, grad.dtype)
    if order < 1:
        scaled = sgn(tensor) * masked_fill(size.__pow__(order - 1), OPERATORS["eq"](tensor, 0), 0)
        return scaled * (grad * norm_.__pow__(1 - order))
    if order < 2:
        scaled = sgn(tensor) * size.__pow__(order - 1)
        return scaled * masked_fill(grad / norm_.__pow__(order - 1), OPERATORS["eq"](norm_, 0), 0)
    scaled = tensor * size.__pow__(order - 2)
    return scaled * masked_fill(grad / norm_.__pow__(order - 1), OPERATORS["eq"](norm_, 0), 0)


@torch_function("linalg.vector_norm")
@takes_only(dtype=(None,))
def vector_norm(
    x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, out: Any = None
) -> Any:
    """The length of a vector, of order `ord`; of complex numbers their sizes count."""
    x = OPERATORS["abs"](x) if x.dtype.is_complex else x
    if not x.dtype.is_floating:
        raise torch_error(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.scalar_name}",
            f"范数需要浮点张量，而这里是 {x.dtype.scalar_name}。",
            hint="Write x.float() first.",
            hint_zh="请先写 x.float()。",
        )
    return _vector_norm(x, float(plain(ord)), axes_of(dim, x.form.ndim), bool(keepdim))


@torch_function("norm", method=True)
@takes_only(dtype=(None,))
def norm(
    input: Any, p: Any = "fro", dim: Any = None, keepdim: Any = False, out: Any = None, dtype: Any = None
) -> Any:
    """The length: of all elements, or along axes."""
    if p == "nuc":
        return matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


@torch_function("linalg.norm")
@takes_only(dtype=(None,))
def linalg_norm(
    A: Any, ord: Any = None, dim: Any = None, keepdim: Any = False, *, out: Any = None, dtype: Any = None
) -> Any:
    """The length of a vector or a matrix."""
    axes = axes_of(dim, A.form.ndim)
    if ord is None or (len(axes) == 1 and ord != "fro"):
        return vector_norm(A, 2 if ord is None else ord, axes if dim is not None else None, keepdim)
    return matrix_norm(A, ord, axes, keepdim)


@torch_function("linalg.matrix_norm")
@takes_only(dtype=(None,))
def matrix_norm(
    A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False, *, dtype: Any = None, out: Any = None
) -> Any:
    """The norm of a matrix: Frobenius', or the largest sum of a row (inf) or a column (1)."""
    rows_, columns = axes_of(dim, A.form.ndim)
    if ord == "fro":
        return vector_norm(A, 2, (rows_, columns), keepdim)
    if ord in (1, -1, float("inf"), float("-inf")):
        over, rest = (rows_, columns) if abs(ord) == 1 else (columns, rows_)
        sums = sum(OPERATORS["abs"](A), over, keepdim)
        rank = A.form.ndim
        left = rest % rank - (0 if keepdim else int(over % rank < rest % rank))
        return (amax if ord > 0 else amin)(sums, (left,), keepdim)
    return _norm_by_singular_values(OPERATORS["movedim"](A, (rows_, columns), (-2, -1)), ord, keepdim)


def _norm_by_singular_values(A: Any, ord: Any, keepdim: Any) -> Any:
    """The largest (2), the least (-2), or the sum (nuc) of the singular values. Raises: for another order."""
    rules = {2: amax, -2: amin, "nuc": sum}
    if ord not in rules:
        raise torch_error(
            f"linalg.matrix_norm: Order {ord} not supported.",
            f"linalg.matrix_norm 不支持 ord={ord}。",
            hint='Use "fro", "nuc", 1, 2 or inf.',
            hint_zh='请使用 "fro"、"nuc"、1、2 或 inf。',
        )
    found = rules[ord](OPERATORS["linalg.svdvals"](A), -1)
    return OPERATORS["unsqueeze"](OPERATORS["unsqueeze"](found, -1), -1) if keepdim else found


@differentiable("DistBackward0", saves="self other p result", inputs="self other")
def _dist(self: Any, other: Any, p: Any) -> Any:
    return _vector_norm.forward(ops.sub(self, other), p, tuple(range(len(self.form.shape))), False)


@_dist.backward
def _dist_backward(saved: Any, grad: Any) -> Any:
    difference = saved.self - saved.other
    slope = vector_norm_slope(difference, saved.result, saved.p, grad)
    return slope, lambda: -slope


@torch_function("dist", method=True)
def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """The length of the difference."""
    a, b = alike("dist", input, other, floating=True)
    return _dist(*broadcast_tensors(a, b), float(plain(p)))
