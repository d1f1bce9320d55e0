"""TensorFlow's look-ups: rows by number, places of the largest, sums of groups, writing some rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.graph import Variable
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import COUNT, LIST
from engine.languages.surfaces.tensors import VARIABLE
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import offer, offer_op, taken
from engine.ops.arrays import (
    gathering,
    indexing,
    ordering,
    partitioning,
    ranking,
    repeating,
    scattering,
    searching,
    sorting,
)
from engine.ops.base.definition import OpDef
from engine.ops.networks import embedding
from engine.ops.reductions import counting, segments

offer(counting.bincount, "bincount", "math.bincount")
offer(counting.setdiff1d, "setdiff1d")
offer(counting.unique, "unique")
offer(counting.unique_with_counts, "unique_with_counts")
offer(gathering.boolean_mask, "boolean_mask")
offer(embedding.embedding_lookup, "nn.embedding_lookup")
offer(gathering.gather_nd, "gather_nd")
offer(gathering.unsorted_segment_sum, "math.unsorted_segment_sum", "unsorted_segment_sum")
offer(gathering.where, "where")
offer(indexing.strided_slice, "strided_slice")
offer(ordering.argmax, "arg_max", "argmax", "math.argmax")
offer(ordering.argmin, "arg_min", "argmin", "math.argmin")
offer(ordering.reverse, "reverse", "reverse_v2")
offer(ordering.roll, "manip.roll", "roll")
offer(ranking.in_top_k, "math.in_top_k", "nn.in_top_k")
offer(ranking.top_k, "math.top_k", "nn.top_k")
offer(repeating.repeat, "repeat")
offer(repeating.sequence_mask, "sequence_mask")
offer(searching.searchsorted, "searchsorted")
offer(sorting.argsort, "argsort")
offer(sorting.sort, "sort")

offer_op(gathering.scatter_nd, "manip.scatter_nd", "scatter_nd")
for word in ("sum", "mean", "max", "min"):
    offer_op(getattr(segments, f"segment_{word}"), f"math.segment_{word}", f"segment_{word}")
for word in ("update", "add", "sub", "mul", "div", "max", "min"):
    offer_op(getattr(scattering, f"scatter_{word}"), f"scatter_{word}")


def _on_a_variable(definition: OpDef) -> Callable[..., Any]:
    def change(variable: Variable, indices: Any, updates: Any, name: Any = None) -> Any:
        return definition(variable.ref, taken(indices), taken(updates), name=name)

    change.__doc__ = definition.doc
    return change


for word in ("update", "add", "sub"):
    offer_op(getattr(scattering, f"scatter_nd_{word}"), f"scatter_nd_{word}")
    VARIABLE.method(f"scatter_nd_{word}")(_on_a_variable(getattr(scattering, f"scatter_nd_{word}")))
    changed = getattr(scattering, f"tensor_scatter_{word}")
    offer_op(changed, f"tensor_scatter_nd_{word}", f"tensor_scatter_{word}")


@TF.function("gather")
def gather(params: Any, indices: Any, validate_indices: Any = None, name: Any = None, axis: Any = 0) -> Any:
    """Rows by number."""
    return gathering.gather(params, taken(indices), axis or 0, name=name)


@TF.function("dynamic_partition", num_partitions=COUNT)
def dynamic_partition(
    interpreter: Interpreter, data: Any, partitions: Any, num_partitions: Any, name: Any = None
) -> list[Any]:
    """The rows with number 0, those with number 1, and so on."""
    interpreter.budget.check_length(int(num_partitions))
    return partitioning.dynamic_partition(taken(data), taken(partitions), int(num_partitions), name)


@TF.function("dynamic_stitch", indices=LIST, data=LIST)
def dynamic_stitch(indices: Any, data: Any, name: Any = None) -> Any:
    """Rows from several tensors, each at its place."""
    return partitioning.dynamic_stitch(list(map(taken, indices)), list(map(taken, data)), name=name)
