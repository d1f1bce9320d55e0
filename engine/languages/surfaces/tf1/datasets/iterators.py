"""Iterators: what reads a dataset on, element by element, in the runs of a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.errors import ProgramError
from engine.execution import Session
from engine.graph import Graph, Node, Tensor
from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.structures import flat, in_form
from engine.languages.surfaces.tf1.datasets.elements import (
    A_DATASET,
    GRAPH_DATASET,
    GraphDataset,
    shapes_of,
    types_of,
)
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf2.datasets.data import Dataset, each
from engine.languages.surfaces.tf2.functions.signature import TensorSpec, shape_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.control_flow.asserting import text_constant
from engine.ops.sources import datasets
from engine.ops.sources.datasets import Step


@dataclass(slots=True, eq=False)
class DatasetIterator:
    """An iterator of a graph.

    handle: what its node gives; text: what stands for it in a feed.
    initializer: what puts it at a start; None where it begins by itself.
    """

    handle: Tensor
    text: Tensor
    spec: Any
    initializer: Node | None = None
    begins_by_itself: bool = False


AS_IT_IS = Step("", lambda dataset, *_: dataset)
OPTIMIZATIONS = (
    "map_and_batch_fusion",
    "noop_elimination",
    "shuffle_and_repeat_fusion",
)  # as TensorFlow asks

WITH_ELEMENTS = Argument(
    "a dataset or an iterator",
    "数据集或迭代器",
    lambda value: isinstance(value, (GraphDataset, Dataset, DatasetIterator)),
    "Make it with tf.data.Dataset.from_tensor_slices(…).",
    "请用 tf.data.Dataset.from_tensor_slices(…) 创建。",
)

ITERATOR = members_of(DatasetIterator, "Iterator")
SHOWN[DatasetIterator] = (lambda iterator: "<tf.data.Iterator>",) * 2
TYPE_NAMES[DatasetIterator] = lambda iterator: "Iterator"


@TF.function("data.make_one_shot_iterator", dataset=A_DATASET)
@GRAPH_DATASET.method("make_one_shot_iterator")
def make_one_shot_iterator(interpreter: Interpreter, dataset: GraphDataset) -> DatasetIterator:
    """Goes through the dataset once."""
    graph: Any = dataset.variant.graph
    _check_is_closed(graph, dataset.variant)

    def build() -> Any:
        session = Session(graph, meter=interpreter.workspace.budget, seed=interpreter.workspace.seed)
        return session.run(dataset.variant).item()

    handle = datasets.one_shot_iterator(dataset_factory=Step("_make_dataset", build))
    text = datasets.iterator_to_string_handle(handle)
    return DatasetIterator(handle, text, dataset.spec, begins_by_itself=True)


def _check_is_closed(graph: Graph, variant: Tensor) -> None:
    """Raises: ProgramError where the elements depend on what is known in a run only."""
    pending, seen = [variant.node], set[Node]()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op.name in ("Placeholder", "VariableV2"):
            kind = "placeholder" if node.op.name == "Placeholder" else "variable"
            raise _captures(node, kind)
        pending += [tensor.node for tensor in node.inputs]


def _captures(node: Node, kind: str) -> ProgramError:
    said = (
        f"Cannot capture a placeholder (name:{node.name}, type:Placeholder) by value."
        if kind == "placeholder"
        else "Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does "
        "not support datasets that capture stateful objects, such as a `Variable` or `LookupTable`. In these "
        "cases, use `Dataset.make_initializable_iterator()`."
    )
    return ProgramError(
        f"A one-shot iterator cannot depend on the {kind} {node.name}.",
        hint="Use dataset.make_initializable_iterator(), and run its initializer.",
        message_zh=f"一次性迭代器不能依赖{'占位符' if kind == 'placeholder' else '变量'} {node.name}。",
        hint_zh="请用 dataset.make_initializable_iterator()，并运行它的 initializer。",
        code="wrong_arguments",
        said=said,
    )


@TF.function("data.make_initializable_iterator", dataset=A_DATASET)
@GRAPH_DATASET.method("make_initializable_iterator")
def make_initializable_iterator(dataset: GraphDataset, shared_name: Any = None) -> DatasetIterator:
    """Goes through the dataset once its initializer ran."""
    optimizations = text_constant(OPTIMIZATIONS, "optimizations")
    variant = datasets.DATASETS["OptimizeDataset"](dataset.variant, optimizations, f=AS_IT_IS)
    variant = datasets.DATASETS["ModelDataset"](variant, f=AS_IT_IS)
    handle = _iterator_node(dataset.spec)
    initializer = _make_iterator(variant, handle)
    text = datasets.iterator_to_string_handle(handle)
    return DatasetIterator(handle, text, dataset.spec, initializer)


def _make_iterator(variant: Tensor, handle: Tensor, name: str | None = None) -> Node:
    graph: Any = handle.graph
    with graph.colocate_with(handle.node):
        node: Node = datasets.make_iterator.node(variant, handle, name=name)
        return node


def _iterator_node(spec: Any) -> Tensor:
    leaves = list(flat(spec))
    return datasets.iterator_v2(
        output_types=[one.dtype for one in leaves], output_shapes=[one.shape for one in leaves]
    )


@TF.function("data.Iterator.from_structure")
def from_structure(
    output_types: Any, output_shapes: Any = None, shared_name: Any = None, output_classes: Any = None
) -> DatasetIterator:
    """An iterator without a dataset: `make_initializer` puts it at the start of one."""
    spec = _declared(output_types, output_shapes)
    handle = _iterator_node(spec)
    return DatasetIterator(handle, datasets.iterator_to_string_handle(handle), spec)


@TF.function("data.Iterator.from_string_handle", string_handle=ANY)
def from_string_handle(
    string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None
) -> DatasetIterator:
    """The iterator whose text handle is fed: another one in each run, if the program likes."""
    spec = _declared(output_types, output_shapes)
    leaves = list(flat(spec))
    handle = datasets.iterator_from_string_handle(
        convert_to_tensor(string_handle, dtype="string", name="string_handle"),
        output_types=[one.dtype for one in leaves],
        output_shapes=[one.shape for one in leaves],
    )
    return DatasetIterator(handle, datasets.iterator_to_string_handle(handle), spec)


@ITERATOR.method("string_handle")
def string_handle(iterator: DatasetIterator, name: Any = None) -> Tensor:
    """A tensor of the text that stands for the iterator."""
    return iterator.text


def _declared(types: Any, shapes: Any) -> Any:
    given = [None] * len(list(flat(types))) if shapes is None else list(_shape_leaves(types, shapes))
    left = iter(given)
    return each(types, lambda one: TensorSpec(shape_of(next(left)), dtype_name(one) or "float32"))


def _shape_leaves(types: Any, shapes: Any) -> Any:
    if isinstance(types, (tuple, list)):
        for one, shape in zip(types, shapes, strict=False):
            yield from _shape_leaves(one, shape)
    elif isinstance(types, dict):
        for key in types:
            yield from _shape_leaves(types[key], shapes[key])
    else:
        yield shapes


@ITERATOR.method("make_initializer", dataset=A_DATASET)
def make_initializer(iterator: DatasetIterator, dataset: GraphDataset, name: Any = None) -> Node:
    """The operation that puts the iterator at the start of a dataset of the same form."""
    wanted, given = list(flat(iterator.spec)), list(flat(dataset.spec))
    if [one.dtype for one in wanted] != [one.dtype for one in given]:
        raise ProgramError(
            "The dataset's elements have other types than the iterator's.",
            message_zh="数据集元素的类型与迭代器的不同。",
            code="dtype_mismatch",
            said=f"Expected output types {to_repr(types_of(iterator.spec))} but got dataset with output "
            f"types {to_repr(types_of(dataset.spec))}.",
        )
    graph: Any = iterator.handle.graph
    with graph.name_scope(name or "make_initializer") as scope:
        return _make_iterator(dataset.variant, iterator.handle, scope)


@ITERATOR.method("get_next")
def get_next(iterator: DatasetIterator, name: Any = None) -> Any:
    """Tensors that are the next element in each run."""
    leaves = list(flat(iterator.spec))
    node = datasets.iterator_get_next.node(
        iterator.handle,
        output_types=[one.dtype for one in leaves],
        output_shapes=[one.shape for one in leaves],
        name=name,
    )
    return in_form(iterator.spec, iter(node.outputs))


@ITERATOR.fact("initializer")
def initializer(iterator: DatasetIterator) -> Node:
    """What puts it at its start. Raises: ProgramError where it begins by itself, or has no dataset."""
    if iterator.initializer is None:
        what = "does not have an initializer" if iterator.begins_by_itself else "has no dataset of its own"
        raise ProgramError(
            f"This iterator {what}.",
            hint="A one-shot iterator begins by itself; otherwise use iterator.make_initializer(dataset).",
            message_zh="这个迭代器没有自己的初始化运算。",
            hint_zh="一次性迭代器会自动开始；其他迭代器请用 iterator.make_initializer(dataset)。",
            code="wrong_arguments",
            said="Iterator does not have an initializer.",
        )
    return iterator.initializer


ITERATOR.fact("output_types")(lambda iterator: types_of(iterator.spec))
ITERATOR.fact("output_shapes")(lambda iterator: shapes_of(iterator.spec))


@TF.function("data.get_output_types", dataset_or_iterator=WITH_ELEMENTS)
def get_output_types(dataset_or_iterator: Any) -> Any:
    """The types of an element's parts."""
    return types_of(dataset_or_iterator.spec)


@TF.function("data.get_output_shapes", dataset_or_iterator=WITH_ELEMENTS)
def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of an element's parts."""
    return shapes_of(dataset_or_iterator.spec)
