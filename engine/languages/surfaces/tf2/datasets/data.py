"""`tf.data.Dataset`: small pipelines over values in memory, gone through element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError, ShapeError
from engine.execution.eager.graph import EagerGraph
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items, iterate
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, concrete
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.structures import flat
from engine.languages.surfaces.tf2.datasets.kinds import of_kind, shown
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.functions.signature import TensorSpec, shape_of
from engine.ops.base.building import current_graph
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import array_dtype, name_of
from engine.ops.base.texts import row_of

Element = Any  # an array, or a tuple or dict of arrays


class Dataset:
    """A source of elements; each step of a pipeline goes through the one before it, lazily.

    length: how many elements there are; None where that is not known or they never end.
    spec:   the shapes and types of an element's parts, or a function that gives them; None where they are not
            known.
    kind:   the name of TensorFlow's class, such as `_BatchDataset`.
    behind: the data sets whose elements these ones are made of.
    """

    def __init__(
        self,
        elements: Callable[[], Iterator[Element]],
        length: int | None,
        spec: Any = None,
        *,
        is_endless: bool = False,
        behind: Sequence[Dataset] = (),
    ) -> None:
        self.elements = elements
        self.length = length
        self._spec = spec
        self.kind = "_Dataset"
        self.is_endless = is_endless
        self.behind = tuple(behind)
        self.sources: dict[Any, Any] = {}

    @property
    def spec(self) -> Any:
        """The shapes and types of an element's parts; None where they are not known."""
        if callable(self._spec):
            self._spec = self._spec()
        return self._spec

    def open(self) -> None:
        """What happens where an iterator is made, and nothing is taken from it."""
        for dataset in self.behind:
            dataset.open()

    def parts(self) -> Iterator[list[Any]]:
        """The parts of each element in a row."""
        for element in self.elements():
            yield list(flat(element))

    def __iter__(self) -> Iterator[Any]:
        """The elements as tensors: one node for each part, which every element passes in turn."""
        for element in self.elements():
            yield _as_tensors(element, self.sources)


DATASET = members_of(Dataset, "Dataset")
ITERATORS[Dataset] = iter
TYPE_NAMES[Dataset] = lambda dataset: dataset.kind


SHOWN[Dataset] = (shown, shown)


def _as_tensors(element: Element, sources: dict[Any, Any], place: tuple[Any, ...] = ()) -> Any:
    if isinstance(element, tuple):
        return tuple(_as_tensors(part, sources, (*place, i)) for i, part in enumerate(element))
    if isinstance(element, dict):
        return {key: _as_tensors(part, sources, (*place, key)) for key, part in element.items()}
    if isinstance(element, Dataset):
        return element
    graph: Any = current_graph()
    assert isinstance(graph, EagerGraph)
    key = (place, name_of(element.dtype), element.shape)
    if key in sources:
        return graph.element(element, sources[key])
    made = graph.element(element, None)
    sources[key] = made.node
    return made


def arrays_of(value: Any) -> Any:
    return each(value, lambda part: part if isinstance(part, Dataset) else array_of(part))


def each(part: Any, choose: Callable[[Any], Any]) -> Any:
    """The same form with something else for each of its parts."""
    if isinstance(part, tuple):
        return tuple(each(one, choose) for one in part)
    if isinstance(part, dict):
        return {key: each(one, choose) for key, one in part.items()}
    return choose(part)


