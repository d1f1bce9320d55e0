"""Tensors as PyTorch prints them: pure functions of an array and of what is known about its tensor.

    text_of(np.array([1.0, 2.5], dtype=np.float32))     tensor([1.0000, 2.5000])
    text_of(np.float64(2.0))                            tensor(2., dtype=torch.float64)

One format serves all numbers of a tensor: without decimals where all of them are whole, with `precision`
decimals else, in scientific notation where they are far apart, very large or very small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array, name_of

MOST_APART = 1000.0  # largest over smallest magnitude that are still printed without exponents
LARGEST, SMALLEST = 1.0e8, 1.0e-4
SHOWN_WITHOUT_DTYPE = frozenset({"int64", "bool"})  # beside the default dtype
COMPLEX_OF = MappingProxyType({"float32": "complex64", "float64": "complex128"})


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """What `torch.set_printoptions` sets.

    threshold: from more elements on, only `edgeitems` at both ends of each axis are shown.
    linewidth: in characters; sci_mode: None to decide by the numbers.
    """

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PROFILES = MappingProxyType(
    {
        "default": PrintOptions(),
        "short": PrintOptions(precision=2, edgeitems=2),
        "full": PrintOptions(threshold=math.inf),
    }
)
DEFAULT = PROFILES["default"]


def changed_options(
    options: PrintOptions, profile: str | None, sci_mode: bool | None, **changes: Any
) -> PrintOptions:
    """The options after `set_printoptions`: a profile first, then what is given; sci_mode always."""
    if profile is not None:
        options = PROFILES[profile]
    given = {name: value for name, value in changes.items() if value is not None}
    return replace(options, **given, sci_mode=sci_mode)


def text_of(
    array: Any,
    options: PrintOptions = DEFAULT,
    *,
    grad_fn: str | None = None,
    requires_grad: bool = False,
    dtype: str | None = None,
    default_dtype: str = "float32",
    prefix: str = "tensor(",
) -> str:
    """What `print` shows of a tensor.

    grad_fn: the name of the function that made it, such as `MulBackward0`.
    dtype:   PyTorch's name of the element type where numpy has no such type (bfloat16).
    """
    array = np.asarray(array)
    name = dtype or name_of(array.dtype)
    suffixes = _facts_of_elements(array, options, name, default_dtype)
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return _with_suffixes(prefix + elements(array, len(prefix), options), suffixes, len(prefix), options)


def size_text(shape: Sequence[int]) -> str:
    """What `print` shows of a tensor's shape."""
    return f"torch.Size([{', '.join(map(str, shape))}])"


def _facts_of_elements(array: Array, options: PrintOptions, name: str, default_dtype: str) -> list[str]:
    """Size and dtype, where the elements do not show them."""
    facts = []
    if array.size == 0:
        if array.ndim != 1:
            facts.append(f"size={tuple(array.shape)}")
        shown = {default_dtype}
    else:
        if not options.edgeitems:
            facts.append(f"size={tuple(array.shape)}")
        shown = {default_dtype, COMPLEX_OF.get(default_dtype, "complex64"), *SHOWN_WITHOUT_DTYPE}
    if name not in shown:
        facts.append(f"dtype=torch.{name}")
    return facts


def _with_suffixes(text: str, suffixes: Sequence[str], indent: int, options: PrintOptions) -> str:
    """The facts behind the elements, each on a new line where the line is full."""
    parts, length = [text], len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > options.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            length = indent + len(suffix)
        else:
            parts.append(", " + suffix)
            length += len(suffix) + 2
    return "".join([*parts, ")"])


# -- elements ----------------------------------------------------------------------------------------


def elements(array: Array, indent: int, options: PrintOptions) -> str:
    """The numbers in their brackets; continued lines begin after `indent` characters."""
    if array.size == 0:
        return "[]"
    summarized = array.size > options.threshold
    looked_at = _ends_of_axes(array, options.edgeitems) if summarized else array
    if array.dtype.kind == "c":
        number: Any = ComplexFormat(
            NumberFormat(looked_at.real, options), NumberFormat(looked_at.imag, options)
        )
    else:
        number = NumberFormat(looked_at, options)
    return _nested(array, indent, summarized, number, options)


