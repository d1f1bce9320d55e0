"""Further names of functions that stand elsewhere: `torch.conv2d`, `torch.sigmoid_`, `torch.special.ndtr`."""

from __future__ import annotations

import math
from typing import Any

from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.nn import module_names  # noqa: F401  # for its tables
from engine.languages.surfaces.torch.registry import TENSOR, TORCH, F, torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS

OF_FUNCTIONAL = (
    *("adaptive_avg_pool1d", "avg_pool1d", "bilinear", "celu", "channel_shuffle", "conv1d", "conv2d"),
    *("conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity"),
    *("group_norm", "hardshrink", "layer_norm", "max_pool1d", "max_pool2d", "max_pool3d", "pixel_shuffle"),
    *("pixel_unshuffle", "pairwise_distance", "pdist", "prelu", "rms_norm", "selu", "threshold"),
)
IN_PLACE = (
    *("nan_to_num", "xlogy", "polygamma", "mvlgamma", "i0", "ldexp", "heaviside", "copysign", "float_power"),
    *("gcd", "lcm", "renorm", "bitwise_not", "logical_and", "logical_or", "logical_xor", "addmv", "addr"),
    *("baddbmm", "addbmm", "nextafter", "absolute", "negative", "arctan2", "igamma", "igammac", "sgn"),
    *("less", "less_equal", "greater", "greater_equal", "not_equal", "put", "index_reduce"),
    *("bitwise_left_shift", "bitwise_right_shift"),
)
AS_FUNCTIONS = (
    *("abs_", "acos_", "acosh_", "asin_", "asinh_", "atan_", "atanh_", "ceil_", "clamp_", "clamp_max_"),
    *(
        "clamp_min_",
        "clip_",
        "cos_",
        "cosh_",
        "deg2rad_",
        "erf_",
        "erfc_",
        "exp_",
        "exp2_",
        "expm1_",
        "fill_",
    ),
    *("fix_", "floor_", "frac_", "index_put_", "log_", "log10_", "log1p_", "log2_", "logit_", "nan_to_num_"),
    *("neg_", "negative_", "rad2deg_", "reciprocal_", "round_", "rsqrt_", "sigmoid_", "sin_", "sinc_"),
    *("sinh_", "sqrt_", "square_", "tan_", "tanh_", "trunc_", "xlogy_", "zero_", "detach_", "relu_"),
)
SPECIAL = ("exp2", "expm1", "log1p", "round", "sinc", "i0", "polygamma", "multigammaln", "logit", "softmax")


def _enter() -> None:
    for name in OF_FUNCTIONAL:
        if F + name in TORCH:
            TORCH.setdefault(name, TORCH[F + name])
    for name in IN_PLACE:
        if name in OPERATORS and f"{name}_" not in TENSOR.methods:
            torch_function(f"{name}_", method="only")(in_place(OPERATORS[name]))
    for name in AS_FUNCTIONS:
        if name in TENSOR.methods:
            TORCH.setdefault(name, TENSOR.methods[name])
    for name in SPECIAL:
        if name in TORCH:
            TORCH.setdefault(f"special.{name}", TORCH[name])


_enter()


@torch_function("embedding")
def embedding(weight: Any, indices: Any, padding_idx: Any = -1) -> Any:
    """Rows of a matrix. Shapes: (n, d), (*S) -> (*S, d)."""
    given = None if padding_idx == -1 else padding_idx
    return TORCH[F + "embedding"].function(indices, weight, given)


@torch_function("batch_norm")
def batch_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: Any,
    momentum: Any,
    eps: Any,
    cudnn_enabled: Any = True,
) -> Any:
    """`torch.batch_norm`, whose arguments stand in another order than those of `F.batch_norm`."""
    settings = (weight, bias, training, momentum, eps)
    return TORCH[F + "batch_norm"].function(input, running_mean, running_var, *settings)


# -- of one number, made of others -----------------------------------------------------------------------


@torch_function("special.ndtr")
def ndtr(input: Any) -> Any:
    """The share of a standard normal below x."""
    return 0.5 * OPERATORS["erfc"](-input / math.sqrt(2))


@torch_function("special.ndtri")
def ndtri(input: Any) -> Any:
    """The x below which this share of a standard normal lies."""
    return math.sqrt(2) * OPERATORS["erfinv"](2 * input - 1)


@torch_function("special.entr")
def entr(input: Any) -> Any:
    """-x log x, 0 at 0, and minus infinity below."""
    found = OPERATORS["masked_fill"](-OPERATORS["xlogy"](input, input), OPERATORS["eq"](input, 0), 0)
    return OPERATORS["masked_fill"](found, OPERATORS["lt"](input, 0), -math.inf)


@torch_function("special.xlog1py")
def xlog1py(input: Any, other: Any) -> Any:
    """x log(1 + y), 0 where x is 0."""
    return OPERATORS["xlogy"](input, 1 + other)


@torch_function("isposinf", method=True)
def isposinf(input: Any) -> Any:
    """Whether an element is infinite, and above zero."""
    return OPERATORS["eq"](input, math.inf)


@torch_function("isneginf", method=True)
def isneginf(input: Any) -> Any:
    """Whether an element is infinite, and below zero."""
    return OPERATORS["eq"](input, -math.inf)


@torch_function("isreal", method=True)
def isreal(input: Any) -> Any:
    """True everywhere: the numbers here are real."""
    return OPERATORS["eq"](OPERATORS["zeros_like"](input), 0)


@torch_function("real", method=True)
def real(input: Any) -> Any:
    """The tensor itself: its numbers are real."""
    return input


@torch_function("ldexp", method=True)
def ldexp(input: Any, other: Any) -> Any:
    """x times 2 to the power of another."""
    return input * 2.0**other


@torch_function("addr", method=True)
def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """An outer product, added. Shapes: (n, m), (n,), (m,) -> (n, m)."""
    product = OPERATORS["outer"](vec1, vec2)
    return _weighted(input, beta) + _weighted(product, alpha)


@torch_function("addbmm", method=True)
def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """The products of a batch, summed and added. Shapes: (n, p), (b, n, m), (b, m, p) -> (n, p)."""
    product = OPERATORS["sum"](OPERATORS["bmm"](batch1, batch2), 0)
    return _weighted(input, beta) + _weighted(product, alpha)


def _weighted(value: Any, weight: Any) -> Any:
    return value if weight == 1 else value * plain(weight)
