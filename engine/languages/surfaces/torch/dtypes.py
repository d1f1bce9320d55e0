"""PyTorch's element types: their names, how they print, and which one two of them become together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import PYTHON_NAMES, python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.ops.base.tensors import name_of

FLOATING = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
WHOLE = ("uint8", "int8", "int16", "int32", "int64")
ALIASES = {"half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32"}
ALIASES |= {"long": "int64", "cfloat": "complex64", "cdouble": "complex128"}
OF_PYTHON = {
    "float": "float64",
    "int": "int64",
    "bool": "bool",
    "complex": "complex128",
}  # what Python's own types stand for
SCALAR_NAMES = {
    "float16": "Half",
    "bfloat16": "BFloat16",
    "float32": "Float",
    "float64": "Double",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "bool": "Bool",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}  # as PyTorch's messages call them
CPP_NAMES = {
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}  # as some of them do


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """`torch.float32` and its like: one object for each name."""

    name: str

    @property
    def is_floating(self) -> bool:
        """Whether its numbers have a fraction."""
        return self.name in FLOATING

    @property
    def is_complex(self) -> bool:
        """Whether its numbers have an imaginary part."""
        return self.name in COMPLEX

    @property
    def has_gradients(self) -> bool:
        """Whether its numbers vary smoothly, so that they can have gradients."""
        return self.name in FLOATING or self.name in COMPLEX

    @property
    def of_parts(self) -> DType:
        """The type of the real and the imaginary part; of a real type that type."""
        return DTYPES[PARTS.get(self.name, self.name)]

    @property
    def with_parts(self) -> DType:
        """The complex type whose parts are of this type, or the default one."""
        return self if self.is_complex else DTYPES["complex128" if self.name == "float64" else "complex64"]

    @property
    def held_as(self) -> str:
        """The type of the arrays that hold its numbers: numpy has no bfloat16."""
        return "float32" if self.name == "bfloat16" else self.name

    @property
    def itemsize(self) -> int:
        """How many bytes one number takes."""
        return 2 if self.name == "bfloat16" else np.dtype(self.name).itemsize

    @property
    def cpp_name(self) -> str:
        """What PyTorch's C++ calls a number of it, as some error texts do."""
        return CPP_NAMES.get(self.name, self.name)

    @property
    def scalar_name(self) -> str:
        """`Float` of float32, as PyTorch's messages say."""
        return SCALAR_NAMES[self.name]


PARTS = {"complex64": "float32", "complex128": "float64"}
DTYPES = {name: DType(name) for name in (*FLOATING, *COMPLEX, *WHOLE, "bool")}
BY_NAME = {**DTYPES, **{alias: DTYPES[name] for alias, name in ALIASES.items()}}
DEFAULT_FLOAT = DTYPES["float32"]
INT64, BOOL = DTYPES["int64"], DTYPES["bool"]
BFLOAT16, FLOAT16 = DTYPES["bfloat16"], DTYPES["float16"]

MEMBERS = members_of(DType, "dtype")
MEMBERS.fact("is_floating_point")(lambda dtype: dtype.is_floating)
MEMBERS.fact("is_complex")(lambda dtype: dtype.is_complex)
MEMBERS.fact("is_signed")(lambda dtype: dtype.name not in ("uint8", "bool"))
MEMBERS.fact("itemsize")(lambda dtype: dtype.itemsize)
SHOWN[DType] = (lambda dtype: f"torch.{dtype.name}", lambda dtype: f"torch.{dtype.name}")
PYTHON_NAMES[DType] = lambda _: "torch.dtype"


NAMED_TYPES: dict[str, DType] = {}  # what `torch.FloatTensor` and its like stand for, entered by creation.py


class NoDTypeError(ProgramError, TypeError):
    """Something else stands where an element type is taken."""


