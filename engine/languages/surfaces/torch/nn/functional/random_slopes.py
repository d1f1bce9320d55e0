"""A rectifier whose slopes on the left are drawn by chance in training.

Source: Xu et al. (2015).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random import distributions
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array

LOWER, UPPER = 1 / 8, 1 / 3  # between which slopes are drawn


@differentiable("RreluWithNoiseBackward0", saves="self noise")
def _times_slopes(self: Any, noise: Any) -> Any:
    return ops.mul(self, noise)


@_times_slopes.backward
def _times_slopes_backward(saved: Any, grad: Any) -> Any:
    return grad * of_numbers(saved.noise)


def _slopes(x: Array, low: float, high: float, training: bool, generator: Any) -> Array:
    """1 where x is positive, else a drawn slope, or the middle one. Shapes: (*S) -> (*S)."""
    slopes, left = np.ones_like(x), x <= 0
    slopes[left] = (low + high) / 2
    if training:
        count = int(left.sum())
        slopes[left] = distributions.uniform(generator_of(generator), (count,), np.float64, low, high)
    return slopes


@torch_function("rrelu")
def torch_rrelu(
    input: Any, lower: Any = LOWER, upper: Any = UPPER, training: Any = False, generator: Any = None
) -> Any:
    """`torch.rrelu`."""
    slopes = _slopes(input.array, float(plain(lower)), float(plain(upper)), bool(training), generator)
    return _times_slopes(input, slopes)


@torch_function("rrelu", f=True)
def rrelu(
    input: Any, lower: Any = LOWER, upper: Any = UPPER, training: Any = False, inplace: Any = False
) -> Any:
    """input where it is positive, else a share of it: by chance in training. Shapes: (*S) -> (*S)."""
    result = torch_rrelu(input, lower, upper, training)
    return change(input, result) if inplace else result
