"""Sums, means, extremes and norms over axes: each forward, with PyTorch's name of its node, and backward."""

from __future__ import annotations

from math import prod as product
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL, INT64, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.arithmetic import sgn
from engine.languages.surfaces.torch.functions.comparison import masked_fill, where
from engine.languages.surfaces.torch.functions.elementwise import exp, log
from engine.languages.surfaces.torch.functions.operands import as_floats, axes_of, axis_of, plain, to_type
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import expand, reshape, to, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_value


def restored(grad: Tensor, rank: int, axes: Any, keepdim: Any) -> Tensor:
    """A gradient with the axes again that a reduction took away, each of length 1."""
    if keepdim or rank == 0:
        return grad
    for axis in sorted(axis % rank for axis in axes):
        grad = unsqueeze(grad, axis)
    return grad


def _all(value: Any) -> Any:
    return list(range(len(value.array.shape)))


# -- sums and means --------------------------------------------------------------------------------------


@differentiable("SumBackward0", saves="self_sym_sizes")
def _sum(self: Any) -> Any:
    return ops.reduce_sum(self)


@_sum.backward
def _sum_backward(saved: Any, grad: Any) -> Any:
    return expand(grad, saved.self_sym_sizes)


@differentiable("SumBackward1", saves="self_sym_sizes dim keepdim")
def _sum_over(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_sum(self, axis=list(dim), keepdims=keepdim)


@_sum_over.backward
def _sum_over_backward(saved: Any, grad: Any) -> Any:
    size = saved.self_sym_sizes
    return expand(restored(grad, len(size), saved.dim, saved.keepdim), size)


@torch_function("sum", method=True, operator="sum")
def sum(
    input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, dtype: Any = None, out: Any = None
) -> Any:
    """The sum of all elements, or along some axes; of truth values and whole numbers in int64."""
    dim = axis if dim is None else dim
    wanted = dtype_of(dtype)
    if wanted is not None:
        input = to(input, wanted)
    elif not input.dtype.is_floating:
        input = to_type(input, INT64)
    if dim is None and not keepdim:
        return _sum(input)
    return _sum_over(input, axes_of(dim, input.array.ndim), bool(keepdim))


@torch_function("nansum", method=True)
def nansum(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The sum of the elements that are numbers."""
    return sum(where(OPERATORS["ne"](input, input), 0.0, input), dim, keepdim)


@differentiable("MeanBackward0", saves="self_sym_sizes self_sym_numel")
def _mean(self: Any) -> Any:
    return ops.reduce_mean(self)


@_mean.backward
def _mean_backward(saved: Any, grad: Any) -> Any:
    return expand(grad, saved.self_sym_sizes) / saved.self_sym_numel


@differentiable("MeanBackward1", saves="self_sym_sizes self_sym_numel dim keepdim")
def _mean_over(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_mean(self, axis=list(dim), keepdims=keepdim)


@_mean_over.backward
def _mean_over_backward(saved: Any, grad: Any) -> Any:
    size = saved.self_sym_sizes
    count = product(size[axis] for axis in saved.dim)
    return expand(restored(grad, len(size), saved.dim, saved.keepdim), size) / count


@torch_function("mean", method=True)
def mean(
    input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, dtype: Any = None, out: Any = None
) -> Any:
    """The mean of all elements, or along some axes."""
    dim = axis if dim is None else dim
    wanted = dtype_of(dtype)
    input = input if wanted is None else to(input, wanted)
    if not input.dtype.is_floating:
        raise torch_error(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {input.dtype.scalar_name}",
            f"mean() 需要浮点张量，而这里是 {input.dtype.scalar_name}。",
            hint="Write x.float().mean().",
            hint_zh="请写 x.float().mean()。",
        )
    if dim is None and not keepdim:
        return _mean(input)
    return _mean_over(input, axes_of(dim, input.array.ndim), bool(keepdim))


# -- products --------------------------------------------------------------------------------------------


@differentiable("ProdBackward0", saves="self result")
def _prod(self: Any) -> Any:
    return ops.reduce_prod(self)


@_prod.backward
def _prod_backward(saved: Any, grad: Any) -> Any:
    flat = saved.self
    if not np.any(flat.array == 0):
        return grad * saved.result / flat
    return grad * reshape(_products_of_others(reshape(flat, (-1,)), 0), flat.shape)


def _products_of_others(tensor: Any, axis: Any) -> Any:
    """For each element the product of all others along an axis."""
    length, parts = tensor.shape[axis], OPERATORS["iter_dim"](tensor, axis)
    found = []
    for place in range(length):
        others = [one for at, one in enumerate(parts) if at != place]
        value = others[0] if others else parts[0] * 0 + 1
        for one in others[1:]:
            value = value * one
        found.append(value)
    return OPERATORS["stack"](found, axis)


@differentiable("ProdBackward1", saves="self result dim keepdim")
def _prod_over(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_prod(self, axis=[dim], keepdims=keepdim)


@_prod_over.backward
def _prod_over_backward(saved: Any, grad: Any) -> Any:
    tensor = saved.self
    rank = tensor.array.ndim
    grad = restored(grad, rank, [saved.dim], saved.keepdim)
    if np.any(tensor.array == 0):
        return grad * _products_of_others(tensor, saved.dim)
    return grad * restored(saved.result, rank, [saved.dim], saved.keepdim) / tensor


@torch_function("prod", method=True)
def prod(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The product of all elements, or along an axis."""
    wanted = dtype_of(dtype)
    if wanted is not None:
        input = to(input, wanted)
    elif not input.dtype.is_floating:
        input = to_type(input, INT64)
    if dim is None:
        return _prod(input)
    return _prod_over(input, axis_of(dim, input.array.ndim), bool(keepdim))


# -- extremes --------------------------------------------------------------------------------------------


def _shared(name: Any, op: Any) -> Any:
    """The largest or smallest of all: where several are, each gets its share of what comes back."""

    @differentiable(name, saves="self result")
    def function(self: Any) -> Any:
        return op(self)

    @function.backward
    def backward(saved: Any, grad: Any) -> Any:
        mask = OPERATORS["eq"](saved.self, saved.result)
        return to(mask, grad.dtype) * (grad / sum(mask))

    return function


_max = _shared("MaxBackward1", ops.reduce_max)
_min = _shared("MinBackward1", ops.reduce_min)


def _along(name: Any, reduce: Any, search: Any) -> Any:
    """The largest or smallest along an axis, and where it stands: that place gets all of what comes back."""

    @differentiable(name, saves="self_sym_sizes indices dim keepdim", outputs="values (indices)")
    def function(self: Any, dim: Any, keepdim: Any) -> Any:
        found = ops.cast(search(self, dim), "int64")
        values = reduce(self, axis=[dim], keepdims=keepdim)
        return values, ops.expand_dims(found, dim) if keepdim else found

    @function.backward
    def backward(saved: Any, grad: Any, _: Any) -> Any:
        return value_selecting_backward(grad, saved.dim, saved.indices, saved.self_sym_sizes, saved.keepdim)

    return function


def value_selecting_backward(grad: Any, dim: Any, indices: Any, size: Any, keepdim: Any) -> Any:
    """A gradient put back to where the values were taken from."""
    if not keepdim and size:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return OPERATORS["scatter_into_zeros"](grad, size, dim, indices)


_max_along = _along("MaxBackward0", ops.reduce_max, lambda x, dim: ops.argmax(x, dim))
_min_along = _along("MinBackward0", ops.reduce_min, lambda x, dim: ops.argmin(x, dim))


def _extreme(name: Any, whole: Any, along: Any, two: Any) -> Any:
    def call(input: Any, dim: Any = None, keepdim: Any = False, *, other: Any = None, out: Any = None) -> Any:
        if isinstance(dim, Tensor) or other is not None:
            return two(input, dim if other is None else other)
        if dim is None:
            _check_filled(input, name)
            return whole(input)
        axis = axis_of(dim, input.array.ndim)
        if input.array.ndim == 0:
            return named_result(name, input, of_value(ops.zeros([], dtype="int64")))
        if input.dtype is BOOL:
            raise torch_error(
                f"{name} of truth values along an axis is not supported here.",
                f"这里不支持对 bool 沿轴求 {name}。",
            )
        return named_result(name, *along(input, axis, bool(keepdim)))

    call.__doc__ = f"The {name}imum: of all elements, along an axis with its place, or of two tensors."
    torch_function(name, method=True)(call)
    return call


def _check_filled(tensor: Any, name: Any) -> Any:
    if tensor.array.size == 0:
        raise torch_error(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
            "with the 'dim' argument.",
            f"{name}() 不能用于空张量。",
        )


max = _extreme("max", _max, _max_along, lambda a, b: OPERATORS["maximum"](a, b))
min = _extreme("min", _min, _min_along, lambda a, b: OPERATORS["minimum"](a, b))


def _a_extreme(name: Any, node_name: Any, op: Any) -> Any:
    """The largest or smallest along axes: several share what comes back."""

    @differentiable(node_name, saves="self result dim keepdim")
    def function(self: Any, dim: Any, keepdim: Any) -> Any:
        return op(self, axis=list(dim), keepdims=keepdim)

    @function.backward
    def backward(saved: Any, grad: Any) -> Any:
        tensor = saved.self
        rank, axes = tensor.array.ndim, saved.dim
        grad = restored(grad, rank, axes, saved.keepdim)
        result = restored(saved.result, rank, axes, saved.keepdim)
        mask = OPERATORS["eq"](tensor, result)
        count = sum(mask, axes, True) if rank else sum(mask)
        return grad / count * to(mask, grad.dtype)

    def call(input: Any, dim: Any = (), keepdim: Any = False, *, out: Any = None) -> Any:
        return function(input, axes_of(dim, input.array.ndim), bool(keepdim))

    call.__doc__ = f"The {name[1:]}imum along axes."
    torch_function(name, method=True)(call)
    return call


amax = _a_extreme("amax", "AmaxBackward0", ops.reduce_max)
amin = _a_extreme("amin", "AminBackward0", ops.reduce_min)


@torch_function("aminmax", method=True)
def aminmax(input: Any, *, dim: Any = None, keepdim: Any = False) -> Any:
    """The smallest and the largest."""
    axes = () if dim is None else (dim,)
    return named_result(
        "aminmax", amin(input, axes, keepdim), amax(input, axes, keepdim), fields=("min", "max")
    )


def _search(name: Any, op: Any) -> Any:
    def call(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
        if dim is None:
            found = ops.cast(op(ops.reshape(input.value, [-1]), 0), "int64")
            return of_value(ops.reshape(found, [1] * input.array.ndim) if keepdim else found)
        if input.array.ndim == 0:
            return of_value(ops.zeros([], dtype="int64"))
        axis = axis_of(dim, input.array.ndim)
        found = ops.cast(op(input.value, axis), "int64")
        return of_value(ops.expand_dims(found, axis) if keepdim else found)

    call.__doc__ = "The place of the first extreme element."
    torch_function(name, method=True)(call)
    return call


argmax = _search("argmax", lambda x, axis: ops.argmax(x, axis))
argmin = _search("argmin", lambda x, axis: ops.argmin(x, axis))


def _truth(name: Any, op: Any) -> Any:
    def call(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
        from_truths = (
            input.value
            if input.dtype is BOOL
            else ops.not_equal(input.value, np.asarray(0, input.dtype.name))
        )
        axes = axes_of(dim, input.array.ndim)
        return of_value(op(from_truths, axis=list(axes), keepdims=bool(keepdim)))

    call.__doc__ = f"Whether {name} of the elements are true."
    torch_function(name, method=True)(call)


_truth("all", ops.reduce_all)
_truth("any", ops.reduce_any)


@torch_function("count_nonzero", method=True)
def count_nonzero(input: Any, dim: Any = None) -> Any:
    """How many elements are not 0."""
    return sum(OPERATORS["ne"](input, 0), dim)


# -- spread ----------------------------------------------------------------------------------------------


def _squares_around_mean(self: Any, dim: Any, keepdim: Any) -> Any:
    centred = ops.sub(self, ops.reduce_mean(self, axis=list(dim), keepdims=True))
    return ops.reduce_sum(ops.square(centred), axis=list(dim), keepdims=keepdim)


def _freedom(size: Any, dim: Any, correction: Any) -> Any:
    return np.maximum(product(size[axis] for axis in dim) - correction, 0)


@differentiable("VarBackward0", saves="self dim correction keepdim")
def _var(self: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    freedom = _freedom(self.array.shape, dim, correction)
    return ops.divide(_squares_around_mean(self, dim, keepdim), np.asarray(freedom, dtype=self.dtype))


def _var_backward_of(tensor: Any, grad: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    freedom = _freedom(tensor.shape, dim, correction)
    grad = restored(grad, tensor.array.ndim, dim, keepdim)
    scale = float("inf") if not freedom else 2.0 / float(freedom)
    return (scale * grad) * (tensor - mean(tensor, dim, True))


@_var.backward
def _var_backward(saved: Any, grad: Any) -> Any:
    return _var_backward_of(saved.self, grad, saved.dim, saved.correction, saved.keepdim)


@differentiable("StdBackward0", saves="self result dim correction keepdim")
def _std(self: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    freedom = _freedom(self.array.shape, dim, correction)
    return ops.sqrt(
        ops.divide(_squares_around_mean(self, dim, keepdim), np.asarray(freedom, dtype=self.dtype))
    )


@_std.backward
def _std_backward(saved: Any, grad: Any) -> Any:
    scaled = masked_fill(grad / (saved.result * 2), OPERATORS["eq"](saved.result, 0), 0)
    return _var_backward_of(saved.self, scaled, saved.dim, saved.correction, saved.keepdim)


def _spread(name: Any, function: Any) -> Any:
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
        dim = axis if dim is None else dim
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        if correction is None:
            correction = 1 if unbiased is None else int(bool(unbiased))
        if not input.dtype.is_floating:
            raise torch_error(
                f"{name} and {name}_mean only support floating point and complex dtypes"
                if False
                else "std and var only support floating point and complex dtypes",
                "var 和 std 需要浮点张量。",
            )
        return function(input, axes_of(dim, input.array.ndim), plain(correction), bool(keepdim))

    torch_function(name, method=True)(call)
    return call


var = _spread("var", _var)
std = _spread("std", _std)
var.__doc__ = "The variance, divided by n - 1 unless `correction=0`."
std.__doc__ = "The standard deviation, with n - 1 unless `correction=0`."


@torch_function("var_mean")
def var_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None
) -> Any:
    """The variance and the mean."""
    return var(input, dim, unbiased, keepdim, correction=correction), mean(
        input, None if isinstance(dim, bool) else dim, keepdim
    )


@torch_function("std_mean")
def std_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None
) -> Any:
    """The standard deviation and the mean."""
    return std(input, dim, unbiased, keepdim, correction=correction), mean(
        input, None if isinstance(dim, bool) else dim, keepdim
    )


# -- norms -----------------------------------------------------------------------------------------------


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
    tensor, order = saved.self, saved.ord
    rank = tensor.array.ndim
    grad = restored(grad, rank, saved.dim, saved.keepdim)
    norm_ = restored(saved.result, rank, saved.dim, saved.keepdim)
    if order == 0:
        return grad * tensor * 0
    if order == 1:
        return sgn(tensor) * grad
    if order == 2:
        return grad * masked_fill(tensor / norm_, OPERATORS["eq"](norm_, 0), 0)
    size = OPERATORS["abs"](tensor)
    if order in (float("inf"), float("-inf")):
        is_one = OPERATORS["eq"](size, norm_)
        count = sum(is_one, saved.dim, True) if rank else sum(is_one)
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
def vector_norm(
    x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, out: Any = None
) -> Any:
    """The length of a vector, of order `ord`."""
    if not x.dtype.is_floating:
        raise torch_error(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {x.dtype.scalar_name}",
            f"范数需要浮点张量，而这里是 {x.dtype.scalar_name}。",
            hint="Write x.float() first.",
            hint_zh="请先写 x.float()。",
        )
    return _vector_norm(x, float(plain(ord)), axes_of(dim, x.array.ndim), bool(keepdim))


@torch_function("norm", method=True)
def norm(
    input: Any, p: Any = "fro", dim: Any = None, keepdim: Any = False, out: Any = None, dtype: Any = None
) -> Any:
    """The length: of all elements, or along axes."""
    if p == "nuc":
        from engine.languages.surfaces.torch.errors import not_here

        raise not_here(
            "norm(p='nuc')", "核范数 norm(p='nuc')", "Use the singular values: torch.linalg.svdvals(x).sum()."
        )
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


@torch_function("linalg.norm")
def linalg_norm(
    A: Any, ord: Any = None, dim: Any = None, keepdim: Any = False, *, out: Any = None, dtype: Any = None
) -> Any:
    """The length of a vector or a matrix."""
    axes = axes_of(dim, A.array.ndim)
    if ord is None or (len(axes) == 1 and ord != "fro"):
        return vector_norm(A, 2 if ord is None else ord, axes if dim is not None else None, keepdim)
    return matrix_norm(A, ord, axes, keepdim)


@torch_function("linalg.matrix_norm")
def matrix_norm(
    A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False, *, dtype: Any = None, out: Any = None
) -> Any:
    """The norm of a matrix: Frobenius', or the largest sum of a row (inf) or a column (1)."""
    rows_, columns = axes_of(dim, A.array.ndim)
    if ord == "fro":
        return vector_norm(A, 2, (rows_, columns), keepdim)
    if ord in (1, -1, float("inf"), float("-inf")):
        over, rest = (rows_, columns) if abs(ord) == 1 else (columns, rows_)
        sums = sum(OPERATORS["abs"](A), over, True)
        found = (amax if ord > 0 else amin)(sums, (rest,), True)
        return (
            found
            if keepdim
            else reshape(found, [n for axis, n in enumerate(found.shape) if axis not in (rows_, columns)])
        )
    values = OPERATORS["svdvals"](A)
    return {2: lambda: amax(values, (-1,)), -2: lambda: amin(values, (-1,)), "nuc": lambda: sum(values, -1)}[
        ord
    ]()


@torch_function("dist", method=True)
def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """The length of the difference."""
    return vector_norm(input - other, p)


# -- logarithms of sums, sums so far ---------------------------------------------------------------------


@differentiable("LogsumexpBackward0", saves="self result dim keepdim")
def _logsumexp(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_logsumexp(self, axis=list(dim), keepdims=keepdim)


@_logsumexp.backward
def _logsumexp_backward(saved: Any, grad: Any) -> Any:
    rank = saved.self.array.ndim
    grad = restored(grad, rank, saved.dim, saved.keepdim)
    return grad * exp(saved.self - restored(saved.result, rank, saved.dim, saved.keepdim))


@torch_function("logsumexp", "special.logsumexp", method=True)
def logsumexp(input: Any, dim: Any, keepdim: Any = False, *, out: Any = None) -> Any:
    """log of the sum of exp along axes."""
    return _logsumexp(as_floats(input), axes_of(dim, input.array.ndim), bool(keepdim))


@differentiable("CumsumBackward0", saves="dim")
def _cumsum(self: Any, dim: Any) -> Any:
    return ops.cumsum(self, axis=dim)


@_cumsum.backward
def _cumsum_backward(saved: Any, grad: Any) -> Any:
    return _reversed_sums(grad, saved.dim)


def _reversed_sums(tensor: Any, dim: Any) -> Any:
    flipped = OPERATORS["flip"](tensor, (dim,))
    return OPERATORS["flip"](cumsum(flipped, dim), (dim,))


@torch_function("cumsum", method=True)
def cumsum(input: Any, dim: Any, *, dtype: Any = None, out: Any = None) -> Any:
    """The sums so far along an axis."""
    wanted = dtype_of(dtype)
    input = to(input, wanted) if wanted else input if input.dtype.is_floating else to_type(input, INT64)
    return _cumsum(input, axis_of(dim, input.array.ndim)) if input.array.ndim else input * 1


@differentiable("CumprodBackward0", saves="self result dim")
def _cumprod(self: Any, dim: Any) -> Any:
    return ops.cumprod(self, axis=dim)


@_cumprod.backward
def _cumprod_backward(saved: Any, grad: Any) -> Any:
    tensor, dim = saved.self, saved.dim
    if not np.any(tensor.array == 0):
        return _reversed_sums(saved.result * grad, dim) / tensor
    parts, upstream = OPERATORS["iter_dim"](tensor, dim), OPERATORS["iter_dim"](grad, dim)
    found = []
    for place in range(len(parts)):
        before = parts[0] * 0 + 1
        for one in parts[:place]:
            before = before * one
        total, running = upstream[place] * before, before
        for after in range(place + 1, len(parts)):
            running = running * parts[after]
            total = total + upstream[after] * running
        found.append(total)
    return OPERATORS["stack"](found, dim)


@torch_function("cumprod", method=True)
def cumprod(input: Any, dim: Any, *, dtype: Any = None, out: Any = None) -> Any:
    """The products so far along an axis."""
    wanted = dtype_of(dtype)
    input = to(input, wanted) if wanted else input if input.dtype.is_floating else to_type(input, INT64)
    return _cumprod(input, axis_of(dim, input.array.ndim))


@torch_function("logcumsumexp", method=True)
def logcumsumexp(input: Any, dim: Any, *, out: Any = None) -> Any:
    """log of the sums of exp so far."""
    largest = of_value(ops.reduce_max(input.value))
    return log(cumsum(exp(input - largest), dim)) + largest


@torch_function("diff", method=True)
def diff(input: Any, n: Any = 1, dim: Any = -1) -> Any:
    """The differences of neighbours along an axis."""
    axis = axis_of(dim, input.array.ndim)
    for _ in range(n):
        length = input.shape[axis]
        narrow = OPERATORS["narrow"]
        input = narrow(input, axis, 1, length - 1) - narrow(input, axis, 0, length - 1)
    return input
