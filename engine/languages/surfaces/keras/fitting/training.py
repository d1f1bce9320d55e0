"""`model.compile`, `fit`, `evaluate` and `predict`: the loop over epochs and batches that Keras runs itself.

Each batch is one turn of a tape, an update of the optimizer and one more batch for the metrics, as in a
program that writes the loop by hand; the answer shows these turns as it shows that loop's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras import losses
from engine.languages.surfaces.keras.fitting.batches import apart, each_batch, floats, parts, rows, shuffled
from engine.languages.surfaces.keras.fitting.callbacks import Callbacks
from engine.languages.surfaces.keras.fitting.compiling import Compiled, compiled_of, has_own
from engine.languages.surfaces.keras.fitting.figures import Figures
from engine.languages.surfaces.keras.layer import call_layer, losses_of, takes_training
from engine.languages.surfaces.keras.older_names import note
from engine.languages.surfaces.keras.optimizers import optimizer as optimizers
from engine.languages.surfaces.tf2.data import Dataset
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Array


class ByFigure(dict[str, list[float]]):
    """The figures by name; `acc` finds `accuracy`, which it was called before Keras 2.3."""

    def __missing__(self, name: str) -> list[float]:
        start = name.removesuffix("acc")
        kinds = ("", "binary_", "categorical_", "sparse_categorical_")
        newer = next((one for one in (f"{start}{kind}accuracy" for kind in kinds) if one in self), None)
        if name not in ("acc", "val_acc") or newer is None:
            raise KeyError(name)
        return self[newer]


@dataclass(slots=True)
class History:
    """What `fit` gives back: for each figure its value after each epoch."""

    history: ByFigure = field(default_factory=ByFigure)
    epoch: list[int] = field(default_factory=list)
    params: dict[str, Any] = field(default_factory=dict)
    model: Any = None


HISTORY = members_of(History, "History")
for name in ("history", "epoch", "params", "model"):
    HISTORY.fact(name)(attrgetter(name))
SHOWN[History] = (lambda history: "<keras.src.callbacks.history.History object>",) * 2


# -- one pass over the data --------------------------------------------------------------------------


def _predict(interpreter: Interpreter, self: UserObject, x: Any, *, training: bool) -> Any:
    settings = {"training": training} if takes_training(self) else {}
    return call_layer(interpreter, self, x, **settings)


def _loss_of(interpreter: Interpreter, self: UserObject, compiled: Compiled, y: Any, y_pred: Any) -> Any:
    """The mean loss, and what the layers have added to it."""
    loss = interpreter.call(compiled.loss, list(losses.same_rank(y, y_pred, column=True)), {})
    return sum(losses_of(interpreter, self), losses.mean_over_all(loss))


def _own_step(interpreter: Interpreter, self: UserObject, name: str, pair: tuple[Any, Any]) -> Any:
    """What the program's own `train_step` or `test_step` says of a batch; None where it has none."""
    if not has_own(self, name):
        return None
    return interpreter.call(attribute_of(interpreter, self, name), [pair], {})


def _train_on(interpreter: Interpreter, self: UserObject, x: Any, y: Any, figures: Figures) -> None:
    """One step: forward and loss on a tape, gradients, update; or what the program's own step does."""
    said = _own_step(interpreter, self, "train_step", (x, y))
    if said is not None:
        figures.say(said)
        return
    compiled = compiled_of(self)
    seen: list[Any] = []

    def loss() -> Any:
        y_pred = _predict(interpreter, self, x, training=True)
        seen[:] = [y_pred, _loss_of(interpreter, self, compiled, y, y_pred)]
        return seen[1]

    def variables() -> list[Any]:
        return list(attribute_of(interpreter, self, "trainable_variables"))

    optimizers.take_step(interpreter, compiled.optimizer, Native("loss", loss), variables)
    figures.add(seen[1], y, seen[0])


def _pass(
    interpreter: Interpreter,
    self: UserObject,
    data: Dataset,
    steps: int | None,
    each: Callable[[Any, Any, Figures], None],
    loop: str = "",
) -> tuple[dict[str, float], int]:
    """All batches, or so many of them: the figures, and how many there were.

    loop: what it is called where all batches go over the same nodes.
    """
    figures = Figures(interpreter, compiled_of(self).metrics)

    def take(element: Any) -> None:
        interpreter.budget.step()
        x, y = parts(element)
        if y is None:
            raise _no_labels()
        each(x, y, figures)

    count = each_batch(interpreter, data, take, steps, loop)
    return figures.values(), count


def _no_labels() -> ProgramError:
    return ValueRefused(
        "There are no labels to compute the loss with.",
        hint="Write model.fit(x, y), or give a data set of pairs.",
        message_zh="没有标签，无法计算损失。",
        hint_zh="请写 model.fit(x, y)，或给出由（输入，标签）组成的数据集。",
        code="wrong_arguments",
    )


# -- fit, evaluate, predict --------------------------------------------------------------------------


