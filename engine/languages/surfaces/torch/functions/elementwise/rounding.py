"""Whole numbers nearby: `torch.floor`, `torch.round`, `torch.frac`."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.functions.elementwise.unary import no_kernel, unary
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS


def _step_function(name: str, node_name: str, forward: Any, *others: str) -> Any:
    """A function that is flat where it has a derivative."""
    function = differentiable(node_name)(forward)
    function.backward(lambda saved, grad: OPERATORS["zeros_like"](grad))
    unary(name, *others, whole=True)(function)
    return function


def _floor(self: Any) -> Any:
    return ops.floor(self) if self.dtype.startswith("float") else self


def _ceil(self: Any) -> Any:
    return ops.ceil(self) if self.dtype.startswith("float") else self


def _trunc(self: Any) -> Any:
    return ops.mul(ops.sign(self), ops.floor(ops.absolute(self))) if self.dtype.startswith("float") else self


floor = _step_function("floor", "FloorBackward0", _floor)
ceil = _step_function("ceil", "CeilBackward0", _ceil)
trunc = _step_function("trunc", "TruncBackward0", _trunc, "fix")


@differentiable("RoundBackward0")
def _round(self: Any) -> Any:
    return ops.rint(self) if self.dtype.startswith("float") else self


@differentiable("RoundBackward1")
def _round_to(self: Any, decimals: Any) -> Any:
    if not self.dtype.startswith("float"):
        return self
    return ops.divide(ops.rint(ops.mul(self, 10.0**decimals)), 10.0**decimals)


@_round.backward
@_round_to.backward
def _round_backward(saved: Any, grad: Any) -> Any:
    return OPERATORS["zeros_like"](grad)


@torch_function("round", method=True)
def round(input: Any, *, decimals: Any = None, out: Any = None) -> Any:
    """Rounded to the nearest whole number, halves to the even one, or to so many digits."""
    if input.dtype is BOOL:
        raise no_kernel("round", input)
    return _round(input) if decimals is None else _round_to(input, decimals)


torch_function("round_", method="only")(in_place(round))


@unary("frac")
@differentiable("FracBackward0")
def frac(self: Any) -> Any:
    return ops.sub(self, ops.mul(ops.sign(self), ops.floor(ops.absolute(self))))


@frac.backward
def frac_backward(saved: Any, grad: Any) -> Any:
    return grad
