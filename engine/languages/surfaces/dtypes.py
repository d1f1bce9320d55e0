"""Element types as programs name them: `tf.float32`, `np.float32`, "float32", float."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import DtypeError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.values import a_kind
from engine.ops.base.tensors import DTYPES, TEXT, array_dtype

ALIASES = {"float": "float32", "double": "float64", "half": "float16"}
PYTHON_TYPES = {"float": "float32", "bool": "bool"}  # of Python's own, what TensorFlow takes


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """One of TensorFlow's element types; a variable's own is `float32_ref`.

    It equals whatever names the same type: a text, Python's or numpy's type of these numbers.
    """

    name: str

    def __new__(cls, name: str) -> DType:
        """The only one of this name, which `is` asks for."""
        return KNOWN.get(name) or object.__new__(cls)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self.name == other.name
        named = isinstance(other, NAMES_OF_TYPES)
        return named and ALIASES.get(_written_name(other), _written_name(other)) == self.name

    def __hash__(self) -> int:
        return hash(self.name)


KNOWN: dict[str, DType] = {}
KNOWN.update({name: DType(name) for kind in (*DTYPES, TEXT) for name in (kind, f"{kind}_ref")})


def _limits(dtype: DType) -> Any:
    """The least and largest number of a type. Raises: DtypeError for truth values and texts."""
    if dtype.name.startswith(("bool", TEXT)):
        raise DtypeError(
            f"{dtype.name} has no largest number.",
            message_zh=f"{dtype.name} 没有最大的数。",
            kind="TypeError",
        )
    kind = np.dtype(dtype.name.removesuffix("_ref"))
    return np.finfo(kind) if kind.kind == "f" else np.iinfo(kind)


MEMBERS = members_of(DType, "DType")
MEMBERS.fact("max")(lambda dtype: _limits(dtype).max)
MEMBERS.fact("min")(lambda dtype: _limits(dtype).min)
MEMBERS.fact("size")(lambda dtype: np.dtype(array_dtype(dtype.name.removesuffix("_ref"))).itemsize)
MEMBERS.fact("is_bool")(lambda dtype: dtype.name.startswith("bool"))
MEMBERS.fact("name")(lambda dtype: dtype.name)
MEMBERS.fact("is_floating")(lambda dtype: dtype.name.startswith("float"))
MEMBERS.fact("is_integer")(lambda dtype: dtype.name.startswith(("int", "uint")))
MEMBERS.fact("base_dtype")(lambda dtype: DType(dtype.name.removesuffix("_ref")))
SHOWN[DType] = (lambda dtype: f"<dtype: '{dtype.name}'>", lambda dtype: f"tf.{dtype.name}")


NAMES_OF_TYPES = (DType, Kind, np.dtype, str)  # what may stand for an element type


def dtype_name(value: Any) -> str | None:
    """The element type that an argument names; None for None.

    Raises: DtypeError with the nearest type where it names none.
    """
    if value is None:
        return None
    name = _written_name(value)
    name = ALIASES.get(name, name)
    if name in DTYPES or name == TEXT:
        return name
    hint, hint_zh = did_you_mean(name, [*DTYPES, *ALIASES], prefix="tf.")
    return _unknown(name, hint, hint_zh)


def _written_name(value: Any) -> str:
    if isinstance(value, DType):
        return value.name.removesuffix("_ref")
    if isinstance(value, Kind):
        return PYTHON_TYPES.get(value.name, value.name.rpartition(".")[2])
    if isinstance(value, np.dtype):
        return str(value.name)
    return value if isinstance(value, str) else a_kind(value)


def _unknown(name: str, hint: str, hint_zh: str) -> str:
    raise DtypeError(
        f"{name} is not an element type.",
        hint=hint or "Use tf.float32, tf.float64, tf.int32, tf.int64 or tf.bool.",
        message_zh=f"{name} 不是元素类型。",
        hint_zh=hint_zh or "请使用 tf.float32、tf.float64、tf.int32、tf.int64 或 tf.bool。",
    )
