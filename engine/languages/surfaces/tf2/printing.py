"""`tf.print`: values as TensorFlow writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.keras.optimizers import (  # noqa: F401  # for their tables
    optimizer,
    schedules,
    state,
)
from engine.languages.surfaces.tf1 import module as tf1_module  # noqa: F401  # for its table
from engine.languages.surfaces.tf2 import op_errors as op_errors_module  # noqa: F401  # for its texts
from engine.languages.surfaces.tf2.looping import body as looping_body  # noqa: F401  # for its table
from engine.ops.control_flow.printing import written_rows


def print_(interpreter: Interpreter, *inputs: Any, **options: Any) -> None:
    """Write values as TensorFlow writes them: 6 for 6.0, [1 2 3] for a vector."""
    separator = options.get("sep", " ")
    end = options.get("end", "\n")
    summarize = options.get("summarize", 3)
    interpreter.print(separator.join(_written(one, summarize) for one in inputs) + end)


def _written(value: Any, summarize: int = 3) -> str:
    """A value as `tf.print` writes it. summarize: how many numbers at both ends of a row; all for -1."""
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_written(one, summarize) for one in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        inner = ", ".join(f"{to_repr(key)}: {_written(value[key], summarize)}" for key in sorted(value))
        return f"{{{inner}}}"
    array = concrete(value) if concrete(value) is not None else value
    is_array = isinstance(array, (np.ndarray, np.generic))
    return written_rows(array, summarize) if is_array else to_str(value)


MEMBERS: dict[str, Callable[..., Any]] = {
    "print": print_,
}
