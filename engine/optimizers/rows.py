"""Gradients that hold rows only (IndexedSlices): an update touches these rows and leaves the others alone."""

from __future__ import annotations

import inspect
from typing import Any

from engine.ops.arrays.gathering import unsorted_segment_sum
from engine.ops.base.definition import REGISTRY, OpDef, in_chinese, op
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.ops.common.measuring import shape_of
from engine.ops.reductions.counting import unique
from engine.optimizers.rule import WRITES_A_VARIABLE, like_variable

GRADIENTS = ("grad", "delta")


def on_rows(dense: OpDef) -> OpDef:
    """Register the sparse twin of an Apply op: the same update on the rows that `indices` names.

    It takes one input more, `indices`, after the gradient. State of other rows stays as it is, so a
    momentum does not carry a row on that has no gradient in this step.
    """
    place = next(i for i, name in enumerate(dense.input_names) if name in GRADIENTS)

    def kernel(*arrays: Array, **attributes: Any) -> Any:
        indices = arrays[place + 1]
        whole = [*arrays[: place + 1], *arrays[place + 2 :]]
        taken = [array[indices] if i in dense.writes else array for i, array in enumerate(whole)]
        made = dense.kernel(*taken, **attributes)
        made = made if isinstance(made, tuple) else (made,)
        news = [whole[i].copy() for i in dense.writes]
        for new, rows in zip(news, made, strict=True):
            new[indices] = rows
        return tuple(news)

    kernel.__doc__ = f"{dense.name} on the rows that indices names, each at most once.\n\n{dense.doc}"
    kernel.__signature__ = inspect.signature(dense.kernel)  # type: ignore[attr-defined]  # its attributes
    names, types = list(dense.input_names), list(dense.types)
    names[place:] = ["grad", "indices", *names[place + 1 :]]
    types.insert(place + 1, "Tindices")
    return op(
        f"Sparse{dense.name}",
        inputs=" ".join(names),
        types=" ".join(types),
        shape=like_variable,
        writes=dense.writes,
        latex=dense.latex.replace("{delta}", "{grad}"),
        no_gradient=WRITES_A_VARIABLE,
    )(in_chinese(f"只对 indices 所指的行做 {dense.name}，每行至多一次。{dense.doc_zh}")(kernel))


def sparse_twin(dense: OpDef) -> OpDef | None:
    """The op that applies a gradient of rows, or None where the gradient has to become dense first."""
    return REGISTRY.get(f"Sparse{dense.name}")


def sum_rows(rows: IndexedSlices) -> IndexedSlices:
    """The same rows with each number at most once: values of a row that occurs twice are added up."""
    numbers, places = unique(rows.indices)
    summed = unsorted_segment_sum(rows.values, places, shape_of(numbers)[0])
    return IndexedSlices(summed, numbers, rows.dense_shape)
