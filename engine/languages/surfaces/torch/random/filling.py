"""Methods that fill a tensor with random numbers: `x.uniform_()`, `x.normal_()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random import distributions
from engine.languages.surfaces.torch.random.making import checked_spread
from engine.languages.surfaces.torch.random.outcomes import check_kind, check_probability
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array


def _fill(self: Tensor, draw: Callable[..., Array], generator: Any, *arguments: Any) -> Tensor:
    """Exchange the numbers of a tensor for drawn ones."""
    array = draw(generator_of(generator), self.array.shape, self.array.dtype, *arguments)
    return change(self, of_numbers(array))


def check_range(low: float, high: float) -> None:
    """Raises: RuntimeError's message of PyTorch where the lower bound lies above the upper one."""
    if low > high:
        raise torch_error(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}",
            f"下界 {low:g} 大于上界 {high:g}。",
        )


@torch_function("uniform_", method="only")
def uniform_(self: Tensor, a: Any = 0.0, b: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Uniform numbers between two bounds."""
    low, high = float(plain(a)), float(plain(b))
    check_range(low, high)
    check_kind(self, "check_uniform_bounds")
    return _fill(self, distributions.uniform, generator, low, high)


@torch_function("normal_", method="only")
def normal_(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Normal numbers."""
    check_kind(self, "normal_kernel_cpu")
    return _fill(self, distributions.normal, generator, float(plain(mean)), checked_spread(plain(std)))


@torch_function("random_", method="only")
def random_(self: Tensor, *bounds: Any, generator: Any = None) -> Tensor:
    """Whole numbers: below a bound, between two, or as large as the type holds."""
    if not bounds:
        return _fill(self, distributions.any_integers, generator)
    low, high = (0, bounds[0]) if len(bounds) == 1 or bounds[1] is None else bounds
    return _fill(self, distributions.integers, generator, int(plain(low)), int(plain(high)))


@torch_function("bernoulli_", method="only")
def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """1 with a probability, else 0."""
    share = p.array if isinstance(p, Tensor) else float(p)
    check_probability(share)
    share = np.broadcast_to(share, self.array.shape) if isinstance(share, np.ndarray) else share
    return _fill(self, distributions.bernoulli, generator, share)


@torch_function("exponential_", method="only")
def exponential_(self: Tensor, lambd: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Exponential numbers with a rate."""
    return _fill(self, distributions.exponential, generator, float(plain(lambd)))


@torch_function("geometric_", method="only")
def geometric_(self: Tensor, p: Any, *, generator: Any = None) -> Tensor:
    """How many trials until the first success."""
    return _fill(self, distributions.geometric, generator, float(plain(p)))


@torch_function("log_normal_", method="only")
def log_normal_(self: Tensor, mean: Any = 1.0, std: Any = 2.0, *, generator: Any = None) -> Tensor:
    """e to the power of normal numbers."""
    return _fill(self, distributions.log_normal, generator, float(plain(mean)), float(plain(std)))


@torch_function("cauchy_", method="only")
def cauchy_(self: Tensor, median: Any = 0.0, sigma: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Cauchy numbers around a median."""
    return _fill(self, distributions.cauchy, generator, float(plain(median)), float(plain(sigma)))
