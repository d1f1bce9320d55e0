"""`tf.data.Dataset`: small pipelines over values in memory, gone through element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.errors import ProgramError, ShapeError
from engine.execution.eager.graph import EagerGraph
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITERATORS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.building import current_graph
from engine.ops.base.shapes import whole_number

Element = Any  # an array, or a tuple of arrays


class Dataset:
    """A source of elements; each step of a pipeline goes through the one before it, lazily."""

    def __init__(self, elements: Callable[[], Iterator[Element]], length: int | None) -> None:
        self.elements = elements
        self.length = length
        self.sources: dict[Any, Any] = {}

    def __iter__(self) -> Iterator[Any]:
        """The elements as tensors: one node for each part, which every element passes in turn."""
        for element in self.elements():
            yield _as_tensors(element, self.sources)


DATASET = members_of(Dataset, "Dataset")
ITERATORS[Dataset] = iter


def _as_tensors(element: Element, sources: dict[Any, Any], place: tuple[int, ...] = ()) -> Any:
    if isinstance(element, tuple):
        return tuple(_as_tensors(part, sources, (*place, i)) for i, part in enumerate(element))
    graph: Any = current_graph()
    assert isinstance(graph, EagerGraph)
    key = (place, element.dtype.name, element.shape)
    made = graph.element(element, sources.get(key))
    sources[key] = made.node
    return made


def _arrays(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_arrays(part) for part in value)
    return array_of(value)


def _each(part: Any, choose: Callable[[Any], Any]) -> Any:
    return tuple(_each(one, choose) for one in part) if isinstance(part, tuple) else choose(part)


def _row_counts(value: Any) -> Iterator[int]:
    """The number of rows of each array; a single number has none."""
    if isinstance(value, tuple):
        for part in value:
            yield from _row_counts(part)
    else:
        yield value.shape[0] if value.ndim else 0


def from_tensor_slices(tensors: Any) -> Dataset:
    """One element for each row."""
    arrays = _arrays(tensors)
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
            yield _each(arrays, lambda array, row=row: np.asarray(array[row]))  # type: ignore[misc]

    return Dataset(elements, count)


def _number(value: Any) -> Any:
    array = concrete(value)
    return value if array is None else array


def range_(*bounds: Any) -> Dataset:
    """Whole numbers."""
    numbers = range(*(whole_number(_number(bound), "range") for bound in bounds))
    return Dataset(lambda: (np.asarray(number, dtype=np.int64) for number in numbers), len(numbers))


@DATASET.method("batch")
def batch(dataset: Dataset, batch_size: Any, drop_remainder: Any = False, **ignored: Any) -> Dataset:
    """Elements side by side, so many at a time."""
    size = max(int(batch_size), 1)

    def elements() -> Iterator[Element]:
        waiting: list[Element] = []
        for element in dataset.elements():
            waiting.append(element)
            if len(waiting) == size:
                yield _side_by_side(waiting)
                waiting = []
        if waiting and not drop_remainder:
            yield _side_by_side(waiting)

    count = dataset.length
    return Dataset(
        elements, None if count is None else count // size if drop_remainder else -(-count // size)
    )


def _side_by_side(elements: list[Element]) -> Element:
    if isinstance(elements[0], tuple):
        return tuple(_side_by_side(list(part)) for part in zip(*elements, strict=True))
    return np.stack(elements)


@DATASET.method("repeat")
def repeat(interpreter: Interpreter, dataset: Dataset, count: Any = None) -> Dataset:
    """Again from the start; without a count until something stops it."""
    endless = count is None or count < 0

    def elements() -> Iterator[Element]:
        turn = 0
        while endless or turn < count:
            interpreter.budget.step()
            yield from dataset.elements()
            turn += 1

    return Dataset(elements, None if endless or dataset.length is None else dataset.length * int(count))


@DATASET.method("shuffle")
def shuffle(
    interpreter: Interpreter,
    dataset: Dataset,
    buffer_size: Any,
    seed: Any = None,
    reshuffle_each_iteration: Any = True,
) -> Dataset:
    """In another order: each element is drawn from a buffer of the next ones.

    reshuffle_each_iteration: whether the order is another one each time that the data are gone through.
    """
    begin = [abs(interpreter.workspace.seed), int(seed or 0) % 2**32]
    lasting = np.random.default_rng(begin)

    def elements() -> Iterator[Element]:
        draws = lasting if reshuffle_each_iteration else np.random.default_rng(begin)
        buffer: list[Element] = []
        for element in dataset.elements():
            buffer.append(element)
            if len(buffer) > int(buffer_size):
                yield buffer.pop(int(draws.integers(len(buffer))))
        while buffer:
            yield buffer.pop(int(draws.integers(len(buffer))))

    return Dataset(elements, dataset.length)


@DATASET.method("map")
def map_(interpreter: Interpreter, dataset: Dataset, map_func: Any, **ignored: Any) -> Dataset:
    """Each element through a function of the program."""

    def elements() -> Iterator[Element]:
        for element in dataset:
            parts = element if isinstance(element, tuple) else (element,)
            yield _arrays(interpreter.call(map_func, list(parts), {}))

    return Dataset(elements, dataset.length)


@DATASET.method("filter")
def filter_(interpreter: Interpreter, dataset: Dataset, predicate: Any, name: Any = None) -> Dataset:
    """The elements for which a function of the program holds."""

    def elements() -> Iterator[Element]:
        for element in dataset:
            interpreter.budget.step()
            parts = element if isinstance(element, tuple) else (element,)
            if truth(interpreter.call(predicate, list(parts), {})):
                yield _arrays(element)

    return Dataset(elements, None)


@DATASET.method("skip")
def skip(interpreter: Interpreter, dataset: Dataset, count: Any, name: Any = None) -> Dataset:
    """All elements but the first."""
    first = int(count)

    def elements() -> Iterator[Element]:
        for index, element in enumerate(dataset.elements()):
            interpreter.budget.step()
            if index >= first:
                yield element

    return Dataset(elements, None if dataset.length is None else max(dataset.length - first, 0))


@DATASET.method("take")
def take(dataset: Dataset, count: Any) -> Dataset:
    """The first elements."""
    most = int(count)

    def elements() -> Iterator[Element]:
        for index, element in enumerate(dataset.elements()):
            if index >= most:
                return
            yield element

    return Dataset(elements, most if dataset.length is None else min(most, dataset.length))


@DATASET.method("prefetch", "cache")
def prefetch(dataset: Dataset, buffer_size: Any = None, name: Any = None) -> Dataset:
    """The same."""
    return dataset


@DATASET.method("cardinality")
def cardinality(dataset: Dataset) -> int:
    """How many elements there are."""
    if dataset.length is None:
        raise ProgramError(
            "The length of this dataset is not known: it is endless, or filtered.",
            message_zh="这个数据集的长度未知：它是无穷的，或经过筛选。",
            hint="Go through .take(n), and count.",
            hint_zh="请遍历 .take(n) 并计数。",
            code="bad_value",
        )
    return dataset.length


@DATASET.method("as_numpy_iterator")
def as_numpy_iterator(interpreter: Interpreter, dataset: Dataset) -> list[Any]:
    """The elements as numpy arrays."""
    items: list[Any] = []
    for element in dataset.elements():
        interpreter.budget.check_length(len(items) + 1)
        items.append(_each(element, lambda array: array[()]))
    return items


MEMBERS: dict[str, Callable[..., Any]] = {
    "data.Dataset.from_tensor_slices": from_tensor_slices,
    "data.Dataset.range": range_,
}
