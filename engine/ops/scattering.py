"""Rows of a variable by number: writing some of them, and telling which numbers occur."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.definition import op
from engine.ops.tensors import Array, Shape

WRITES = "it writes a variable; differentiate the value instead"


def _like_ref(ref: Shape, indices: Shape, updates: Shape) -> Shape:
    return ref


@op(
    "ScatterAdd",
    inputs="ref indices updates",
    types="T Tindices T",
    shape=_like_ref,
    writes=(0,),
    latex=r"{ref}[{indices}] \leftarrow {ref}[{indices}] + {updates}",
    no_gradient=WRITES,
)
def scatter_add(ref: Array, indices: Array, updates: Array, use_locking: bool = False) -> Any:
    """Rows are added to a variable; a row that is named twice is added twice.

    Shapes: ref (n, *S), indices (*I), updates (*I, *S) -> the new value (n, *S).
    """
    new = ref.copy()
    np.add.at(new, indices, updates)
    return new


@op(
    "ScatterSub",
    inputs="ref indices updates",
    types="T Tindices T",
    shape=_like_ref,
    writes=(0,),
    latex=r"{ref}[{indices}] \leftarrow {ref}[{indices}] - {updates}",
    no_gradient=WRITES,
)
def scatter_sub(ref: Array, indices: Array, updates: Array, use_locking: bool = False) -> Any:
    """Rows are taken off a variable; a row that is named twice is taken off twice.

    Shapes: ref (n, *S), indices (*I), updates (*I, *S) -> the new value (n, *S).
    """
    new = ref.copy()
    np.subtract.at(new, indices, updates)
    return new


def _count_unknown(x: Shape) -> Any:
    return [(None,), x]


@op(
    "Unique",
    inputs="x",
    outputs=("T", "out_idx"),
    shape=_count_unknown,
    latex=r"\mathrm{unique}({x})",
    no_gradient="which numbers occur does not vary smoothly with them",
)
def unique(x: Array, out_idx: str = "int32") -> Any:
    """The numbers that occur, in order of their first place, and for each element its number among them.

    Shapes: x (n) -> y (m), idx (n).
    """
    found, first, places = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return found[order], rank[places].astype(out_idx)
