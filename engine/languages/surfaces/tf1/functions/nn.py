"""TensorFlow's functions for networks, losses and random numbers: names, and what they call.

These functions of the engine have TensorFlow's own argument names; the tables add the spellings of
older versions (`dim` for `axis`, `keep_dims` for `keepdims`).
"""

from __future__ import annotations

from typing import Any

from engine.errors import ValueRefused
from engine.graph.composites import losses as weighted
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.tf1.functions.ops import (
    TF,
    Build,
    binary,
    enter_in_math,
    features,
    reduction,
    unary,
)
from engine.languages.surfaces.tf1.functions.registration import offer, taken
from engine.ops.arrays import filling, grids, padding
from engine.ops.common import passing as control
from engine.ops.common import reducing
from engine.ops.elementwise import accumulating, division, logical, quotients, rounding, special, trigonometry
from engine.ops.linear_algebra import bias, contraction
from engine.ops.networks import (
    activations,
    along_rows,
    clipping,
    convolution,
    depthwise,
    losses,
    normalizing,
    pooling,
)
from engine.ops.reductions import scans
from engine.ops.sources import random

UNITS: dict[str, Build] = {
    "elu": activations.elu,
    "selu": activations.selu,
    "softplus": activations.softplus,
    "softsign": activations.softsign,
}

enter_in_math(
    unary,
    acosh=trigonometry.acosh,
    asinh=trigonometry.asinh,
    atanh=trigonometry.atanh,
    ceil=rounding.ceil,
    digamma=special.digamma,
    erf=special.erf,
    erfc=special.erfc,
    is_inf=logical.is_inf,
    is_nan=logical.is_nan,
    lgamma=special.lgamma,
    log_sigmoid=activations.log_sigmoid,
    logical_not=logical.logical_not,
    rint=rounding.rint,
    round=rounding.round_of,
)
enter_in_math(
    binary,
    div=quotients.div,
    div_no_nan=quotients.div_no_nan,
    divide_no_nan=quotients.div_no_nan,
    floordiv=quotients.floordiv,
    logical_and=logical.logical_and,
    logical_or=logical.logical_or,
    logical_xor=logical.logical_xor,
    truncatediv=quotients.truncate_div,
    xdivy=quotients.xdivy,
    xlogy=quotients.xlogy,
)
enter_in_math(
    reduction,
    reduce_all=reducing.reduce_all,
    reduce_any=reducing.reduce_any,
    reduce_logsumexp=normalizing.reduce_logsumexp,
    reduce_std=normalizing.reduce_std,
    reduce_variance=normalizing.reduce_variance,
)
TF.function("floor_div")(binary(division.floor_div))
TF.function("realdiv")(binary(division.real_div))
TF.function("math.multiply_no_nan")(binary(quotients.multiply_no_nan))
TF.function("math.reciprocal_no_nan")(unary(quotients.reciprocal_no_nan))
for word, build in UNITS.items():
    TF.function(f"nn.{word}")(features(build))
TF.function("math.softplus")(features(activations.softplus))
TF.function("math.softsign")(features(activations.softsign))


@TF.function("divide", "math.divide")
def divide(x: Any, y: Any, name: Any = None) -> Any:
    """Python's `/`: unlike the other functions of two tensors, it takes the type from either operand."""
    return quotients.divide(x, y, name=name)


