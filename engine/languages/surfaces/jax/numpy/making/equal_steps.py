"""`jnp.linspace` of known ends in single precision, with the digits of XLA's compiled loop.

Element i is a (1 - i / m) + b (i / m). XLA multiplies by the inverse of m, takes b / m out of the loop, and
rounds a product with a sum once; a loop of few turns is written out, where 1 · b / m is no product.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.lax.single_precision import f32, fused

WRITTEN_OUT = 30  # up to so many turns
ALL_FUSED = 352  # from so many on, 1 - i / m is rounded once, too


def equal_steps(start: Any, stop: Any, pieces: int, endpoint: bool) -> Any:
    """Numbers at equal distances. Returns: (pieces,) of float32, and one more with the endpoint."""
    a, b, i = f32(start), f32(stop), np.arange(pieces).astype(f32)
    inverse = f32(1) / f32(pieces)
    step = b * inverse
    rest = fused(-i, inverse, f32(1)) if pieces >= ALL_FUSED else f32(1) - i * inverse
    found = fused(i, step, a * rest)
    if 1 < pieces <= WRITTEN_OUT:
        found[1] = fused(a, rest[1], step)
    return np.append(found, b) if endpoint else found
