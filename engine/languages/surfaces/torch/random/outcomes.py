"""Outcomes drawn by their probabilities: `torch.bernoulli`, `torch.multinomial`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random import choices, distributions
from engine.languages.surfaces.torch.random.making import no_kernel
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers


@torch_function("bernoulli", method=True)
def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:
    """1 where a uniform number is below the probability, else 0."""
    if p is None:
        check_kind(input, "bernoulli_tensor_cpu_p_")
    own, name = generator_of(generator), input.dtype.name
    shares = input.array if p is None else float(plain(p))
    check_probability(shares)
    return of_numbers(distributions.bernoulli(own, input.array.shape, np.dtype(name), shares))


def check_probability(p: Any) -> None:
    array = np.asarray(p)
    if not np.all((array >= 0) & (array <= 1)):
        raise torch_error(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)",
            "概率必须在 0 和 1 之间。",
        )


@torch_function("multinomial", method=True)
def multinomial(
    input: Tensor, num_samples: Any, replacement: Any = False, *, generator: Any = None, out: Any = None
) -> Tensor:
    """Indices drawn in proportion to the weights of each row."""
    weights, count = input.array, int(plain(num_samples))
    if weights.ndim not in (1, 2):
        raise torch_error("prob_dist must be 1 or 2 dim", "概率必须是一维或二维。")
    if not input.dtype.is_floating:
        raise torch_error(
            "multinomial only supports floating-point dtypes for input, got: " + input.dtype.scalar_name,
            "概率必须是浮点数。",
        )
    if count < 1:
        raise torch_error("cannot sample n_sample <= 0 samples", "抽取的个数必须大于 0。")
    if not replacement and count > weights.shape[-1]:
        raise torch_error(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
            f"不放回时不能从 {weights.shape[-1]} 项中抽取 {count} 个。",
        )
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise torch_error(
            "probability tensor contains either `inf`, `nan` or element < 0", "概率中有 inf、nan 或负数。"
        )
    if np.any(weights.sum(axis=-1) <= 0):
        raise torch_error(
            "invalid multinomial distribution (sum of probabilities <= 0)", "概率之和必须大于 0。"
        )
    state().graph.meter.check_elements((*weights.shape[:-1], count))
    return of_numbers(choices.multinomial(generator_of(generator), weights, count, bool(replacement)))


def check_kind(tensor: Tensor, kernel: str) -> None:
    """Raises: NotImplementedError's message of PyTorch where whole numbers are to be drawn as floats."""
    if not tensor.dtype.is_floating:
        raise no_kernel(kernel, tensor.dtype)