def fit(
    interpreter: Interpreter,
    self: UserObject,
    x: Any = None,
    y: Any = None,
    batch_size: Any = None,
    epochs: Any = 1,
    verbose: Any = "auto",
    callbacks: Any = None,
    validation_split: Any = 0.0,
    validation_data: Any = None,
    shuffle: Any = True,
    initial_epoch: Any = 0,
    steps_per_epoch: Any = None,
    validation_steps: Any = None,
    validation_batch_size: Any = None,
    validation_freq: Any = 1,
    nb_epoch: Any = None,
) -> History:
    """Train for some epochs; the figures of each."""
    compiled_of(self)
    if nb_epoch is not None:
        epochs = nb_epoch
        note(interpreter, "nb_epoch", "epochs")
    size = whole_number(32 if batch_size is None else batch_size, "batch_size")
    if validation_split:
        (x, y), validation_data = apart(x, y, float(validation_split))
    data = shuffled(interpreter, x, y, size) if shuffle else rows(x, y, size)
    first, last = whole_number(initial_epoch, "initial_epoch"), whole_number(epochs, "epochs")
    history = History(params={"verbose": verbose, "epochs": last, "steps": data.length}, model=self)
    called = Callbacks(interpreter, self, callbacks, history.params)

    def train(x: Any, y: Any, figures: Figures) -> None:
        batch = figures.batches
        called.call("train_batch_begin", batch, {})
        _train_on(interpreter, self, x, y, figures)
        called.call("train_batch_end", batch, figures.values() if called.all else {})

    found: dict[str, float] = {}
    own: list[str] = []
    called.call("train_begin", {})
    for epoch in range(first, last):
        called.call("epoch_begin", epoch, {})
        found, count = _pass(interpreter, self, data, steps_per_epoch, train)
        if validation_data is not None and (epoch + 1) % validation_freq == 0:
            checked = _validated(
                interpreter, self, validation_data, validation_batch_size or size, validation_steps
            )
            found.update({f"val_{name}": value for name, value in checked.items()})
        own = sorted(found)
        called.call("epoch_end", epoch, found)
        history.epoch.append(epoch)
        for name, value in found.items():
            history.history.setdefault(name, []).append(value)
        if verbose not in (0, "0", False):
            interpreter.print(f"Epoch {epoch + 1}/{last}\n{_line(count, found)}\n")
        if called.stopped:
            break
    called.call("train_end", found)
    history.history = ByFigure(
        (name, history.history[name]) for name in dict.fromkeys([*own, *history.history])
    )
    return history


def _validated(
    interpreter: Interpreter, self: UserObject, data: Any, size: Any, steps: Any
) -> dict[str, float]:
    x, y = data[:2] if isinstance(data, (list, tuple)) else (data, None)

    def check(x: Any, y: Any, figures: Figures) -> None:
        said = _own_step(interpreter, self, "test_step", (x, y))
        if said is not None:
            figures.say(said)
            return
        y_pred = _predict(interpreter, self, x, training=False)
        figures.add(_loss_of(interpreter, self, compiled_of(self), y, y_pred), y, y_pred)

    return _pass(interpreter, self, rows(x, y, int(size)), steps, check, "evaluate")[0]


def evaluate(
    interpreter: Interpreter,
    self: UserObject,
    x: Any = None,
    y: Any = None,
    batch_size: Any = None,
    verbose: Any = "auto",
    steps: Any = None,
    return_dict: Any = False,
) -> Any:
    """The loss, and with metrics a list of all figures."""
    size = 32 if batch_size is None else whole_number(batch_size, "batch_size")
    found = _validated(interpreter, self, (x, y), size, steps)
    if verbose not in (0, "0", False):
        count = -(-len(floats(x)) // size) if not isinstance(x, Dataset) else x.length or 0
        interpreter.print(f"{_line(count, found)}\n")
    if return_dict:
        return dict(sorted(found.items()))
    return next(iter(found.values())) if len(found) == 1 else list(found.values())


def predict(
    interpreter: Interpreter,
    self: UserObject,
    x: Any,
    batch_size: Any = None,
    verbose: Any = "auto",
    steps: Any = None,
) -> Array:
    """What the model gives for all examples, as an array."""
    data = rows(x, None, 32 if batch_size is None else whole_number(batch_size, "batch_size"))
    found: list[Array] = []

    def take(element: Any) -> None:
        interpreter.budget.step()
        found.append(array_of(_predict(interpreter, self, parts(element)[0], training=False)))

    each_batch(interpreter, data, take, steps, "predict")
    return np.concatenate(found)


def train_on_batch(
    interpreter: Interpreter, self: UserObject, x: Any, y: Any = None, return_dict: Any = False
) -> Any:
    """One step with one batch: its loss, and the metrics."""
    data = rows(x, y, max(len(floats(x)), 1))
    found, _ = _pass(interpreter, self, data, 1, lambda x, y, f: _train_on(interpreter, self, x, y, f))
    return _figures_of_batch(found, return_dict)


def evaluate_on_batch(
    interpreter: Interpreter, self: UserObject, x: Any, y: Any = None, return_dict: Any = False
) -> Any:
    """The loss of one batch, and the metrics, without a step."""
    found = _validated(interpreter, self, (x, y), max(len(floats(x)), 1), 1)
    return _figures_of_batch(found, return_dict)


def _figures_of_batch(found: dict[str, float], return_dict: Any) -> Any:
    if return_dict:
        return dict(sorted(found.items()))
    numbers = [np.float32(value) for value in found.values()]
    return numbers[0] if len(numbers) == 1 else numbers


def reset_metrics(self: UserObject) -> None:
    """Each pass over data begins its figures anew here, so that there is nothing to do."""


def metrics_names(self: UserObject) -> list[str]:
    """What `fit` follows by Keras 3's names: the loss, and one for all the metrics of `compile`."""
    compiled = self.fields.get("_compiled")
    if compiled is None:
        return []
    return ["loss", "compile_metrics"] if compiled.metrics else ["loss"]


def _line(count: int, found: dict[str, float]) -> str:
    """`4/4 - loss: 0.1234 - mae: 0.2500`: Keras's line without its times."""
    return " - ".join([f"{count}/{count}", *(f"{name}: {_short(value)}" for name, value in found.items())])


def _short(value: float) -> str:
    return f"{value:.4f}" if abs(value) > 1e-3 or value == 0 else f"{value:.4e}"
