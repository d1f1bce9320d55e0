"""New tensors of random numbers: `torch.rand`, `torch.randn`, `torch.randint`, `torch.normal`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.surfaces.torch.dtypes import INT64, DType, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import check_broadcast, kind_needed, plain
from engine.languages.surfaces.torch.random import choices, distributions
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import check_lengths, lengths, whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array


def _random_tensor(
    draw: Callable[..., Array],
    shape: tuple[int, ...],
    dtype: DType,
    requires_grad: Any,
    generator: Any,
    *arguments: Any,
) -> Tensor:
    """A tensor of drawn numbers, its size checked before they are drawn."""
    check_lengths(shape)
    state().graph.meter.check_elements(shape)
    numbers = generator_of(generator)
    if dtype.is_complex:
        array = _of_parts(draw, numbers, shape, dtype)
    else:
        array = draw(numbers, shape, np.dtype(dtype.held_as), *arguments)
    return of_numbers(array, bool(requires_grad))


def _of_parts(draw: Callable[..., Array], numbers: Any, shape: tuple[int, ...], dtype: DType) -> Array:
    """Complex numbers whose parts are drawn; normal ones so that both together vary by 1."""
    spread = (0.0, 1 / math.sqrt(2)) if draw is distributions.normal else ()
    parts = draw(numbers, (*shape, 2), np.dtype(dtype.of_parts.name), *spread)
    return np.ascontiguousarray(parts).view(dtype.name)[..., 0]


def _floating(dtype: Any, what: str) -> DType:
    found = dtype_of(dtype) or state().default_float
    if not found.has_gradients:
        raise no_kernel(what, found)
    return found


def no_kernel(what: str, dtype: DType) -> Exception:
    """PyTorch draws no such numbers of this type."""
    return torch_error(
        f"\"{what}\" not implemented for '{dtype.scalar_name}'",
        f"不能生成 {dtype.name} 类型的随机小数。",
        kind="NotImplementedError",
        hint="Use torch.randint for whole numbers.",
        hint_zh="整数请使用 torch.randint。",
    )


@torch_function("rand")
def rand(
    *size: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """Uniform numbers in [0, 1)."""
    kind = _floating(dtype, "check_uniform_bounds")
    return _random_tensor(distributions.uniform, lengths(size), kind, requires_grad, generator)


@torch_function("randn")
def randn(
    *size: Any,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """Standard normal numbers."""
    kind = _floating(dtype, "normal_kernel_cpu")
    return _random_tensor(distributions.normal, lengths(size), kind, requires_grad, generator)


@torch_function("rand_like")
def rand_like(input: Tensor, *, dtype: Any = None, requires_grad: Any = False, **others: Any) -> Tensor:
    """Uniform numbers, as many as a tensor has."""
    return made(rand, input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@torch_function("randn_like")
def randn_like(input: Tensor, *, dtype: Any = None, requires_grad: Any = False, **others: Any) -> Tensor:
    """Standard normal numbers, as many as a tensor has."""
    return made(randn, input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@torch_function("randint")
def randint(
    low: Any = None,
    high: Any = None,
    size: Any = None,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Tensor:
    """Whole numbers from low up to, without, high; `randint(high, size)` begins at 0."""
    if isinstance(high, (tuple, list)):
        low, high, size = 0, low, high
    if size is None and isinstance(low, int) and isinstance(high, int):
        raise kind_needed("randint", "size", 2, "tuple of ints", high)
    if not isinstance(size, (tuple, list)):
        raise TypeError
    if high is None and low is None:
        raise TypeError
    if high is None:
        low, high = 0, low
    elif low is None:
        low = 0
    low, high = whole(low), whole(high)
    if low >= high:
        raise torch_error(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}",
            f"下界 {low} 必须小于上界 {high}。",
        )
    kind = dtype_of(dtype) or INT64
    return _random_tensor(distributions.integers, lengths((size,)), kind, requires_grad, generator, low, high)


@torch_function("randint_like")
def randint_like(input: Tensor, low: Any, high: Any = None, *, dtype: Any = None) -> Tensor:
    """Whole numbers, as many as a tensor has, in its type."""
    bounds = (0, low) if high is None else (low, high)
    return made(randint, *bounds, tuple(input.shape), dtype=dtype or input.dtype)


@torch_function("randperm")
def randperm(
    n: Any,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """The whole numbers below n in a random order."""
    count = whole(n)
    if count < 0:
        raise torch_error(
            f"Trying to create tensor with negative dimension {count}: [{count}]",
            f"n 不能为负，但得到 {count}。",
        )
    state().graph.meter.check_elements((count,))
    order = choices.permutation(generator_of(generator), count)
    return of_numbers(np.array(order, dtype=(dtype_of(dtype) or INT64).name), bool(requires_grad))


@torch_function("normal")
def normal(mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, **others: Any) -> Tensor:
    """Normal numbers with a mean and a spread, which may be tensors."""
    if size is not None:
        kind = _floating(others.get("dtype"), "normal_kernel_cpu")
        bounds = float(plain(mean)), checked_spread(plain(std))
        return _random_tensor(
            distributions.normal, lengths((size,)), kind, others.get("requires_grad"), generator, *bounds
        )
    tensors = [one for one in (mean, std) if isinstance(one, Tensor)]
    if not tensors:
        raise torch_error(
            "normal() received an invalid combination of arguments: give size, or a tensor",
            "normal() 需要 size，或者张量形式的 mean、std。",
            kind="TypeError",
        )
    if isinstance(std, Tensor) and np.any(std.array < 0):
        raise torch_error("normal expects all elements of std >= 0.0", "标准差不能为负。")
    shape = check_broadcast(tensors)
    kind = tensors[0].dtype
    drawn = _random_tensor(distributions.normal, shape, kind, False, generator).array
    scale, center = (one.array if isinstance(one, Tensor) else one for one in (std, mean))
    return of_numbers(np.asarray(drawn * scale + center, dtype=kind.name))


def checked_spread(std: Any) -> float:
    """Raises: RuntimeError's message of PyTorch where it is below zero."""
    if not std >= 0:
        raise torch_error(
            f"normal expects std >= 0.0, but found std {std:g}",
            f"标准差不能为负，但得到 {to_str(std)}。",
        )
    return float(std)


def made(function: Callable[..., Any], *args: Any, **keywords: Any) -> Tensor:
    """What one of these functions makes."""
    tensor: Tensor = function(*args, **keywords)
    return tensor
