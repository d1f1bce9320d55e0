"""`torch.poisson` and `torch.binomial`, and the gamma numbers behind `torch.distributions`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.random import rejection
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array

OPERATIONS_OF_A_DRAW = 15_000  # element operations that take as long as one number drawn by rejection


@torch_function("poisson")
def poisson(input: Tensor, generator: Any = None) -> Tensor:
    """How many events there are where so many are expected, in the type of the rates."""
    if np.any(input.array < 0):
        raise torch_error(
            "invalid Poisson rate, expected rate to be non-negative", "泊松分布的 rate 不能为负。"
        )
    drawn = rejection.poisson(generator_of(generator), _paid(input.array))
    return of_numbers(drawn.astype(input.array.dtype))


@torch_function("binomial")
def binomial(count: Tensor, prob: Tensor, generator: Any = None) -> Tensor:
    """How many of count trials succeed, in the type of the counts."""
    shape = np.broadcast_shapes(count.array.shape, prob.array.shape)
    counts, shares = (np.broadcast_to(one.array, shape) for one in (count, prob))
    drawn = rejection.binomial(generator_of(generator), _paid(counts), shares)
    return of_numbers(drawn.astype(count.array.dtype))


def standard_gamma(concentration: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Gamma numbers with rate 1, above 0, in the type of their concentration."""
    dtype = concentration.array.dtype
    drawn = rejection.standard_gamma(generator_of(), _paid(np.broadcast_to(concentration.array, shape)))
    return of_numbers(np.maximum(drawn.astype(dtype), np.finfo(dtype).tiny))


def dirichlet(concentration: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Gamma numbers along the last axis, over their sum: between 0 and 1 and never at either."""
    dtype = concentration.array.dtype
    drawn = rejection.standard_gamma(generator_of(), _paid(np.broadcast_to(concentration.array, shape)))
    shares = (drawn / drawn.sum(-1, keepdims=True)).astype(dtype)
    largest = np.nextafter(dtype.type(1), dtype.type(0))
    return of_numbers(np.clip(shares, np.finfo(dtype).tiny, largest))


def _paid(parameters: Array) -> Array:
    """The parameters, once the budget has paid for a draw by each. Raises: LimitError where it cannot."""
    state().graph.meter.spend(parameters.size * OPERATIONS_OF_A_DRAW)
    return parameters
