"""What `tf.data` makes of several datasets, of several elements, and of running results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf2.datasets.data import (
    DATASET,
    Dataset,
    Element,
    alike,
    arrays_of,
    batched,
    called,
    each,
    parts_of,
    spec_behind,
)
from engine.languages.surfaces.tf2.datasets.kinds import of_kind
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.functions.signature import TensorSpec
from engine.ops.base.shapes import whole_number
from engine.ops.base.texts import row_of


@of_kind("Zip")
def zip_(*args: Any, datasets: Any = None, name: Any = None) -> Dataset:
    """The first elements together, then the second ones, as long as each has one."""
    form = datasets if datasets is not None else args[0] if len(args) == 1 else args
    parts = list(_datasets(form))

    def elements() -> Iterator[Element]:
        for row in zip(*(part.elements() for part in parts), strict=False):
            yield _in_form(form, row)

    lengths = [part.length for part in parts if not part.is_endless]
    known = (
        None if None in lengths or not lengths else min(length for length in lengths if length is not None)
    )

    def spec() -> Any:
        specs = [part.spec for part in parts]
        return None if None in specs else _in_form(form, specs)

    return Dataset(elements, known, spec, is_endless=not lengths, behind=parts)


def _in_form(form: Any, values: Iterable[Any]) -> Any:
    """Values in the places of the datasets."""
    left = iter(values)
    return each(form, lambda part: next(left))


def _datasets(form: Any) -> Iterator[Dataset]:
    if isinstance(form, Dataset):
        yield form
    elif isinstance(form, (tuple, dict)):
        for part in form.values() if isinstance(form, dict) else form:
            yield from _datasets(part)
    else:
        raise ProgramError(
            "Dataset.zip takes datasets, in a tuple or one after the other.",
            message_zh="Dataset.zip 需要数据集，放在元组里或依次给出。",
            code="bad_value",
        )


@DATASET.method("concatenate")
@of_kind("Concatenate")
def concatenate(dataset: Dataset, other: Any, name: Any = None) -> Dataset:
    """The elements of another dataset after these."""
    (after,) = _datasets(other)

    def elements() -> Iterator[Element]:
        yield from dataset.elements()
        yield from after.elements()

    endless = dataset.is_endless or after.is_endless
    known = None if dataset.length is None or after.length is None else dataset.length + after.length
    spec = lambda: dataset.spec if dataset.spec == after.spec else None  # noqa: E731
    return Dataset(elements, known, spec, is_endless=endless, behind=[dataset])  # the other one comes later


@DATASET.method("enumerate")
@of_kind("Zip")
def enumerate_(dataset: Dataset, start: Any = 0, name: Any = None) -> Dataset:
    """Each element with its number."""
    first = whole_number(start, "start")

    def elements() -> Iterator[Element]:
        for number, element in enumerate(dataset.elements(), first):
            yield np.asarray(number, dtype=np.int64), element

    spec = lambda: None if dataset.spec is None else (TensorSpec((), "int64"), dataset.spec)  # noqa: E731
    return Dataset(elements, dataset.length, spec, is_endless=dataset.is_endless, behind=[dataset])


@DATASET.method("reduce")
def reduce(
    interpreter: Interpreter, dataset: Dataset, initial_state: Any, reduce_func: Any, name: Any = None
) -> Any:
    """One result: what a function makes of the result so far and the next element."""
    state = each(initial_state, ops.convert_to_tensor)
    for element in dataset:
        interpreter.budget.step()
        state = each(interpreter.call(reduce_func, [state, element], {}), ops.convert_to_tensor)
    return state


@DATASET.method("scan")
@of_kind("Scan")
def scan(
    interpreter: Interpreter, dataset: Dataset, initial_state: Any, scan_func: Any, name: Any = None
) -> Dataset:
    """What a function gives of a state and each element, with the next state."""

    def elements() -> Iterator[Element]:
        state = each(initial_state, ops.convert_to_tensor)
        for element in dataset:
            state, given = interpreter.call(scan_func, [state, element], {})
            yield arrays_of(given)

    return Dataset(elements, dataset.length, is_endless=dataset.is_endless, behind=[dataset])


@DATASET.method("take_while")
@of_kind("TakeWhile")
def take_while(interpreter: Interpreter, dataset: Dataset, predicate: Any, name: Any = None) -> Dataset:
    """The elements up to the first for which a function does not hold."""

    def elements() -> Iterator[Element]:
        for element in dataset:
            if not truth(called(interpreter, predicate, element)):
                return
            yield arrays_of(element)

    return Dataset(elements, None, spec_behind(dataset))


@DATASET.method("flat_map")
@of_kind("FlatMap")
def flat_map(interpreter: Interpreter, dataset: Dataset, map_func: Any, name: Any = None) -> Dataset:
    """The elements of the datasets that a function makes of each element, one after the other."""

    def elements() -> Iterator[Element]:
        for element in dataset:
            (inner,) = _datasets(called(interpreter, map_func, element))
            yield from inner.elements()

    return Dataset(elements, None)


@DATASET.method("interleave")
@of_kind("Interleave")
def interleave(
    interpreter: Interpreter,
    dataset: Dataset,
    map_func: Any,
    cycle_length: Any = None,
    block_length: Any = 1,
    num_parallel_calls: Any = None,
    deterministic: Any = None,
    name: Any = None,
) -> Dataset:
    """Elements of several such datasets in turn: so many at a time, so many from each."""
    if cycle_length is None:
        raise ProgramError(
            "interleave needs `cycle_length`: without it TensorFlow asks the machine for its processors.",
            message_zh="interleave 需要 `cycle_length`：不给出时 TensorFlow 会取本机的处理器数。",
            hint="Write cycle_length=4.",
            hint_zh="请写 cycle_length=4。",
            code="wrong_arguments",
        )
    width, block = whole_number(cycle_length, "cycle_length"), whole_number(block_length, "block_length")

    def opened() -> Iterator[Iterator[Element]]:
        for element in dataset:
            (inner,) = _datasets(called(interpreter, map_func, element))
            yield iter(inner.elements())

    return Dataset(lambda: _in_turn(opened(), max(width, 1), max(block, 1), interpreter), None)


def _in_turn(
    sources: Iterator[Iterator[Element]], width: int, block: int, interpreter: Interpreter
) -> Iterator[Element]:
    places: list[Iterator[Element] | None] = [None] * width
    place, taken, more = 0, 0, True
    while more or any(source is not None for source in places):
        interpreter.budget.step()
        source = places[place]
        if source is None and more:
            source = places[place] = next(sources, None)
            more = source is not None
            if more:
                continue
        element = None if source is None else next(source, None)
        if element is not None:
            yield element
            taken += 1
        if element is None:
            places[place] = None
        if element is None or taken == block:
            place, taken = (place + 1) % width, 0


@DATASET.method("window")
@of_kind("Window")
def window(
    dataset: Dataset,
    size: Any,
    shift: Any = None,
    stride: Any = 1,
    drop_remainder: Any = False,
    name: Any = None,
) -> Dataset:
    """Datasets of so many elements each, which may overlap."""
    count, apart = whole_number(size, "size"), whole_number(stride, "stride")
    step = count if shift is None else whole_number(shift, "shift")

    def elements() -> Iterator[Element]:
        every = list(dataset.elements())
        for start in range(0, len(every), max(step, 1)):
            inside = every[start : start + count * apart : apart][:count]
            if len(inside) == count or not drop_remainder:
                yield _as_datasets(inside)

    return Dataset(elements, None)


def _as_datasets(elements: list[Element]) -> Element:
    """A dataset for each part of the elements."""
    if isinstance(elements[0], tuple):
        return tuple(_as_datasets(list(part)) for part in zip(*elements, strict=True))
    if isinstance(elements[0], dict):
        return {key: _as_datasets([one[key] for one in elements]) for key in elements[0]}
    return Dataset(lambda: iter(elements), len(elements))


@DATASET.method("shard")
@of_kind("Shard")
def shard(dataset: Dataset, num_shards: Any, index: Any, name: Any = None) -> Dataset:
    """Every so-manieth element."""
    count, place = whole_number(num_shards, "num_shards"), whole_number(index, "index")

    def elements() -> Iterator[Element]:
        for number, element in enumerate(dataset.elements()):
            if number % count == place:
                yield element

    known = None if dataset.length is None else len(range(place, dataset.length, count))
    return Dataset(elements, known, spec_behind(dataset), is_endless=dataset.is_endless, behind=[dataset])


@DATASET.method("unbatch")
@of_kind("Unbatch")
def unbatch(dataset: Dataset, name: Any = None) -> Dataset:
    """The rows of each element."""

    def elements() -> Iterator[Element]:
        for element in dataset.elements():
            for row in range(min(len(part) for part in parts_of(element))):
                yield each(element, _row(row))

    return Dataset(elements, None, lambda: _row_spec(dataset.spec))


def _row_spec(spec: Any) -> Any:
    return (
        None if spec is None else each(spec, lambda one: TensorSpec(one.shape and one.shape[1:], one.dtype))
    )


def _row(number: int) -> Callable[[Any], Any]:
    return lambda array: row_of(array, number)


def _lengths(shapes: Any) -> list[Any]:
    """All lengths in the shapes of an element's parts."""
    if isinstance(shapes, dict):
        shapes = list(shapes.values())
    if isinstance(shapes, (list, tuple, np.ndarray, TensorShape)):
        return [length for part in shapes for length in _lengths(part)]
    return [getattr(shapes, "value", shapes)]


