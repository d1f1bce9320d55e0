"""Exponentials, logarithms and roots: `torch.exp`, `torch.log`, `torch.sqrt`."""

from __future__ import annotations

import math
from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.functions.elementwise.unary import unary
from engine.languages.surfaces.torch.functions.numbers import more_by, scaled


@unary("exp")
@differentiable("ExpBackward0", saves="result")
def exp(self: Any) -> Any:
    return ops.exp(self)


@exp.backward
def exp_backward(saved: Any, grad: Any) -> Any:
    return grad * saved.result


@unary("exp2")
@differentiable("Exp2Backward0", saves="result")
def exp2(self: Any) -> Any:
    return ops.exp(ops.mul(self, math.log(2)))


@exp2.backward
def exp2_backward(saved: Any, grad: Any) -> Any:
    return scaled(grad * saved.result, math.log(2))


@unary("expm1")
@differentiable("Expm1Backward0", saves="result")
def expm1(self: Any) -> Any:
    return ops.expm1(self)


@expm1.backward
def expm1_backward(saved: Any, grad: Any) -> Any:
    return grad * more_by(saved.result, 1)


@unary("log")
@differentiable("LogBackward0", saves="self")
def log(self: Any) -> Any:
    return ops.log(self)


@log.backward
def log_backward(saved: Any, grad: Any) -> Any:
    return grad / saved.self


@unary("log2")
@differentiable("Log2Backward0", saves="self")
def log2(self: Any) -> Any:
    return ops.divide(ops.log(self), math.log(2))


@log2.backward
def log2_backward(saved: Any, grad: Any) -> Any:
    return grad / scaled(saved.self, math.log(2))


@unary("log10")
@differentiable("Log10Backward0", saves="self")
def log10(self: Any) -> Any:
    return ops.divide(ops.log(self), math.log(10))


@log10.backward
def log10_backward(saved: Any, grad: Any) -> Any:
    return grad / scaled(saved.self, math.log(10))


@unary("log1p")
@differentiable("Log1PBackward0", saves="self")
def log1p(self: Any) -> Any:
    return ops.log1p(self)


@log1p.backward
def log1p_backward(saved: Any, grad: Any) -> Any:
    return grad / more_by(saved.self, 1)


@unary("sqrt")
@differentiable("SqrtBackward0", saves="result")
def sqrt(self: Any) -> Any:
    return ops.sqrt(self)


@sqrt.backward
def sqrt_backward(saved: Any, grad: Any) -> Any:
    return grad / scaled(saved.result, 2)


@unary("rsqrt")
@differentiable("RsqrtBackward0", saves="result")
def rsqrt(self: Any) -> Any:
    return ops.rsqrt(self)


@rsqrt.backward
def rsqrt_backward(saved: Any, grad: Any) -> Any:
    return scaled(grad, -0.5) * saved.result.__pow__(3)
