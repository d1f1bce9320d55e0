"""`torch.nn.init`: first values of weights, drawn as PyTorch draws them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.surfaces.torch.autograd.in_place import write
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functional.levels import check_change
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random import distributions
from engine.languages.surfaces.torch.random.filling import check_range
from engine.languages.surfaces.torch.random.outcomes import check_kind
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import TORCH, torch_function, torch_value
from engine.languages.surfaces.torch.state import recording
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import Array

GAINS = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
LEAST_INSIDE = 0.3  # of normal numbers between the bounds, to draw again what is outside
WITHOUT_GAIN = ("linear", "sigmoid", *(f"conv{t}{n}d" for t in ("", "_transpose") for n in (1, 2, 3)))


def put(tensor: Any, array: Array, name: str = "fill_.Scalar") -> Any:
    """Exchange the numbers of a tensor, outside of what gradients follow. Shapes: (*S) -> (*S).

    name: of the function by which PyTorch does so.
    """
    check_change(tensor, name)
    new = np.asarray(array, dtype=tensor.array.dtype)
    if not tensor.steps and tensor.storage.variable is None:
        tensor.storage.array, tensor.storage.value = new, None
        tensor.storage.writes += 1
        tensor.version.number += 1
    else:
        with recording(False):
            write(tensor, constant_node(new, "initial"))
    return tensor


def _draw(tensor: Any, draw: Callable[..., Array], generator: Any, *arguments: Any) -> Any:
    array = tensor.array
    drawn = draw(generator_of(generator), array.shape, array.dtype, *arguments)
    return put(tensor, drawn, f"{draw.__name__}_")


@torch_function("nn.init.uniform_")
def uniform_(tensor: Any, a: Any = 0.0, b: Any = 1.0, generator: Any = None) -> Any:
    """Uniform between a and b."""
    check_range(float(plain(a)), float(plain(b)))
    check_kind(tensor, "check_uniform_bounds")
    return _draw(tensor, distributions.uniform, generator, float(plain(a)), float(plain(b)))


@torch_function("nn.init.normal_")
def normal_(tensor: Any, mean: Any = 0.0, std: Any = 1.0, generator: Any = None) -> Any:
    """Normal with a mean and a spread."""
    check_kind(tensor, "normal_kernel_cpu")
    return _draw(tensor, distributions.normal, generator, float(plain(mean)), float(plain(std)))


@torch_function("nn.init.constant_")
def constant_(tensor: Any, val: Any) -> Any:
    """One number everywhere."""
    return put(tensor, np.full_like(tensor.array, plain(val)))


torch_function("nn.init.zeros_")(lambda tensor: constant_(tensor, 0.0))
torch_function("nn.init.ones_")(lambda tensor: constant_(tensor, 1.0))


@torch_function("nn.init.eye_")
def eye_(tensor: Any) -> Any:
    """Ones on the diagonal of a matrix."""
    if tensor.array.ndim != 2:
        raise torch_error(
            "Only tensors with 2 dimensions are supported", "eye_ 只支持二维张量。", kind="ValueError"
        )
    return put(tensor, np.eye(*tensor.array.shape))


@torch_function("nn.init.dirac_")
def dirac_(tensor: Any, groups: Any = 1) -> Any:
    """A convolution that passes its input on."""
    if tensor.array.ndim not in (3, 4, 5):
        raise torch_error(
            "Only tensors with 3, 4, or 5 dimensions are supported",
            "dirac_ 只支持 3、4、5 维张量。",
            kind="ValueError",
        )
    array = np.zeros_like(tensor.array)
    middle = tuple(length // 2 for length in array.shape[2:])
    per_group = array.shape[0] // groups
    for group in range(groups):
        for channel in range(min(per_group, array.shape[1])):
            array[(group * per_group + channel, channel, *middle)] = 1
    return put(tensor, array)


@torch_function("nn.init.trunc_normal_")
def trunc_normal_(
    tensor: Any, mean: Any = 0.0, std: Any = 1.0, a: Any = -2.0, b: Any = 2.0, generator: Any = None
) -> Any:
    """Normal numbers, drawn again where they are not between a and b."""
    shape, dtype, own = tensor.array.shape, tensor.array.dtype, generator_of(generator)
    inside = math.erf((b - mean) / std / math.sqrt(2.0)) - math.erf((a - mean) / std / math.sqrt(2.0))
    if inside / 2.0 <= LEAST_INSIDE:
        raise not_here(
            "trunc_normal_ between bounds that leave less than a third of the numbers",
            "上下界之内不足三分之一的 trunc_normal_",
            "Use nn.init.uniform_ between these bounds.",
            "请在这些界限之间使用 nn.init.uniform_。",
        )
    low, high = dtype.type(a), dtype.type(b)
    array = distributions.normal(own, shape, dtype, mean, std)
    while np.any(outside := (array < low) | (array > high)):
        array = np.where(outside, distributions.normal(own, shape, dtype, mean, std), array)
    return put(tensor, array)


# -- by the number of inputs -----------------------------------------------------------------------------


@torch_function("nn.init.calculate_gain")
def calculate_gain(nonlinearity: Any, param: Any = None) -> float:
    """By how much weights grow so that an activation keeps the spread.

    Raises: ValueError for another word.
    """
    if nonlinearity in WITHOUT_GAIN:
        return 1
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else plain(param)
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity in GAINS:
        return GAINS[nonlinearity]
    raise torch_error(
        f"Unsupported nonlinearity {to_str(nonlinearity)}",
        f"不支持的激活函数 {to_str(nonlinearity)}。",
        kind="ValueError",
    )


def fans_of(tensor: Any) -> tuple[int, int]:
    """How many inputs and outputs each number of a weight has. Raises: ValueError for a vector."""
    shape = tensor.array.shape
    if len(shape) < 2:
        raise torch_error(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions",
            "少于二维的张量没有 fan_in 和 fan_out。",
            kind="ValueError",
            hint="Initialise biases with nn.init.zeros_.",
            hint_zh="偏置请用 nn.init.zeros_ 初始化。",
        )
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


torch_function("nn.init._calculate_fan_in_and_fan_out")(lambda tensor: fans_of(tensor))


def _fan_of(tensor: Any, mode: Any) -> int:
    if mode not in ("fan_in", "fan_out"):
        raise torch_error(
            f"Mode {to_str(mode)} not supported, please use one of ['fan_in', 'fan_out']",
            "mode 只能是 'fan_in' 或 'fan_out'。",
            kind="ValueError",
        )
    return fans_of(tensor)[mode == "fan_out"]


@torch_function("nn.init.xavier_uniform_")
def xavier_uniform_(tensor: Any, gain: Any = 1.0, generator: Any = None) -> Any:
    """Uniform with spread gain * sqrt(2 / (fan_in + fan_out))."""
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(sum(fans_of(tensor)))))
    return uniform_(tensor, -bound, bound, generator)


@torch_function("nn.init.xavier_normal_")
def xavier_normal_(tensor: Any, gain: Any = 1.0, generator: Any = None) -> Any:
    """Normal with spread gain * sqrt(2 / (fan_in + fan_out))."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(sum(fans_of(tensor)))), generator)


