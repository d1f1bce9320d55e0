"""The classes that TensorFlow gives data sets by what makes them, and how they are printed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from engine.languages.interpreter.builtins.text import to_repr

Maker = TypeVar("Maker", bound=Callable[..., Any])  # of data sets
PARALLEL = ("Map", "Batch", "Interleave")  # kinds that have another class where calls run side by side


def shown(dataset: Any) -> str:
    """A data set as TensorFlow prints it: its class, and what its elements are."""
    spec = dataset.spec
    return f"<{dataset.kind}>" if spec is None else f"<{dataset.kind} element_spec={to_repr(spec)}>"


def of_kind(kind: str) -> Callable[[Maker], Maker]:
    """A function that gives data sets of one of TensorFlow's kinds: `Batch` of `_BatchDataset`."""

    def decorate(function: Maker) -> Maker:
        @wraps(function)
        def call(*args: Any, **keywords: Any) -> Any:
            found = function(*args, **keywords)
            parallel = "Parallel" if keywords.get("num_parallel_calls") is not None else ""
            found.kind = f"_{parallel if kind in PARALLEL else ''}{kind}Dataset"
            return found

        return call  # type: ignore[return-value]  # it takes and gives the same

    return decorate
