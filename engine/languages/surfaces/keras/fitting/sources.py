"""Where `fit` takes its batches from besides arrays and data sets: a generator, or a `PyDataset`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Lazy, Stream
from engine.languages.surfaces.keras.fitting.batches import PARTS, arrays
from engine.languages.surfaces.tf2.data import Dataset, each
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.ops.base.shapes import whole_number


def as_data(interpreter: Interpreter, x: Any) -> Any:
    """A generator or a `PyDataset` as a data set of its batches; anything else as it is."""
    if isinstance(x, (Stream, Lazy)):
        return _of_generator(interpreter, x)
    if isinstance(x, UserObject) and BATCHES in x.kind.line():
        return _of_object(interpreter, x)
    return x


def _of_generator(interpreter: Interpreter, given: Any) -> Dataset:
    """What is left of a generator, which goes on where it stopped."""
    items = iter(given.take() if isinstance(given, Lazy) else given)

    def elements() -> Iterator[Any]:
        for item in items:
            interpreter.budget.step()
            yield _batch(item)

    return Dataset(elements, None, is_endless=True)


def _of_object(interpreter: Interpreter, given: UserObject) -> Dataset:
    """The batches by their numbers, each time that the data are gone through."""

    def elements() -> Iterator[Any]:
        for place in range(count):
            interpreter.budget.step()
            yield _batch(interpreter.call(attribute_of(interpreter, given, "__getitem__"), [place], {}))
        interpreter.call(attribute_of(interpreter, given, "on_epoch_end"), [], {})

    count = whole_number(interpreter.call(attribute_of(interpreter, given, "__len__"), [], {}), "len")
    return Dataset(elements, count)


def _batch(item: Any) -> Any:
    """Inputs, labels and weights in the types that Keras computes in."""
    given = tuple(item) if isinstance(item, (tuple, list)) and len(item) <= len(PARTS) else (item,)
    parts = [arrays(part) for part in given]
    return tuple(each(part, np.asarray) if place == 1 else part for place, part in enumerate(parts))


def _begin(
    self: UserObject, workers: Any = 1, use_multiprocessing: Any = False, max_queue_size: Any = 10
) -> None:
    """Nothing is loaded ahead of its turn."""


def _epoch_end(self: UserObject) -> None:
    """What is done behind each epoch, unless the class says otherwise."""


OWN = {"self": AN_OBJECT}
BATCHES = UserClass(
    "PyDataset",
    None,
    {
        "__init__": Native("tf.keras.utils.PyDataset.__init__", _begin, arguments=OWN),
        "on_epoch_end": Native("tf.keras.utils.PyDataset.on_epoch_end", _epoch_end, arguments=OWN),
    },
    origin="library",
)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    return {f"keras.utils.{name}": BATCHES for name in ("PyDataset", "Sequence")}
