"""What a program may ask of an array or a tracer: `x.shape`, `x.sum()`, `x.at[0].set(1)`."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, Items
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.operators import HOLDS
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES
from engine.languages.surfaces.jax.core.avals import ElementType, element_type
from engine.languages.surfaces.jax.core.batching import BatchTracer
from engine.languages.surfaces.jax.core.errors import (
    bool_conversion,
    concretization,
    described,
    origin,
    value_error,
)
from engine.languages.surfaces.jax.core.linearizing import GradTracer
from engine.languages.surfaces.jax.core.tangents import JvpTracer, instantiated
from engine.languages.surfaces.jax.core.values import aval_of, constant, known
from engine.languages.surfaces.jax.harmless import guarded
from engine.languages.surfaces.jax.lax import gathering as ga
from engine.languages.surfaces.jax.lax import scattering as sc
from engine.languages.surfaces.jax.lax.basics import full_like, shape_of
from engine.languages.surfaces.jax.lax.elementwise import bitcast_p
from engine.languages.surfaces.jax.numpy.indexing.putting import put
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.operators import KINDS, TRACERS, at_hand
from engine.languages.surfaces.jax.numpy.reducing import places, running  # noqa: F401  # for their tables
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.numpy.module import asarray

METHODS = (
    *("sum", "prod", "max", "min", "mean", "var", "std", "all", "any", "argmax", "argmin", "cumsum"),
    *("cumprod", "ravel", "squeeze", "swapaxes", "astype", "dot", "round", "clip", "conj", "diagonal"),
    *("trace", "repeat", "sort", "argsort", "take", "nonzero", "ptp", "copy", "searchsorted"),
)


def _dtype(value: Any) -> Any:
    return element_type(aval_of(value).dtype)


class At:
    """`x.at`."""

    def __init__(self, array: Any) -> None:
        self.array_of = array


class Place:
    """`x.at[key]`."""

    def __init__(self, array: Any, key: Any) -> None:
        self.array_of = array
        self.key = key


ITEMS[At] = Items(read=lambda at, key: Place(at.array_of, key))
SHOWN[ElementType] = (ElementType.text, ElementType.representation)
members_of(ElementType, "dtype").fact("name")(lambda kind: kind.name)
members_of(ElementType, "dtype").fact("itemsize")(lambda kind: kind.itemsize)
TYPE_NAMES[At] = TYPE_NAMES[Place] = lambda _: "indexing helper"
PYTHON_NAMES[At] = lambda _: "_IndexUpdateHelper"
PYTHON_NAMES[Place] = lambda _: "_IndexUpdateRef"
SHOWN[At] = (lambda at: f"_IndexUpdateHelper({to_repr(at.array_of)})",) * 2
SHOWN[Place] = (lambda place: f"_IndexUpdateRef({to_repr(place.array_of)}, {to_repr(place.key)})",) * 2
PLACE = members_of(Place, "at", borrowed=True)


MODES = MappingProxyType(
    {
        None: ga.FILL,
        "fill": ga.FILL,
        "drop": ga.FILL,
        "clip": ga.CLIP,
        "promise_in_bounds": ga.IN_BOUNDS,
    }
)


def _mode(mode: Any) -> Any:
    """What happens outside of the array. Raises: ValueError for an unknown word."""
    if not (mode is None or isinstance(mode, str)) or mode not in MODES:
        raise value_error(f'Unknown gather mode "{mode}"', f"mode 不能是 {mode!r}。")
    return MODES[mode]


def _putting(name: str, primitive: Any, prepare: Callable[[Any], Any] | None = None) -> None:
    @takes_only(wrap_negative_indices=(True,), out_sharding=(None,))
    def call(
        place: Place,
        values: Any,
        *,
        indices_are_sorted: Any = False,
        unique_indices: Any = False,
        mode: Any = None,
        out_sharding: Any = None,
        wrap_negative_indices: Any = True,
    ) -> Any:
        new = values if prepare is None else prepare(values)
        x = constant(place.array_of)
        return put(primitive, x, place.key, new, _mode(mode), bool(unique_indices))

    PLACE.method(name)(call)


_putting("set", sc.scatter_p)
_putting("add", sc.scatter_add_p)
_putting("subtract", sc.scatter_add_p, lambda values: FUNCTIONS["negative"](values))
_putting("multiply", sc.scatter_mul_p)
_putting("mul", sc.scatter_mul_p)
_putting("min", sc.scatter_min_p)
_putting("max", sc.scatter_max_p)


@PLACE.method("get")
@takes_only(wrap_negative_indices=(True,), out_sharding=(None,))
def get(
    place: Place,
    *,
    indices_are_sorted: Any = False,
    unique_indices: Any = False,
    mode: Any = None,
    fill_value: Any = None,
    out_sharding: Any = None,
    wrap_negative_indices: Any = True,
) -> Any:
    """The elements at the places."""
    how = None if mode is None else _mode(mode)
    return getitem(constant(place.array_of), place.key, how, fill_value)


def _by_ones(name: str, operation: str) -> None:
    """A function of x and of ones, which are multiplied by the values at the places."""

    @takes_only(wrap_negative_indices=(True,))
    def call(
        place: Place,
        values: Any,
        *,
        indices_are_sorted: Any = False,
        unique_indices: Any = False,
        mode: Any = None,
        wrap_negative_indices: Any = True,
    ) -> Any:
        x = constant(place.array_of)
        ones = full_like(x, 1)
        by = put(sc.scatter_mul_p, ones, place.key, values, _mode(mode), bool(unique_indices))
        return FUNCTIONS[operation](x, by)

    PLACE.method(name)(call)


_by_ones("divide", "true_divide")
_by_ones("power", "power")


@PLACE.method("apply")
@takes_only(mode=(None,), wrap_negative_indices=(True,))
def apply(
    interpreter: Any,
    place: Place,
    func: Any,
    *,
    indices_are_sorted: Any = False,
    unique_indices: Any = False,
    mode: Any = None,
    wrap_negative_indices: Any = True,
) -> Any:
    """A function of the elements at the places, in their place."""
    old = getitem(constant(place.array_of), place.key)
    new = interpreter.call(func, [old], {})
    return put(sc.scatter_p, constant(place.array_of), place.key, new)


def _item(value: Any, *index: Any) -> Any:
    array = at_hand(value)
    if array is None:
        raise concretization(value, "This occurred in the item() method of jax.Array")
    return array.item(*index)


def _to_list(value: Any) -> Any:
    if isinstance(value, TRACERS):
        raise concretization(value, f"The tolist() method was called on {described(value)}.{origin(value)}")
    return known(value).tolist()


def holds(container: Any, item: Any) -> bool:
    """`item in array`: whether an element is equal."""
    found = FUNCTIONS["any"](FUNCTIONS["equal"](container, item))
    array = known(found)
    if array is None:
        raise bool_conversion(found)
    return bool(array)


def viewed(x: Any, dtype: Any) -> Any:
    """The bits of an array as elements of another type that is as wide."""
    own = aval_of(x).dtype
    kind = dtype_of(dtype) or own
    if kind == own:
        return x
    if element_type(kind).itemsize != element_type(own).itemsize or "bool" in (kind, own):
        raise RefusedError(
            f"view() from {own} to {kind} is not supported.",
            message_zh=f"不支持从 {own} 到 {kind} 的 view()。",
            hint="Take a type whose elements have as many bits.",
            hint_zh="请使用位数相同的类型。",
            code="refused_name",
        )
    return bitcast_p(x, new_dtype=kind)


for _kind in KINDS:
    HOLDS[_kind] = holds
    table = members_of(_kind, "Array", borrowed=True)
    table.fact("shape")(lambda value: shape_of(value))
    table.fact("ndim")(lambda value: aval_of(value).ndim)
    table.fact("size")(lambda value: aval_of(value).size)
    table.fact("dtype")(_dtype)
    table.fact("weak_type")(lambda value: aval_of(value).weak)
    table.fact("itemsize")(lambda value: _dtype(value).itemsize)
    table.fact("nbytes")(lambda value: aval_of(value).size * _dtype(value).itemsize)
    table.fact("T")(lambda value: FUNCTIONS["transpose"](value))
    table.fact("mT")(lambda value: FUNCTIONS["matrix_transpose"](value))
    table.fact("real")(lambda value: FUNCTIONS["real"](value))
    table.fact("imag")(lambda value: FUNCTIONS["imag"](value))
    table.fact("at")(At)
    table.fact("aval")(aval_of)
    for _name in METHODS:
        table.method(_name)(guarded(FUNCTIONS[_name]))
    table.method("flatten")(lambda value, order="C": FUNCTIONS["ravel"](value, order))
    table.method("conjugate")(lambda value: FUNCTIONS["conj"](value))
    table.method("item")(_item)
    table.method("tolist")(_to_list)
    table.methods["__array__"] = Native("Array.__array__", asarray, borrowed=True)
    table.method("block_until_ready")(lambda value: value)
    table.method("copy_to_host_async")(lambda value: None)

    @table.method("reshape")
    def reshape(value: Any, *shape: Any, order: Any = "C") -> Any:
        """The same elements in another shape."""
        lengths = shape[0] if len(shape) == 1 else shape
        return FUNCTIONS["reshape"](value, lengths, order)

    @table.method("view")
    def view(value: Any, dtype: Any = None) -> Any:
        """The same bits as elements of another type. Raises: RefusedError where those are not as wide."""
        return viewed(constant(value), dtype)

    @table.method("transpose")
    def transpose(value: Any, *axes: Any) -> Any:
        """The axes in another order."""
        order = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes
        return FUNCTIONS["transpose"](value, order or None)


# What tracers hold: no part of JAX's interface, but notebooks show it.
members_of(BatchTracer, "Array", borrowed=True).fact("val")(lambda tracer: tracer.value)
members_of(BatchTracer, "Array", borrowed=True).fact("batch_dim")(lambda tracer: tracer.axis)
for _tracer in (JvpTracer, GradTracer):
    members_of(_tracer, "Array", borrowed=True).fact("primal")(lambda tracer: tracer.primal)
members_of(JvpTracer, "Array", borrowed=True).fact("tangent")(lambda tracer: instantiated(tracer.tangent))


def no_method(name: str) -> ProgramError:
    """The error for a method that is left out."""
    return ProgramError(f".{name}() is not supported.", message_zh=f"不支持 .{name}()。", code="refused_name")
