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
from engine.languages.surfaces.python.random import own_of_the_run
from engine.languages.surfaces.tf2.datasets.data import Dataset, each
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.ops.base.shapes import whole_number

PEEKED = 2  # batches that Keras looks at before the first epoch
FIT, EVALUATE, PREDICT = "fit", "evaluate", "predict"


def as_data(interpreter: Interpreter, x: Any, use: str = EVALUATE, *, shuffle: bool = False) -> Any:
    """A generator or a `PyDataset` as a data set of its batches; anything else as it is.

    use: `FIT`, `EVALUATE` or `PREDICT`. shuffle: whether batches come in another order in each epoch.
    """
    if isinstance(x, (Stream, Lazy)):
        return _of_generator(interpreter, x)
    if isinstance(x, UserObject) and BATCHES in x.kind.line():
        return _of_object(interpreter, x, use, shuffle=shuffle)
    return x


def _of_generator(interpreter: Interpreter, given: Any) -> Dataset:
    """What is left of a generator, which goes on where it stopped."""
    items = iter(given.take() if isinstance(given, Lazy) else given)

    def elements() -> Iterator[Any]:
        for item in items:
            interpreter.budget.step()
            yield _batch(item)

    return Dataset(elements, None, is_endless=True)


def _of_object(interpreter: Interpreter, given: UserObject, use: str, *, shuffle: bool) -> Dataset:
    """The batches by their numbers, each time that the data are gone through.

    As in Keras the first batches are looked at beforehand, and an epoch ends before the first one begins.
    """

    def asked(method: str, *arguments: Any) -> Any:
        return interpreter.call(attribute_of(interpreter, given, method), list(arguments), {})

    def elements() -> Iterator[Any]:
        is_first = not seen
        for place in range(min(PEEKED, count)) if is_first else ():
            seen.append(asked("__getitem__", place))
        if use == EVALUATE or (use == FIT and is_first):
            asked("on_epoch_end")
        asked("on_epoch_begin")
        order = list(range(count))
        if shuffle:
            own_of_the_run(interpreter).shuffle(order)
        for place in order:
            interpreter.budget.step()
            yield _batch(asked("__getitem__", place))
        asked("on_epoch_end")

    count = whole_number(asked("__len__"), "len")
    seen: list[Any] = []
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


def _nothing(self: UserObject) -> None:
    """What is done around each epoch, unless the class says otherwise."""


OWN = {"self": AN_OBJECT}
BATCHES = UserClass(
    "PyDataset",
    None,
    {
        "__init__": Native("tf.keras.utils.PyDataset.__init__", _begin, arguments=OWN),
        **{
            name: Native(f"tf.keras.utils.PyDataset.{name}", _nothing, arguments=OWN)
            for name in ("on_epoch_begin", "on_epoch_end")
        },
    },
    origin="library",
)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    return {f"keras.utils.{name}": BATCHES for name in ("PyDataset", "Sequence")}
