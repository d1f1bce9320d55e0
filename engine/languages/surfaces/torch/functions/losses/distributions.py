"""Losses between distributions: `F.kl_div`, `F.poisson_nll_loss`, `F.gaussian_nll_loss`."""

from __future__ import annotations

import math
from typing import Any

from engine.languages.surfaces.torch.functions.elementwise.exponentials import exp, log
from engine.languages.surfaces.torch.functions.losses.checks import check_tensors, check_variances
from engine.languages.surfaces.torch.functions.losses.differences import how, reduced
from engine.languages.surfaces.torch.functions.numbers import more_by
from engine.languages.surfaces.torch.functions.reductions import sum
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor


@torch_function("kl_div", f=True)
def kl_div(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    log_target: Any = False,
) -> Any:
    """The divergence of the target from exp(input)."""
    check_tensors("kl_div", input=input, target=target)
    if log_target:
        losses = exp(target) * (target - input)
    else:
        losses = OPERATORS["xlogy"](target, target) - target * input
    if reduction == "batchmean":
        return sum(losses) / input.shape[0] if input.form.ndim else sum(losses)
    return reduced(losses, how(reduction, size_average, reduce))


@torch_function("poisson_nll_loss", f=True)
def poisson_nll_loss(
    input: Any,
    target: Any,
    log_input: Any = True,
    full: Any = False,
    size_average: Any = None,
    eps: Any = 1e-8,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """Minus the logarithm of Poisson's distribution."""
    if log_input:
        products = target * input  # before exp(input), as the order of the functions shows in PyTorch
        losses = exp(input) - products
    else:
        losses = input - target * log(more_by(input, eps))
    if full:
        stirling = target * log(target) - target + 0.5 * log(2 * math.pi * target)
        losses = losses + OPERATORS["masked_fill"](stirling, OPERATORS["le"](target, 1), 0)
    return reduced(losses, how(reduction, size_average, reduce))


@torch_function("gaussian_nll_loss", f=True)
def gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: Any = False, eps: Any = 1e-6, reduction: Any = "mean"
) -> Any:
    """Minus the logarithm of the normal distribution."""
    if isinstance(var, Tensor):
        check_variances(input, var)
    bounded = OPERATORS["clamp_min"](var, eps)
    losses = 0.5 * (log(bounded) + (input - target).__pow__(2) / bounded)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduced(losses, how(reduction))
