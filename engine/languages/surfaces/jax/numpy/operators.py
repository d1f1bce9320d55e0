"""What Python's operators, built-in functions and printing do with arrays and tracers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, UNHASHABLE, Items
from engine.languages.interpreter.builtins.formatting import WRITTEN_BY
from engine.languages.interpreter.builtins.functions import (
    BUILTINS,
    DIVIDED,
    KINDS_OF,
    NUMBERS_OF,
    ROUNDED,
    Kind,
)
from engine.languages.interpreter.builtins.text import FORMATTED, SHOWN
from engine.languages.interpreter.operators import (
    OWN_COMPARISONS,
    TRUTHS,
    apply_binary,
    unsupported,
)
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES, python_name
from engine.languages.surfaces.jax.core.avals import BFLOAT16, FLOAT0, KEY, element_type
from engine.languages.surfaces.jax.core.batching import BatchTracer
from engine.languages.surfaces.jax.core.errors import (
    array_conversion,
    bool_conversion,
    innermost,
    integer_conversion,
    number_conversion,
    type_error,
    value_error,
)
from engine.languages.surfaces.jax.core.linearizing import GradTracer
from engine.languages.surfaces.jax.core.operands import (
    OPERATIONS,
    PythonFloat,
    PythonInt,
    TypedFloat,
    TypedInt,
    typed_text,
)
from engine.languages.surfaces.jax.core.run import default_int, run_now
from engine.languages.surfaces.jax.core.staging import StagingTracer
from engine.languages.surfaces.jax.core.tangents import JvpTracer, TracerWithTangent
from engine.languages.surfaces.jax.core.unknowns import UnknownTracer
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer, aval_of, known
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.lax.shapes import slice_in_dim, squeeze
from engine.languages.surfaces.jax.numpy import quotients  # noqa: F401  # for its table
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.multiplying import matmul
from engine.languages.surfaces.jax.numpy.promotion import ARRAYS
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS

TRACERS = (StagingTracer, JvpTracer, GradTracer, BatchTracer, UnknownTracer)
KINDS = (JaxArray, Constant, *TRACERS)
SYMBOLS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
NAMES = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}


def _operation(word: str, function: Any) -> None:
    def call(left: Any, right: Any) -> Any:
        if isinstance(left, ARRAYS) and isinstance(right, ARRAYS):
            return function(left, right)
        if isinstance(left, str) and word == "mul":
            return apply_binary(ast.Mult, left, index_of(right), run_now().budget)
        if isinstance(left, CONTAINERS) or isinstance(right, CONTAINERS):
            raise _with_container(SYMBOLS[word], left, right)
        raise unsupported(SYMBOLS[word], left, right)

    OPERATIONS[word] = call


CONTAINERS = (list, tuple, set, dict)


def _with_container(symbol: str, left: Any, right: Any) -> Exception:
    """The error for an array and a list, which JAX does not take for one."""
    a, b = (python_name(side).rpartition(".")[2] for side in (left, right))
    error: Exception = type_error(
        f"unsupported operand type(s) for {symbol}: '{a}' and '{b}'",
        f"`{symbol}` 不能用于 {a} 与 {b} 之间。",
        "Make an array of it: jnp.array(…).",
        "请先变为数组：jnp.array(…)。",
    )
    return error


for _word, _name in NAMES.items():
    _operation(_word, FUNCTIONS[_name])
_operation("matmul", matmul)
OPERATIONS["neg"] = FUNCTIONS["negative"]
OPERATIONS["abs"] = FUNCTIONS["absolute"]
OPERATIONS["invert"] = FUNCTIONS["invert"]
OPERATIONS["getitem"] = getitem


def at_hand(value: Any) -> Any:
    """The numpy array of a value that Python may ask for; None while its function is traced.

    Whatever a function makes while it is traced for jit counts as traced, also where it is a plain number.
    """
    inner = innermost(value) if isinstance(value, Tracer) else value
    return None if type(inner) is StagingTracer else known(value)


def index_of(value: Any) -> int:
    """A value where Python needs a whole number, such as the place in a list."""
    array = at_hand(value)
    if array is None:
        raise integer_conversion(value)
    if array.ndim or array.dtype.kind not in "iu":
        raise type_error(
            "Only integer scalar arrays can be converted to a scalar index.", "这里需要整数标量。"
        )
    return int(array)


OPERATIONS["index"] = index_of
OPERATIONS["array_conversion"] = array_conversion


# -- comparisons, truth, numbers -----------------------------------------------------------------------


def _compare(kind: type[ast.cmpop], left: Any, right: Any) -> Any:
    words = {ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal"}
    if kind in (ast.Eq, ast.NotEq):
        if not isinstance(left, ARRAYS) or not isinstance(right, ARRAYS):
            return kind is ast.NotEq
        return FUNCTIONS["equal" if kind is ast.Eq else "not_equal"](left, right)
    if not isinstance(left, ARRAYS) or not isinstance(right, ARRAYS):
        symbol = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}[kind]
        raise unsupported(symbol, left, right)
    return FUNCTIONS[words[kind]](left, right)


def _truth(value: Any) -> bool:
    size = aval_of(value).size
    if size != 1:
        raise value_error(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            if size
            else "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
            "array is not empty.",
            "含多个元素的数组没有唯一的真假值，请使用 a.any() 或 a.all()。",
        )
    array = at_hand(value)
    if array is None:
        raise bool_conversion(value)
    return bool(array)


def _number(value: Any, wanted: str = "float") -> Any:
    """The number for `float(x)`, `int(x)` or `complex(x)`: a tracer of a gradient gives whole ones alone."""
    aval = aval_of(value)
    if aval.dtype == KEY:
        raise type_error(
            f"{wanted}() argument must be a string or a real number, not 'PRNGKeyArray'",
            "随机数的 key 不是数。",
        )
    if aval.ndim:
        raise type_error(
            f"Only scalar arrays can be converted to Python scalars; got arr.ndim={aval.ndim}",
            "只有标量数组才能转换为 Python 的数。",
        )
    array = at_hand(value)
    if array is None or (wanted != "int" and isinstance(value, TracerWithTangent)):
        raise number_conversion(value, wanted)
    return array.item()


def _rounded(value: Any, digits: Any) -> Any:
    """Python's `round`: without digits a whole number."""
    if digits is None:
        return convert(FUNCTIONS["round"](value), default_int())
    return FUNCTIONS["round"](value, digits)