@DATASET.method("padded_batch")
@of_kind("PaddedBatch")
def padded_batch(
    dataset: Dataset,
    batch_size: Any,
    padded_shapes: Any = None,
    padding_values: Any = None,
    drop_remainder: Any = False,
    name: Any = None,
) -> Dataset:
    """Elements side by side, the shorter ones filled up, with zeros unless another value is given."""
    if any(length not in (None, -1) for length in _lengths(padded_shapes)):
        raise ProgramError(
            "padded_batch fills up to the longest element here: write None for each of the padded_shapes.",
            message_zh="这里 padded_batch 补到最长的元素为止：padded_shapes 中请都写 None。",
            code="unknown_argument",
        )
    fill = 0 if padding_values is None else array_of(padding_values)

    def filled(arrays: list[Any]) -> Any:
        longest = np.max([array.shape for array in arrays], axis=0) if arrays[0].ndim else ()
        made = np.full((len(arrays), *longest), fill, dtype=arrays[0].dtype)
        for row, array in enumerate(arrays):
            place: Any = (row, *(slice(length) for length in array.shape))
            made[place] = array
        return made

    return batched(dataset, batch_size, drop_remainder, filled)


@DATASET.method("apply")
def apply(interpreter: Interpreter, dataset: Dataset, transformation_func: Any, name: Any = None) -> Any:
    """What a function makes of the whole dataset."""
    return interpreter.call(transformation_func, [dataset], {})


