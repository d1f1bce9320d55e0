"""What is known of an array while a function is traced: its shape, and its type, which may be weak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.ops.common.casting import with_digits

Shape = tuple[int, ...]

SHORT = {
    "bool": "bool",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
    **{f"float{bits}": f"f{bits}" for bits in (16, 32, 64)},
    "bfloat16": "bf16",
    **{f"complex{bits}": f"c{bits}" for bits in (64, 128)},
}
BFLOAT16 = "bfloat16"  # numpy has no such numbers: arrays of float32 hold them, rounded
BFLOAT16_DIGITS = 8  # binary, of each number
FLOAT0 = "float0"  # the type of a tangent of what does not vary smoothly
KEY = "key<fry>"  # the type of a random key of `jax.random.key`


@dataclass(frozen=True, slots=True)
class Aval:
    """Shape, element type by numpy's name, and whether the type gives way, as a Python number's does."""

    shape: Shape
    dtype: str
    weak: bool = False

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements there are."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def is_float(self) -> bool:
        """Whether it has real numbers."""
        return is_floating(self.dtype) and self.dtype != FLOAT0

    @property
    def is_inexact(self) -> bool:
        """Whether it has real or complex numbers, so that it may have a derivative."""
        return self.is_float or is_complex(self.dtype)

    def short(self) -> str:
        """As a jaxpr writes it: `f32[3]`."""
        name = KEY if self.dtype == KEY else SHORT.get(self.dtype, self.dtype)
        return f"{name}[{','.join(map(str, self.shape))}]"

    def long(self) -> str:
        """As an error message writes it: `float32[3]`."""
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"

    def strong(self) -> Aval:
        """The same type, which does not give way."""
        return replace(self, weak=False) if self.weak else self

    def tangent(self) -> Aval:
        """The type of a tangent of such an array."""
        return self if self.is_inexact else Aval(self.shape, FLOAT0)

    def with_shape(self, shape: Shape) -> Aval:
        """The same elements in another shape."""
        return Aval(tuple(shape), self.dtype, self.weak)


def same_type(a: Aval, b: Aval) -> bool:
    """Whether two types agree, whatever of them is weak."""
    return a.shape == b.shape and a.dtype == b.dtype


def is_floating(dtype: str) -> bool:
    """Whether a type is one of floats."""
    return dtype.startswith("float") or dtype == BFLOAT16


def is_complex(dtype: str) -> bool:
    """Whether a type is one of complex numbers."""
    return dtype.startswith("complex")


HELD_AS = {KEY: "uint64", FLOAT0: "bool", BFLOAT16: "float32"}


@dataclass(frozen=True, slots=True)
class ElementType:
    """An element type that numpy has not: `dtype(bfloat16)`, or that of random keys."""

    name: str

    def __eq__(self, other: object) -> bool:
        """The same type, or its name: `x.dtype == jnp.bfloat16`."""
        name = getattr(other, "name", other)
        return isinstance(name, str) and name.removeprefix("jax.numpy.") == self.name

    __hash__ = None  # type: ignore[assignment]

    def text(self) -> str:
        """As JAX prints it."""
        return self.name

    def representation(self) -> str:
        """As the console shows it."""
        return self.name if self.name == KEY else f"dtype({self.name})"

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return 2 if self.name == BFLOAT16 else 8


def element_type(dtype: str) -> Any:
    """The type as a program sees it: numpy's, where it has one."""
    if dtype == FLOAT0:
        return np.dtype([(FLOAT0, "V")])  # as JAX makes it of numpy's: of no bytes
    return ElementType(dtype) if dtype in (KEY, BFLOAT16) else np.dtype(dtype)


def held_as(dtype: str) -> str:
    """The type of the numpy arrays that hold the elements of a type of JAX."""
    return HELD_AS.get(dtype, dtype)


def dtype_of(aval: Aval) -> np.dtype[Any]:
    """numpy's type of the elements."""
    return np.dtype(held_as(aval.dtype))


def cast(array: Any, dtype: str) -> Any:
    """Elements of numpy in a type of JAX, bfloat16 rounded. Shapes: (*S) -> (*S)."""
    found = np.asarray(array).astype(held_as(dtype), copy=False)
    return np.asarray(with_digits(found, BFLOAT16_DIGITS)) if dtype == BFLOAT16 else found
