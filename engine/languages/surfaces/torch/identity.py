"""`id(x)` for PyTorch programs, which ask by it whether two tensors are one."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.torch.state import state

FIRST, APART = 139_640_000_000_000, 64


def id_of(value: Any) -> int:
    """A number for each object of a run: the same for the same one, in every run."""
    known: dict[int, tuple[int, Any]] = state().parts.setdefault("ids", {})
    if id(value) not in known:
        known[id(value)] = (FIRST + APART * len(known), value)  # the object stays, and with it its number
    return known[id(value)][0]


BUILTINS_OF_TORCH = {"id": Native("id", id_of)}