for _kind in KINDS:
    OWN_COMPARISONS[_kind] = _compare
    TRUTHS[_kind] = _truth
    NUMBERS_OF[_kind] = _number
    ROUNDED[_kind] = _rounded


# -- items -------------------------------------------------------------------------------------------


def _immutable(value: Any, key: Any, new: Any) -> None:
    if isinstance(value, JaxArray):
        raise type_error(
            "JAX arrays are immutable and do not support in-place item assignment. Instead of "
            "x[idx] = y, use x "
            "= x.at[idx].set(y) or another .at[] method: "
            "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html",
            "JAX 数组不可修改。",
            "Write x = x.at[idx].set(y).",
            "请写 x = x.at[idx].set(y)。",
        )
    raise type_error(
        "JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use x "
        "= x.at[idx].set(y) or another .at[] method: "
        "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html",
        "JAX 数组不可修改。",
        "Write x = x.at[idx].set(y).",
        "请写 x = x.at[idx].set(y)。",
    )


def _length(value: Any) -> int:
    if not shape_of(value):
        raise type_error("len() of unsized object", "没有轴的数组没有长度。")
    return shape_of(value)[0]


def rows(value: Any) -> Iterator[Any]:
    """The parts along the first axis, each when it is asked for."""
    if not shape_of(value):
        raise type_error("iteration over a 0-d array", "没有轴的数组不能逐项遍历。", code="not_iterable")
    return (_row(value, index) for index in range(shape_of(value)[0]))


def _row(value: Any, index: int) -> Any:
    return squeeze(slice_in_dim(value, index, index + 1), (0,))


for _kind in KINDS:
    ITEMS[_kind] = Items(write=_immutable, count=_length)
    ITERATORS[_kind] = rows
    DIVIDED[_kind] = FUNCTIONS["divmod"]

# -- text --------------------------------------------------------------------------------------------

LINE = 75  # characters, as numpy breaks lines


def array_repr(value: JaxArray) -> str:
    """`Array([1., 2.], dtype=float32)`."""
    if value.kind == KEY:
        return key_text(value)
    if value.kind == FLOAT0:
        shown = np.array2string(_of_no_bytes(value), separator=", ") if value.array.ndim else NO_BYTES
        return f"TypedNdArray({shown}, dtype=void)"
    array = value.array
    kind = f"dtype={value.aval.dtype}" + (", weak_type=True)" if value.weak else ")")
    if array.size == 0:
        shown = f"[], shape={array.shape}"
    else:
        about: dict[str, Any] = {"prefix": "Array(", "suffix": ",", "separator": ", ", "max_line_width": LINE}
        shown = np.array2string(array, **about, **_digits(value))
    last = len(shown) - shown.rfind("\n") + 1
    separator = " " if last + len(kind) + 1 <= LINE else " " * len("Array(")  # no new line, as JAX has it
    return f"Array({shown},{separator}{kind}"


NO_BYTES = "(b'',)"


def _of_no_bytes(value: JaxArray) -> Any:
    """Tangents of whole numbers as numpy has them."""
    return np.zeros(value.array.shape, element_type(FLOAT0))


def key_text(value: JaxArray) -> str:
    """`Array((), dtype=key<fry>) overlaying:` and its numbers."""
    pairs = np.stack([value.array >> np.uint64(32), value.array & np.uint64(0xFFFFFFFF)], axis=-1)
    return f"Array({value.array.shape}, dtype=key<fry>) overlaying:\n{pairs.astype(np.uint32)}"


def array_str(value: JaxArray) -> str:
    """The elements, as numpy writes them."""
    if value.kind == BFLOAT16:
        return np.array2string(value.array, **_digits(value))
    if value.kind == FLOAT0:
        return str(_of_no_bytes(value)) if value.array.ndim else NO_BYTES
    return key_text(value) if value.kind == KEY else str(value.array)


