"""Windows that move over an array: convolutions, and the largest or the sum of each window.

JAX has a primitive for each; here they are sums of products of strided parts, which give the same numbers and
gradients. Their jaxprs would not be JAX's, and so are not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import convert, expand_dims, shape_of
from engine.languages.surfaces.jax.lax.shapes import transpose
from engine.languages.surfaces.jax.numpy.promotion import promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only

Pads = list[tuple[int, int]]


def _check_not_shown(name: str) -> None:
    if getattr(run_now().trace, "what", "") == "make_jaxpr":
        raise ProgramError(
            f"Gradlens computes `{name}`, but does not show its jaxpr.",
            message_zh=f"Gradlens 可以计算 `{name}`，但不显示它的 jaxpr。",
            hint="Print what the function gives in place of its jaxpr.",
            hint_zh="请打印函数的结果，而不是它的 jaxpr。",
            code="unsupported_function",
        )


def paddings(padding: Any, lengths: Sequence[int], windows: Sequence[int], strides: Sequence[int]) -> Pads:
    """What stands before and behind each axis: 'SAME' keeps its length, divided by the stride."""
    if not isinstance(padding, str):
        return [(int(low), int(high)) for low, high in padding]
    if padding.upper() == "VALID":
        return [(0, 0)] * len(lengths)
    if padding.upper() not in ("SAME", "SAME_LOWER"):
        raise value_error(
            f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}.",
            f"padding 不能是 {padding!r}。",
        )
    found = []
    for length, window, stride in zip(lengths, windows, strides, strict=True):
        total = max((-(-length // stride) - 1) * stride + window - length, 0)
        less, more = total // 2, total - total // 2
        found.append((less, more) if padding.upper() == "SAME" else (more, less))
    return found


def _part(x: Any, starts: Sequence[int], counts: Sequence[int], strides: Sequence[int]) -> Any:
    ends = [a + (n - 1) * s + 1 for a, n, s in zip(starts, counts, strides, strict=True)]
    return sh.slice_of(x, tuple(starts), tuple(ends), tuple(strides))


def _counts(shape: Sequence[int], windows: Sequence[int], strides: Sequence[int]) -> list[int]:
    return [max((n - w) // s + 1, 0) for n, w, s in zip(shape, windows, strides, strict=True)]


def _specs(dimension_numbers: Any, rank: int) -> tuple[str, str, str]:
    letters = "".join(chr(ord("0") + i) for i in range(rank - 2))
    if dimension_numbers is None:
        return f"NC{letters}", f"OI{letters}", f"NC{letters}"
    specs = tuple(one if isinstance(one, str) else _letters(one) for one in dimension_numbers)
    if len(specs) != 3 or any(len(one) != rank for one in specs):
        raise value_error(
            f"convolution dimension_numbers must be three texts of {rank} letters, got {specs}.",
            f"dimension_numbers 必须是三个各 {rank} 个字母的文本。",
            "Write for instance ('NHWC', 'HWIO', 'NHWC').",
            "例如写成 ('NHWC', 'HWIO', 'NHWC')。",
        )
    return specs


NUMBERS = RecordKind("ConvDimensionNumbers", ("lhs_spec", "rhs_spec", "out_spec"))


def conv_dimension_numbers(lhs_shape: Any, rhs_shape: Any, dimension_numbers: Any) -> Record:
    """Where batch (or output), channels and the other axes stand, as numbers."""
    specs = _specs(dimension_numbers, len(tuple(lhs_shape)))
    spatial = [letter for letter in specs[0] if letter not in "NC"]
    firsts = ("NC", "OI", "NC")
    return Record(
        NUMBERS, [_order(one, first, "".join(spatial)) for one, first in zip(specs, firsts, strict=True)]
    )


def _letters(places: Sequence[int]) -> str:
    """The places of an array's axes as letters; those of a filter are read as output and input."""
    found = [""] * len(places)
    for letter, place in zip("NC0123456789", places, strict=False):
        found[int(place)] = letter
    return "".join(found)


def _order(spec: str, first: str, spatial: str) -> tuple[int, ...]:
    return tuple(spec.index(letter) for letter in first + spatial)


