"""What a run of a JAX program leaves behind: its arrays as tensors of the graph, or as plain ones."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.records import Record
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer

MAX_DEPTH = 8  # of lists in lists that are gone through


def plain_values(value: Any, depth: int = 0) -> Any:
    """The same with every array as a plain value, also in lists, tuples and dicts."""
    if isinstance(value, JaxArray):
        return value.array if value.tensor is None else value.tensor
    if isinstance(value, Constant):
        return value.array
    if isinstance(value, Tracer):
        return value.short()
    if depth >= MAX_DEPTH or isinstance(value, Record):
        return value
    if isinstance(value, dict):
        return {key: plain_values(one, depth + 1) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(plain_values(one, depth + 1) for one in value)
    return value
