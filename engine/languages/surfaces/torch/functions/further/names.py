"""Further names of functions that stand elsewhere: `torch.conv2d`, `torch.sigmoid_`, `torch.special.ndtr`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.functions.further import (  # noqa: F401  # for their tables
    arrangements,
    extras,
    statistics,
    vectors,
)
from engine.languages.surfaces.torch.functions.operands import as_floats, plain
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
    *("baddbmm", "nextafter", "absolute", "negative", "arctan2", "igamma", "igammac", "sgn"),
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
def ndtr(input: Any, *, out: Any = None) -> Any:
    """The share of a standard normal below x."""
    scaled: Any = as_floats(input)
    return 0.5 * OPERATORS["erfc"](-scaled / math.sqrt(2))


@torch_function("special.ndtri")
def ndtri(input: Any, *, out: Any = None) -> Any:
    """The x below which this share of a standard normal lies."""
    return composite("SpecialNdtriBackward0", "input", shown="result")(_ndtri)(as_floats(input))


def _ndtri(input: Any) -> Any:
    return math.sqrt(2) * OPERATORS["erfinv"](2 * input - 1)


@torch_function("special.entr")
def entr(input: Any, *, out: Any = None) -> Any:
    """-x log x, 0 at 0, and minus infinity below."""
    return _entr(as_floats(input))


@differentiable("SpecialEntrBackward0", saves="self")
def _entr(self: Any) -> Any:
    zeros = ops.zeros_like(self)
    found = ops.select(ops.equal(self, zeros), zeros, ops.neg(ops.mul(self, ops.log(self))))
    lowest = ops.mul(ops.ones_like(self), np.asarray(-math.inf, self.dtype))
    return ops.select(ops.less(self, zeros), lowest, found)


@_entr.backward
def _entr_backward(saved: Any, grad: Any) -> Any:
    return grad * (-OPERATORS["log"](saved.self) - 1)


@torch_function("special.log_ndtr")
def log_ndtr(input: Any, *, out: Any = None) -> Any:
    """The logarithm of the share of a standard normal below x, which far below is log(erfc(-x / √2) / 2)."""
    return composite("SpecialLogNdtrBackward0", "input", shown="input")(_log_ndtr)(as_floats(input))


def _log_ndtr(input: Any) -> Any:
    """Below -1 by the fraction of Mills, x + 1/(x + 2/(x + 3/(…))), with no number that vanishes."""
    x = -OPERATORS["clamp"](input, max=-0.5)
    fraction = x + MILLS
    for k in range(MILLS, 0, -1):
        fraction = x + k / fraction
    far = -x * x / 2 - math.log(2 * math.pi) / 2 - OPERATORS["log"](fraction)
    near = OPERATORS["log"](ndtr(OPERATORS["clamp"](input, min=-1.5)))
    return OPERATORS["where"](OPERATORS["lt"](input, -1.0), far, near)


MILLS = 60  # steps of the fraction, enough for float64 from -1 down


@torch_function("special.xlog1py")
def xlog1py(input: Any, other: Any, *, out: Any = None) -> Any:
    """x log(1 + y), 0 where x is 0."""
    return OPERATORS["xlogy"](input, 1 + other)


@torch_function("mvlgamma", "special.multigammaln", method=True)
def mvlgamma(input: Any, p: Any, *, out: Any = None) -> Any:
    """The logarithm of the gamma function of p dimensions: of its parts, and p (p - 1) / 4 log π."""
    return composite("MvlgammaBackward0", "input", shown="p input")(_mvlgamma)(as_floats(input), p=p)


def _mvlgamma(input: Any, p: Any) -> Any:
    total: Any = int(p) * (int(p) - 1) / 4 * math.log(math.pi)
    for k in range(int(p)):
        total = total + OPERATORS["lgamma"](input - k / 2)
    return total


@torch_function("isposinf", method=True)
def isposinf(input: Any) -> Any:
    """Whether an element is infinite, and above zero."""
    return OPERATORS["eq"](input, math.inf)


@torch_function("isneginf", method=True)
def isneginf(input: Any) -> Any:
    """Whether an element is infinite, and below zero."""
    return OPERATORS["eq"](input, -math.inf)


@torch_function("ldexp", method=True)
def ldexp(input: Any, other: Any, *, out: Any = None) -> Any:
    """x times 2 to the power of another."""
    return composite("LdexpBackward0", "input other", shown="other")(_ldexp)(input, other)


def _ldexp(input: Any, other: Any) -> Any:
    return input * 2.0**other


@torch_function("addr", method=True)
def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    """An outer product, added. Shapes: (n, m), (n,), (m,) -> (n, m)."""
    node = composite("AddrBackward0", "input vec1 vec2", shown="alpha beta vec1 vec2")
    return node(_addr)(input, vec1, vec2, beta=beta, alpha=alpha)


def _addr(input: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Any:
    return _weighted(input, beta) + _weighted(OPERATORS["outer"](vec1, vec2), alpha)


@torch_function("addbmm", method=True)
def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    """The products of a batch, summed and added. Shapes: (n, p), (b, n, m), (b, m, p) -> (n, p)."""
    node = composite("AddbmmBackward0", "input batch1 batch2", shown="alpha batch1 batch2 beta")
    return node(_addbmm)(input, batch1, batch2, beta=beta, alpha=alpha)


def _addbmm(input: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    product = OPERATORS["sum"](OPERATORS["bmm"](batch1, batch2), 0, dtype=batch1.dtype)
    return _weighted(input, beta) + _weighted(product, alpha)


torch_function("addbmm_", method="only")(in_place(addbmm))


def _weighted(value: Any, weight: Any) -> Any:
    return value if weight == 1 else value * plain(weight)