def conv_general_dilated(
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    feature_group_count: Any = 1,
    batch_group_count: Any = 1,
    **_: Any,
) -> Any:
    """The products of a kernel with each window of the images, summed. The kernel is not turned around."""
    _check_not_shown("lax.conv_general_dilated")
    x, kernel = as_value(lhs), as_value(rhs)
    rank = len(shape_of(x))
    groups = int(feature_group_count)
    if batch_group_count != 1:
        raise value_error(
            "Gradlens computes convolutions with one group of examples alone.",
            "Gradlens 只计算一组样本的卷积。",
        )
    of_x, of_kernel, of_out = _specs(dimension_numbers, rank)
    if "O" not in of_kernel:
        of_kernel = of_kernel.translate(str.maketrans("NC", "OI"))
    spatial = "".join(letter for letter in of_x if letter not in "NC")
    x = transpose(x, _order(of_x, "NC", spatial))
    kernel = transpose(kernel, _order(of_kernel, "OI", spatial))
    x, kernel = promote_types([x, kernel])
    if shape_of(x)[1] != groups * shape_of(kernel)[1] or shape_of(kernel)[0] % groups:
        raise value_error(
            "conv_general_dilated lhs feature dimension size divided by feature_group_count must equal the "
            f"rhs input feature dimension size, but {shape_of(x)[1]} // {groups} != {shape_of(kernel)[1]}.",
            f"图像有 {shape_of(x)[1]} 个通道，但卷积核有 {shape_of(kernel)[1]} 个。",
        )
    strides = [int(n) for n in window_strides]
    inner = [int(n) for n in (lhs_dilation or [1] * (rank - 2))]
    steps = [int(n) for n in (rhs_dilation or [1] * (rank - 2))]
    parts = [
        _convolved(each, weights, strides, padding, inner, steps)
        for each, weights in zip(_split(x, 1, groups), _split(kernel, 0, groups), strict=True)
    ]
    found = parts[0] if groups == 1 else JNP["concatenate"](parts, 1)
    made = "NC" + spatial
    return transpose(found, tuple(made.index(letter) for letter in of_out))


def _split(x: Any, axis: int, count: int) -> list[Any]:
    """An array in as many parts along an axis."""
    return [x] if count == 1 else list(JNP["split"](x, count, axis))


def _convolved(
    x: Any,
    kernel: Any,
    strides: Sequence[int],
    padding: Any,
    inner: Sequence[int],
    steps: Sequence[int],
) -> Any:
    sizes = shape_of(kernel)[2:]
    windows = [(size - 1) * step + 1 for size, step in zip(sizes, steps, strict=True)]
    lengths = [(n - 1) * step + 1 for n, step in zip(shape_of(x)[2:], inner, strict=True)]
    pads = paddings(padding, lengths, windows, strides)
    zero = np.zeros((), aval_of(x).dtype)
    config = [(0, 0, 0)] * 2 + [(a, b, step - 1) for (a, b), step in zip(pads, inner, strict=True)]
    x = sh.pad(x, convert(as_value(zero), aval_of(x).dtype), config)
    batch, channels = shape_of(x)[:2]
    counts = _counts(shape_of(x)[2:], windows, strides)
    total: Any = None
    for places in product(*map(range, sizes)):
        starts = [place * step for place, step in zip(places, steps, strict=True)]
        part = _part(x, [0, 0, *starts], [batch, channels, *counts], [1, 1, *strides])
        weights = JNP["squeeze"](
            sh.slice_of(kernel, (0, 0, *places), (*shape_of(kernel)[:2], *(n + 1 for n in places)), None),
            tuple(range(2, len(shape_of(kernel)))),
        )
        term = JNP["einsum"]("nc...,oc->no...", part, weights)
        total = term if total is None else ar.add(total, term)
    return total


def conv(lhs: Any, rhs: Any, window_strides: Any, padding: Any, **_: Any) -> Any:
    """A convolution of images (batch, channels, height, width)."""
    return conv_general_dilated(lhs, rhs, window_strides, padding)


def conv_with_general_padding(
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    **_: Any,
) -> Any:
    """A convolution whose images and kernel may be spread out."""
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation)


def reduce_window(
    interpreter: Any,
    operand: Any,
    init_value: Any,
    computation: Any,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    **_: Any,
) -> Any:
    """What a function of two makes of the elements of each window, from the first to the last."""
    _check_not_shown("lax.reduce_window")
    x = as_value(operand)
    windows, strides = [int(n) for n in window_dimensions], [int(n) for n in window_strides]
    pads = paddings(padding, shape_of(x), windows, strides)
    first = convert(as_value(init_value), aval_of(x).dtype)
    if any(low or high for low, high in pads):
        x = sh.pad(x, first, [(low, high, 0) for low, high in pads])
    counts = _counts(shape_of(x), windows, strides)
    picks = str(getattr(computation, "name", "")).rpartition(".")[2]
    total: Any = None
    for starts in product(*map(range, windows)):
        part = _part(x, starts, counts, strides)
        if total is None:
            total = part
        elif picks in ("max", "min"):  # of several that are as large, the first one has the whole gradient
            is_first = (ar.ge if picks == "max" else ar.le)(total, part)
            total = JNP["where"](is_first, total, part)
        else:
            total = interpreter.call(computation, [total, part], {})
    return total if picks in ("max", "min", "add") else interpreter.call(computation, [total, first], {})


