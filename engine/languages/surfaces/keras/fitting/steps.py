"""One step of a training or an evaluation: forward, the losses of the outputs, the update, the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

from engine import ops
from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras import losses
from engine.languages.surfaces.keras.fitting.batches import Feed, each_batch, first_of, parts
from engine.languages.surfaces.keras.fitting.compiling import Compiled, compiled_of, has_own
from engine.languages.surfaces.keras.fitting.figures import Figures, Judged
from engine.languages.surfaces.keras.fitting.held import listed_by
from engine.languages.surfaces.keras.fitting.logits import in_function
from engine.languages.surfaces.keras.fitting.outputs import Output, in_order, labels_in_order, values_of
from engine.languages.surfaces.keras.imbalance.values import same_rank
from engine.languages.surfaces.keras.layer import call_layer, losses_of, takes_training
from engine.languages.surfaces.keras.layering.shapes import of_any_batch
from engine.languages.surfaces.keras.masks import mask_of
from engine.languages.surfaces.keras.optimizers import optimizer as optimizers

Step = Callable[[Any, Figures], None]  # takes in one batch


def forward(interpreter: Interpreter, self: UserObject, x: Any, *, training: bool) -> Any:
    """What the model gives for a batch."""
    settings = {"training": training} if takes_training(self) else {}
    is_first = not self.fields["built"]
    result = call_layer(interpreter, self, x, **settings)
    if is_first:
        of_any_batch(self)
    return result


# -- the losses --------------------------------------------------------------------------------------


def loss_of(interpreter: Interpreter, loss: Any, y_true: Any, y_pred: Any, weights: Any) -> Any:
    """The mean loss of one output, each example by its weight."""
    pair = list(same_rank(y_true, y_pred, column=True))
    if weights is None:
        return losses.mean_over_all(interpreter.call(loss, pair, {}))
    if _takes_weights(loss):
        return losses.mean_over_all(interpreter.call(loss, pair, {"sample_weight": weights}))
    each = interpreter.call(loss, pair, {})
    return losses.mean_over_all(each * losses.weights_for(each, weights))


def _takes_weights(loss: Any) -> bool:
    """Whether it weighs the examples itself: a loss of Keras, or of a class below `Loss`."""
    if isinstance(loss, Native):
        return "sample_weight" in signature(loss.function).parameters
    return isinstance(loss, UserObject)


def judged(interpreter: Interpreter, self: UserObject, y: Any, y_pred: Any, weights: Any) -> list[Judged]:
    """The loss of each output. Raises: ValueRefused where labels or weights are not those of the outputs."""
    outputs = compiled_of(self).of_outputs(self, y_pred)
    if y is None and any(one.loss is not None for one in outputs):
        raise no_labels()
    predictions = values_of(y_pred)
    truths = [None] * len(outputs) if y is None else labels_in_order(y, outputs)
    names = [one.name for one in outputs]
    shares = in_order(weights, names, "sample weights", "样本权重", whole=True)

    def each() -> Iterator[Judged]:
        for output, truth, prediction, own in zip(outputs, truths, predictions, shares, strict=True):
            own = _with_mask(interpreter, prediction, own)
            has_loss = output.loss is not None and truth is not None
            loss = loss_of(interpreter, output.loss, truth, prediction, own) if has_loss else None
            yield Judged(output, truth, prediction, own, loss, mask_of(interpreter, prediction))

    return list(each())


def _with_mask(interpreter: Interpreter, y_pred: Any, weights: Any) -> Any:
    """The weights, 0 for turns that do not count, and the others larger by as much."""
    mask = mask_of(interpreter, y_pred)
    if mask is None:
        return weights
    counts = ops.cast(mask, "float32")
    scaled = counts / ops.maximum(ops.reduce_mean(counts), 1e-7)
    return scaled if weights is None else scaled * ops.cast(weights, "float32")


def whole_loss(interpreter: Interpreter, self: UserObject, found: list[Judged]) -> Any:
    """The sum of all losses by their shares, and what the layers have added.

    Raises: ProgramError where there is none at all.
    """
    added = [losses.sum_over_all(one) for one in losses_of(interpreter, self)]
    own = [_share(one.output, one.loss) for one in found if one.loss is not None]
    if not own and not added:
        raise ProgramError(
            "compile() was given no loss.",
            hint='Write loss="mse", or a class of tf.keras.losses.',
            message_zh="compile() 没有给出损失函数。",
            hint_zh='请写 loss="mse"，或 tf.keras.losses 中的类。',
            code="wrong_arguments",
            kind="ValueError",
        )
    return sum(added, sum(own[1:], own[0])) if own else sum(added[1:], added[0])


def _share(output: Output, loss: Any) -> Any:
    return loss if output.share == 1.0 else loss * output.share


def compute_loss(
    interpreter: Interpreter,
    self: UserObject,
    x: Any = None,
    y: Any = None,
    y_pred: Any = None,
    sample_weight: Any = None,
    training: Any = True,
) -> Any:
    """The loss that `compile` names, and what the layers have added, for a step of the program's own."""
    return whole_loss(interpreter, self, judged(interpreter, self, y, y_pred, sample_weight))


