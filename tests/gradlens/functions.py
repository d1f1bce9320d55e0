"""Functions that tests show; their texts are read."""

from __future__ import annotations

from typing import Any

import numpy as torch  # stands for the module of that name, which is not installed

SCALE = 2.0
TABLE = {"a": 1}


def half(x: Any) -> Any:
    return x / SCALE


def loss(w: Any, b: float = 0.5, n: int = 2) -> Any:
    total = 0.0
    for _ in range(n):
        total = total + (half(w) + b) ** 2
    return total


def of_a_table(x: Any) -> Any:
    return x * TABLE["a"]


def of_numpy(x: Any) -> Any:
    return torch.square(x)


def around(scale: float) -> Any:
    def inner(x: Any) -> Any:
        return x * scale

    return inner