# -- jax.scipy.signal --------------------------------------------------------------------------------


# How many zeros stand before and after, for a kernel of n.
MODES: dict[str, Callable[[int], tuple[int, int]]] = {
    "full": lambda n: (n - 1, n - 1),
    "same": lambda n: (n // 2, n - 1 - n // 2),
    "valid": lambda n: (0, 0),
}


def signal_convolve(in1: Any, in2: Any, mode: Any = "full", method: Any = "auto", **_: Any) -> Any:
    """The convolution of two rows, or of two images."""
    x, w = promote_types([as_value(in1), as_value(in2)], inexact=True)
    return convolve2d(x, w, mode) if len(shape_of(x)) == 2 else JNP["convolve"](x, w, mode)


@takes_only(boundary=("fill",), fillvalue=(0,))
def convolve2d(in1: Any, in2: Any, mode: Any = "full", boundary: Any = "fill", fillvalue: Any = 0) -> Any:
    """The convolution of two images: the kernel is turned round, and moved over the other."""
    x, w = promote_types([as_value(in1), as_value(in2)], inexact=True)
    if mode not in MODES:
        raise value_error(
            "mode must be one of ['full', 'same', 'valid']", "mode 必须是 full、same 或 valid。"
        )
    pads = [MODES[mode](n) for n in shape_of(w)]
    image, kernel = expand_dims(x, (0, 1)), expand_dims(sh.rev(w, (0, 1)), (0, 1))
    found = conv_general_dilated(image, kernel, (1, 1), pads)
    return JNP["squeeze"](found, (0, 1))


# -- transposed convolution --------------------------------------------------------------------------

LAYOUTS = MappingProxyType(
    {
        3: ("NHC", "HIO", "NHC"),
        4: ("NHWC", "HWIO", "NHWC"),
        5: ("NHWDC", "HWDIO", "NHWDC"),
    }
)


def _around(window: int, stride: int, padding: str) -> tuple[int, int]:
    """What stands before and behind an axis whose elements have been spread by the stride."""
    if padding == "SAME":
        both = window + stride - 2
        before = window - 1 if stride > window - 1 else -(-both // 2)
    else:
        both, before = window + stride - 2 + max(window - stride, 0), window - 1
    return before, both - before


@takes_only(use_consistent_padding=(False,), preferred_element_type=(None,))
def conv_transpose(
    lhs: Any,
    rhs: Any,
    strides: Any,
    padding: Any,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    transpose_kernel: Any = False,
    precision: Any = None,
    preferred_element_type: Any = None,
    use_consistent_padding: Any = False,
) -> Any:
    """A convolution of images whose elements stand apart by the stride; its output is the larger one."""
    x, kernel = as_value(lhs), as_value(rhs)
    rank = len(shape_of(x))
    if dimension_numbers is None:
        if rank not in LAYOUTS:
            raise value_error(
                "No 4+ dimensional dimension_number defaults.", f"{rank} 维数组需要给出 dimension_numbers。"
            )
        dimension_numbers = LAYOUTS[rank]
    of_x, of_kernel, of_out = dimension_numbers
    places = [place for place, letter in enumerate(of_kernel) if letter not in "IO"]
    apart = [1] * (rank - 2) if rhs_dilation is None else [int(one) for one in rhs_dilation]
    steps = [int(one) for one in strides]
    if isinstance(padding, str) and padding.upper() in ("SAME", "VALID"):
        windows = [(shape_of(kernel)[at] - 1) * by + 1 for at, by in zip(places, apart, strict=True)]
        padding = [_around(k, s, padding.upper()) for k, s in zip(windows, steps, strict=True)]
    elif isinstance(padding, str):
        raise value_error(
            f"Padding mode must be `SAME` or `VALID`, got {padding}.", f"padding 不能是 {padding!r}。"
        )
    if transpose_kernel:
        kernel = JNP["flip"](kernel, tuple(places))
        kernel = JNP["swapaxes"](kernel, of_kernel.index("I"), of_kernel.index("O"))
    ones = [1] * (rank - 2)
    return conv_general_dilated(x, kernel, ones, padding, steps, apart, (of_x, of_kernel, of_out))
