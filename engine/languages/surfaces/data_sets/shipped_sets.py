"""The real data sets that come with the engine (`shipped/README.md` says whose they are)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

SHIPPED = Path(__file__).parent / "shipped"
SPECIES = ("setosa", "versicolor", "virginica")


@cache
def digits() -> tuple[Any, Any]:
    """Handwritten digits: images (1797, 8, 8) from 0 to 16 and labels (1797,), both uint8 and read-only."""
    with np.load(SHIPPED / "digits.npz", allow_pickle=False) as file:
        found = file["images"], file["labels"]
    for array in found:
        array.flags.writeable = False
    return found


@cache
def iris() -> tuple[tuple[str, ...], Any, Any]:
    """The columns' names, lengths in cm (150, 4) as float64, and species (150,) as int64, read-only."""
    head, *lines = (SHIPPED / "iris.csv").read_text(encoding="utf-8").splitlines()
    rows = np.array([[float(number) for number in line.split(",")] for line in lines])
    lengths, species = rows[:, :4], rows[:, 4].astype(np.int64)
    for array in (lengths, species):
        array.flags.writeable = False
    return tuple(head.split(",")[:4]), lengths, species


@cache
def table(name: str) -> tuple[Any, Any]:
    """The rows and the targets of `breast_cancer`, `wine` or `diabetes`, read-only."""
    with np.load(SHIPPED / f"{name}.npz", allow_pickle=False) as file:
        found = file["data"], file["target"]
    for array in found:
        array.flags.writeable = False
    return found
