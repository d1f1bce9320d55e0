"""exp, log, tanh and their kin in single precision with the last digit that XLA gives on a processor.

Programs print differences of such numbers, which are all last digits. Each product with a sum is rounded once
(a fused multiplication), which double precision does exactly enough.
Source: the Cephes library (S. Moshier) for exp, log and log1p; for tanh the quotient of polynomials of Eigen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

f32 = np.float32
LOG2_E = f32(1.44269504088896341)
LN2_HIGH, LN2_LOW = f32(0.693359375), f32(-2.12194440e-4)  # their sum is ln 2
EXP = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
EXP_ENDS = (
    -87.336544,
    88.722839,
)  # below, XLA gives 0, as it does for all numbers below its smallest normal one
LOG = (
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
ROOT_HALF = f32(0.707106781186547524)
TANH_END, TANH_LINEAR = f32(7.99881172180175781), f32(0.0004)
TANH_ABOVE = (
    *(-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08),
    *(1.48572235717979e-05, 6.37261928875436e-04, 4.89352455891786e-03),
)
TANH_BELOW = (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
ROOT_TWO_LESS_ONE = f32(0.41421356237309504880)
LOG1P_ABOVE = (
    *(
        4.5270000862445199635215e-5,
        4.9854102823193375972212e-1,
        6.5787325942061044846969,
        29.911919328553073277375,
    ),
    *(60.949667980987787057556, 57.112963590585538103336, 20.039553499201281259648),
)
LOG1P_BELOW = (
    *(1.0, 15.062909083469192043167, 83.047565967967209469434, 221.76239823732856465394),
    *(309.09872225312059774938, 216.42788614495947685003, 60.118660497603843919306),
)
LN2, LN_HALF = f32(np.log(2)), f32(np.log(0.5))
ERF_END = f32(3.832506856900711)
ERF_ABOVE = (
    *(0.00022905065861350646, 0.0034082910107109506, 0.050955695062380861),
    *(0.18520832239976145, 1.128379143519084),
)
ERF_BELOW = (
    *(-1.1791602954361697e-7, 0.000023547966471313185, 0.0010179625278914885, 0.014070470171167667),
    *(0.11098505178285362, 0.49746925110067538, 1.0),
)


def fused(a: Any, b: Any, c: Any) -> Any:
    """a b + c, rounded once."""
    return (np.asarray(a, "f8") * np.asarray(b, "f8") + np.asarray(c, "f8")).astype(f32)


def _polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    total = np.full_like(x, f32(coefficients[0]))
    for one in coefficients[1:]:
        total = fused(total, x, f32(one))
    return total


def _exp(x: Any) -> Any:
    """eˣ = 2ⁿ eʳ with |r| ≤ ln 2 / 2."""
    inside = np.clip(np.nan_to_num(x), *EXP_ENDS).astype(f32)
    n = np.minimum(np.floor(fused(inside, LOG2_E, f32(0.5))), f32(127))
    r = fused(-n, LN2_LOW, fused(-n, LN2_HIGH, inside))
    y = f32(1) + fused(_polynomial(r, EXP), r * r, r)
    found = np.ldexp(y.astype("f8"), n.astype("int64")).astype(f32)
    found = np.where(x > f32(EXP_ENDS[1]), f32(np.inf), np.where(x < f32(EXP_ENDS[0]), f32(0), found))
    return np.where(np.isnan(x), x, found).astype(f32)


def _log(x: Any) -> Any:
    """ln x = e ln 2 + ln m with m near 1."""
    usual = (x > 0) & np.isfinite(x) & (x >= np.finfo(f32).tiny)
    m, e = np.frexp(np.where(usual, x, f32(1)))
    small = m < ROOT_HALF
    e = np.where(small, e - 1, e).astype(f32)
    m = np.where(small, m + m - f32(1), m - f32(1)).astype(f32)
    square = m * m
    cube = square * m
    y = fused(fused(m, f32(LOG[0]), f32(LOG[1])), m, f32(LOG[2]))
    y1 = fused(fused(m, f32(LOG[3]), f32(LOG[4])), m, f32(LOG[5]))
    y2 = fused(fused(m, f32(LOG[6]), f32(LOG[7])), m, f32(LOG[8]))
    y = fused(fused(y, cube, y1), cube, y2) * cube
    y = fused(e, LN2_LOW, y)
    found = fused(e, LN2_HIGH, y + fused(square, f32(-0.5), m))
    too_small = (x > 0) & ~usual & np.isfinite(x)
    return np.where(usual, found, np.log(np.where(too_small, 0, x).astype("f8"))).astype(f32)


def _tanh(x: Any) -> Any:
    inside = np.clip(x, -TANH_END, TANH_END)
    square = inside * inside
    above = inside * _polynomial(square, TANH_ABOVE)
    return np.where(np.abs(x) < TANH_LINEAR, x, above / _polynomial(square, TANH_BELOW)).astype(f32)


def _log1p(x: Any) -> Any:
    """ln(1 + x) = x - x²/2 + x³ P(x)/Q(x) for small x."""
    square = x * x
    quotient = _polynomial(x, LOG1P_ABOVE) / _polynomial(x, LOG1P_BELOW)
    near = x + (f32(-0.5) * square + x * square * quotient)
    return np.where(np.abs(x) < ROOT_TWO_LESS_ONE, near, _log(x + f32(1))).astype(f32)


def _expm1(x: Any) -> Any:
    """eˣ - 1 = tanh(x/2) (eˣ + 1) for small x."""
    e = _exp(x)
    return np.where(np.abs(x) <= f32(0.5), _tanh(x * f32(0.5)) * (e + f32(1)), e - f32(1)).astype(f32)


def _sinh(x: Any) -> Any:
    """(e + e/(e + 1)) / 2 with e = eˣ - 1 for small x."""
    e = _expm1(x)
    near = f32(0.5) * (e + e / (e + f32(1)))
    return np.where(np.abs(x) < 1, near, _exp(x + LN_HALF) - _exp(LN_HALF - x)).astype(f32)


def _asinh(x: Any) -> Any:
    """± ln(1 + |x| + x² / (1 + √(x² + 1)))."""
    size, square = np.abs(x), x * x
    near = _log1p(size + square / (f32(1) + np.sqrt(square + f32(1))))
    return np.copysign(np.where(np.isinf(square), _log(size) + LN2, near), x).astype(f32)


def erf(x: Any) -> Any:
    """The error function, as a quotient of polynomials; source: Eigen. Shapes: (*S) -> (*S), float32."""
    inside = np.clip(x, -ERF_END, ERF_END)
    square = inside * inside
    return inside * _polynomial(square, ERF_ABOVE) / _polynomial(square, ERF_BELOW)


def _in_single(single: Callable[[Any], Any], other: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: single(x) if x.dtype == f32 else other(x.astype("f8")).astype(x.dtype)


def _quietly(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function whose branches may leave the range of floats where they are not taken."""

    def call(x: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(x)

    return call


exp, log, tanh = _in_single(_exp, np.exp), _in_single(_log, np.log), _in_single(_tanh, np.tanh)
log1p, expm1 = _in_single(_quietly(_log1p), np.log1p), _in_single(_quietly(_expm1), np.expm1)
exp2 = _in_single(_quietly(lambda x: _exp(x * LN2)), np.exp2)
sinh, asinh = _in_single(_quietly(_sinh), np.sinh), _in_single(_quietly(_asinh), np.arcsinh)
cosh = _in_single(_quietly(lambda x: _exp(x + LN_HALF) + _exp(LN_HALF - x)), np.cosh)
atanh = _in_single(_quietly(lambda x: f32(0.5) * (_log1p(x) - _log1p(-x))), np.arctanh)
