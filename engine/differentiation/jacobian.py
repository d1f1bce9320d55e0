"""Jacobians of a tape: one backward sweep for each element of the target, laid side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np

from engine.differentiation.tape import Tape
from engine.errors import ShapeError
from engine.graph import Graph, Tensor
from engine.ops.arrays.joining import stack
from engine.ops.arrays.reshaping import reshape
from engine.ops.base.building import constant_node, convert_to_tensor
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array
from engine.ops.common import constants


def jacobian(tape: Tape, target: Tensor, sources: Sequence[Any], *, zeros: bool = False) -> list[Any]:
    """The derivative of every element of the target with respect to every element of each source.

    Shapes:  target (*T), source (*S) -> (*T, *S).
    Returns: one tensor per source; where nothing joins it to the target None, or zeros where those are asked.
    """
    lengths = _known(target.shape)
    size = prod(lengths)
    seeds = (_one_at(index, size, target.dtype).reshape(lengths) for index in range(size))
    with _scope(target.graph):
        columns = _sweeps(tape, target, sources, seeds)
        shapes = [(*lengths, *_known(x.shape)) for x in sources]
        found = [_assembled(rows, shape, 0) for rows, shape in zip(columns, shapes, strict=True)]
        return _filled(found, shapes, sources) if zeros else found


def batch_jacobian(tape: Tape, target: Tensor, source: Any) -> Any:
    """For each example of a batch, the derivative of its outputs with respect to its own inputs.

    One sweep serves all examples, since none depends on another. Where nothing joins the two there are
    zeros, as in TensorFlow.
    Shapes: target (b, *T), source (b, *S) -> (b, *T, *S).
    Raises: ShapeError where the first axes differ.
    """
    out, into = _known(target.shape), _known(source.shape)
    if not out or not into or out[0] != into[0]:
        raise ShapeError(
            f"batch_jacobian needs the same first axis, but got {written(out)} and {written(into)}.",
            hint="The first axis counts the examples; use jacobian for a single one.",
            message_zh=f"batch_jacobian 要求第一个轴相同，但得到 {written(out)} 与 {written(into)}。",
            hint_zh="第一个轴是样本数；单个样本请用 jacobian。",
        )
    size = prod(out[1:])
    ones = (_one_at(index, size, target.dtype) for index in range(size))
    seeds = (np.tile(one, out[0]).reshape(out) for one in ones)
    with _scope(target.graph):
        (rows,) = _sweeps(tape, target, [source], seeds)
        shape = (*out, *into[1:])
        return _filled([_assembled(rows, shape, 1)], [shape], [source])[0]


@contextmanager
def _scope(graph: Graph) -> Iterator[None]:
    with graph.as_default(), graph.making("gradient"), graph.name_scope("jacobian"):
        yield


def _sweeps(tape: Tape, target: Tensor, sources: Sequence[Any], seeds: Iterable[Array]) -> list[list[Any]]:
    """For each source, its gradient under each seed; nothing joins a target that the tape did not follow."""
    if target not in tape.tracked:
        return [[] for _ in sources]
    rows = [tape.gradient([target], sources, [constant_node(seed, "seed")], name="row") for seed in seeds]
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in sources]


def _one_at(index: int, size: int, dtype: str) -> Array:
    seed = np.zeros(size, dtype)
    seed[index] = 1
    return seed


def _assembled(rows: Sequence[Any], shape: tuple[int, ...], axis: int) -> Tensor | None:
    if not rows or any(row is None for row in rows):
        return None
    whole = [convert_to_tensor(row) for row in rows]  # what was looked up by number comes as some rows
    result: Tensor = reshape(stack(whole, axis), list(shape))
    return result


def _filled(found: Sequence[Any], shapes: Sequence[Any], sources: Sequence[Any]) -> list[Any]:
    """The same, with zeros for what is None."""
    every = zip(found, shapes, sources, strict=True)
    return [constants.zeros(shape, x.dtype) if one is None else one for one, shape, x in every]


def _known(shape: Any) -> tuple[int, ...]:
    return tuple(int(length) for length in shape)
