"""Grids of coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ValueRefused, quoted
from engine.ops.arrays import reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.common import constants, measuring


def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """`tf.meshgrid`: for each vector of coordinates an array that has them along its own axis.

    Shapes: n vectors -> n arrays with an axis per vector; `xy` swaps the first two, as pictures have them.
    """
    if indexing not in ("xy", "ij"):
        raise ValueRefused(
            f"The indexing of a grid is 'xy' or 'ij', not {quoted(indexing)}.",
            message_zh=f"网格的 indexing 是 'xy' 或 'ij'，不是 {quoted(indexing)}。",
        )
    if not args:
        raise ValueRefused(
            "A grid needs at least one vector of coordinates.",
            message_zh="网格至少需要一个坐标向量。",
        )
    with name_scope(name, "meshgrid"):
        count = len(args)
        grids = [_along(args[place], place, count) for place in range(count)]
        lengths = [measuring.size_of(one) for one in args]
        dtype = convert_to_tensor(args[0]).dtype
        if indexing == "xy" and count > 1:
            grids[0] = reshaping.reshape(grids[0], _axis(1, count))
            grids[1] = reshaping.reshape(grids[1], _axis(0, count))
            lengths[:2] = lengths[1::-1]
        ones = constants.ones(lengths, dtype)
        return [grid * ones for grid in grids]


def _along(vector: Any, place: int, count: int) -> Tensor:
    """The vector along one of `count` axes."""
    return reshaping.reshape(convert_to_tensor(vector, name="stack"), _axis(place, count))


def _axis(place: int, count: int) -> Sequence[int]:
    return [-1 if axis == place else 1 for axis in range(count)]
