"""The error function and the gamma function: `torch.erf`, `torch.lgamma`."""

from __future__ import annotations

import math
from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.functions.elementwise.exponentials import exp
from engine.languages.surfaces.torch.functions.elementwise.unary import unary
from engine.languages.surfaces.torch.functions.numbers import scaled
from engine.languages.surfaces.torch.tensor import of_value


@unary("erf", also="special.erf")
@differentiable("ErfBackward0", saves="self")
def erf(self: Any) -> Any:
    return ops.erf(self)


@erf.backward
def erf_backward(saved: Any, grad: Any) -> Any:
    return scaled(exp(-saved.self.__pow__(2)), 2 / math.sqrt(math.pi)) * grad


@unary("erfc", also="special.erfc")
@differentiable("ErfcBackward0", saves="self")
def erfc(self: Any) -> Any:
    return ops.erfc(self)


@erfc.backward
def erfc_backward(saved: Any, grad: Any) -> Any:
    return scaled(exp(-saved.self.__pow__(2)), -2 / math.sqrt(math.pi)) * grad


@unary("lgamma", also="special.gammaln")
@differentiable("LgammaBackward0", saves="self")
def lgamma(self: Any) -> Any:
    return ops.lgamma(self)


@lgamma.backward
def lgamma_backward(saved: Any, grad: Any) -> Any:
    return grad * digamma(saved.self)


@unary("digamma", also="special.digamma")
@differentiable("DigammaBackward0", saves="self")
def digamma(self: Any) -> Any:
    at_zero = ops.neg(ops.reciprocal(self))  # -∞ from the right, ∞ from the left
    return ops.select(ops.equal(self, 0.0), at_zero, ops.digamma(self))


@digamma.backward
def digamma_backward(saved: Any, grad: Any) -> Any:
    return grad * _trigamma(saved.self)


@differentiable("PolygammaBackward0", saves="self")
def _trigamma(self: Any) -> Any:
    return ops.polygamma(1.0, self)


@_trigamma.backward
def _trigamma_backward(saved: Any, grad: Any) -> Any:
    return grad * of_value(ops.polygamma(2.0, saved.self.value))
