"""The type of an array as `jax.typeof` gives it: its element type and its shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.core.avals import Aval, element_type
from engine.languages.surfaces.jax.core.values import aval_of


@dataclass(frozen=True, slots=True)
class ShapedArray:
    """A shape and an element type, which may be weak, as JAX traces with them."""

    aval: Aval

    def text(self) -> str:
        """As `print` writes it: `float32[2,3]`, and `~float32[]` where the type gives way."""
        return ("~" if self.aval.weak else "") + self.aval.long()

    def repr(self) -> str:
        """As a list shows it."""
        return f"ShapedArray({self.aval.long()}{', weak_type=True' if self.aval.weak else ''})"


SHOWN[ShapedArray] = (ShapedArray.text, ShapedArray.repr)
MEMBERS = members_of(ShapedArray, "ShapedArray")
MEMBERS.fact("shape")(lambda found: found.aval.shape)
MEMBERS.fact("dtype")(lambda found: element_type(found.aval.dtype))
MEMBERS.fact("ndim")(lambda found: found.aval.ndim)
MEMBERS.fact("size")(lambda found: found.aval.size)
MEMBERS.fact("weak_type")(lambda found: found.aval.weak)


def typeof(x: Any) -> ShapedArray:
    """The type of a value."""
    return ShapedArray(aval_of(as_value(x)))
