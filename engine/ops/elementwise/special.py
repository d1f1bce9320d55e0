"""Special functions: the error function and the gamma function with its logarithmic derivatives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import control_dependencies, convert_to_tensor
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.domains import pole
from engine.ops.base.shapes import broadcast, same
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.common import measuring, plumbing
from engine.ops.elementwise import arithmetic, broadcasting, exponentials, powers

TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)

OPERATIONS_OF_A_SERIES = 1_000  # element operations that take as long as one sum in Python


def _each(function: Any, x: Array) -> Array:
    """A function of one number, applied to every element at double precision."""
    return np.asarray(np.vectorize(function, otypes=[np.float64])(x), dtype=x.dtype)


def _gaussian_gradient(factor: float, x: Tensor, dy: Tensor) -> Tensor:
    constant = convert_to_tensor(np.asarray(factor, x.dtype))
    scaled = arithmetic.mul(dy, constant, name="mul")
    with control_dependencies(dy):
        return scaled * exponentials.exp(-powers.square(x))


@op(
    "Erf",
    inputs="x",
    shape=same,
    latex=r"\mathrm{erf}\, {x}",
    adjoints=[r"\bar{y}\, \tfrac{2}{\sqrt\pi} e^{-x^2}"],
    derivative=[r"\frac{2}{\sqrt{\pi}}\, e^{-{x}^2}"],
    accepts="floats",
    names={
        "tf": "math.erf",
        "numpy": "vectorize(math.erf)",
        "torch": "erf",
        "jax": "jax.scipy.special.erf",
        "math": "erf",
    },
)
@in_chinese("标准正态曲线下从 0 到 x√2 的面积的两倍，值域为 (-1, 1)。")
def erf(x: Array) -> Any:
    """Twice the area under the normal curve from 0 to x√2. Shapes: x (*S) -> y (*S). Range: (-1, 1)."""
    return _each(math.erf, x)


@erf.gradient
def erf_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [_gaussian_gradient(TWO_OVER_ROOT_PI, node.inputs[0], dy)]


@op(
    "Erfc",
    inputs="x",
    shape=same,
    latex=r"1 - \mathrm{erf}\, {x}",
    adjoints=[r"-\bar{y}\, \tfrac{2}{\sqrt\pi} e^{-x^2}"],
    derivative=[r"-\frac{2}{\sqrt{\pi}}\, e^{-{x}^2}"],
    accepts="floats",
    names={
        "tf": "math.erfc",
        "numpy": "vectorize(math.erfc)",
        "torch": "erfc",
        "jax": "jax.scipy.special.erfc",
        "math": "erfc",
    },
)
@in_chinese("1 - erf(x)，在 erf 接近 1 时也精确。")
def erfc(x: Array) -> Any:
    """1 - erf(x), exact also where erf is almost 1. Shapes: x (*S) -> y (*S)."""
    return _each(math.erfc, x)


@erfc.gradient
def erfc_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [_gaussian_gradient(-TWO_OVER_ROOT_PI, node.inputs[0], dy)]


@op(
    "Lgamma",
    inputs="x",
    shape=same,
    latex=r"\ln |\Gamma({x})|",
    adjoints=[r"\bar{y}\, \psi(x)"],
    derivative=[r"\psi({x})"],
    domain=pole("lgamma"),
    accepts="wide floats",
    names={
        "tf": "math.lgamma",
        "numpy": "vectorize(math.lgamma)",
        "torch": "lgamma",
        "jax": "jax.scipy.special.gammaln",
        "math": "lgamma",
    },
)
@in_chinese("|Γ(x)| 的对数；Γ(n) = (n - 1)!。在 0、-1、-2、…… 处是无穷大。")
def lgamma(x: Array) -> Any:
    """Logarithm of |Γ(x)|; Γ(n) = (n - 1)!. Shapes: x (*S) -> y (*S). Infinite at 0, -1, -2, …"""
    return _each(_log_gamma, x)


def _log_gamma(x: float) -> float:
    if _is_pole(x) or abs(x) > LARGEST_GAMMA:
        return math.inf
    return math.lgamma(x)


LARGEST_GAMMA = 2.5e305  # beyond, ln |Γ| is no float64


def _is_pole(x: float) -> bool:
    """Whether Γ is infinite: at 0, -1, -2, …, which TensorFlow takes to end with -inf."""
    return x <= 0 and (math.isinf(x) or x == math.floor(x))


@lgamma.gradient
def lgamma_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    with control_dependencies(dy):
        return [dy * digamma(node.inputs[0])]


@op(
    "Digamma",
    inputs="x",
    shape=same,
    latex=r"\psi({x})",
    adjoints=[r"\bar{y}\, \psi'(x)"],
    derivative=[r"\psi^{(1)}({x})"],
    effort=lambda made, arguments: made * OPERATIONS_OF_A_SERIES,
    domain=pole("digamma"),
    accepts="wide floats",
    names={"tf": "math.digamma", "torch": "digamma", "jax": "jax.scipy.special.digamma", "math": "digamma"},
)
@in_chinese("ψ(x)，即 ln Γ(x) 的导数。在 0、-1、-2、…… 处是极点。")
def digamma(x: Array) -> Any:
    """ψ(x), the derivative of ln Γ(x). Shapes: x (*S) -> y (*S). Poles at 0, -1, -2, …"""
    return _each(_psi, x)


def _psi(x: float) -> float:
    """By ψ(x) = ψ(x + 1) - 1/x up to 10, then the asymptotic series. Source: Abramowitz & Stegun, 6.3.18."""
    if x == math.inf:
        return math.inf
    if _is_pole(x):  # -∞ among them
        return math.nan
    if x < 0:
        return _psi(1 - x) - math.pi / math.tan(math.pi * x)
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x += 1
    r = 1 / (x * x)
    series = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760)))))
    return shift + math.log(x) - 0.5 / x - series


@digamma.gradient
def digamma_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        first = convert_to_tensor(np.asarray(1, x.dtype))
        return [dy * polygamma(first, x)]


FARTHEST = 10_000  # from 0 to the left: as many terms are added one by one


@op(
    "Polygamma",
    inputs="a x",
    shape=broadcast,
    latex=r"\psi^{({a})}({x})",
    adjoints=["0", r"\bar{z}\, \psi^{(a + 1)}(x)"],
    derivative=["0", r"\psi^{({a} + 1)}({x})"],
    effort=lambda made, arguments: made * 4 * OPERATIONS_OF_A_SERIES,
    accepts="wide floats",
)
@in_chinese("ψ 的 a 阶导数，a 为整数；在 0、-1、-2、…… 处是无穷大。对 a 无梯度。")
def polygamma(a: Array, x: Array) -> Any:
    """ψ differentiated a times, for whole a; infinite at 0, -1, -2, … No gradient by a.

    Shapes: a, x broadcast to z.
    """
    return np.asarray(np.vectorize(_psi_n, otypes=[np.float64])(a, x), dtype=x.dtype)


def _psi_n(a: float, x: float) -> float:
    """(-1)^(n+1) n! ζ(n + 1, x), the sum by Euler and Maclaurin. Source: Abramowitz & Stegun, 6.4.10."""
    n = int(a)
    if a == 0:
        return _psi(x)
    if n != a or math.isnan(x):
        return math.nan
    sign = -1.0 if n % 2 == 0 else 1.0
    if x == math.inf:
        return sign * 0.0
    if n % 2 == 0 and _is_pole(x):  # -∞ on one side, ∞ on the other
        return math.nan
    if n > 170 or _is_pole(x):  # n! is beyond float64, or this is a pole
        return sign * math.inf
    if x < -FARTHEST:
        return math.nan
    return sign * math.factorial(n) * _zeta(n + 1, x)


def _zeta(s: int, x: float) -> float:
    terms = 20 + max(0, math.ceil(-x))
    head = sum(_to_the(x + k, -s) for k in range(terms))
    y = x + terms
    tail = y ** (1 - s) / (s - 1) + 0.5 * y**-s
    factor = s * y ** (-s - 1)
    for k, b in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66)):  # Bernoulli numbers
        m = 2 * k + 2
        tail += b / math.factorial(m) * factor
        factor *= (s + m - 1) * (s + m) / (y * y)
    return head + tail


def _to_the(x: float, power: int) -> float:
    """A power beyond float64, of an x close to a pole, is infinite."""
    try:
        return float(x**power)
    except OverflowError:
        return math.inf if power % 2 == 0 else math.copysign(math.inf, x)


@polygamma.gradient
def polygamma_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    a, x = node.inputs
    sa, sx = measuring.shape_of(a), measuring.shape_of(x)
    _, rx = plumbing.broadcast_gradient_args.node(sa, sx).outputs
    with control_dependencies(dz):
        slope = polygamma(a + 1, x)
    return [None, broadcasting.sum_to(slope * dz, rx, sx)]
