"""The examples that `fit`, `evaluate` and `predict` are given, as batches of Keras's types.

A batch is (inputs,), (inputs, labels) or (inputs, labels, weights); each of these is one array, several in a
tuple, or several by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf2.datasets.data import Dataset, batch, each, from_tensor_slices, parts_of
from engine.languages.surfaces.tf2.datasets.shuffling import shuffle
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.building import current_graph
from engine.ops.base.tensors import Array
from engine.ops.sources.random import first_draws

PARTS = ("x", "y", "sample_weight")


def in_batches(dataset: Dataset, size: int) -> Dataset:
    """So many rows side by side."""
    found: Dataset = batch(dataset, size)
    return found


def rows(x: Any, y: Any, size: int, weights: Any = None) -> Dataset:
    """The examples side by side in batches; a data set brings its own."""
    if isinstance(x, Dataset):
        return x
    return in_batches(from_tensor_slices(together(x, y, weights)), size)


def together(x: Any, y: Any = None, weights: Any = None) -> tuple[Any, ...]:
    """Inputs, labels and weights, whose rows go together. Raises: ShapeError for other numbers of rows."""
    given: list[Any] = [arrays(x)]
    if y is not None or weights is not None:
        given.append(arrays(y))
    if weights is not None:
        given.append(arrays(weights))
    counts = {word: count_of(part) for word, part in zip(PARTS, given, strict=False)}
    if len({len(array) for part in given for array in parts_of(part) if np.ndim(array)}) > 1:
        listed = ", ".join(f"{word} {count}" for word, count in counts.items())
        raise ShapeError(
            f"The arrays must have equally many rows, but they have: {listed}.",
            message_zh=f"各数组的行数必须相同，但它们分别是：{listed}。",
            kind="ValueError",
        )
    return tuple(given)


def arrays(values: Any) -> Any:
    """One array, several in a tuple, or several by name, in the types that Keras computes in."""
    if isinstance(values, Mapping):
        return {key: floats(one) for key, one in values.items()}
    if _are_several(values):
        return floats(values[0]) if len(values) == 1 else tuple(floats(one) for one in values)
    return floats(values)


def _are_several(values: Any) -> bool:
    """Whether it is a list of arrays, each of which is an input or an output of its own."""
    return (
        isinstance(values, (list, tuple))
        and bool(values)
        and all(len(getattr(one, "shape", None) or ()) > 0 for one in values)
    )


def count_of(values: Any) -> int:
    """How many rows there are, in the first of several arrays."""
    return len(next(parts_of(values)))


class Feed:
    """The batches of `fit`, epoch by epoch.

    Without a number of steps each epoch goes through all of them. With one it takes so many, and the next
    epoch goes on behind them, from the start again where all were taken.
    """

    def __init__(self, interpreter: Interpreter, data: Dataset, steps: Any = None) -> None:
        self.interpreter = interpreter
        self.data = data
        self.steps = steps
        self._batches: Iterator[Any] | None = None
        self._taken = 0

    def epoch(self) -> Iterator[Any]:
        """The batches of one epoch."""
        if self._batches is None or self.steps is None:
            self._batches, self._taken = iter(self.data), 0
        done = 0
        while self.steps is None or done < self.steps:
            batch = next(self._batches, None)
            if batch is None:
                self._end()
                return
            if self.steps is not None and self.interpreter.row_numbers is not None and not done:
                self.steps = self.interpreter.row_numbers.steps(self.steps, len(array_of(first_of(batch))))
            self._taken += 1
            done += 1
            yield batch
        if self._is_through:
            next(self._batches, None)  # what its source does behind the last one
            self._begin_again()

    def reset(self) -> None:
        """Begin with the first batch again."""
        self._batches = None

    def _begin_again(self) -> None:
        """Behind the last batch, as in Keras: an iterator at once, and another one for the next epoch."""
        self._batches = None
        if self.steps is None and self.data.length is not None:
            self.data.open()

    @property
    def _is_through(self) -> bool:
        return self.data.length is not None and self._taken >= self.data.length

    def _end(self) -> None:
        self._begin_again()
        if self.steps is not None:
            self.interpreter.note(
                "out_of_data",
                f"The data end before {self.steps} steps are done, so this epoch is shorter.",
                f"数据不足 {self.steps} 步，因此这一轮较短。",
                "Leave the number of steps out, or repeat the data set: data.repeat().",
                "请去掉步数，或重复数据集：data.repeat()。",
            )


def each_batch(
    feed: Feed, take: Callable[[Any], None], loop: str = "", until: Callable[[], bool] = lambda: False
) -> int:
    """Call `take` with each batch of an epoch. Returns: how many there were.

    loop:  what this loop is called where each batch goes over the nodes of the one before it.
    until: whether to stop behind a batch.
    """
    graph: Any = current_graph()
    batches, done = feed.epoch(), 0
    while True:
        with graph.lap_of(loop) if loop else nullcontext():
            batch = next(batches, None)
            if batch is None:
                return done
            take(batch)
        done += 1
        if until():
            return done


def floats(values: Any) -> Array:
    """Floats as float32, in which Keras computes."""
    array = np.asarray(array_of(values))
    return array.astype(np.float32) if array.dtype == np.float64 else array


def as_column(labels: Array) -> Array:
    """One label for each example as a column, which the metrics of Keras compare with a column."""
    return labels[:, None] if labels.ndim == 1 else labels


def parts(element: Any) -> tuple[Any, Any, Any]:
    """The inputs, the labels and the weights of a batch; None for what it has not. Raises: ValueRefused."""
    given = tuple(element) if isinstance(element, (tuple, list)) else (element,)
    if not 1 <= len(given) <= len(PARTS):
        raise ValueRefused(
            f"A batch is (x, y) or (x, y, sample_weight), but this one has {len(given)} parts.",
            message_zh=f"一个批次是 (x, y) 或 (x, y, sample_weight)，但这里有 {len(given)} 个部分。",
            code="bad_value",
        )
    x, y, weights = (*given, None, None)[:3]
    return x, y, weights


def first_of(element: Any) -> Any:
    """The first array among the inputs of a batch."""
    return next(parts_of(parts(element)[0]))


def apart(x: Any, y: Any, weights: Any, share: float) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The first examples to train with, the last share of them to validate with."""
    given = together(x, y, weights)
    kept = int(count_of(given[0]) * (1 - share))
    before, after = each(given, lambda array: array[:kept]), each(given, lambda array: array[kept:])
    return (*before, None, None)[:3], after


