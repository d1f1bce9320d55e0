"""Complex numbers and their parts: x + i y, the conjugate, the distance from 0, the angle.

PyTorch's surface makes them, and differentiates them by its own rules; TensorFlow's makes none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import broadcast, same
from engine.ops.base.tensors import Array

BY_PYTORCH = (
    "complex numbers are differentiated by PyTorch's rules alone, before they come to this graph",
    "复数只按 PyTorch 自己的规则求导，在进入这张图之前已经完成",
)
PARTS = {"complex64": "float32", "complex128": "float64"}  # the type of the real and the imaginary part
WHOLE = {part: whole for whole, part in PARTS.items()}


def part_type(attributes: Any) -> list[str]:
    """The type of a part, or of the distance from 0."""
    return [PARTS.get(attributes["T"], attributes["T"])]


def whole_type(attributes: Any) -> list[str]:
    """The complex type whose parts have a type."""
    return [WHOLE.get(attributes["T"], attributes["T"])]


@op(
    "Complex",
    inputs="real imag",
    outputs=whole_type,
    shape=lambda real, imag: [broadcast(real, imag)],
    latex=r"{real} + i\, {imag}",
    no_gradient=BY_PYTORCH,
    accepts="wide floats",
)
@in_chinese("由实部和虚部得到复数。")
def complex_of(real: Array, imag: Array) -> Any:
    """A complex number of its two parts. Shapes: real, imag (*S) -> z (*S)."""
    found = np.zeros(np.broadcast_shapes(real.shape, imag.shape), WHOLE[real.dtype.name])
    found.real, found.imag = real, imag
    return found


@op(
    "Real",
    inputs="input",
    outputs=part_type,
    shape=lambda x: [x],
    latex=r"\mathrm{Re}\, {input}",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("复数的实部。")
def real(input: Array) -> Any:
    """The real part. Shapes: z (*S) -> x (*S)."""
    return input.real


@op(
    "Imag",
    inputs="input",
    outputs=part_type,
    shape=lambda x: [x],
    latex=r"\mathrm{Im}\, {input}",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("复数的虚部。")
def imag(input: Array) -> Any:
    """The imaginary part. Shapes: z (*S) -> y (*S)."""
    return input.imag


@op(
    "Conj",
    inputs="input",
    shape=same,
    latex=r"\overline{{input}}",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("共轭复数：虚部变号。")
def conj(input: Array) -> Any:
    """The number with the other sign of its imaginary part. Shapes: z (*S) -> w (*S)."""
    return np.conj(input)


@op(
    "ComplexAbs",
    inputs="x",
    outputs=part_type,
    shape=lambda x: [x],
    latex=r"|{x}|",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("复数到 0 的距离。")
def complex_abs(x: Array) -> Any:
    """Distance from 0, rounded once. Shapes: z (*S) -> r (*S)."""
    return np.abs(x.astype(np.complex128)).astype(x.real.dtype)


@op(
    "Angle",
    inputs="input",
    outputs=part_type,
    shape=lambda x: [x],
    latex=r"\arg {input}",
    no_gradient=BY_PYTORCH,
    accepts="floats",
)
@in_chinese("复数的辐角，以弧度计。")
def angle(input: Array) -> Any:
    """The angle with the positive real axis, in radians. Shapes: z (*S) -> phi (*S)."""
    return np.angle(input).astype(input.real.dtype)
