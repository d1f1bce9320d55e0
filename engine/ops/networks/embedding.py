"""Rows of a table by number, as words have them (`tf.nn.embedding_lookup`)."""

from __future__ import annotations

from typing import Any

from engine.errors import ValueRefused
from engine.ops.arrays.gathering import gather
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.common.passing import identity
from engine.ops.networks.clipping import clip_by_norm


def embedding_lookup(params: Any, ids: Any, name: str | None = None, max_norm: Any = None) -> Tensor:
    """`tf.nn.embedding_lookup` in one table: the rows with these numbers, none longer than max_norm.

    Raises: ValueRefused for a list, which TensorFlow takes for several tables that share the rows.
    """
    if isinstance(params, (list, tuple)):
        if len(params) != 1:
            raise _several_tables(len(params))
        (params,) = params
    with name_scope(name, "embedding_lookup") as scope:
        ids = convert_to_tensor(ids, name="ids")
        table = convert_to_tensor(params, name="params")
        with current_graph().colocate_with(table.node):
            rows = gather(table, ids, name=scope)
            if max_norm is not None:
                rows = clip_by_norm(rows, max_norm, _axes_of_a_row(ids, rows))
        return identity(rows)


def _axes_of_a_row(ids: Tensor, rows: Tensor) -> list[int] | None:
    """The axes of one row, over which its norm is taken."""
    if ids.shape is None or rows.shape is None:
        return None
    return list(range(len(ids.shape), len(rows.shape)))


def _several_tables(count: int) -> ValueRefused:
    return ValueRefused(
        f"embedding_lookup takes a list for {count} tables that share the rows between them.",
        hint="Give one table: tf.constant([[…], […]]) or a variable.",
        message_zh=f"embedding_lookup 会把列表当作 {count} 个分担各行的表。",
        hint_zh="请给出一个表：tf.constant([[…], […]]) 或一个变量。",
        code="bad_value",
    )
