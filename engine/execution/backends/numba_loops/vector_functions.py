"""Elementary functions without branches, which a compiler turns into vector instructions.

They are compiled for machine code on arrays (`array_code.py`). Each is within 2 ulp of the exact value,
whether or not a product and the sum that takes it are rounded together.
Source: Moshier, Cephes Mathematical Library, exp.c and tanh.c: rational functions on a reduced argument.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign
from typing import Any

import numpy as np

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93145751953125e-1, 1.42860682030941723212e-6  # their sum is ln 2; k · high is exact
ROUND = 6755399441055744.0  # 1.5 · 2^52: to add it and take it away leaves the nearest whole number


def vector_functions(compiled: Callable[[Any], Any]) -> dict[str, Any]:
    """The functions by their names in `math`. compiled: makes machine code of a function."""

    @compiled
    def power_of_two(k: float) -> Any:
        return np.int64((np.int64(k) + 1023) << 52).view(np.float64)  # the bits of a float64's exponent

    @compiled
    def reduced(x: float) -> tuple[float, float, float]:
        """k, p, q with e^x = 2^k (q + p) / (q - p)."""
        k = (x * LOG2_E + ROUND) - ROUND
        r = (x - k * LN2_HIGH) - k * LN2_LOW
        rr = r * r
        p = r * (
            (1.26177193074810590878e-4 * rr + 3.02994407707441961300e-2) * rr + 9.99999999999999999910e-1
        )
        q = (
            (3.00198505138664455042e-6 * rr + 2.52448340349684104192e-3) * rr + 2.27265548208155028766e-1
        ) * rr + 2.0
        return k, p, q

    @compiled
    def exp(x: float) -> float:
        """Beyond the range of float64 an infinity or 0; 2^k in two factors, so that neither leaves it."""
        limited = -746.0 if x < -746.0 else x
        limited = 710.0 if limited > 710.0 else limited
        k, p, q = reduced(limited)
        half = (0.5 * k + ROUND) - ROUND
        power = (1.0 + 2.0 * p / (q - p)) * power_of_two(half) * power_of_two(k - half)
        return power if x == x else x

    @compiled
    def tanh(x: float) -> float:
        """x + x³ P(x²) / Q(x²) near 0, else 1 - 2 / (e^{2x} + 1), by one division; from 22 on it is 1."""
        size = abs(x)
        k, p, q = reduced(2.0 * size if size < 22.0 else 44.0)
        scaled, rest = power_of_two(k) * (q + p), q - p
        z = x * x
        above = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3
        below = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3
        near = size < 0.625
        begin = size if near else 1.0
        value = begin + (size * z * above if near else -2.0 * rest) / (below if near else scaled + rest)
        value = copysign(value, x)
        return value if x == x else x

    return {"exp": exp, "tanh": tanh}
