"""Values of gradients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.graph import Tensor
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array


def dense_value(values: Mapping[Tensor, Array], gradient: Any) -> Array | None:
    """A gradient's value; one given row by row in full."""
    if not isinstance(gradient, IndexedSlices):
        return values.get(gradient)
    rows, places = values.get(gradient.values), values.get(gradient.indices)
    shape = None if gradient.dense_shape is None else values.get(gradient.dense_shape)
    if rows is None or places is None or shape is None:
        return None
    full = np.zeros(tuple(int(n) for n in shape), rows.dtype)
    np.add.at(full, places, rows)
    return full
