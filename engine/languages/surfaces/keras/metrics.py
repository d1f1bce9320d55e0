"""`tf.keras.metrics`: figures over many batches, kept in Python between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ShapeError, ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.keras import losses
from engine.languages.surfaces.keras.fitting.logits import logits_before
from engine.languages.surfaces.keras.imbalance.values import same_rank
from engine.languages.surfaces.keras.losses import float_kind
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Array, Tensor

Each = Callable[..., Array]  # of the values that a batch brings, one figure for each example


class Metric:
    """The weighted mean (or the sum) of figures that batches bring.

    each: the figures of one batch.
    mean: whether the total is divided by the weights.
    """

    def __init__(
        self, kind: str, name: str, each: Each, *, mean: bool = True, dtype: str | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.each = each
        self.mean = mean
        self.number: type[np.floating[Any]] = np.dtype(dtype or "float32").type
        self.total = self.weight = self.number(0)

    def update(self, arrays: list[Array], sample_weight: Any) -> None:
        """Take in a batch."""
        figures = np.asarray(self.each(*arrays), dtype=self.number)
        weights = self.number(1) if sample_weight is None else weights_of(figures, sample_weight)
        self.total += np.sum(figures * weights, dtype=self.number)
        self.weight += np.sum(np.broadcast_to(weights, figures.shape), dtype=self.number)

    @property
    def sees_logits(self) -> bool:
        """Whether it takes predictions as tensors."""
        return isinstance(self.each, OfTensors)

    def reset(self) -> None:
        """Begin anew."""
        self.total = self.weight = self.number(0)

    def figure(self) -> np.floating[Any]:
        """The figure so far; 0 before the first batch."""
        if not self.mean:
            return self.number(self.total)
        return self.number(self.total / self.weight if self.weight else 0)

    def result(self) -> Tensor:
        """The same as a tensor."""
        return ops.constant(self.figure())


def weights_of(figures: Array, given: Any) -> Array:
    """One weight for each figure, or one for all that an example brings; a column of them is one for each."""
    weights = np.asarray(array_of(given), dtype=figures.dtype)
    if weights.ndim == figures.ndim + 1 and weights.shape[-1] == 1:
        weights = weights[..., 0]
    weights = weights.reshape((*weights.shape, *[1] * (figures.ndim - weights.ndim)))
    try:
        return np.broadcast_to(weights, figures.shape)
    except ValueError:
        raise ShapeError(
            f"Weights of the shape {weights.shape} do not fit figures of the shape {figures.shape}.",
            message_zh=f"形状为 {weights.shape} 的权重与形状为 {figures.shape} 的数值不匹配。",
        ) from None


# -- what one example brings -----------------------------------------------------------------------


def _without_column(y_true: Array, y_pred: Array) -> tuple[Array, Array]:
    """(n,) and (n, 1) are both (n,)."""
    if y_true.ndim == y_pred.ndim + 1 and y_true.shape[-1] == 1:
        return y_true[..., 0], y_pred
    if y_pred.ndim == y_true.ndim + 1 and y_pred.shape[-1] == 1:
        return y_true, y_pred[..., 0]
    return y_true, y_pred


def _same_shapes(y_true: Array, y_pred: Array) -> None:
    if y_true.shape != y_pred.shape:
        raise ShapeError(
            f"Labels {y_true.shape} and predictions {y_pred.shape} must have the same shape.",
            message_zh=f"标签 {y_true.shape} 与预测 {y_pred.shape} 的形状必须一致。",
        )


def _agreement(y_true: Array, y_pred: Array) -> Array:
    _same_shapes(y_true, y_pred)
    return np.equal(y_true, y_pred)


def _binary(threshold: float) -> Each:
    def agree(y_true: Array, y_pred: Array) -> Array:
        y_true, y_pred = _without_column(y_true, y_pred)
        if y_true.ndim < 2:
            return _agreement(y_true, y_pred > threshold)
        return np.asarray(_agreement(y_true, y_pred > threshold).mean(axis=-1))

    return agree


def _categorical(y_true: Array, y_pred: Array) -> Array:
    _same_shapes(y_true, y_pred)
    return np.asarray(y_true.argmax(axis=-1) == y_pred.argmax(axis=-1))


def _sparse(y_true: Array, y_pred: Array) -> Array:
    classes = y_pred.argmax(axis=-1)
    given = y_true.reshape(classes.shape) if y_true.size == classes.size else y_true
    return _agreement(given, classes)


def _squares(y_true: Array, y_pred: Array) -> Array:
    y_true, y_pred = _without_column(y_true, y_pred)
    _same_shapes(y_true, y_pred)
    return np.asarray(np.square(y_pred - y_true).mean(axis=-1))


def _each_square(y_true: Array, y_pred: Array) -> Array:
    y_true, y_pred = _without_column(y_true, y_pred)
    _same_shapes(y_true, y_pred)
    return np.asarray(np.square(y_pred - y_true))


def _distances(y_true: Array, y_pred: Array) -> Array:
    y_true, y_pred = _without_column(y_true, y_pred)
    _same_shapes(y_true, y_pred)
    return np.asarray(np.abs(y_pred - y_true).mean(axis=-1))


EPSILON = np.float32(1e-7)


@dataclass(frozen=True, slots=True)
class OfTensors:
    """What examples bring, of predictions as the tensors that they are, with what went into them."""

    each: Each

    def __call__(self, y_true: Array, y_pred: Any) -> Array:
        """One figure for each example."""
        return self.each(y_true, y_pred)


def _entropy(activation: str, of_shares: Each, of_logits: Each) -> OfTensors:
    """A crossentropy of predictions, or of what went into the activation that made them."""

    def each(y_true: Array, y_pred: Any) -> Array:
        logits = logits_before(y_pred, activation)
        if logits is None:
            return of_shares(y_true, np.asarray(array_of(y_pred)))
        return of_logits(y_true, np.asarray(array_of(logits)))

    return OfTensors(each)


def _binary_entropy(y_true: Array, y_pred: Array) -> Array:
    y_true, y_pred = _without_column(y_true, y_pred)
    _same_shapes(y_true, y_pred)
    chance = np.clip(y_pred, EPSILON, 1 - EPSILON)
    entropy = -(y_true * np.log(chance) + (1 - y_true) * np.log(1 - chance))
    return np.asarray(entropy.mean(axis=-1) if entropy.ndim > 1 else entropy)


def _binary_entropy_of_logits(y_true: Array, z: Array) -> Array:
    """max(z, 0) - z t + log(1 + e^-|z|), the mean over the last axis."""
    y_true, z = _without_column(y_true, z)
    _same_shapes(y_true, z)
    entropy = np.maximum(z, 0) - z * y_true + np.log1p(np.exp(-np.abs(z)))
    return np.asarray(entropy.mean(axis=-1) if entropy.ndim > 1 else entropy)


def _log_chances(z: Array) -> Array:
    """z - log sum e^z, along the classes."""
    z = z - z.max(axis=-1, keepdims=True)
    return np.asarray(z - np.log(np.exp(z).sum(axis=-1, keepdims=True)))


def _chances(y_pred: Array) -> Array:
    return np.asarray(np.clip(y_pred / y_pred.sum(axis=-1, keepdims=True), EPSILON, 1 - EPSILON))


def _categorical_entropy(y_true: Array, y_pred: Array) -> Array:
    return _categorical_sum(y_true, np.log(_chances(y_pred)))


def _categorical_sum(y_true: Array, log_chances: Array) -> Array:
    _same_shapes(y_true, log_chances)
    return np.asarray(-(y_true * log_chances).sum(axis=-1))


def _sparse_entropy(y_true: Array, y_pred: Array) -> Array:
    return _sparse_sum(y_true, np.log(_chances(y_pred)))


def _sparse_sum(y_true: Array, y_pred: Array) -> Array:
    if y_pred.ndim == 0 or y_true.size != y_pred[..., 0].size:
        raise ShapeError(
            f"Labels {y_true.shape} and predictions {y_pred.shape} do not fit: each row needs a label.",
            message_zh=f"标签 {y_true.shape} 与预测 {y_pred.shape} 不匹配：每一行要有一个标签。",
        )
    labels = y_true.reshape(y_pred.shape[:-1]).astype(np.int64)
    if labels.size and not (labels.min() >= 0 and labels.max() < y_pred.shape[-1]):
        raise ValueRefused(
            f"A label is outside of 0 to {y_pred.shape[-1] - 1}, the numbers of the classes.",
            message_zh=f"有标签超出类别编号 0 到 {y_pred.shape[-1] - 1}。",
        )
    return np.asarray(-np.take_along_axis(y_pred, labels[..., None], axis=-1)[..., 0])


def _of_log_chances(each: Each) -> Each:
    return lambda y_true, z: each(y_true, _log_chances(z))


PAIRED: Mapping[str, tuple[str, Each]] = {
    "Accuracy": ("accuracy", _agreement),
    "CategoricalAccuracy": ("categorical_accuracy", _categorical),
    "SparseCategoricalAccuracy": ("sparse_categorical_accuracy", _sparse),
    "MeanSquaredError": ("mean_squared_error", _squares),
    "MeanAbsoluteError": ("mean_absolute_error", _distances),
    "BinaryCrossentropy": (
        "binary_crossentropy",
        _entropy("Sigmoid", _binary_entropy, _binary_entropy_of_logits),
    ),
    "CategoricalCrossentropy": (
        "categorical_crossentropy",
        _entropy("Softmax", _categorical_entropy, _of_log_chances(_categorical_sum)),
    ),
    "SparseCategoricalCrossentropy": (
        "sparse_categorical_crossentropy",
        _entropy("Softmax", _sparse_entropy, _of_log_chances(_sparse_sum)),
    ),
}

# -- as programs use them --------------------------------------------------------------------------


def _update_values(metric: Metric, values: Any, sample_weight: Any = None) -> None:
    metric.update([array_of(values)], sample_weight)


def _update_pair(metric: Metric, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
    prediction: Any = convert_to_tensor(y_pred) if metric.sees_logits else np.atleast_1d(array_of(y_pred))
    metric.update([np.atleast_1d(array_of(y_true)), prediction], sample_weight)


class Values(Metric):
    """A metric of values alone."""


class Pairs(Metric):
    """A metric of labels and predictions."""


class CompileMetrics(Pairs):
    """Those that `compile` was given, as one: what it gives is a dictionary.

    figures: all of them by name; follow: takes in labels, predictions and weights of a batch.
    """

    def __init__(
        self, figures: Callable[[], Mapping[str, Any]], follow: Callable[[Any, Any, Any], None]
    ) -> None:
        super().__init__("CompileMetrics", "compile_metrics", lambda *arrays: np.zeros(1))
        self.figures, self.follow = figures, follow

    def update(self, arrays: list[Any], sample_weight: Any) -> None:
        """Take in a batch."""
        y_true, y_pred = arrays
        self.follow(y_true, y_pred, sample_weight)

    def result(self) -> Any:
        """Each by its name."""
        return dict(self.figures())


class Root(Pairs):
    """The square root of the mean of squares."""

    def figure(self) -> np.floating[Any]:
        """The figure so far."""
        return self.number(np.sqrt(super().figure()))


UPDATES = {
    Values: Native("Metric.update_state", _update_values),
    Pairs: Native("Metric.update_state", _update_pair),
}


def _call(interpreter: Interpreter, metric: Metric, args: Any, keywords: Any) -> Tensor:
    """`metric(…)`: the batch taken in, and the figure so far."""
    interpreter.call(UPDATES[Pairs if isinstance(metric, Pairs) else Values], [metric, *args], keywords)
    return metric.result()


def use_as_metric(kind: type[Metric]) -> None:
    """Let programs call its objects, and ask them for what a metric has."""
    table = members_of(kind, "Metric")
    table.fact("name")(lambda metric: metric.name)
    table.methods["update_state"] = UPDATES[Pairs if issubclass(kind, Pairs) else Values]
    table.method("result")(lambda metric: metric.result())
    table.method("reset_state", "reset_states")(lambda metric: metric.reset())
    TYPE_NAMES[kind] = lambda metric: metric.kind
    SHOWN[kind] = (lambda metric: f"<{metric.kind} name={metric.name}>",) * 2
    CALLABLES[kind] = _call


for _kind in (*UPDATES, Root, CompileMetrics):
    use_as_metric(_kind)
for _kind in (*UPDATES, Root):
    members_of(_kind, "Metric").fact("total")(lambda metric: ops.constant(metric.total))
    members_of(_kind, "Metric").fact("count")(lambda metric: ops.constant(metric.weight))


def mean_of_values(name: str) -> Metric:
    """The mean of the values that it is given."""
    return Values("Mean", name, lambda values: values)


ACCURACY = ("accuracy", "acc")


def of_loss(function: Callable[..., Any]) -> Each:
    """What a loss gives for each example."""

    def each(y_true: Array, y_pred: Array) -> Array:
        given = same_rank(ops.constant(y_true), ops.constant(y_pred), column=True)
        return np.asarray(array_of(function(*given)))

    return each


def top_k(k: int, *, sparse: bool) -> Each:
    """Whether the right class is among the k largest predictions."""

    def each(y_true: Array, y_pred: Array) -> Array:
        fitting = y_pred.shape[:-1] if sparse else y_pred.shape
        if not y_pred.ndim or y_true.size != np.prod(fitting):
            raise ShapeError(
                f"Labels {y_true.shape} and predictions {y_pred.shape} do not fit: each row needs a label.",
                message_zh=f"标签 {y_true.shape} 与预测 {y_pred.shape} 不匹配：每一行要有一个标签。",
            )
        rows = y_pred.reshape(-1, y_pred.shape[-1])
        right = y_true.reshape(-1).astype(int) if sparse else y_true.reshape(rows.shape).argmax(-1)
        if right.size and not (right.min() >= 0 and right.max() < rows.shape[-1]):
            raise ValueRefused(
                f"A label is outside of 0 to {rows.shape[-1] - 1}, the numbers of the classes.",
                message_zh=f"有标签超出类别编号 0 到 {rows.shape[-1] - 1}。",
            )
        own = np.take_along_axis(rows, right[:, None], axis=1)
        found = (rows > own).sum(axis=1) < k
        return np.asarray(found.reshape(y_pred.shape[:-1]))

    return each


OF_LOSSES: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "MeanAbsolutePercentageError": ("mean_absolute_percentage_error", losses.mean_absolute_percentage_error),
    "MeanSquaredLogarithmicError": ("mean_squared_logarithmic_error", losses.mean_squared_logarithmic_error),
    "KLDivergence": ("kl_divergence", losses.kl_divergence),
    "Poisson": ("poisson", losses.poisson),
    "LogCoshError": ("logcosh", losses.log_cosh),
    "Hinge": ("hinge", losses.hinge),
    "SquaredHinge": ("squared_hinge", losses.squared_hinge),
    "CategoricalHinge": ("categorical_hinge", losses.categorical_hinge),
    "CosineSimilarity": (
        "cosine_similarity",
        lambda y_true, y_pred: -losses.cosine_similarity(y_true, y_pred),
    ),
}
NAMED: Mapping[str, Each] = {
    **{name: of_loss(function) for name, function in OF_LOSSES.values()},
    **{name: of_loss(losses.mean_absolute_percentage_error) for name in ("mape", "MAPE")},
    **{name: of_loss(losses.mean_squared_logarithmic_error) for name in ("msle", "MSLE")},
    "top_k_categorical_accuracy": top_k(5, sparse=False),
    "sparse_top_k_categorical_accuracy": top_k(5, sparse=True),
    **{name: each for name, each in PAIRED.values() if name != "accuracy"},
    "binary_accuracy": _binary(0.5),
    "mse": _squares,
    "MSE": _squares,
    "mae": _distances,
    "MAE": _distances,
}
ROOT = "root_mean_squared_error"


def known_names() -> list[str]:
    """Every name that `metric_named` knows."""
    return [*ACCURACY, *NAMED]


def metric_named(name: str, y_true: Array, y_pred: Array) -> Metric | None:
    """The metric that a text names; of accuracies the one that fits the shapes of labels and predictions."""
    each = NAMED.get(name)
    if name in ACCURACY:
        classes = y_pred.shape[-1] if y_pred.ndim else 1
        sparse = y_true.ndim < y_pred.ndim or (y_true.shape[-1:] == (1,) and classes > 1)
        each = _binary(0.5) if classes == 1 else _sparse if sparse else _categorical
    return None if each is None else Pairs(name, name, each)


def _mean(name: Any = "mean", dtype: Any = None) -> Metric:
    """The mean of all values."""
    kind = float_kind("Mean", dtype)
    return Values("Mean", name or "mean", lambda values: values, dtype=kind)


def _sum(name: Any = "sum", dtype: Any = None) -> Metric:
    """The sum of all values."""
    kind = float_kind("Sum", dtype)
    return Values("Sum", name or "sum", lambda values: values, mean=False, dtype=kind)


def _binary_accuracy(name: Any = "binary_accuracy", dtype: Any = None, threshold: Any = 0.5) -> Metric:
    """How often a probability lies on the label's side of the threshold."""
    kind = float_kind("BinaryAccuracy", dtype)
    return Pairs("BinaryAccuracy", name or "binary_accuracy", _binary(float(threshold)), dtype=kind)


