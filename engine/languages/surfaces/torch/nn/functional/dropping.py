"""Dropout as functions; the numbers that are left grow by 1 / (1 - p), so that the mean stays.

Source: Srivastava et al. (2014).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random import distributions
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array


def check_share(p: Any) -> float:
    """A probability. Raises: ValueError's message of PyTorch."""
    share = float(plain(p))
    if not 0 <= share <= 1:
        raise torch_error(
            f"dropout probability has to be between 0 and 1, but got {to_str(p)}",
            f"dropout 的概率必须在 0 和 1 之间，但得到 {to_str(p)}。",
            kind="ValueError",
        )
    return share


def _mask(input: Any, shape: tuple[int, ...], p: float) -> Array:
    """1 for what stays. Shapes: () -> shape."""
    return distributions.bernoulli(generator_of(), shape, input.form.dtype, 1 - p)


def _dropped(input: Any, shape: tuple[int, ...], p: Any, training: Any, inplace: Any) -> Any:
    share = check_share(p)
    if not training or share == 0 or input.form.size == 0:
        return input
    if share == 1:
        result: Any = input * of_numbers(np.zeros((), dtype=input.form.dtype))
    else:
        mask = _mask(input, shape, share)
        result = input * of_numbers(mask / np.asarray(1 - share, dtype=mask.dtype))
    return change(input, result) if inplace else result


@torch_function("dropout")
def torch_dropout(input: Any, p: Any, train: Any) -> Any:
    """`torch.dropout`."""
    return _dropped(input, input.form.shape, p, train, False)


@torch_function("dropout", f=True)
def dropout(input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False) -> Any:
    """Each number alone becomes zero with probability p. Shapes: (*S) -> (*S)."""
    return _dropped(input, input.form.shape, p, training, inplace)


@torch_function("dropout1d", "dropout2d", "dropout3d", f=True)
def dropout_of_channels(input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False) -> Any:
    """Whole channels become zero. Shapes: (N, C, *S) -> (N, C, *S)."""
    return _dropped(input, _of_channels(input.form.shape), p, training, inplace)


def _of_channels(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape[:2], *(1,) * (len(shape) - 2))


SELU_LIMIT = 1.7580993408473766  # what SELU tends to on the left, without its sign


@torch_function("alpha_dropout", f=True)
def alpha_dropout(input: Any, p: Any = 0.5, training: Any = False, inplace: Any = False) -> Any:
    """Numbers become SELU's limit instead of zero, and all are scaled: mean and spread stay."""
    return _limited(input, input.form.shape, p, training, inplace)


@torch_function("feature_alpha_dropout", f=True)
def feature_alpha_dropout(input: Any, p: Any = 0.5, training: Any = False, inplace: Any = False) -> Any:
    """Whole channels become SELU's limit. Shapes: (N, C, *S) -> (N, C, *S)."""
    return _limited(input, _of_channels(input.form.shape), p, training, inplace)


def _limited(input: Any, shape: tuple[int, ...], p: Any, training: Any, inplace: Any) -> Any:
    share = check_share(p)
    if not training or share == 0:
        return input
    mask = _mask(input, shape, share)
    scale = 1 / np.sqrt((SELU_LIMIT**2 * share + 1) * (1 - share))
    shift = (mask - 1) * mask.dtype.type(SELU_LIMIT * scale) + mask.dtype.type(SELU_LIMIT * scale * share)
    result: Any = input * of_numbers(mask * mask.dtype.type(scale)) + of_numbers(shift)
    return change(input, result) if inplace else result