def shuffled(interpreter: Interpreter, x: Any, y: Any, size: int, weights: Any = None) -> Dataset:
    """The examples in another order in each epoch; a data set keeps the order that it has."""
    if isinstance(x, Dataset):
        return x
    given = together(x, y, weights)
    count = count_of(given[0])
    graph: Any = current_graph()
    if graph.seed is not None:
        return in_batches(in_order_of_the_seed(given, count, graph.seed), size)
    if count > size:
        interpreter.note(
            "rows_shuffled",
            "fit() takes the rows in another order in each epoch; TensorFlow draws a new order at every run, "
            "so its figures differ a little.",
            "fit() 在每一轮中以不同的顺序使用各行；TensorFlow 每次运行抽取的顺序都不同，所以数值会略有差别。",
            "Write shuffle=False for the order as given.",
            "若要保持给定的顺序，请写 shuffle=False。",
        )
    rows = from_tensor_slices(given)
    return in_batches(shuffle(interpreter, rows, count) if count > size else rows, size)


def in_order_of_the_seed(given: tuple[Any, ...], count: int, seed: int) -> Dataset:
    """The rows in the order that a seed decides, as Keras has it: the same in every epoch.

    Keras makes the order in a function of its own, which begins anew with the seed in each epoch.
    """
    order = first_draws(seed).order(count)
    return from_tensor_slices(each(given, lambda array: array[order]))


# -- one weight for each class -----------------------------------------------------------------------


def with_class_weights(data: Dataset, by_class: Any, has_weights: bool) -> Dataset:
    """The same batches, each row with the weight of its class. Raises: ValueRefused."""
    if not isinstance(by_class, Mapping):
        raise _refused(
            "`class_weight` is a dict: {0: 1.0, 1: 5.0}.", "`class_weight` 是字典：{0: 1.0, 1: 5.0}。"
        )
    if has_weights:
        raise _refused(
            "`class_weight` and `sample_weight` cannot be given at the same time.",
            "不能同时给出 `class_weight` 和 `sample_weight`。",
        )
    table = {int(array_of(key)): float(array_of(value)) for key, value in by_class.items()}

    def elements() -> Iterator[Any]:
        for x, y, weights in map(parts, data.elements()):
            own = _weights_of(y, table)
            yield x, y, own if weights is None else own * weights

    return Dataset(elements, data.length, is_endless=data.is_endless, behind=[data])


def _weights_of(labels: Any, table: Mapping[int, float]) -> Array:
    if isinstance(labels, (tuple, Mapping)):
        raise _refused(
            "`class_weight` is for a model with one output.", "`class_weight` 只适用于单输出的模型。"
        )
    classes = labels if labels.ndim == 1 else labels[..., 0] if labels.shape[-1] == 1 else labels.argmax(-1)
    numbers = np.round(classes).astype(int)
    flat = [table.get(int(number), 1.0) for number in numbers.reshape(-1)]
    return np.asarray(flat, np.float32).reshape(numbers.shape)


def _refused(message: str, message_zh: str) -> ValueRefused:
    return ValueRefused(message, message_zh=message_zh, code="wrong_arguments")
