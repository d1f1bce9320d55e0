"""A gradient that holds rows only: what a look-up by number sends back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.errors import ValueRefused
from engine.ops.base.registry import REGISTRY
from engine.ops.base.shapes import constant_shape
from engine.ops.base.tensors import Array, Shape, Tensor


class IndexedSlicesValue(NamedTuple):
    """What a session gives for IndexedSlices: the same parts as arrays."""

    values: Array
    indices: Array
    dense_shape: Array | None


@dataclass(frozen=True, slots=True, eq=False)
class IndexedSlices:
    """`values[i]` belongs to row `indices[i]` of a tensor of `dense_shape`; all other rows are zero.

    A row may occur several times, then its values add up. It becomes a dense tensor only where an op
    takes it or where it is summed with a dense gradient.
    """

    values: Tensor
    indices: Tensor
    dense_shape: Tensor | None = None

    @property
    def dtype(self) -> str:
        return self.values.dtype

    @property
    def graph(self) -> Any:
        return self.values.graph

    @property
    def node(self) -> Any:
        return self.values.node

    @property
    def op(self) -> Any:
        return self.values.node

    @property
    def device(self) -> str:
        device: str = self.values.node.device
        return device

    @property
    def name(self) -> str:
        return self.values.name

    @property
    def shape(self) -> Shape:
        return None if self.dense_shape is None else constant_shape(self.dense_shape)

    def densify(self, name: str | None = None) -> Tensor:
        """The dense tensor: rows added up by number (UnsortedSegmentSum)."""
        if self.dense_shape is None:
            raise ValueRefused(
                "These rows cannot become one tensor: the shape of the whole is not known.",
                message_zh="无法把这些行变成一个张量：整体的形状未知。",
            )
        return REGISTRY["UnsortedSegmentSum"](self.values, self.indices, self.dense_shape[0], name=name)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __repr__(self) -> str:
        return f"<rows of {self.values.name} at {self.indices.name}>"
