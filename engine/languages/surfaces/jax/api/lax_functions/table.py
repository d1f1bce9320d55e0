"""The table of the functions of `jax.lax`, and how one enters it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.surfaces.jax.api.control import branches, loops, scans
from engine.languages.surfaces.jax.api.derivatives import cotangents

LAX: dict[str, Callable[..., Any]] = {
    "cond": branches.cond,
    "switch": branches.switch,
    "while_loop": loops.while_loop,
    "fori_loop": loops.fori_loop,
    "scan": scans.scan,
    "map": scans.map_,
    "stop_gradient": cotangents.stop_gradient,
}


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jax.lax under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        LAX.update(dict.fromkeys(names, function))
        return function

    return enter