def _digits(value: JaxArray) -> dict[str, Any]:
    """How numpy writes the elements: those of bfloat16 each by itself, with six digits."""
    return {"formatter": {"float_kind": "{:g}".format}} if value.kind == BFLOAT16 else {}


def _constant_repr(value: Constant) -> str:
    number = value.array.item() if value.array.ndim == 0 else value.array
    if not value.weak and value.array.dtype.kind != "b":
        return f"TypedNdArray({np.array2string(value.array, separator=', ')}, dtype={value.array.dtype.name})"
    kind = {"f": "TypedFloat", "i": "TypedInt"}.get(value.array.dtype.kind)
    return f"{kind}({number}, dtype={value.array.dtype.name})" if kind else str(number)


for _typed in (TypedFloat, TypedInt):
    PYTHON_NAMES[_typed] = lambda value: type(value).__name__
PYTHON_NAMES[PythonFloat], PYTHON_NAMES[PythonInt] = lambda _: "float", lambda _: "int"
KINDS_OF[PythonFloat], KINDS_OF[PythonInt] = BUILTINS["float"], BUILTINS["int"]
SHOWN[PythonFloat], SHOWN[PythonInt] = (float.__repr__,) * 2, (int.__repr__,) * 2
SHOWN[TypedFloat] = (float.__repr__, typed_text)
SHOWN[TypedInt] = (typed_text, typed_text)
SHOWN[JaxArray] = (array_str, array_repr)
SHOWN[Constant] = (lambda value: str(value.array), _constant_repr)
FORMATTED[JaxArray] = lambda value: key_text(value) if value.kind == KEY else format(value.array)
FORMATTED[Constant] = lambda value: format(value.array)
PYTHON_NAMES[JaxArray] = lambda _: "jaxlib._jax.ArrayImpl"
PYTHON_NAMES[Constant] = lambda _: "jaxlib._jax.ArrayImpl"
UNHASHABLE.update((JaxArray, *TRACERS))
TYPE_NAMES[JaxArray] = TYPE_NAMES[Constant] = lambda value: f"JAX array of {value.array.dtype.name}"


def _always(text: str) -> Callable[[Any], str]:
    return lambda value: text


class JaxKind(Kind):
    """A type of JAX, whose `__name__` stands without the module; it prints under JAX's name."""

    @property
    def short_name(self) -> str:
        """`ArrayImpl` of jaxlib._jax.ArrayImpl."""
        return self.name.rpartition(".")[2]


SHOWN[JaxKind] = (lambda kind: f"<class '{kind.name}'>",) * 2


def _no_call(*_: Any) -> Any:
    raise type_error("This type of JAX makes no arrays.", "JAX 的这个类型不能用来创建数组。")


TRACER_NAMES: dict[type, str] = {
    StagingTracer: "jax._src.interpreters.partial_eval.DynamicJaxprTracer",
    JvpTracer: "jax._src.interpreters.ad.JVPTracer",
    GradTracer: "jax._src.interpreters.ad.LinearizeTracer",
    BatchTracer: "jax._src.interpreters.batching.BatchTracer",
    UnknownTracer: "jax._src.interpreters.partial_eval.JaxprTracer",
}
for _traced, _text in TRACER_NAMES.items():
    SHOWN[_traced] = (Tracer.short, Tracer.short)
    PYTHON_NAMES[_traced] = _always(_text.rpartition(".")[2])
    TYPE_NAMES[_traced] = lambda value: "traced array"
    FORMATTED[_traced] = Tracer.short
    KINDS_OF[_traced] = JaxKind(_text, _no_call, (_traced,))
for _whole in (JaxArray, Constant):
    KINDS_OF[_whole] = JaxKind("jaxlib._jax.ArrayImpl", _no_call, (_whole,))
for _typed in (TypedFloat, TypedInt):
    KINDS_OF[_typed] = JaxKind(f"jax._src.literals.{_typed.__name__}", _no_call, (_typed,))
OF_NUMBERS = KINDS_OF[JaxArray]
OF_KEYS = JaxKind("jax._src.random.prng.PRNGKeyArray", _no_call, (JaxArray,))
KINDS_OF[JaxArray] = lambda array: OF_KEYS if array.kind == KEY else OF_NUMBERS


def _written(value: Any, spec: str) -> str:
    array = None if isinstance(value, Tracer) else known(value)
    if array is None or array.ndim:
        raise type_error(
            f"unsupported format string passed to {PYTHON_NAMES[type(value)](value)}.__format__",
            "这个值不能按格式写出。",
            code="bad_format",
        )
    return format(array[()], spec)


for _traced in TRACERS:
    WRITTEN_BY[_traced] = _written
    SHOWN[_traced] = (lambda value: value.short(), lambda value: value.short())
    FORMATTED[_traced] = lambda value: value.short()


def aval_text(value: Any) -> str:
    """The type of a value, as JAX writes it."""
    return aval_of(value).short()