@DATASET.method("get_single_element")
def get_single_element(dataset: Dataset, name: Any = None) -> Any:
    """The only element."""
    found = list(dataset.elements())
    if len(found) != 1:
        raise ProgramError(
            f"The dataset has {len(found)} elements, not one.",
            message_zh=f"数据集有 {len(found)} 个元素，而不是一个。",
            code="bad_value",
        )
    return next(iter(dataset))


class Cached(Dataset):
    """A data set that keeps its elements once they were gone through."""

    is_full = False

    def open(self) -> None:
        """What happens where an iterator is made: nothing where all elements are kept."""
        if not self.is_full:
            super().open()


@DATASET.method("cache")
def cache(dataset: Dataset, filename: Any = "", name: Any = None) -> Dataset:
    """The elements of the first time that all of them were gone through, from then on."""
    kept: list[Element] = []
    found = Cached(lambda: iter(kept), dataset.length, spec_behind(dataset), is_endless=dataset.is_endless)

    def elements() -> Iterator[Element]:
        if found.is_full:
            yield from kept
            return
        now = []
        for element in dataset.elements():
            now.append(element)
            yield element
        kept[:], found.is_full = now, True

    found.elements, found.behind, found.kind = elements, (dataset,), "CacheDataset"
    return found


@DATASET.method("with_options")
@of_kind("Options")
def with_options(dataset: Dataset, options: Any, name: Any = None) -> Dataset:
    """The same: options say how the machine is used."""
    return alike(dataset, dataset.elements)


MEMBERS: dict[str, Callable[..., Any]] = {"data.Dataset.zip": zip_}
