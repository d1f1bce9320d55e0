"""Elements side by side: the batches of a TensorFlow 1 dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError, ShapeError
from engine.languages.surfaces.structures import flat, in_form
from engine.languages.surfaces.tf1.datasets.elements import GRAPH_DATASET, GraphDataset, added, int64
from engine.languages.surfaces.tf2.datasets.data import Dataset, Element, each
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.functions.signature import TensorSpec, shape_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import constant_value, written
from engine.ops.base.tensors import Array, Shape

Put = Callable[[int, Sequence[Array]], Array]  # the arrays of one part, whose number comes first


@GRAPH_DATASET.method("batch")
def batch(dataset: GraphDataset, batch_size: Any, drop_remainder: Any = False) -> GraphDataset:
    """Elements side by side, so many at a time."""
    size = int64(batch_size, "batch_size")
    drop = convert_to_tensor(drop_remainder, dtype="bool", name="drop_remainder")

    def build(before: Dataset, size: Array, drop: Array) -> Dataset:
        return _batched(before, int(size), bool(drop), _side_by_side)

    count = constant_value(size) if constant_value(drop) else None
    spec = each(dataset.spec, lambda one: _many(one.shape, one.dtype, count))
    return added("BatchDatasetV2", [dataset.variant, size, drop], build, spec)


def _many(shape: Shape, dtype: str, count: Any) -> TensorSpec:
    return TensorSpec(None if shape is None else (None if count is None else int(count), *shape), dtype)


def _batched(before: Dataset, size: int, drop: bool, put: Put) -> Dataset:
    if size < 1:
        raise ProgramError(
            "A batch has at least one element.",
            message_zh="一批至少有一个元素。",
            code="bad_value",
            kind="InvalidArgumentError",
            said="Batch size must be greater than zero.",
        )

    def elements() -> Iterator[Element]:
        waiting: list[Element] = []
        for element in before.elements():
            waiting.append(element)
            if len(waiting) == size:
                yield _together(waiting, put)
                waiting = []
        if waiting and not drop:
            yield _together(waiting, put)

    return Dataset(elements, None, is_endless=before.is_endless)


def _together(elements: Sequence[Element], put: Put) -> Element:
    parts = zip(*(flat(element) for element in elements), strict=True)
    return in_form(elements[0], iter([put(place, part) for place, part in enumerate(parts)]))


def _side_by_side(place: int, arrays: Sequence[Array]) -> Array:
    """Raises: ProgramError for elements of different shapes, in TensorFlow's words."""
    first = arrays[0]
    for number, other in enumerate(arrays):
        if other.shape != first.shape:
            raise ProgramError(
                "Elements of different shapes cannot be put side by side.",
                hint="Use padded_batch, or make them alike with map.",
                message_zh="形状不同的元素不能并排放在一起。",
                hint_zh="请用 padded_batch，或先用 map 使它们形状相同。",
                code="shape_mismatch",
                kind="InvalidArgumentError",
                said=f"Cannot batch tensors with different shapes in component {place}. First element had "
                f"shape {_lengths(first)} and element {number} had shape {_lengths(other)}.",
            )
    return np.stack(arrays)


def _lengths(array: Array) -> str:
    return f"[{','.join(map(str, array.shape))}]"


@GRAPH_DATASET.method("padded_batch")
def padded_batch(
    dataset: GraphDataset,
    batch_size: Any,
    padded_shapes: Any,
    padding_values: Any = None,
    drop_remainder: Any = False,
) -> GraphDataset:
    """Elements side by side, the shorter ones filled up, with zeros unless another value is given."""
    specs = list(flat(dataset.spec))
    shapes = [shape_of(shape) or () for shape in _leaves(dataset.spec, padded_shapes)]
    shapes = [tuple(None if length in (None, -1) else length for length in shape) for shape in shapes]
    fills = [0] * len(specs) if padding_values is None else list(_leaves(dataset.spec, padding_values))

    def put(place: int, arrays: Sequence[Array]) -> Array:
        return _filled(arrays, shapes[place], array_of(fills[place]))

    def build(before: Dataset, size: Array) -> Dataset:
        return _batched(before, int(size), bool(drop_remainder), put)

    leaves = [_many(shape, one.dtype, None) for one, shape in zip(specs, shapes, strict=True)]
    inputs = [dataset.variant, int64(batch_size, "batch_size"), []]
    return added("PaddedBatchDatasetV2", inputs, build, in_form(dataset.spec, iter(leaves)))


def _leaves(form: Any, given: Any) -> Iterator[Any]:
    """What is given for each part, in the form of the parts."""
    if isinstance(form, dict):
        for key in sorted(form):
            yield from _leaves(form[key], given[key])
    elif isinstance(form, tuple):
        for one, part in zip(form, given, strict=True):
            yield from _leaves(one, part)
    else:
        yield given


def _filled(arrays: Sequence[Array], wanted: tuple[int | None, ...], fill: Array) -> Array:
    """Raises: ShapeError for an element that is longer than it may be."""
    longest = [max(lengths) for lengths in zip(*(array.shape for array in arrays), strict=True)]
    shape = tuple(n if length is None else length for n, length in zip(longest, wanted, strict=True))
    if any(n > length for n, length in zip(longest, shape, strict=True)):
        raise ShapeError(
            f"An element is longer than the shape {written(shape)} that it is to be filled up to.",
            message_zh=f"有的元素比要补齐到的形状 {written(shape)} 更长。",
            kind="DataLossError",
            said="Attempted to pad to a smaller size than the input element.",
        )
    made = np.full((len(arrays), *shape), fill, dtype=arrays[0].dtype)
    for row, array in enumerate(arrays):
        place: Any = (row, *(slice(length) for length in array.shape))
        made[place] = array
    return made
