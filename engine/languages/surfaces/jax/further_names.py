"""Names of JAX beside those of `module.py`: solvers, examples' libraries, settings of no effect."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.jax.api import equal_lengths, settings, tree_functions, windows
from engine.languages.surfaces.jax.api.calling import as_value, many, whole
from engine.languages.surfaces.jax.api.lax_functions import made_of_others
from engine.languages.surfaces.jax.api.tracing.once import forget
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.example_libraries import optimizers, stax
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import reshape, shape_of
from engine.languages.surfaces.jax.lax.numerics.complex_numbers import complex_p, conj, imag_p, real_p
from engine.languages.surfaces.jax.numpy.further import (  # noqa: F401  # for their tables
    arranging,
    bits,
    calculus,
    complex_numbers,
    eigenvalues,
    elements,
    padding,
    rounding,
    sets,
    sorting,
    taking,
)
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.random import binomials, further  # noqa: F401  # for their tables
from engine.languages.surfaces.jax.scipy import (
    distributions,
    factorizations,
    incomplete,
    interpolation,
    known_matrices,
    matrices,
    ranks,
    special,
)
from engine.languages.surfaces.jax.solvers.minimize import RESULT, minimize
from engine.languages.surfaces.jax.solvers.ode import odeint
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.indexing import Subscripted, grid, joined

Enter = Callable[[str, Any], None]


def without_effect(*_: Any, **__: Any) -> Block:
    """A block of a setting that changes no number."""

    @contextmanager
    def opened() -> Any:
        yield

    return Block(opened)


def nothing(*_: Any, **__: Any) -> None:
    """A call that changes no number."""


def named_call(fun: Any, *, name: Any = None) -> Any:
    """The same function."""
    return fun


def collapse(operand: Any, start_dimension: Any, stop_dimension: Any = None) -> Any:
    """Some neighbouring axes as one."""
    x = as_value(operand)
    shape = shape_of(x)
    first, last, _ = slice(start_dimension, stop_dimension).indices(len(shape))
    return reshape(x, (*shape[:first], int(np.prod(shape[first:last], dtype=int)), *shape[last:]))


def split(operand: Any, sizes: Any, axis: Any = 0) -> list[Any]:
    """Parts of these lengths along an axis. Raises: ValueError where they are not its length together."""
    x = as_value(operand)
    (place,), parts = axes_of(x, whole(axis, "axis")), list(many(sizes, "sizes"))
    if any(size < 0 for size in parts):
        raise value_error(
            f"Sizes passed to split must be nonnegative, got {parts}", f"split 的各段长度不能为负：{parts}。"
        )
    if sum(parts) != shape_of(x)[place]:
        raise value_error(
            f"Sum of sizes {sum(parts)} must be equal to dimension {place} of the operand shape "
            f"{list(shape_of(x))}",
            f"各段长度之和为 {sum(parts)}，但第 {place} 轴的长度是 {shape_of(x)[place]}。",
        )
    return list(sh.split(x, parts, place))


def _alike(primitive: Any) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        values = [as_value(x) for x in args]
        dtype = next((aval_of(x).dtype for x in values if aval_of(x).is_float), None)
        return primitive(*(JNP["asarray"](x, dtype=dtype) for x in values))

    return call


LAX: dict[str, Callable[..., Any]] = {
    "collapse": collapse,
    "split": split,
    "broadcast_shapes": lambda *shapes: np.broadcast_shapes(*shapes),
    "igamma": _alike(incomplete.igamma_p),
    "igammac": _alike(incomplete.igammac_p),
    "betainc": _alike(incomplete.betainc_p),
    "polygamma": _alike(incomplete.polygamma_p),
    "zeta": _alike(incomplete.zeta_p),
    "bessel_i0e": _alike(incomplete.i0e_p),
    "bessel_i1e": _alike(incomplete.i1e_p),
    "complex": lambda x, y: complex_p(as_value(x), as_value(y)),
    "real": lambda x: real_p(as_value(x)),
    "imag": lambda x: imag_p(as_value(x)),
    "conj": lambda x: conj(as_value(x)),
}
LEFT_OUT = ("scipy.signal.stft", "scipy.signal.istft", "scipy.linalg.schur")


def enter_further(library: Library, enter: Enter) -> None:
    """Enter them all."""
    enter("scipy.special.", special.FUNCTIONS)
    enter("scipy.stats.", distributions.FUNCTIONS)
    enter("scipy.stats.", ranks.FUNCTIONS)
    enter("scipy.ndimage.", interpolation.FUNCTIONS)
    enter("scipy.linalg.", matrices.FUNCTIONS)
    enter("scipy.linalg.", known_matrices.FUNCTIONS)
    enter("scipy.linalg.", factorizations.FUNCTIONS)
    enter("lax.", made_of_others.FUNCTIONS)
    library.value(el.AWAY_FROM_ZERO, "lax.RoundingMethod.AWAY_FROM_ZERO")
    library.value(el.TO_NEAREST_EVEN, "lax.RoundingMethod.TO_NEAREST_EVEN")
    for name in ("outer", "tensordot", "vecdot", "matrix_transpose"):
        enter("numpy.linalg.", {name: JNP[name]})
    enter("scipy.optimize.", {"minimize": minimize})
    library.value(RESULT, "scipy.optimize.OptimizeResults")
    enter("scipy.integrate.", {"trapezoid": JNP["trapezoid"]})
    enter("scipy.signal.", {"fftconvolve": windows.signal_convolve})
    enter("experimental.ode.", {"odeint": odeint})
    enter("_src.util.", equal_lengths.FUNCTIONS)
    enter("lax.", LAX)
    enter("numpy.fft.", complex_numbers.FFT)
    for level in ("DEFAULT", "HIGH", "HIGHEST"):
        library.value(level.lower(), f"lax.Precision.{level}")
    enter("numpy.linalg.", eigenvalues.LINALG)
    _enter_examples(library, enter)
    _enter_settings(library, enter)
    _enter_trees(library)
    _enter_subscripts(library)
    library.refuse(
        LEFT_OUT,
        "Gradlens computes with real numbers; sin and cos stand for the parts of exp(i x).",
        "Gradlens 使用实数计算；exp(i x) 的两部分可以用 cos 和 sin 表示。",
    )


def _enter_examples(library: Library, enter: Enter) -> None:
    enter("example_libraries.stax.", stax.FUNCTIONS)
    for name, layer in stax.ACTIVATIONS.items():
        library.value(layer, f"example_libraries.stax.{name}")
    enter("example_libraries.optimizers.", optimizers.FUNCTIONS)


def _enter_settings(library: Library, enter: Enter) -> None:
    blocks = (
        *("default_device", "default_matmul_precision", "ensure_compile_time_eval", "checking_leaks"),
        *("log_compiles", "transfer_guard", "numpy_dtype_promotion", "numpy_rank_promotion"),
    )
    enter("", dict.fromkeys(blocks, without_effect))
    enter("", dict.fromkeys(("effects_barrier", "print_environment_info"), nothing))
    enter("", {"clear_caches": forget})
    enter("", {"named_call": named_call, "enable_x64": settings.enable_x64})
    enter("", {"process_index": lambda backend=None: 0, "process_count": lambda backend=None: 1})
    enter("profiler.", {"trace": without_effect, "start_trace": nothing, "stop_trace": nothing})
    library.value(Kind("jax.Device", lambda: settings.CPU, (settings.Device,)), "Device")
    library.value(library.members["typing.ArrayLike"], "typing.DTypeLike")


def _joined(name: str) -> Subscripted:
    """`jnp.r_` and `jnp.c_`: of arrays whose values are known."""
    take = joined(name)

    def taken(parts: tuple[Any, ...], budget: Any) -> Any:
        values = [one if isinstance(one, (slice, str)) else elements.concrete(one, name) for one in parts]
        return array(take(tuple(values), budget))

    return Subscripted(f"jnp.{name}", taken)


def _enter_subscripts(library: Library) -> None:
    for name in ("r_", "c_"):
        library.value(_joined(name), f"numpy.{name}")
    open_grid = grid("ogrid", full=False)

    def rows(parts: tuple[Any, ...], budget: Any) -> Any:
        found = open_grid(parts, budget)
        return array(found) if isinstance(found, np.ndarray) else [array(one) for one in found]

    library.value(Subscripted("jnp.ogrid", rows), "numpy.ogrid")
    library.value(Subscripted("jnp.s_", lambda parts, budget: _key(parts)), "numpy.s_")
    library.value(Subscripted("jnp.index_exp", lambda parts, budget: parts), "numpy.index_exp")


def _key(parts: tuple[Any, ...]) -> Any:
    return parts if len(parts) != 1 else parts[0]


def _enter_trees(library: Library) -> None:
    for name, kind in tree_functions.KEYS.items():
        library.value(kind, f"tree_util.{name}")
    library.value(Kind("jax.tree_util.PyTreeDef", lambda: None, (Structure,)), "tree_util.PyTreeDef")
