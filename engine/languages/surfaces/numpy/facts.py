"""What numpy knows about its types and settings: finfo, iinfo, errstate, comparisons of types, tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITERABLE
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import NUMBERS, TYPE_NAMES, Block
from engine.languages.surfaces.numpy.module import ANY_NUMPY, NUMPY, numpy_dtype, to_array
from engine.languages.surfaces.numpy.sizes import Size, together

FLOAT_FACTS = (
    *("eps", "max", "min", "tiny", "resolution", "smallest_normal", "epsneg", "smallest_subnormal"),
    *("bits", "precision"),
)
INTEGER_FACTS = ("max", "min", "bits")


@dataclass(frozen=True, slots=True)
class TypeLimits:
    """What `np.finfo` and `np.iinfo` know of a type, by name."""

    known: Mapping[str, Any]


LIMITS = members_of(TypeLimits, "finfo")
TYPE_NAMES[TypeLimits] = lambda value: "finfo"


def _fact(name: str) -> Callable[[Any], Any]:
    def read(limits: TypeLimits) -> Any:
        if name not in limits.known:
            raise ProgramError(
                f"A type of integers has no `{name}`.",
                message_zh=f"整数类型没有 `{name}`。",
                code="unknown_attribute",
            )
        return limits.known[name]

    return read


for fact in FLOAT_FACTS:
    LIMITS.fact(fact)(_fact(fact))

SHOWN[TypeLimits] = (
    lambda limits: limits.known.get("str", limits.known["repr"]),
    lambda limits: limits.known["repr"],
)


def _type_of(value: Any) -> np.dtype[Any]:
    """The type that an argument names, or that a number or an array has."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype
    return np.asarray(value).dtype if isinstance(value, (int, float)) else np.dtype(numpy_dtype(value))


@NUMPY.function("finfo")
def finfo(dtype: Any) -> Any:
    """The limits of a type of floats."""
    info = np.finfo(_type_of(dtype))
    known = {name: getattr(info, name) for name in FLOAT_FACTS}
    return TypeLimits({**known, "str": str(info), "repr": repr(info)})


@NUMPY.function("iinfo")
def iinfo(type: Any) -> Any:
    """The limits of a type of integers."""
    info = np.iinfo(_type_of(type))
    known = {name: getattr(info, name) for name in INTEGER_FACTS}
    return TypeLimits({**known, "str": str(info), "repr": repr(info)})


ABSTRACT = {
    "integer": np.integer,
    "signedinteger": np.signedinteger,
    "unsignedinteger": np.unsignedinteger,
    "floating": np.floating,
    "number": np.number,
    "inexact": np.inexact,
    "generic": np.generic,
}


def _only_asked(*args: Any) -> Any:
    raise TypeError


for name, kind in ABSTRACT.items():
    NUMPY.value(Kind(f"np.{name}", _only_asked, (kind,)), name)


@NUMPY.function("issubdtype")
def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a type is one of a kind, such as np.integer."""
    return np.issubdtype(_kind_of(arg1), _kind_of(arg2))


def _kind_of(value: Any) -> Any:
    if isinstance(value, Kind) and value.name.removeprefix("np.") in ABSTRACT:
        return ABSTRACT[value.name.removeprefix("np.")]
    return _type_of(value)


@NUMPY.function("result_type")
def result_type(interpreter: Interpreter, *arrays_and_dtypes: Any) -> Any:
    """The type of the result of computing with these."""
    return np.result_type(*map(_type_of, arrays_and_dtypes))


@NUMPY.function("promote_types")
def promote_types(type1: Any, type2: Any) -> Any:
    """The smallest type that holds both."""
    return np.promote_types(_type_of(type1), _type_of(type2))


@NUMPY.function("can_cast", casting=word_of("no", "equiv", "safe", "same_kind", "unsafe"))
def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Whether numbers of one type go into another one."""
    return np.can_cast(_type_of(from_), _type_of(to), casting)  # type: ignore[arg-type]  # one of the words


@NUMPY.function("isscalar")
def isscalar(element: Any) -> bool:
    """Whether it is one number, and no array."""
    _check_no_text(element)
    return isinstance(element, NUMBERS)


def _check_no_text(*values: Any) -> None:
    """Raises: TypeError for a text: these functions are asked about numbers and arrays."""
    if any(isinstance(value, str) for value in values):
        raise TypeError


@NUMPY.function("iterable")
def iterable(y: Any) -> bool:
    """Whether one can go through it."""
    _check_no_text(y)
    return isinstance(y, ITERABLE) or (isinstance(y, np.ndarray) and y.ndim > 0)


@NUMPY.function("shares_memory", "may_share_memory")
def shares_memory(a: Any, b: Any) -> bool:
    """Whether a change of one array would show in the other."""
    _check_no_text(a, b)
    return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and bool(np.may_share_memory(a, b))


@NUMPY.function("errstate")
def errstate(**kwargs: Any) -> Block:
    """A block in which numpy would be silent about divisions by zero and the like: it is here anyway."""
    return Block(nullcontext)


# -- tests -------------------------------------------------------------------------------------------


def _differ(name: str) -> ProgramError:
    return ProgramError(
        f"np.testing.{name} found a difference.",
        message_zh=f"np.testing.{name} 发现两者不同。",
        code="assertion_failed",
    )


def _both(interpreter: Interpreter, actual: Any, desired: Any, *more: Any) -> tuple[Any, Any]:
    first, second = to_array(interpreter, actual), to_array(interpreter, desired)
    Size(together(first, second, *more)).check(interpreter.budget)
    return first, second


@NUMPY.function("testing.assert_allclose")
def assert_allclose(
    interpreter: Interpreter,
    actual: Any,
    desired: Any,
    rtol: Any = 1e-07,
    atol: Any = 0,
    equal_nan: Any = True,
) -> None:
    """Raises: ProgramError where two arrays differ by more than rounding."""
    first, second = _both(interpreter, actual, desired, rtol, atol)
    if not np.allclose(first, second, rtol, atol, bool(equal_nan)):
        raise _differ("assert_allclose")


@NUMPY.function("testing.assert_array_equal", "testing.assert_equal")
def assert_array_equal(interpreter: Interpreter, actual: Any, desired: Any) -> None:
    """Raises: ProgramError where two arrays differ."""
    first, second = _both(interpreter, actual, desired)
    if not ANY_NUMPY.array_equal(*np.broadcast_arrays(first, second), equal_nan=first.dtype.kind == "f"):
        raise _differ("assert_array_equal")


@NUMPY.function("testing.assert_almost_equal", "testing.assert_array_almost_equal")
def assert_almost_equal(interpreter: Interpreter, actual: Any, desired: Any, decimal: Any = 7) -> None:
    """Raises: ProgramError where two arrays differ at these decimals."""
    first, second = _both(interpreter, actual, desired)
    if not np.all(np.abs(np.subtract(first, second, dtype="float64")) < 1.5 * 10.0 ** (-int(decimal))):
        raise _differ("assert_almost_equal")
