"""A dataset of a TensorFlow 1 graph: the node that stands for it, and the form of its elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import ProgramError
from engine.graph import Tensor
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITERATORS
from engine.languages.interpreter.builtins.text import SHOWN, to_str
from engine.languages.surfaces.dtypes import DType
from engine.languages.surfaces.tensors import TensorShape, written_shape
from engine.languages.surfaces.tf2.datasets.data import Dataset, each
from engine.languages.surfaces.tf2.functions.signature import TensorSpec
from engine.ops.base.building import convert_to_tensor
from engine.ops.sources.datasets import DATASETS, Step


@dataclass(frozen=True, slots=True, eq=False)
class GraphDataset:
    """A dataset in a graph.

    variant: what its node gives; spec: the shapes and types of an element's parts.
    """

    variant: Tensor
    spec: Any


GRAPH_DATASET = members_of(GraphDataset, "Dataset")
A_DATASET = Argument(
    "a dataset of a graph",
    "计算图中的数据集",
    lambda value: isinstance(value, GraphDataset),
    "Make it with tf.data.Dataset.from_tensor_slices(…).",
    "请用 tf.data.Dataset.from_tensor_slices(…) 创建。",
)


def added(op: str, inputs: Sequence[Any], build: Callable[..., Dataset], spec: Any) -> GraphDataset:
    """A dataset whose node is new.

    build: makes the dataset of a run from what the inputs are in it.
    """
    return GraphDataset(DATASETS[op](*inputs, f=Step(op, build)), spec)


def int64(value: Any, name: str) -> Tensor:
    """A whole number that goes into a dataset's node."""
    return convert_to_tensor(value, dtype="int64", name=name)


def types_of(spec: Any) -> Any:
    """The types of an element's parts."""
    return each(spec, lambda one: DType(one.dtype) if isinstance(one, TensorSpec) else one)


def shapes_of(spec: Any) -> Any:
    """The shapes of an element's parts."""
    return each(spec, lambda one: TensorShape.of(one.shape) if isinstance(one, TensorSpec) else one)


GRAPH_DATASET.fact("output_types")(lambda dataset: types_of(dataset.spec))
GRAPH_DATASET.fact("output_shapes")(lambda dataset: shapes_of(dataset.spec))


def _shown(dataset: GraphDataset) -> str:
    shapes = _written(dataset.spec, lambda one: written_shape(one.shape))
    return (
        f"<DatasetV1Adapter shapes: {shapes}, types: {_written(dataset.spec, lambda one: f'tf.{one.dtype}')}>"
    )


def _written(spec: Any, leaf: Callable[[Any], str]) -> str:
    """A form as TensorFlow shows it: keys without quotes."""
    if isinstance(spec, dict):
        return "{" + ", ".join(f"{key}: {_written(one, leaf)}" for key, one in spec.items()) + "}"
    if isinstance(spec, tuple):
        parts = [_written(one, leaf) for one in spec]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    return leaf(spec) if isinstance(spec, TensorSpec) else to_str(spec)


SHOWN[GraphDataset] = (_shown, _shown)


def _not_here(dataset: GraphDataset) -> Iterator[Any]:
    raise ProgramError(
        "A dataset of a graph has no elements before a session runs.",
        hint="Write x = dataset.make_one_shot_iterator().get_next(), and run x again and again.",
        message_zh="图中的数据集在会话运行之前没有元素。",
        hint_zh="请写 x = dataset.make_one_shot_iterator().get_next()，并反复运行 x。",
        code="not_iterable",
        kind="RuntimeError",
        said="__iter__() is only supported inside of tf.function or when eager execution is enabled.",
    )


ITERATORS[GraphDataset] = _not_here
