"""Functions whose jaxprs are written here in other operations than JAX's, and the note that says so."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import MappingProxyType
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.core.run import run_now, written_otherwise
from engine.languages.surfaces.library import Library

OWN = MappingProxyType(
    {
        "numpy": "take_along_axis convolve correlate interp searchsorted histogram digitize bincount polyval "
        "polyfit roots vander cov corrcoef unique gradient trapezoid unwrap nanmedian nanquantile "
        "nanpercentile allclose isclose partition argpartition hypot piecewise block insert delete meshgrid "
        "fill_diagonal diag diagonal triu_indices tril_indices",
        "numpy.linalg": "cholesky solve inv slogdet eigh eigvalsh svd qr matrix_power pinv lstsq cond "
        "matrix_rank multi_dot",
        "scipy.linalg": "cholesky solve_triangular cho_factor cho_solve solve lu lu_factor lu_solve expm "
        "eigh qr svd inv",
        "scipy.stats.multivariate_normal": "logpdf pdf",
        "scipy.special": "xlogy betaln",
        "nn": "glu standardize dot_product_attention",
        "random": "gamma choice",
        "lax": "reduce_window top_k conv_general_dilated conv conv_with_general_padding conv_transpose",
        "ops": "segment_sum segment_max segment_min segment_prod",
    }
)


def mark_own_jaxprs(library: Library) -> None:
    """Let these functions remember that they were traced."""
    for module, names in OWN.items():
        for name in names.split():
            found = library.members.get(f"{module}.{name}")
            if isinstance(found, Native):
                marked = _marked(f"jax.{module}.{name}", found.function)
                library.members[f"{module}.{name}"] = Native(
                    found.name, marked, borrowed=found.borrowed, arguments=found.arguments
                )


def _marked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        written_otherwise(name)
        return function(*args, **keywords)

    return call


def note_own_jaxprs(interpreter: Interpreter) -> None:
    """Say of which functions that were traced the jaxpr is not JAX's."""
    names = sorted(run_now().own_jaxprs)
    if names:
        listed = ", ".join(names)
        interpreter.note(
            "own_jaxpr",
            f"The jaxpr of {listed} is written here in other operations than JAX's.",
            f"{listed} 的 jaxpr 在这里用的运算与 JAX 不同。",
            "What it computes is the same.",
            "计算结果相同。",
        )
