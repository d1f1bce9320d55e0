"""What is known of an array while a function is traced: its shape, and its type, which may be weak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Shape = tuple[int, ...]

SHORT = {
    "bool": "bool",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
    **{f"float{bits}": f"f{bits}" for bits in (16, 32, 64)},
}
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
        """Whether a derivative with respect to it is meant by one."""
        return self.dtype.startswith("float") and self.dtype != FLOAT0

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
        return self if self.is_float else Aval(self.shape, FLOAT0)

    def with_shape(self, shape: Shape) -> Aval:
        """The same elements in another shape."""
        return Aval(tuple(shape), self.dtype, self.weak)


def same_type(a: Aval, b: Aval) -> bool:
    """Whether two types agree, whatever of them is weak."""
    return a.shape == b.shape and a.dtype == b.dtype


def dtype_of(aval: Aval) -> np.dtype[Any]:
    """numpy's type of the elements."""
    return np.dtype("uint64" if aval.dtype == KEY else bool if aval.dtype == FLOAT0 else aval.dtype)
