"""Tensors and the numbers of a formula: in PyTorch each of these has a node that keeps the number alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.functions.arithmetic.sums import _sub, type_name
from engine.languages.surfaces.torch.tensor import of_scalar


@differentiable("MulBackward1", saves="other")
def scaled(self: Any, other: Any) -> Any:
    """A tensor times a number of a formula."""
    return ops.mul(self, np.asarray(other, dtype=type_name(self)))


@scaled.backward
def _scaled_backward(saved: Any, grad: Any) -> Any:
    return scaled(grad, saved.other)


@differentiable("DivBackward1", saves="other")
def parted(self: Any, other: Any) -> Any:
    """A tensor divided by a number of a formula."""
    return ops.divide(self, np.asarray(other, dtype=type_name(self)))


@parted.backward
def _parted_backward(saved: Any, grad: Any) -> Any:
    return parted(grad, saved.other)


@differentiable("AddBackward1")
def more_by(self: Any, other: Any) -> Any:
    """A tensor plus a number of a formula."""
    return ops.add(self, np.asarray(other, dtype=type_name(self)))


@more_by.backward
def _more_by_backward(saved: Any, grad: Any) -> Any:
    return grad


@differentiable("SubBackward1")
def less_by(self: Any, other: Any) -> Any:
    """A tensor less a number of a formula."""
    return ops.sub(self, np.asarray(other, dtype=type_name(self)))


@less_by.backward
def _less_by_backward(saved: Any, grad: Any) -> Any:
    return grad


def less_than(number: Any, tensor: Any) -> Any:
    """A number of a formula less a tensor."""
    return _sub(of_scalar(number, tensor.dtype), tensor)
