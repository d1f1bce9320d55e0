"""Where the elements of a TensorFlow 1 dataset come from: arrays, numbers, a generator, other datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import ProgramError, ShapeError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.structures import flat, in_form
from engine.languages.surfaces.tf1.datasets.elements import (
    A_DATASET,
    GRAPH_DATASET,
    GraphDataset,
    added,
    int64,
)
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf2.datasets import data, pipelines
from engine.languages.surfaces.tf2.datasets.data import Dataset, each
from engine.languages.surfaces.tf2.functions.signature import TensorSpec
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.tensors import Tensor


def _components(tensors: Any) -> Any:
    """The parts as tensors in the same form; a list is one part."""
    counted = iter(range(len(list(flat(each(tensors, lambda part: None))))))
    with current_graph().name_scope("normalize_element"):
        return each(tensors, lambda part: convert_to_tensor(part, name=f"component_{next(counted)}"))


def _spec_of(parts: Any, *, rows: bool) -> Any:
    return each(parts, lambda part: TensorSpec(_row(part.shape) if rows else part.shape, part.dtype))


def _row(shape: Any) -> Any:
    return None if shape is None else shape[1:]


@TF.function("data.Dataset.from_tensor_slices")
def from_tensor_slices(tensors: Any) -> GraphDataset:
    """One element for each row."""
    parts = _components(tensors)
    _check_rows(list(flat(parts)))

    def build(*arrays: Any) -> Dataset:
        return data.from_tensor_slices(in_form(parts, iter(arrays)))

    return added("TensorSliceDataset", [list(flat(parts))], build, _spec_of(parts, rows=True))


def _check_rows(parts: Sequence[Tensor]) -> None:
    """Raises: ShapeError for a part without rows, or with another number of them."""
    if any(part.shape == () for part in parts):
        raise ShapeError(
            "from_tensor_slices takes rows apart, so each part needs an axis.",
            message_zh="from_tensor_slices 逐行取数，所以每个部分至少要有一个轴。",
            code="wrong_arguments",
        )
    counts = sorted({part.shape[0] for part in parts if part.shape and part.shape[0] is not None})
    if len(counts) > 1:
        raise ShapeError(
            f"The rows of from_tensor_slices go together, but there are {counts[0]} and {counts[1]}.",
            message_zh=f"from_tensor_slices 的各部分行数必须相同，但这里有 {counts[0]} 行和 {counts[1]} 行。",
            said=f"Dimensions {counts[1]} and {counts[0]} are not compatible",
        )


@TF.function("data.Dataset.from_tensors")
def from_tensors(tensors: Any) -> GraphDataset:
    """One element: all of it."""
    parts = _components(tensors)

    def build(*arrays: Any) -> Dataset:
        return data.from_tensors(in_form(parts, iter(arrays)))

    return added("TensorDataset", [list(flat(parts))], build, _spec_of(parts, rows=False))


@TF.function("data.Dataset.range")
def range_(*args: Any) -> GraphDataset:
    """Whole numbers."""
    bounds = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    given = [int64(bound, name) for bound, name in zip(bounds, ("start", "stop", "step"), strict=True)]
    return added("RangeDataset", given, data.range_, TensorSpec((), "int64"))


@TF.function("data.Dataset.from_generator")
def from_generator(
    interpreter: Interpreter,
    generator: Any,
    output_types: Any,
    output_shapes: Any = None,
    args: Any = None,
) -> GraphDataset:
    """What a generator of the program yields, each time from its start."""
    made = data.from_generator(interpreter, generator, output_types, output_shapes, args)
    return added("GeneratorDataset", [[]], lambda: made, made.spec)


@TF.function("data.Dataset.zip")
def zip_(datasets: Any) -> GraphDataset:
    """The first elements together, then the second ones, as long as each has one."""
    form = tuple(datasets) if isinstance(datasets, list) else datasets
    each(form, _check_is_dataset)
    variants = [dataset.variant for dataset in flat(form)]

    def build(*given: Dataset) -> Dataset:
        return pipelines.zip_(in_form(form, iter(given)))

    return added("ZipDataset", [variants], build, each(form, lambda dataset: dataset.spec))


def _check_is_dataset(part: Any) -> None:
    """Raises: ProgramError where it is none."""
    if not isinstance(part, GraphDataset):
        raise ProgramError(
            "Dataset.zip takes datasets, in a tuple.",
            message_zh="Dataset.zip 需要数据集，放在元组里。",
            code="bad_value",
        )


@GRAPH_DATASET.method("concatenate", other=A_DATASET)
def concatenate(dataset: GraphDataset, other: GraphDataset) -> GraphDataset:
    """The elements of another dataset after these."""
    build: Callable[..., Dataset] = pipelines.concatenate
    return added("ConcatenateDataset", [dataset.variant, other.variant], build, dataset.spec)
