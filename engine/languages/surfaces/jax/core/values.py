"""The values that primitives take: arrays, constants of the program text, and tracers for either."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.surfaces.jax.core.avals import BFLOAT16, FLOAT0, KEY, Aval, cast
from engine.languages.surfaces.jax.core.operands import OPERATIONS, TYPED, OfPython, Operand
from engine.languages.surfaces.jax.core.run import canonical, default_float, default_int
from engine.ops.base.tensors import Array, name_of


@lru_cache(maxsize=1024)
def _aval(shape: Any, dtype: Any, weak: bool) -> Aval:
    return Aval(shape, name_of(dtype), weak)


class JaxArray(Operand):
    """An array of JAX: its elements, which never change, and whether its type is weak.

    tensor: the node output of the graph that shows it; None where it is not drawn.
    number: the number of Python that it was made from for a gradient; not set on others.
    kind: its type where numpy has none: a random key, whose two words are one number of 64 bits, bfloat16, or
        that of tangents of whole numbers.
    """

    __slots__ = ("array", "kind", "number", "tensor", "weak")
    number: Any

    def __init__(self, array: Any, weak: bool = False, kind: str = "", tensor: Any = None) -> None:
        self.array: Array = np.asarray(array)
        self.weak = weak
        self.kind = kind
        self.tensor = tensor

    @property
    def aval(self) -> Aval:
        """Its type."""
        if self.kind:
            return Aval(self.array.shape, self.kind, self.weak)
        return _aval(self.array.shape, self.array.dtype, self.weak)

    def as_tensor(self) -> Any:
        """The node output that shows it; operators on it take place at a place of the program."""
        return self.tensor

    def standing_for(self, number: Any) -> JaxArray:
        """An array with this node for a number that Python computed, in double precision."""
        made = JaxArray(np.asarray(number, self.array.dtype), weak=True, tensor=self.tensor)
        made.number = number
        return made

    def check_for_numpy(self) -> None:
        """Raises: ProgramError where numpy has no numbers of its type."""
        if self.kind == BFLOAT16:
            raise ProgramError(
                "numpy arrays of bfloat16 are not supported.",
                message_zh="不支持 bfloat16 的 numpy 数组。",
                code="unsupported",
                hint="Convert first: x.astype(jnp.float32).",
                hint_zh="请先转换：x.astype(jnp.float32)。",
            )

    __hash__ = object.__hash__


class Constant(Operand):
    """A number that stands in the program, or an array of numpy: a jaxpr writes a single one in place.

    number: the float of Python that it was made from, which is written as long as its type is weak.
    """

    __slots__ = ("array", "kind", "number", "weak")

    def __init__(self, array: Any, weak: bool = False, number: float | None = None, kind: str = "") -> None:
        self.array: Array = np.asarray(array)
        self.kind = kind
        self.weak = weak
        self.number = number

    @property
    def aval(self) -> Aval:
        """Its type."""
        if self.kind:
            return Aval(self.array.shape, self.kind, self.weak)
        return _aval(self.array.shape, self.array.dtype, self.weak)

    def as_tensor(self) -> Any:
        """Operators on it take place at a place of the program."""
        return self


class Tracer(Operand):
    """What a function is given in place of an array while a transformation looks at it."""

    __slots__ = ("aval", "trace")

    def __init__(self, trace: Any, aval: Aval) -> None:
        self.trace = trace
        self.aval = aval

    def as_tensor(self) -> Any:
        """Operators on it take place at a place of the program."""
        return self

    def lowered(self) -> Any:
        """The value that it stands for, where it is known."""
        return self

    def conversion_error(self) -> Exception:
        """The error for numpy, which cannot work on it."""
        found: Exception = OPERATIONS["array_conversion"](self)
        return found

    def short(self) -> str:
        """How it prints."""
        return f"Tracer({self.aval.short()})"

    __hash__ = object.__hash__


Value = JaxArray | Constant | Tracer


class Zero:
    """A tangent that is zero everywhere, without being computed."""

    __slots__ = ("aval",)

    def __init__(self, aval: Aval) -> None:
        self.aval = aval


def kind_of(dtype: str) -> str:
    """What an array notes of its type: nothing where numpy has it."""
    return dtype if dtype in (KEY, BFLOAT16, FLOAT0) else ""


def typed(array: Any, dtype: str, weak: bool = False) -> Constant:
    """A number, or an array of numpy, as a constant of a type."""
    return Constant(cast(array, dtype), weak, kind=kind_of(dtype))


def undrawn(value: Any) -> JaxArray:
    """The elements of a constant or an array as an array that nothing has drawn."""
    return JaxArray(value.array, value.weak, value.kind)


def constant(value: Any) -> Any:
    """A value of Python or numpy as a constant; an array or a tracer is itself."""
    if isinstance(value, (JaxArray, Constant, Tracer)):
        return value
    if isinstance(value, OfPython):
        return value.of
    if isinstance(value, bool):
        return Constant(np.bool_(value))
    if isinstance(value, int):
        return Constant(whole_number(value), weak=True)
    if isinstance(value, float):
        return Constant(np.asarray(value, default_float()), weak=True, number=value)
    if type(value) is complex:
        return Constant(np.asarray(value, canonical("complex128")), weak=True)
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        raise no_array(value, array)
    return Constant(array.astype(canonical(array.dtype.name), copy=False))


def in_python(value: Any) -> Any:
    """The number of Python that a constant of weak type stands for, or a truth; any other value is itself."""
    if not isinstance(value, Constant) or value.array.ndim or value.kind:
        return value
    if value.array.dtype.kind == "b" or value.weak:
        return value.array.item() if value.number is None else value.number
    return value


def typed_number(value: Any) -> Any:
    """A value that a number of Python stands for as one that remembers it; any other is itself."""
    number = getattr(value, "number", None) if isinstance(value, JaxArray) else in_python(value)
    if number is None or number is value:
        return value
    kind = TYPED.get(value.array.dtype.kind)
    if kind is None:
        return number
    made = kind(number)
    made.of = value
    return made


def whole_number(value: int) -> Array:
    """A whole number of Python as JAX holds it. Raises: OverflowError where it has no room for it."""
    kind = default_int()
    if not -(2 ** (room := np.iinfo(kind).bits - 1)) <= value < 2**room:
        raise overflow(f"Python int {value} too large to convert to {kind}", value, kind)
    return np.asarray(value, kind)


def overflow(said: str, value: int, kind: str) -> ProgramError:
    """The error for a whole number that an element type has no room for, in JAX's words."""
    return ProgramError(
        said,
        message_zh=f"{kind} 放不下整数 {value}。",
        hint="Write it as a float, or enable 64 bits: jax.config.update('jax_enable_x64', True).",
        hint_zh="请写成浮点数，或启用 64 位：jax.config.update('jax_enable_x64', True)。",
        code="bad_value",
        kind="OverflowError",
        said=said,
    )


def no_array(value: Any, array: Array) -> ProgramError:
    """The error for what is no array of numbers."""
    said = f"Argument of type <class '{type(value).__name__}'> is not a valid JAX type"
    if array.dtype.kind in "US":
        said = (
            f"Value '{value}' with dtype {array.dtype} is not a valid JAX array type. Only arrays of numeric "
            "types are supported by JAX."
        )
    elif value is None:
        said = "None is not a valid value for jnp.array"
    zh, kind = "这不是 JAX 可以处理的数值数组。", "ValueError" if value is None else "TypeError"
    return ProgramError(said, message_zh=zh, code="type_mismatch", kind=kind, said=said)


def aval_of(value: Any) -> Aval:
    """The type of a value."""
    found: Aval = value.aval if hasattr(value, "aval") else constant(value).aval
    return found


def zero_tangent(value: Any) -> Zero:
    """The zero tangent of a value."""
    return Zero(aval_of(value).tangent())


def known(value: Any) -> Any:
    """The numpy array of a value, where it is known; else None."""
    while isinstance(value, Tracer):
        lower = value.lowered()
        if lower is value:
            return None
        value = lower
    return value.array if isinstance(value, (JaxArray, Constant)) else None