@TF.function("saturate_cast", "dtypes.saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: Any = None) -> Any:
    """Another element type; what lies beyond its numbers becomes the nearest of them."""
    return clipping.saturate_cast(taken(value), dtype_name(dtype) or "float32", name=name)


@TF.function("atan2", "math.atan2")
def atan2(y: Any, x: Any, name: Any = None) -> Any:
    """The angle of the point (x, y)."""
    return trigonometry.atan2(y, x, name=name)


@TF.function("nn.l2_loss")
def l2_loss(t: Any, name: Any = None) -> Any:
    """Half the sum of squares."""
    return losses.l2_loss(t, name=name)


def _linspace(start: Any, stop: Any, num: Any, name: Any = None) -> Any:
    """Evenly spaced numbers, at least one."""
    if isinstance(num, int) and num < 1:
        raise ValueRefused(
            f"Requires num > 0: {num}",
            message_zh=f"num 必须大于 0，不能是 {num}。",
            code="bad_value",
        )
    return filling.linspace(start, stop, num, name)


offer(activations.crelu, "nn.crelu")
offer(activations.leaky_relu, "nn.leaky_relu")
offer(bias.bias_add, "nn.bias_add")
offer(bias.xw_plus_b, "nn.xw_plus_b")
offer(clipping.clip_by_global_norm, "clip_by_global_norm")
offer(clipping.clip_by_value, "clip_by_value")
offer(clipping.global_norm, "global_norm", "linalg.global_norm")
offer(contraction.einsum, "einsum", "linalg.einsum")
offer(contraction.tensordot, "tensordot", "linalg.tensordot")
offer(accumulating.accumulate_n, "accumulate_n", "math.accumulate_n")
offer(control.placeholder_with_default, "placeholder_with_default")
offer(along_rows.conv1d, "nn.conv1d")
offer(along_rows.conv2d_transpose, "nn.conv2d_transpose")
offer(convolution.conv2d, "nn.conv2d")
offer(depthwise.depthwise_conv2d, "nn.depthwise_conv2d")
offer(depthwise.separable_conv2d, "nn.separable_conv2d")
offer(filling.broadcast_to, "broadcast_to")
offer(_linspace, "lin_space", "linspace")
offer(filling.one_hot, "one_hot")
offer(grids.meshgrid, "meshgrid")
offer(losses.sigmoid_cross_entropy_with_logits, "nn.sigmoid_cross_entropy_with_logits")
offer(losses.softmax_cross_entropy_with_logits, "nn.softmax_cross_entropy_with_logits")
offer(losses.softmax_cross_entropy_with_logits_v2, "nn.softmax_cross_entropy_with_logits_v2", dim="axis")
offer(losses.sparse_softmax_cross_entropy_with_logits, "nn.sparse_softmax_cross_entropy_with_logits")
offer(losses.weighted_cross_entropy_with_logits, "nn.weighted_cross_entropy_with_logits")
offer(normalizing.batch_normalization, "nn.batch_normalization")
offer(normalizing.l2_normalize, "linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize", dim="axis")
offer(normalizing.log_softmax, "log_softmax", "math.log_softmax", "nn.log_softmax", dim="axis")
offer(normalizing.moments, "nn.moments", keep_dims="keepdims")
offer(normalizing.softmax, "math.softmax", "nn.softmax", dim="axis")
offer(padding.pad, "pad")
offer(pooling.avg_pool, "nn.avg_pool", "nn.avg_pool2d")
offer(pooling.max_pool, "nn.max_pool")
offer(pooling.max_pool2d, "nn.max_pool2d")
offer(random.dropout, "nn.dropout")
offer(random.categorical, "random.categorical")
offer(random.multinomial, "multinomial", "random.multinomial")
offer(random.random_normal, "random.normal", "random_normal")
offer(random.random_shuffle, "random.shuffle", "random_shuffle")
offer(random.random_uniform, "random.uniform", "random_uniform")
offer(random.truncated_normal, "random.truncated_normal", "truncated_normal")
offer(scans.cumprod, "cumprod", "math.cumprod")
offer(scans.cumsum, "cumsum", "math.cumsum")

offer(weighted.absolute_difference, "losses.absolute_difference")
offer(weighted.compute_weighted_loss, "losses.compute_weighted_loss")
offer(weighted.cosine_distance, "losses.cosine_distance")
offer(weighted.hinge_loss, "losses.hinge_loss")
offer(weighted.huber_loss, "losses.huber_loss")
offer(weighted.log_loss, "losses.log_loss")
offer(weighted.mean_squared_error, "losses.mean_squared_error")
offer(weighted.sigmoid_cross_entropy_loss, "losses.sigmoid_cross_entropy")
offer(weighted.softmax_cross_entropy_loss, "losses.softmax_cross_entropy")
offer(weighted.sparse_softmax_cross_entropy_loss, "losses.sparse_softmax_cross_entropy")

for reduction_name, way in weighted.REDUCTIONS.items():
    TF.value(way, f"losses.Reduction.{reduction_name}")
