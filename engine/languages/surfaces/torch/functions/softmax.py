"""Softmax, its logarithm, and what is made of it."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.elementwise.exponentials import exp
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.functions.shaping import to
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS

# -- softmax ---------------------------------------------------------------------------------------------


@differentiable("SoftmaxBackward0", saves="result dim")
def _softmax(self: Any, dim: Any) -> Any:
    return _along_last(ops.softmax, self, dim)


@_softmax.backward
def _softmax_backward(saved: Any, grad: Any) -> Any:
    return softmax_slope(grad, saved.result, saved.dim)


@kernel("SoftmaxBackwardDataBackward0", "grad_output output", "dim grad_output output")
def softmax_slope(grad_output: Any, output: Any, dim: Any) -> Any:
    """grad_output y - y Σ grad_output y."""
    weighed = grad_output * output
    return weighed - output * OPERATORS["sum"](weighed, (dim,), True)


@differentiable("LogSoftmaxBackward0", saves="result dim")
def _log_softmax(self: Any, dim: Any) -> Any:
    return _along_last(ops.log_softmax, self, dim)


@_log_softmax.backward
def _log_softmax_backward(saved: Any, grad: Any) -> Any:
    return log_softmax_slope(grad, saved.result, saved.dim)


@kernel("LogSoftmaxBackwardDataBackward0", "grad_output output", "dim grad_output output")
def log_softmax_slope(grad_output: Any, output: Any, dim: Any) -> Any:
    """grad_output - exp(y) Σ grad_output."""
    return grad_output - exp(output) * OPERATORS["sum"](grad_output, (dim,), True)


def _along_last(op: Any, value: Any, dim: Any) -> Any:
    """An op on the last axis, done along another one."""
    rank = len(value.form.shape)
    if rank == 0:
        return ops.reshape(op(ops.reshape(value, [1])), [])
    if dim == rank - 1:
        return op(value)
    order = list(range(rank))
    order[dim], order[-1] = order[-1], order[dim]
    return ops.transpose(op(ops.transpose(value, order)), order)


def _softly(function: Any, name: Any) -> Any:
    def call(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
        if dim is None:
            dim = 0 if input.form.ndim in (0, 1, 3) else 1
        wanted = dtype_of(dtype)
        given = input if wanted is None else to(input, wanted)
        if not given.dtype.is_floating:
            raise torch_error(
                f"\"{name}_lastdim_kernel_impl\" not implemented for '{given.dtype.scalar_name}'",
                f"{name} 需要浮点张量。",
                kind="NotImplementedError",
            )
        return function(given, axis_of(dim, given.form.ndim))

    call.__doc__ = f"`{name}` along an axis."
    torch_function(name, f=True)(call)

    def along(input: Any, dim: Any, dtype: Any = None) -> Any:
        return call(input, dim, dtype=dtype)

    along.__doc__ = call.__doc__
    torch_function(name, method=True)(along)
    return call


softmax = _softly(_softmax, "softmax")
log_softmax = _softly(_log_softmax, "log_softmax")
torch_function("special.softmax")(softmax)
torch_function("special.log_softmax")(log_softmax)


@torch_function("softmin", f=True)
def softmin(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """The softmax of -input."""
    return softmax(-input, dim, dtype=dtype)
