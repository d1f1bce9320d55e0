"""Expressions for every function of numpy's that is offered, made from its real signature."""

from __future__ import annotations

from ..arguments import Arguments
from .expressions import calls, recorded_signatures

MOST = 18  # values of one argument
TEXTS_OF_THEIR_OWN = {"seterr", "set_printoptions", "empty", "ndarray", "dtype", "einsum", "meshgrid"}


def numpy_expressions() -> list[str]:
    """Every expression, in a fixed order, none twice."""
    arguments, found = Arguments.of("numpy"), dict[str, None]()
    for name, (parameters, needed) in recorded_signatures("numpy").items():
        if name not in TEXTS_OF_THEIR_OWN:
            for given in calls(parameters, needed, arguments.choices(name, parameters, MOST)):
                found[f"show(np.{name}({', '.join(given)}))"] = None
    return list(found)