def _loss_by_program(
    interpreter: Interpreter, self: UserObject, given: Any, found: list[Judged], *, training: bool = True
) -> Any:
    """What the program's own `compute_loss` gives, where it has one; else the sum of the losses."""
    own = self.kind.find("compute_loss")
    if not isinstance(own, UserFunction):
        return whole_loss(interpreter, self, found)
    names = ("x", "y", "y_pred", "sample_weight")
    settings = dict(zip(names, given, strict=True))
    if "training" in own.signature.names:
        settings["training"] = training
    return interpreter.call(attribute_of(interpreter, self, "compute_loss"), [], settings)


def no_labels() -> ProgramError:
    """A batch without labels, for a loss that compares with them."""
    return ValueRefused(
        "There are no labels to compute the loss with.",
        hint="Write model.fit(x, y), or give a data set of pairs.",
        message_zh="没有标签，无法计算损失。",
        hint_zh="请写 model.fit(x, y)，或给出由（输入，标签）组成的数据集。",
        code="wrong_arguments",
    )


# -- the steps ---------------------------------------------------------------------------------------


def _own_step(interpreter: Interpreter, self: UserObject, name: str, element: Any) -> Any:
    """What the program's own `train_step` or `test_step` says of a batch; None where it has none."""
    if not has_own(self, name):
        return None
    alone = isinstance(element, tuple) and len(element) == 1
    return interpreter.call(attribute_of(interpreter, self, name), [element[0] if alone else element], {})


def train_on(interpreter: Interpreter, self: UserObject, element: Any, figures: Figures) -> None:
    """One step: forward and loss on a tape, gradients, update; or what the program's own step does."""
    with in_function(_function(self, "train")):
        _train_on(interpreter, self, element, figures)


def _function(self: UserObject, kind: str) -> Any:
    """What stands for the function of the steps since `compile`; None where they run eagerly."""
    compiled: Compiled | None = self.fields.get("_compiled")
    return None if compiled is not None and not compiled.is_traced else (id(compiled), kind)


def _train_on(interpreter: Interpreter, self: UserObject, element: Any, figures: Figures) -> None:
    said = _own_step(interpreter, self, "train_step", element)
    if said is not None:
        figures.say(said)
        return
    x, y, weights = parts(element)
    seen: list[Any] = []

    def loss() -> Any:
        y_pred = forward(interpreter, self, x, training=True)
        found = judged(interpreter, self, y, y_pred, weights)
        seen[:] = [found, _loss_by_program(interpreter, self, (x, y, y_pred, weights), found)]
        return seen[1]

    compiled = compiled_of(self)

    def variables() -> list[Any]:
        found = list(attribute_of(interpreter, self, "trainable_variables"))
        if compiled.trained is None or not compiled.is_traced:
            compiled.trained = found
        elif len(found) != len(compiled.trained):
            _note_trained_before(interpreter)
        return compiled.trained

    optimizer, whole = compiled.optimizer, Native("loss", loss)
    optimizers.take_step(interpreter, optimizer, whole, variables, is_fitting=True)
    figures.add(seen[1], _rows_in(element), seen[0])


