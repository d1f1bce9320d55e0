"""Ops that compute shapes and positions: the plumbing that TensorFlow adds to a gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.tensors import Array, Shape

INTEGER = ("it computes positions, which do not vary smoothly with x", "它计算的是位置，不随 x 连续变化")


def _two_unknown_vectors(*_: Shape) -> list[Shape]:
    return [(None,), (None,)]


@op(
    "BroadcastGradientArgs",
    inputs="s0 s1",
    outputs=("T", "T"),
    shape=_two_unknown_vectors,
    latex=r"\mathrm{broadcast}({s0}, {s1})",
    no_gradient=INTEGER,
    ends_path=True,
    of_shapes=True,
)
@in_chinese("两个形状在广播时各自被扩展的轴。")
def broadcast_gradient_args(s0: Array, s1: Array) -> list[Array]:
    """The axes over which each of two shapes was broadcast.

    Shapes: s0 (m,), s1 (n,) -> two lists of axes.
    """
    rank = max(len(s0), len(s1))
    long0 = [1] * (rank - len(s0)) + [int(n) for n in s0]
    long1 = [1] * (rank - len(s1)) + [int(n) for n in s1]
    pairs = list(enumerate(zip(long0, long1, strict=True)))
    axes0 = [axis for axis, (m, n) in pairs if m == 1 and (n != 1 or axis < rank - len(s0) or n == 1)]
    axes1 = [axis for axis, (m, n) in pairs if n == 1 and (m != 1 or axis < rank - len(s1) or m == 1)]
    same = long0 == long1 and len(s0) == len(s1)
    return [np.array([] if same else axes, dtype=s0.dtype) for axes in (axes0, axes1)]


def _vector_like(x: Shape) -> Shape:
    return x


@op(
    "InvertPermutation",
    inputs="x",
    shape=_vector_like,
    latex=r"{x}^{-1}",
    no_gradient=INTEGER,
    ends_path=True,
)
@in_chinese("x 的逆排列：y[x[i]] = i。")
def invert_permutation(x: Array) -> Array:
    """The permutation that undoes x: y[x[i]] = i. Shapes: x (n,) -> y (n,)."""
    if x.ndim != 1 or not np.array_equal(np.sort(x), np.arange(len(x))):
        raise ValueRefused(
            f"A permutation is a vector that has each number from 0 to {x.size - 1} one time.",
            message_zh=f"排列是一个向量，从 0 到 {x.size - 1} 的每个数各出现一次。",
        )
    y = np.zeros_like(x)
    y[x] = np.arange(len(x), dtype=x.dtype)
    return y


def _as_many(*shapes: Shape) -> list[Shape]:
    return list(shapes[1:])


def _rank_each(*shapes: Shape) -> list[Shape]:
    return [(None,) if shape is None else (len(shape),) for shape in shapes]


def _index_each(attributes: Any) -> list[str]:
    return [str(attributes["out_type"])] * int(attributes["N"])


@op(
    "ShapeN",
    inputs="*input",
    accepts="any",
    outputs=_index_each,
    shape=_rank_each,
    latex=r"\mathrm{shape}\, {input}",
    no_gradient=INTEGER,
    ends_path=True,
    of_shapes=True,
)
@in_chinese("一次给出若干张量的各轴长度。")
def shape_n(*input: Array, out_type: str = "int32") -> Any:
    """The lengths of several tensors at once. Shapes: N tensors -> N vectors (rank of each,)."""
    return [np.asarray(value.shape, dtype=out_type) for value in input]


def _int32_each(attributes: Any) -> list[str]:
    return ["int32"] * int(attributes["N"])


@op(
    "ConcatOffset",
    inputs="concat_dim *shape",
    types="int32 int32",
    outputs=_int32_each,
    shape=_as_many,
    latex=r"\mathrm{offset}({shape})",
    no_gradient=INTEGER,
    ends_path=True,
    of_shapes=True,
)
@in_chinese("连接时每一部分的起点。")
def concat_offset(concat_dim: Array, *shape: Array) -> list[Array]:
    """Where each part of a concatenation begins. Shapes: an axis, N shapes (r,) -> N positions (r,)."""
    offsets, start = [], 0
    for part in shape:
        offset = np.zeros_like(part)
        offset[int(concat_dim)] = start
        start += int(part[int(concat_dim)])
        offsets.append(offset)
    return offsets


@op(
    "ListDiff",
    inputs="x y",
    accepts="any",
    outputs=("T", "out_idx"),
    shape=_two_unknown_vectors,
    latex=r"{x} \setminus {y}",
    no_gradient=INTEGER,
)
@in_chinese("x 中不在 y 里的元素，以及它们的位置。")
def list_diff(x: Array, y: Array, out_idx: str = "int32") -> list[Array]:
    """The entries of x that are not in y, and where they stand. Shapes: x (m,), y (n,) -> (k,), (k,)."""
    keep = ~np.isin(x, y)
    return [x[keep], np.nonzero(keep)[0].astype(out_idx)]
