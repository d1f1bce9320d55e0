"""The trace and the triangles of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS


@differentiable("TraceBackward0", saves="self_sym_sizes")
def _trace(self: Any) -> Any:
    return ops.reduce_sum(ops.matrix_diag_part(self))


@_trace.backward
def _trace_backward(saved: Any, grad: Any) -> Any:
    rows, columns = saved.self_sym_sizes
    eye = OPERATORS["of_numbers"](np.eye(rows, columns, dtype=grad.dtype.held_as))
    return grad * eye


@torch_function("trace", method=True)
def trace(input: Any) -> Any:
    """The sum of the diagonal."""
    return _trace(input)


def _triangle(name: Any, node_name: Any, of_array: Any) -> Any:
    @differentiable(node_name, saves="diagonal")
    def function(self: Any, diagonal: Any = 0) -> Any:
        if self.form.dtype.kind in "fc":  # 0 times inf is no number, and 0 times -1 is -0
            inside = of_array(np.ones(self.form.shape, dtype=bool), diagonal)
            return ops.where(inside, self, ops.zeros_like(self))
        mask = of_array(np.ones(self.form.shape[-2:], dtype=self.dtype), diagonal)
        return (ops.logical_and if self.dtype == "bool" else ops.mul)(self, mask)

    @function.backward
    def backward(saved: Any, grad: Any) -> Any:
        return function(grad, saved.diagonal)

    def call(input: Any, diagonal: Any = 0, *, out: Any = None) -> Any:
        if input.form.ndim < 2:
            raise torch_error(
                f"{name}: input tensor must have at least 2 dimensions", f"{name} 需要至少两维的张量。"
            )
        return function(input, int(plain(diagonal)))

    call.__doc__ = f"The triangle `{name}` of a matrix, 0 elsewhere."
    torch_function(name, method=True)(call)


_triangle("triu", "TriuBackward0", np.triu)


_triangle("tril", "TrilBackward0", np.tril)