def _note_trained_before(interpreter: Interpreter) -> None:
    interpreter.note(
        "trainable_after_compile",
        "`trainable` has changed since compile(); as in Keras, fit() goes on with the variables of before.",
        "`trainable` 在 compile() 之后改变了；与 Keras 一样，fit() 仍训练之前的变量。",
        "Call model.compile(…) again.",
        "请再次调用 model.compile(…)。",
    )


def _rows_in(element: Any) -> int:
    """How many rows a batch has."""
    return int(first_of(element).shape[0])


def evaluate_on(interpreter: Interpreter, self: UserObject, element: Any, figures: Figures) -> None:
    """The losses and metrics of a batch without a step; or what the program's own step says."""
    with in_function(_function(self, "test")):
        _evaluate_on(interpreter, self, element, figures)


def _evaluate_on(interpreter: Interpreter, self: UserObject, element: Any, figures: Figures) -> None:
    said = _own_step(interpreter, self, "test_step", element)
    if said is not None:
        figures.say(said)
        return
    x, y, weights = parts(element)
    y_pred = forward(interpreter, self, x, training=False)
    found = judged(interpreter, self, y, y_pred, weights)
    loss = _loss_by_program(interpreter, self, (x, y, y_pred, weights), found, training=False)
    figures.add(loss, _rows_in(element), found)


def run_epoch(
    interpreter: Interpreter,
    self: UserObject,
    feed: Feed,
    step: Step,
    loop: str = "",
    until: Callable[[], bool] = lambda: False,
) -> tuple[dict[str, Any], int]:
    """All batches of an epoch: the figures, and how many there were.

    loop: what it is called where all batches go over the same nodes.
    """
    figures = compiled_of(self).figures
    reset_metrics(interpreter, self)

    def take(element: Any) -> None:
        interpreter.budget.step()
        step(element, figures)

    count = each_batch(feed, take, loop, until)
    return _of_epoch(interpreter, compiled_of(self)), count


def _of_epoch(interpreter: Interpreter, compiled: Compiled) -> dict[str, Any]:
    """The figures of an epoch.

    Raises: ValueRefused where a step of the program's own leaves the metrics of `compile` out, as Keras does.
    """
    figures = compiled.figures
    asked = (compiled.metrics or compiled.weighted) and not figures.are_all
    if figures.said is not None and asked and not figures.is_built:
        raise _not_built()
    found = figures.of_epoch()
    if found.get("loss") == 0 and figures.has_no_loss:
        interpreter.note(
            "loss_not_followed",
            "The step gives `loss`, but Keras shows its own mean of that name, which nothing has updated: 0.",
            "这一步返回了 `loss`，但 Keras 显示的是它自己的同名平均值，而它从未更新：0。",
            "Keep a keras.metrics.Mean(name='loss'), update it, and list it in the property `metrics`.",
            "请使用 keras.metrics.Mean(name='loss')，更新它，并在属性 `metrics` 中列出。",
        )
    return found


def _not_built() -> ProgramError:
    return ValueRefused(
        "Cannot get result() since the metric has not yet been built.",
        hint="Update the metrics of compile() in the step: for m in self.metrics: m.update_state(y, y_pred).",
        message_zh="指标尚未建立，因此无法取得 result()。",
        hint_zh="请在这一步中更新 compile() 的指标：for m in self.metrics: m.update_state(y, y_pred)。",
        kind="ValueError",
    )


def reset_metrics(interpreter: Interpreter, self: UserObject) -> None:
    """Begin all figures anew: those of `compile`, and those that the model itself holds or lists."""
    compiled: Compiled | None = self.fields.get("_compiled")
    if compiled is not None:
        compiled.figures.reset()
    for metric in listed_by(interpreter, self):
        metric.reset()
