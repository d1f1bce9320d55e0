"""Elements repeated, turned and moved on: `jnp.tile`, `jnp.flip`, `jnp.roll`, `jnp.rot90`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.jax.api.calling import many, whole
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.values import Constant, Tracer, aval_of, constant, known
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.arithmetic import max_p
from engine.languages.surfaces.jax.lax.basics import broadcast, broadcast_in_dim, convert, shape_of
from engine.languages.surfaces.jax.lax.basics import reshape as reshape_to
from engine.languages.surfaces.jax.lax.dynamic_slices import dynamic_slice_p
from engine.languages.surfaces.jax.numpy.indexing.taking import normalized
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.lengths import known_number
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.shaping.axes import swapaxes
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import as_array, named
from engine.languages.surfaces.left_out import takes_only

STATIC_REPEATS = (
    "When jit-compiling jnp.repeat, the total number of repeats must be static. To fix this, either specify "
    "a static value for `repeats`, or pass a static value to `total_repeat_length`."
)


@named("tile")
def tile(A: Any, reps: Any) -> Any:
    """The array several times beside itself."""
    (x,) = check_arrays("tile", [A])
    given = reps if isinstance(reps, (tuple, list)) else (reps,)
    if any(isinstance(one, Tracer) and known(one) is None for one in given):
        raise _unknown_times(given)
    times = many(reps, "reps")
    ndim = max(len(times), len(shape_of(x)))
    times = (1,) * (ndim - len(times)) + times
    return sh.tile_p(broadcast(x, (1,) * (ndim - len(shape_of(x)))), reps=times)


def _unknown_times(given: Sequence[Any]) -> Exception:
    shown = ", ".join(map(to_repr, given)) + "," * (len(given) == 1)
    error: Exception = type_error(
        "As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to "
        f"primitive tile, the value of parameter reps was not hashable: ({shown})",
        "jnp.tile 的 reps 必须是具体的整数，不能是跟踪中的数组。",
        "Mark the argument static: jax.jit(f, static_argnums=…).",
        "请把参数标为静态：jax.jit(f, static_argnums=…)。",
    )
    return error


@named("repeat")
@takes_only(total_repeat_length=(None,))
def repeat(a: Any, repeats: Any, axis: Any = None, total_repeat_length: Any = None, **_: Any) -> Any:
    """Each element several times."""
    (x,) = check_arrays("repeat", [a])
    if axis is None:
        x, place = reshape_to(x, (aval_of(x).size,)), 0
    else:
        place = axes_of(x, axis)[0]
    if isinstance(repeats, int):
        shape = shape_of(x)
        wide = broadcast_in_dim(
            x,
            (*shape[: place + 1], repeats, *shape[place + 1 :]),
            [i for i in range(len(shape) + 1) if i != place + 1],
        )
        return reshape_to(wide, (*shape[:place], shape[place] * repeats, *shape[place + 1 :]))
    counts = np.asarray(known_number(array(repeats), STATIC_REPEATS))
    from engine.languages.surfaces.jax.numpy.indexing.taking import getitem

    places = np.repeat(np.arange(shape_of(x)[place]), counts).astype("int32")
    return getitem(x, (*([slice(None)] * place), array(places)))


@named("flip")
def flip(m: Any, axis: Any = None) -> Any:
    """The elements in the opposite order."""
    (x,) = check_arrays("flip", [m])
    return _flip(x, axes=axes_of(x, axis))


@library_jit(1, name="_flip")
def _flip(x: Any, axes: tuple[int, ...]) -> Any:
    return sh.rev(x, axes)


@named("fliplr")
def fliplr(m: Any) -> Any:
    """The columns in the opposite order."""
    return flip(m, 1)


@named("flipud")
def flipud(m: Any) -> Any:
    """The rows in the opposite order."""
    return flip(m, 0)


@named("roll")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements moved along, those at the end to the front."""
    (x,) = check_arrays("roll", [a])
    if any(isinstance(one, Tracer) for one in (shift if isinstance(shift, (tuple, list)) else (shift,))):
        return _roll_by_computed(x, array(shift), axis)
    if axis is None:
        flat = reshape_to(x, (aval_of(x).size,))
        return reshape_to(_roll(flat, shifts=many(shift, "shift"), axes=(0,)), shape_of(x))
    axes, shifts = axes_of(x, axis), many(shift, "shift")
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    return _roll(x, shifts=shifts, axes=axes)


def _roll_by_computed(x: Any, shift: Any, axis: Any) -> Any:
    """The same where it is computed how far they are moved."""
    if axis is not None:
        return _roll_dynamic(x, shift, axes=axes_of(x, axis))
    flat = reshape_to(x, (aval_of(x).size,))
    return reshape_to(_roll_dynamic(flat, shift, axes=(0,)), shape_of(x))


@library_jit(2)
def _roll_dynamic(x: Any, shift: Any, axes: tuple[int, ...]) -> Any:
    """The array twice in a row, of which one length is taken, from size - shift mod size on."""
    shifts = broadcast_in_dim(shift, (len(axes),), [0] * len(shape_of(shift)))
    for place, axis in enumerate(axes):
        size = shape_of(x)[axis]
        by = convert(sh.squeeze(sh.slice_of(shifts, [place], [place + 1], [1]), (0,)), "int32")
        by = JNP["remainder"](by, max_p(Constant(np.int32(size)), Constant(np.int32(1))))
        twice = sh.concatenate([x, x], axis)
        starts: list[Any] = [Constant(np.int32(0))] * len(shape_of(x))
        starts[axis] = normalized(size - by, 2 * size)
        x = dynamic_slice_p(twice, *starts, slice_sizes=shape_of(x))
    return x


@library_jit(1, name="_roll_static")
def _roll(x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
    for shift, axis in zip(shifts, axes, strict=True):
        length = shape_of(x)[axis]
        if not length:
            return x
        by = (-shift) % length
        if by:
            shape = shape_of(x)
            starts, limits, ones = [0] * len(shape), list(shape), [1] * len(shape)
            first = sh.slice_of(x, [*starts[:axis], by, *starts[axis + 1 :]], limits, ones)
            second = sh.slice_of(x, starts, [*limits[:axis], by, *limits[axis + 1 :]], ones)
            x = sh.concatenate([first, second], axis)
    return x


@named("rot90")
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """The array turned by quarters."""
    return _rot90(constant(m), turns=whole(k, "k") % 4, axes=tuple(axes))


@library_jit(1, name="rot90")
def _rot90(m: Any, turns: int, axes: Sequence[int]) -> Any:
    first, second = axes
    if turns == 0:
        return as_array(m)
    if turns == 2:
        return flip(flip(m, first), second)
    return (
        swapaxes(flip(m, second), first, second) if turns == 1 else flip(swapaxes(m, first, second), second)
    )