def _ends_of_axes(array: Array, edge: int) -> Array:
    """The elements that a summary shows."""
    ends = [
        [*range(edge), *range(length - edge, length)] if length > 2 * edge else list(range(length))
        for length in array.shape
    ]
    return array[np.ix_(*ends)] if array.ndim else array


class NumberFormat:
    """How all numbers of a tensor are written.

    whole:  all of them are whole numbers, so that a point is enough.
    apart:  they take an exponent.
    width:  of the longest one; the others are filled up with spaces.
    """

    def __init__(self, numbers: Array, options: PrintOptions) -> None:
        self.precision, self.floating = options.precision, numbers.dtype.kind == "f"
        self.whole, self.apart, self.width = True, False, 1
        if not self.floating:
            self.width = max((len(str(value)) for value in numbers.reshape(-1).tolist()), default=1)
            return
        counted = numbers[np.isfinite(numbers) & (numbers != 0)].astype(np.float64)
        if not counted.size:
            return
        self.whole = bool(np.all(counted == np.ceil(counted)))
        self.apart = _are_apart(np.abs(counted)) if options.sci_mode is None else options.sci_mode
        self.width = max(1, *(len(self._digits(value)) for value in counted.tolist()))

    def _digits(self, value: float) -> str:
        if self.apart:
            return f"{value:.{self.precision}e}"
        return f"{value:.0f}." if self.whole else f"{value:.{self.precision}f}"

    def __call__(self, value: Any) -> str:
        if not self.floating:
            text = str(value)
        elif self.whole and not self.apart and not math.isfinite(value):
            text = f"{value:.0f}"
        else:
            text = self._digits(value)
        return text.rjust(self.width)


@dataclass(frozen=True, slots=True)
class ComplexFormat:
    """How complex numbers are written: both parts in formats of their own."""

    real: NumberFormat
    imaginary: NumberFormat

    @property
    def width(self) -> int:
        """Both parts and the j."""
        return self.real.width + self.imaginary.width + 1

    def __call__(self, value: complex) -> str:
        imaginary = f"{self.imaginary(value.imag)}j".lstrip()
        sign = "" if imaginary[0] in "+-" else "+"
        return self.real(value.real) + sign + imaginary


def _are_apart(magnitudes: Array) -> bool:
    largest, smallest = magnitudes.max(), magnitudes.min()
    with np.errstate(over="ignore"):
        return bool(largest / smallest > MOST_APART or largest > LARGEST or smallest < SMALLEST)


def _nested(array: Array, indent: int, summarized: bool, number: Any, options: PrintOptions) -> str:
    if array.ndim == 0:
        return str(number(array.item()))
    if array.ndim == 1:
        return _row(array, indent, summarized, number, options)
    parts = [
        _nested(part, indent + 1, summarized, number, options) for part in _shown(array, summarized, options)
    ]
    if _is_cut(array, summarized, options):
        parts.insert(options.edgeitems, "...")
    between = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return f"[{between.join(parts)}]"


def _row(array: Array, indent: int, summarized: bool, number: Any, options: PrintOptions) -> str:
    """Numbers beside each other, as many in a line as fit."""
    texts = [number(value) for value in _shown(array, summarized, options)]
    if summarized and not options.edgeitems:
        texts = ["..."]
    elif _is_cut(array, summarized, options):
        texts.insert(options.edgeitems, " ...")
    in_line = max(1, (options.linewidth - indent) // (number.width + 2))
    lines = [", ".join(texts[i : i + in_line]) for i in range(0, len(texts), in_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _is_cut(array: Array, summarized: bool, options: PrintOptions) -> bool:
    return summarized and len(array) > 2 * options.edgeitems


def _shown(array: Array, summarized: bool, options: PrintOptions) -> list[Any]:
    """The entries along the first axis: numbers, or arrays of one axis less."""
    if _is_cut(array, summarized, options):
        kept = [*range(options.edgeitems), *range(len(array) - options.edgeitems, len(array))]
        array = array[kept]
    return array.tolist() if array.ndim == 1 else list(array)
