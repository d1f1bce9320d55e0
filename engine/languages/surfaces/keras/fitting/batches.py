"""The examples that `fit`, `evaluate` and `predict` are given, as batches of Keras's types."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf2.data import Dataset, batch, from_tensor_slices, shuffle
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.building import current_graph
from engine.ops.base.tensors import Array


def in_batches(dataset: Dataset, size: int) -> Dataset:
    """So many rows side by side."""
    found: Dataset = batch(dataset, size)
    return found


def rows(x: Any, y: Any, size: int) -> Dataset:
    """The examples side by side in batches; a data set brings its own."""
    if isinstance(x, Dataset):
        return x
    arrays = (floats(x),) if y is None else (floats(x), _as_column(floats(y)))
    return in_batches(from_tensor_slices(arrays), size)


def each_batch(
    interpreter: Interpreter,
    data: Dataset,
    take: Callable[[Any], None],
    steps: Any = None,
    loop: str = "",
) -> int:
    """Call `take` with each batch, or with so many of them. Returns: how many there were.

    loop: what this loop is called where each batch goes over the nodes of the one before it.
    """
    graph: Any = current_graph()
    batches, done = iter(data), 0
    while steps is None or done < steps:
        with graph.lap_of(loop) if loop else nullcontext():
            batch = next(batches, None)
            if batch is None:
                break
            if steps is not None and interpreter.row_numbers is not None and not done:
                steps = interpreter.row_numbers.steps(steps, len(array_of(parts(batch)[0])))
            take(batch)
        done += 1
    return done


def floats(values: Any) -> Array:
    """Floats as float32, in which Keras computes."""
    array = np.asarray(array_of(values))
    return array.astype(np.float32) if array.dtype == np.float64 else array


def _as_column(labels: Array) -> Array:
    """One label for each example as a column, as Keras has it."""
    return labels[:, None] if labels.ndim == 1 else labels


def parts(element: Any) -> tuple[Any, Any]:
    """The inputs and the labels of a batch."""
    pair = element if isinstance(element, tuple) else (element, None)
    return pair[0], pair[1] if len(pair) > 1 else None


def apart(x: Any, y: Any, share: float) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The first examples to train with, the last share of them to validate with."""
    inputs, labels = floats(x), floats(y)
    kept = int(len(inputs) * (1 - share))
    return (inputs[:kept], labels[:kept]), (inputs[kept:], labels[kept:])


def shuffled(interpreter: Interpreter, x: Any, y: Any, size: int) -> Dataset:
    """The examples in another order in each epoch; a data set keeps the order that it has."""
    if isinstance(x, Dataset):
        return x
    inputs = floats(x)
    if len(inputs) > size:
        interpreter.note(
            "rows_shuffled",
            "fit() takes the rows in another order in each epoch; TensorFlow draws a new order at every run, "
            "so its figures differ a little.",
            "fit() 在每一轮中以不同的顺序使用各行；TensorFlow 每次运行抽取的顺序都不同，所以数值会略有差别。",
            "Write shuffle=False for the order as given.",
            "若要保持给定的顺序，请写 shuffle=False。",
        )
    rows = from_tensor_slices((inputs,) if y is None else (inputs, _as_column(floats(y))))
    return in_batches(shuffle(interpreter, rows, len(inputs)) if len(inputs) > size else rows, size)