def dtype_of(given: Any) -> DType | None:
    """The type that an argument `dtype` names; None for None. Raises: TypeError's message of PyTorch."""
    if given is None or isinstance(given, DType):
        return given
    if isinstance(given, Kind) and given.name in OF_PYTHON:
        return DTYPES[OF_PYTHON[given.name]]
    name = given if isinstance(given, str) else given.name if isinstance(given, Native) else ""
    if name in NAMED_TYPES:
        return NAMED_TYPES[name]
    raise NoDTypeError(
        f"dtype must be a torch.dtype, not {python_name(given)}",
        message_zh=f"dtype 必须是 torch.dtype，不能是 {python_name(given)}",
        kind="TypeError",
        hint="Write torch.float32, torch.float64, torch.int64 or torch.bool.",
        hint_zh="请写 torch.float32、torch.float64、torch.int64 或 torch.bool。",
        code="torch_error",
    )


C_NAMES = {"uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int32": "int", "int64": "int64_t"}


def check_fits(numbers: Any, dtype: DType, name: str = "") -> None:
    """Raises: RuntimeError's message of PyTorch where a number lies beyond those of an integer type.

    name: what the message calls the type; its name in C++ where it is left out.
    """
    array = np.asarray(numbers)
    if array.dtype.kind == "c" and not dtype.is_complex and np.any(array.imag):
        raise torch_error(
            f"value cannot be converted to type {C_NAMES.get(dtype.name, dtype.cpp_name)} without overflow",
            f"复数不能转换为 {dtype.name}。",
            hint="Take its real part, or a tensor of dtype torch.cfloat.",
            hint_zh="请取它的实部，或使用 dtype 为 torch.cfloat 的张量。",
        )
    if dtype.name not in C_NAMES:
        return
    limits = np.iinfo(dtype.name)
    least = limits.min if limits.min else -limits.max  # -1 is the largest number of an unsigned type
    if not bool(np.all((array >= least) & (array <= limits.max))):
        name = name or C_NAMES[dtype.name]
        raise torch_error(
            f"value cannot be converted to type {name} without overflow",
            f"有的数超出了 {dtype.name} 的范围。",
            hint="Use a wider type, such as torch.int64.",
            hint_zh="请使用更宽的类型，例如 torch.int64。",
        )


def of_array(array: Any) -> DType:
    """The type of an array's numbers. Raises: TypeError for numbers that no tensor holds."""
    found = DTYPES.get(name_of(array.dtype))
    if found is None:
        raise torch_error(
            f"can't convert np.ndarray of type numpy.{array.dtype.name}. The only supported types are: "
            "float64, float32, float16, int64, int32, int16, int8, uint8, and bool.",
            f"不能转换类型为 numpy.{array.dtype.name} 的数组。",
            kind="TypeError",
        )
    return found


def category(dtype: DType) -> int:
    """Truth values come before whole numbers, these before floats, and these before complex numbers."""
    return 0 if dtype is BOOL else 3 if dtype.is_complex else 2 if dtype.is_floating else 1


def _together(a: DType, b: DType) -> DType:
    """The smallest type of the higher category that holds both."""
    if a is b:
        return a
    if category(a) + category(b) == 5:  # a float and a complex number
        return DTYPES[np.promote_types(a.held_as, b.held_as).name]
    if category(a) != category(b):
        return a if category(a) > category(b) else b
    if BFLOAT16 in (a, b):
        return DEFAULT_FLOAT if FLOAT16 in (a, b) else b if a is BFLOAT16 else a
    return DTYPES[np.promote_types(a.name, b.name).name]


def result_type(*operands: tuple[DType, int]) -> DType:
    """The type of a result.

    operands: of each its type, and its rank: 2 for a tensor with axes, 1 for one without, 0 for a number.
    A lower rank counts only where its category is higher; a number then counts as the default type.
    """
    found: dict[int, DType] = {}
    for dtype, rank in operands:
        found[rank] = dtype if rank not in found else _together(found[rank], dtype)
    result: DType | None = None
    for rank in sorted(found, reverse=True):
        if result is None:
            result = found[rank]
        elif category(found[rank]) > category(result):
            with_parts = result.is_floating and found[rank].is_complex
            result = result.with_parts if with_parts else _together(result, found[rank])
    assert result is not None
    return result