def parts_of(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from parts_of(part)
    else:
        yield value


def _row_counts(value: Any) -> Iterator[int]:
    """The number of rows of each array; a single number has none."""
    return (part.shape[0] if part.ndim else 0 for part in parts_of(value))


def _spec_of(value: Any, *, without_first: bool = False) -> Any:
    """The shapes and types of an element's parts, or of those of a row."""
    return each(value, lambda array: TensorSpec(array.shape[int(without_first) :], name_of(array.dtype)))


def _batched_spec(dataset: Dataset, size: int | None) -> Callable[[], Any]:
    def found() -> Any:
        spec = dataset.spec
        return None if spec is None else each(spec, lambda one: _batch_of(one, size))

    return found


def _batch_of(one: TensorSpec, size: int | None) -> TensorSpec:
    return TensorSpec(None if one.shape is None else (size, *one.shape), one.dtype)


def spec_behind(dataset: Dataset) -> Callable[[], Any]:
    """That of another data set, looked at when it is asked for."""
    return lambda: dataset.spec


def called(interpreter: Interpreter, function: Any, element: Any) -> Any:
    """What a function of the program gives of an element: the parts of a tuple are its arguments."""
    return interpreter.call(function, list(element) if isinstance(element, tuple) else [element], {})


@of_kind("TensorSlice")
def from_tensor_slices(tensors: Any) -> Dataset:
    """One element for each row."""
    arrays = arrays_of(tensors)
    lengths = set(_row_counts(arrays))
    if len(lengths) != 1:
        raise ShapeError(
            "The rows of from_tensor_slices go together, so all its arrays need the same number of them, "
            f"but they have {sorted(lengths) or 'none'}.",
            message_zh=f"from_tensor_slices 逐行取数，所以各数组的行数必须相同，但这里是 {sorted(lengths)}。",
        )
    (count,) = lengths

    def elements() -> Iterator[Element]:
        for row in range(count):
            yield each(arrays, lambda array, row=row: row_of(array, row))  # type: ignore[misc]

    return Dataset(elements, count, _spec_of(arrays, without_first=True))


@of_kind("Tensor")
def from_tensors(tensors: Any) -> Dataset:
    """One element: all of it."""
    arrays = arrays_of(tensors)
    return Dataset(lambda: iter([arrays]), 1, _spec_of(arrays))


@of_kind("FlatMap")
def from_generator(
    interpreter: Interpreter,
    generator: Any,
    output_types: Any = None,
    output_shapes: Any = None,
    args: Any = None,
    output_signature: Any = None,
) -> Dataset:
    """What a generator of the program yields, each time from its start."""
    form = output_types if output_signature is None else output_signature
    if form is None:
        raise ProgramError(
            "from_generator needs the types of what it yields.",
            message_zh="from_generator 需要所产生元素的类型。",
            hint="Write output_signature=tf.TensorSpec(shape=(), dtype=tf.float32).",
            hint_zh="请写 output_signature=tf.TensorSpec(shape=(), dtype=tf.float32)。",
            code="wrong_arguments",
        )
    spec = each(form, _one_spec)
    if output_signature is None and output_shapes is not None:
        spec = _with_shapes(spec, output_shapes)
    given = [] if args is None else [ops.convert_to_tensor(one) for one in args]

    def elements() -> Iterator[Element]:
        for item in iterate(interpreter.call(generator, given, {})):
            interpreter.budget.step()
            yield _typed(item, spec)

    return Dataset(elements, None, spec)


def _with_shapes(spec: Any, shapes: Any) -> Any:
    """The same types with these shapes, which stand in the same form."""
    if isinstance(spec, tuple):
        return tuple(_with_shapes(one, shape) for one, shape in zip(spec, shapes, strict=False))
    if isinstance(spec, dict):
        return {key: _with_shapes(one, shapes.get(key)) for key, one in spec.items()}
    return TensorSpec(shape_of(shapes), spec.dtype)


def _one_spec(kind: Any) -> TensorSpec:
    return kind if isinstance(kind, TensorSpec) else TensorSpec(None, dtype_name(kind) or "float32")


def _typed(item: Any, spec: Any) -> Element:
    """A yielded value in the types that were named. Raises: ProgramError where it has another form."""
    if isinstance(spec, tuple) and isinstance(item, (tuple, list)) and len(item) == len(spec):
        return tuple(_typed(part, one) for part, one in zip(item, spec, strict=True))
    if isinstance(spec, dict) and isinstance(item, dict) and set(item) == set(spec):
        return {key: _typed(item[key], spec[key]) for key in spec}
    if isinstance(spec, TensorSpec):
        return np.asarray(array_of(item), dtype=array_dtype(spec.dtype))
    raise ProgramError(
        "The generator yields something else than it was said to.",
        message_zh="生成器产生的内容与声明的不一致。",
        hint="One TensorSpec stands for each part: (x, y) needs a tuple of two.",
        hint_zh="每个部分对应一个 TensorSpec：(x, y) 需要两个组成的元组。",
        code="bad_value",
    )


def _number(value: Any) -> Any:
    array = concrete(value)
    return value if array is None else array


@of_kind("Range")
def range_(*bounds: Any) -> Dataset:
    """Whole numbers."""
    numbers = range(*(whole_number(_number(bound), "range") for bound in bounds))
    every = (lambda: (np.asarray(number, dtype=np.int64) for number in numbers), len(numbers))
    return Dataset(*every, TensorSpec((), "int64"))


@DATASET.method("batch")
@of_kind("Batch")
def batch(dataset: Dataset, batch_size: Any, drop_remainder: Any = False, **ignored: Any) -> Dataset:
    """Elements side by side, so many at a time."""
    return batched(dataset, batch_size, drop_remainder, np.stack)


def batched(dataset: Dataset, batch_size: Any, drop_remainder: Any, put: Callable[..., Any]) -> Dataset:
    """So many elements at a time, each part put together by a function of its arrays."""
    size = max(whole_number(_number(batch_size), "batch_size"), 1)

    def elements() -> Iterator[Element]:
        waiting: list[Element] = []
        for element in dataset.elements():
            waiting.append(element)
            if len(waiting) == size:
                yield _side_by_side(waiting, put)
                waiting = []
        if waiting and not drop_remainder:
            yield _side_by_side(waiting, put)

    count, spec = dataset.length, _batched_spec(dataset, size if drop_remainder else None)
    batches = None if count is None else count // size if drop_remainder else -(-count // size)
    return Dataset(elements, batches, spec, is_endless=dataset.is_endless, behind=[dataset])


def _side_by_side(elements: list[Element], put: Callable[..., Any]) -> Element:
    first = elements[0]
    if isinstance(first, tuple):
        return tuple(_side_by_side(list(part), put) for part in zip(*elements, strict=True))
    if isinstance(first, dict):
        return {key: _side_by_side([one[key] for one in elements], put) for key in first}
    if isinstance(first, Dataset):
        raise ProgramError(
            "Windows are datasets, which cannot be put side by side.",
            message_zh="窗口本身是数据集，不能并排放在一起。",
            hint="Take them apart first: .flat_map(lambda w: w.batch(n)).",
            hint_zh="请先拆开：.flat_map(lambda w: w.batch(n))。",
            code="bad_value",
        )
    return put(elements)


@DATASET.method("repeat")
@of_kind("Repeat")
def repeat(interpreter: Interpreter, dataset: Dataset, count: Any = None) -> Dataset:
    """Again from the start; without a count until something stops it."""
    endless = count is None or count < 0

    def elements() -> Iterator[Element]:
        turn = 0
        while endless or turn < count:
            interpreter.budget.step()
            yield from dataset.elements()
            turn += 1

    known = None if endless or dataset.length is None else dataset.length * int(count)
    is_endless = endless or dataset.is_endless
    return Dataset(elements, known, spec_behind(dataset), is_endless=is_endless, behind=[dataset])


def alike(dataset: Dataset, elements: Callable[[], Iterator[Element]]) -> Dataset:
    """As many elements of the same form."""
    return Dataset(
        elements, dataset.length, spec_behind(dataset), is_endless=dataset.is_endless, behind=[dataset]
    )


def calling(function: Any) -> AbstractContextManager[Any]:
    """What runs inside is a call of a function of the data set."""
    graph: Any = current_graph()
    return graph.calling(function) if isinstance(graph, EagerGraph) else nullcontext()


@DATASET.method("skip")
@of_kind("Skip")
def skip(interpreter: Interpreter, dataset: Dataset, count: Any, name: Any = None) -> Dataset:
    """All elements but the first."""
    first = int(count)

    def elements() -> Iterator[Element]:
        for index, element in enumerate(dataset.elements()):
            interpreter.budget.step()
            if index >= first:
                yield element

    known = None if dataset.length is None else max(dataset.length - first, 0)
    return Dataset(elements, known, spec_behind(dataset), is_endless=dataset.is_endless, behind=[dataset])


@DATASET.method("take")
@of_kind("Take")
def take(dataset: Dataset, count: Any) -> Dataset:
    """The first elements."""
    most = int(count)

    def elements() -> Iterator[Element]:
        for index, element in enumerate(dataset.elements()):
            if index >= most:
                return
            yield element

    if most < 0:
        return alike(dataset, dataset.elements)
    known = most if dataset.is_endless else None
    least = known if dataset.length is None else min(most, dataset.length)
    return Dataset(elements, least, spec_behind(dataset), behind=[dataset])


@DATASET.method("prefetch")
@of_kind("Prefetch")
def prefetch(dataset: Dataset, buffer_size: Any = None, name: Any = None) -> Dataset:
    """The same."""
    return alike(dataset, dataset.elements)


@DATASET.method("cardinality")
def cardinality(dataset: Dataset) -> Any:
    """How many elements there are: -1 for endlessly many, -2 where that is not known."""
    unknown = -1 if dataset.is_endless else -2
    return ops.constant(np.int64(unknown if dataset.length is None else dataset.length))


def _count(dataset: Dataset) -> int:
    """`len(dataset)`. Raises: ProgramError where it is not known."""
    if dataset.length is None:
        raise ProgramError(
            "The dataset is infinite." if dataset.is_endless else "The dataset length is unknown.",
            message_zh="这个数据集是无穷的。" if dataset.is_endless else "这个数据集的长度未知。",
            hint="Go through .take(n), and count.",
            hint_zh="请遍历 .take(n) 并计数。",
            code="type_mismatch",
        )
    return dataset.length


ITEMS[Dataset] = Items(count=_count)


@DATASET.fact("element_spec")
def element_spec(dataset: Dataset) -> Any:
    """The shapes and types of an element's parts."""
    if dataset.spec is None:
        raise ProgramError(
            "The form of these elements is decided by a function of the program.",
            message_zh="这些元素的形式由程序中的函数决定。",
            hint="Look at one of them: next(iter(dataset)).",
            hint_zh="请查看其中一个：next(iter(dataset))。",
            code="bad_value",
        )
    return dataset.spec


@DATASET.method("as_numpy_iterator")
def as_numpy_iterator(interpreter: Interpreter, dataset: Dataset) -> list[Any]:
    """The elements as numpy arrays."""
    items: list[Any] = []
    for element in dataset.elements():
        interpreter.budget.check_length(len(items) + 1)
        items.append(each(element, lambda part: part if isinstance(part, Dataset) else part[()]))
    return items


MEMBERS: dict[str, Callable[..., Any]] = {
    "data.Dataset.from_generator": from_generator,
    "data.Dataset.from_tensor_slices": from_tensor_slices,
    "data.Dataset.from_tensors": from_tensors,
    "data.Dataset.range": range_,
}