@torch_function("nn.init.kaiming_uniform_")
def kaiming_uniform_(
    tensor: Any, a: Any = 0, mode: Any = "fan_in", nonlinearity: Any = "leaky_relu", generator: Any = None
) -> Any:
    """Uniform with spread gain / sqrt(fan)."""
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan_of(tensor, mode))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


@torch_function("nn.init.kaiming_normal_")
def kaiming_normal_(
    tensor: Any, a: Any = 0, mode: Any = "fan_in", nonlinearity: Any = "leaky_relu", generator: Any = None
) -> Any:
    """Normal with spread gain / sqrt(fan)."""
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan_of(tensor, mode))
    return normal_(tensor, 0.0, std, generator)


@torch_function("nn.init.orthogonal_")
def orthogonal_(tensor: Any, gain: Any = 1, generator: Any = None) -> Any:
    """Rows (or columns) at right angles: the orthogonal part of a matrix of normal numbers."""
    shape, dtype = tensor.array.shape, tensor.array.dtype
    if len(shape) < 2:
        raise torch_error(
            "Only tensors with 2 or more dimensions are supported",
            "orthogonal_ 只支持两维以上的张量。",
            kind="ValueError",
        )
    rows, columns = shape[0], math.prod(shape[1:])
    drawn = distributions.normal(generator_of(generator), (rows, columns), dtype)
    q, r = np.linalg.qr(drawn.T if rows < columns else drawn)
    q = q * np.sign(np.diag(r))
    return put(tensor, (q.T if rows < columns else q).reshape(shape) * dtype.type(gain))


@torch_function("nn.init.sparse_")
def sparse_(tensor: Any, sparsity: Any, std: Any = 0.01, generator: Any = None) -> Any:
    """Normal numbers, of which a share of each column is zero."""
    from engine.languages.surfaces.torch.random.choices import permutation

    if tensor.array.ndim != 2:
        raise torch_error(
            "Only tensors with 2 dimensions are supported", "sparse_ 只支持二维张量。", kind="ValueError"
        )
    rows, columns = tensor.array.shape
    array = distributions.normal(
        generator_of(generator), (rows, columns), tensor.array.dtype, 0.0, float(std)
    )
    for column in range(columns):
        order = permutation(generator_of(generator), rows)
        array[order[: math.ceil(sparsity * rows)], column] = 0
    return put(tensor, array)


def default_weights(weight: Any, bias: Any) -> None:
    """What linear and convolutional layers begin with: both uniform within 1 / sqrt(fan_in)."""
    kaiming_uniform_(weight, math.sqrt(5))
    if bias is not None:
        fan_in, _ = fans_of(weight)
        bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
        uniform_(bias, -bound, bound)


# PyTorch still takes the names of before version 0.4.
for _old in (
    *("uniform", "normal", "constant", "eye", "dirac", "xavier_uniform", "xavier_normal"),
    *("kaiming_uniform", "kaiming_normal", "orthogonal", "sparse"),
):
    torch_value(TORCH[f"nn.init.{_old}_"], f"nn.init.{_old}")