def _root(name: Any = ROOT, dtype: Any = None) -> Metric:
    """The square root of the mean of squares."""
    kind = float_kind("RootMeanSquaredError", dtype)
    return Root("RootMeanSquaredError", name or ROOT, _each_square, dtype=kind)


def _paired(kind: str, default: str, each: Each) -> Callable[..., Metric]:
    def make(name: Any = default, dtype: Any = None) -> Metric:
        return Pairs(kind, name or default, each, dtype=float_kind(kind, dtype))

    return make


def _top_k(kind: str, *, sparse: bool) -> Callable[..., Metric]:
    default = "sparse_top_k_categorical_accuracy" if sparse else "top_k_categorical_accuracy"

    def make(k: Any = 5, name: Any = default, dtype: Any = None) -> Metric:
        each = top_k(whole_number(k, "k"), sparse=sparse)
        return Pairs(kind, name or default, each, dtype=float_kind(kind, dtype))

    return make


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    made: dict[str, Callable[..., Metric]] = {"Mean": _mean, "Sum": _sum, "BinaryAccuracy": _binary_accuracy}
    made["RootMeanSquaredError"] = _root
    made.update({kind: _paired(kind, *facts) for kind, facts in PAIRED.items()})
    of_losses = {kind: (name, of_loss(function)) for kind, (name, function) in OF_LOSSES.items()}
    made.update({kind: _paired(kind, *facts) for kind, facts in of_losses.items()})
    for kind, sparse in (("TopKCategoricalAccuracy", False), ("SparseTopKCategoricalAccuracy", True)):
        made[kind] = _top_k(kind, sparse=sparse)
    found = {f"keras.metrics.{kind}": Native(f"tf.keras.metrics.{kind}", make) for kind, make in made.items()}
    found |= {f"keras.metrics.{name}": Native(f"tf.keras.metrics.{name}", _function(name)) for name in NAMED}
    for kind in ("BinaryCrossentropy", "CategoricalCrossentropy", "SparseCategoricalCrossentropy"):
        path = f"keras.metrics.{PAIRED[kind][0]}"
        found[path] = Native(f"tf.{path}", losses.LOSSES[kind])
    return found


def _function(name: str) -> Callable[..., Tensor]:
    """A metric as a function: a figure for each example."""

    def each(y_true: Any, y_pred: Any) -> Tensor:
        arrays = (np.asarray(array_of(convert_to_tensor(one))) for one in (y_true, y_pred))
        return ops.constant(np.asarray(NAMED[name](*arrays), np.float32))

    return each
