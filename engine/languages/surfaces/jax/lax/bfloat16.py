"""What primitives compute of bfloat16: of arrays of float32 that hold such numbers.

What is given back is rounded where it is made (core/primitive.py). Functions that XLA computes in several
steps stand here with these steps; a primitive without an entry is refused, for its steps are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter import Diagnostic
from engine.languages.surfaces.jax.core.avals import BFLOAT16, cast
from engine.languages.surfaces.jax.core.primitive import IN_BFLOAT16, PRIMITIVES, no_bfloat16
from engine.languages.surfaces.jax.lax import single_precision

WINDOW = 32  # so many along an axis are summed one after the other; then the sums are
BLOCK = 16  # the same of running sums
ONE_STEP = """
    abs add and argmax argmin atan2 broadcast_in_dim cbrt ceil clamp concatenate convert_element_type copy
    cos cosh custom_jvp_call digamma div dot_general dynamic_slice dynamic_update_slice eq erf erf_inv
    erfc exp expm1 floor gather ge gt iota is_finite le lgamma log log1p lt max min mul ne neg
    nextafter or pad pow reduce_max reduce_min rem reshape rev round rsqrt scatter select_n sign sin sinh
    slice sort split sqrt square squeeze stop_gradient sub tan tanh tile
    top_k transpose unstack clamp atan cummax
    cummin empty2 stack add_any reduce_and reduce_or
"""


def note_on_rounding() -> Diagnostic:
    """The note on a program that computes in bfloat16: XLA leaves roundings out of compiled functions."""
    return Diagnostic(
        "note",
        "own_rounding",
        "Numbers of bfloat16 are rounded after each step here, as JAX does outside jit. Inside jit it leaves "
        "some of these roundings out.",
        "这里的 bfloat16 数值每一步都会舍入，与 jit 之外的 JAX 相同；在 jit 之内 JAX 会省略一些舍入。",
        "In compiled functions the third digit may differ from JAX's.",
        "编译后的函数中，第三位有效数字可能与 JAX 不同。",
    )


def rounded(x: Any) -> Any:
    """The nearest numbers of bfloat16. Shapes: (*S) -> (*S)."""
    return cast(x, BFLOAT16)


def in_bfloat16(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: how a primitive is computed."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        IN_BFLOAT16[name] = function
        return function

    return enter


IN_BFLOAT16.update(dict.fromkeys(ONE_STEP.split()))


@in_bfloat16("exp2")
def exp2(x: Any) -> Any:
    """2ˣ = eˣ ˡⁿ ². Shapes: x (*S) -> (*S)."""
    return single_precision.exp(rounded(x * rounded(np.float32(np.log(2)))))


@in_bfloat16("logistic")
def logistic(x: Any) -> Any:
    """1 / (1 + e⁻ˣ). Shapes: x (*S) -> (*S)."""
    return 1 / rounded(1 + rounded(single_precision.exp(-x)))


@in_bfloat16("integer_pow")
def whole_power(x: Any, y: int) -> Any:
    """xʸ, by squaring. Shapes: x (*S) -> (*S)."""
    power, factor, left = np.ones_like(x), x, abs(y)
    while left:
        if left & 1:
            power = rounded(power * factor)
        left >>= 1
        factor = rounded(factor * factor)
    return power if y >= 0 else 1 / power


@in_bfloat16("bitcast_convert_type")
def same_bits(x: Any, new_dtype: str) -> Any:
    """The bits of a number as those of another type: bfloat16 has the first half of those of float32."""
    if new_dtype == BFLOAT16:
        return (x.astype("uint32") << np.uint32(16)).view("float32")
    return (x.view("uint32") >> np.uint32(16)).astype("uint16").view(new_dtype)


def _step_by_step(x: Any, function: Callable[..., Any]) -> Any:
    """All that stands along the last axis, one after the other. Shapes: (*S, n) -> (*S)."""
    total = x[..., 0]
    for one in range(1, x.shape[-1]):
        total = rounded(function(total, x[..., one]))
    return total


def _in_windows(x: Any, axes: Sequence[int], function: Callable[..., Any], neutral: float) -> Any:
    """Each window of an array as one number. Shapes: (*S) -> as many axes, the windows along `axes`."""
    width = [min(WINDOW, n) if axis in axes else 1 for axis, n in enumerate(x.shape)]
    count = [-(-n // w) for n, w in zip(x.shape, width, strict=True)]
    more = [c * w - n for c, w, n in zip(count, width, x.shape, strict=True)]
    wide = np.pad(x, [(m // 2, m - m // 2) for m in more], constant_values=neutral)
    pairs = wide.reshape([n for pair in zip(count, width, strict=True) for n in pair])
    places = [*range(0, 2 * x.ndim, 2), *range(1, 2 * x.ndim, 2)]
    return _step_by_step(pairs.transpose(places).reshape(*count, prod(width)), function)


def _reduced(x: Any, axes: Iterable[int], function: Callable[..., Any], neutral: float) -> Any:
    """Along some axes, as XLA's tree of windows goes. Shapes: (*S) -> S without `axes`."""
    axes = tuple(axes)
    if any(x.shape[axis] == 0 for axis in axes):
        return np.full([n for axis, n in enumerate(x.shape) if axis not in axes], neutral, x.dtype)
    while any(x.shape[axis] > WINDOW for axis in axes):
        x = _in_windows(x, axes, function, neutral)
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    kept = [x.shape[axis] for axis in rest]
    count = prod(x.shape[axis] for axis in axes)
    return _step_by_step(x.transpose([*rest, *axes]).reshape(*kept, count), function)


@in_bfloat16("reduce_sum")
def reduce_sum(x: Any, axes: Sequence[int], **_: Any) -> Any:
    """The sum along some axes. Shapes: x (*S) -> S without `axes`."""
    return _reduced(x, axes, np.add, 0.0)


@in_bfloat16("scatter-add")
def scatter_add(x: Any, indices: Any, updates: Any, **parameters: Any) -> Any:
    """What is added at places of x, each of them met once. Raises: where one is met more often."""
    compute = PRIMITIVES["scatter-add"].compute
    assert compute is not None
    met = compute(np.zeros_like(x), indices, np.ones_like(updates), **parameters)
    if met.max(initial=0) > 1:
        raise no_bfloat16("`scatter-add` at places that come up twice", "在重复位置上的 `scatter-add`")
    return compute(x, indices, updates, **parameters)


@in_bfloat16("cumsum")
def cumsum(x: Any, axis: int, reverse: bool) -> Any:
    """The running sum along an axis, in blocks. Shapes: x (*S) -> (*S)."""
    ahead = np.moveaxis(np.flip(x, axis) if reverse else x, axis, -1)
    found = np.moveaxis(_running(ahead), -1, axis)
    return np.flip(found, axis) if reverse else found


def _running(x: Any) -> Any:
    """Along the last axis: inside of each block, then what the blocks before it sum up to is added."""
    n = x.shape[-1]
    if n <= BLOCK:
        steps = [_step_by_step(x[..., : end + 1], np.add) for end in range(n)]
        return np.stack(steps, axis=-1) if steps else x
    wide = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -n % BLOCK)])
    inside = _running(wide.reshape(*x.shape[:-1], -1, BLOCK))
    before = np.roll(_running(inside[..., -1]), 1, axis=-1)
    before[..., 0] = 0
    return rounded(inside + before[..., None]).reshape(wide.shape)[..., :n]
