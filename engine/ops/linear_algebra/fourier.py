"""The discrete Fourier transform along the last axis, and back. PyTorch's surface uses it."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import same
from engine.ops.base.tensors import Array
from engine.ops.elementwise.complex_numbers import BY_PYTORCH


def _effort(made: int, arguments: Any) -> int:
    """n log n of each row."""
    return int(5 * made * (log2(max(made, 1)) + 1))


@op(
    "FFT",
    inputs="input",
    shape=same,
    effort=_effort,
    latex=r"\textstyle\sum_{j} {input}_j\, e^{-2 \pi i j k / n}",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("沿最后一个轴的离散傅里叶变换。")
def fft(input: Array) -> Any:
    """The discrete Fourier transform along the last axis. Shapes: z (*S, n) -> w (*S, n)."""
    return np.fft.fft(input).astype(input.dtype)


@op(
    "IFFT",
    inputs="input",
    shape=same,
    effort=_effort,
    latex=r"\textstyle\frac{1}{n} \sum_{k} {input}_k\, e^{2 \pi i j k / n}",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("沿最后一个轴的离散傅里叶逆变换。")
def ifft(input: Array) -> Any:
    """Back from the discrete Fourier transform along the last axis. Shapes: w (*S, n) -> z (*S, n)."""
    return np.fft.ifft(input).astype(input.dtype)
