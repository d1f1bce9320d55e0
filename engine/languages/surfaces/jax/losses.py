"""optax's losses: one number for each example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.jax.api.calling import is_array
from engine.languages.surfaces.jax.core.avals import is_floating
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.nn import FUNCTIONS as NN
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import OPTAX
from engine.languages.surfaces.left_out import takes_only


def loss(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a loss under both of its names."""
    return OPTAX.function(name, f"losses.{name}")


def check_floats(*values: Any, kind: str = "floating") -> None:
    """Raises: TypeError as optax does for other than floats, or whole numbers."""
    for value in values:
        dtype = aval_of(value).dtype if is_array(value) else None
        if dtype is None:
            raise type_error(f"Cannot determine dtype of {to_repr(value)}", "损失的参数必须是数组。")
        fits = is_floating(dtype) if kind == "floating" else dtype.startswith(("int", "uint"))
        if not fits:
            raise type_error(
                f"Expected the input to have a dtype that is a subdtype of <class 'numpy.{kind}'>, "
                f"got {dtype} "
                "instead",
                f"这里的元素类型不能是 {dtype}。",
                "Convert it first: x.astype(float), or labels.astype(int).",
                "请先转换：x.astype(float)，或 labels.astype(int)。",
            )


def _check_shapes(a: Any, b: Any) -> None:
    """Raises: ValueError where two shapes differ, which would pair each with each by broadcasting."""
    shapes = aval_of(a).shape, aval_of(b).shape
    if shapes[0] != shapes[1]:
        raise value_error(
            f"Shape mismatch: got {shapes[0]} and {shapes[1]}.", f"形状不同：{shapes[0]} 和 {shapes[1]}。"
        )


@loss("squared_error")
def squared_error(predictions: Any, targets: Any = None) -> Any:
    """The square of each error."""
    check_floats(predictions)
    if targets is not None:
        _check_shapes(predictions, targets)
    return JNP["power"](_errors(predictions, targets), 2)


@loss("l2_loss")
def l2_loss(predictions: Any, targets: Any = None) -> Any:
    """Half the square of each error."""
    return JNP["multiply"](0.5, squared_error(predictions, targets))


def _errors(predictions: Any, targets: Any) -> Any:
    return predictions if targets is None else JNP["subtract"](predictions, targets)


@loss("huber_loss")
def huber_loss(predictions: Any, targets: Any = None, delta: Any = 1.0) -> Any:
    """Half the square of small errors, in a line with the size of others. Source: Huber (1964)."""
    check_floats(predictions)
    sizes = JNP["abs"](_errors(predictions, targets))
    small = JNP["minimum"](sizes, delta)
    beyond = JNP["subtract"](sizes, small)
    return JNP["add"](JNP["multiply"](0.5, JNP["square"](small)), JNP["multiply"](delta, beyond))


@loss("softmax_cross_entropy")
def softmax_cross_entropy(logits: Any, labels: Any, axis: Any = -1, where: Any = None) -> Any:
    """Cross entropy of the softmax of logits, with a probability for each class."""
    check_floats(logits)
    logs = JNP["multiply"](labels, NN["log_softmax"](logits, axis=axis, where=where))
    return JNP["negative"](JNP["sum"](logs, axis=axis, where=where))


@loss("softmax_cross_entropy_with_integer_labels")
@takes_only(where=(None,))
def softmax_cross_entropy_with_integer_labels(
    logits: Any, labels: Any, axis: Any = -1, where: Any = None
) -> Any:
    """Cross entropy of the softmax of logits along an axis, with the number of the right class."""
    check_floats(logits)
    check_floats(labels, kind="integer")
    places = JNP["expand_dims"](labels, axis)
    chosen = JNP["take_along_axis"](logits, places, axis=axis)
    return JNP["subtract"](NN["logsumexp"](logits, axis=axis), JNP["squeeze"](chosen, axis=axis))


@loss("sigmoid_binary_cross_entropy")
def sigmoid_binary_cross_entropy(logits: Any, labels: Any) -> Any:
    """Cross entropy of the sigmoid of logits, with the probability of a yes."""
    check_floats(logits)
    yes = JNP["multiply"](labels, NN["log_sigmoid"](logits))
    no = JNP["multiply"](JNP["subtract"](1.0, labels), NN["log_sigmoid"](JNP["negative"](logits)))
    return JNP["subtract"](JNP["negative"](yes), no)


@loss("log_cosh")
def log_cosh(predictions: Any, targets: Any = None) -> Any:
    """log cosh of each error, without overflow."""
    check_floats(predictions)
    errors = _errors(predictions, targets)
    both = JNP["logaddexp"](errors, JNP["negative"](errors))
    return JNP["subtract"](both, JNP["astype"](JNP["log"](2.0), both.aval.dtype))


@loss("hinge_loss")
def hinge_loss(predictor_outputs: Any, targets: Any) -> Any:
    """max(0, 1 - y f), y = -1 or 1."""
    return JNP["maximum"](0, JNP["subtract"](1, JNP["multiply"](predictor_outputs, targets)))


@OPTAX.function("losses.perceptron_loss")
def perceptron_loss(predictor_outputs: Any, targets: Any) -> Any:
    """max(0, -y f), y = -1 or 1."""
    return JNP["maximum"](0, JNP["negative"](JNP["multiply"](predictor_outputs, targets)))


@loss("cosine_similarity")
def cosine_similarity(
    predictions: Any, targets: Any, epsilon: Any = 0.0, axis: Any = -1, where: Any = None
) -> Any:
    """The cosine of the angle between vectors along an axis."""
    check_floats(predictions, targets)

    def unit(x: Any) -> Any:
        length = JNP["sqrt"](JNP["sum"](JNP["square"](x), axis, keepdims=True, where=where))
        return JNP["true_divide"](x, JNP["maximum"](length, epsilon) if epsilon else length)

    return JNP["sum"](JNP["multiply"](unit(predictions), unit(targets)), axis, where=where)


@loss("cosine_distance")
def cosine_distance(
    predictions: Any, targets: Any, epsilon: Any = 0.0, axis: Any = -1, where: Any = None
) -> Any:
    """1 less the cosine."""
    return JNP["subtract"](1.0, cosine_similarity(predictions, targets, epsilon, axis, where))


@loss("kl_divergence")
def kl_divergence(log_predictions: Any, targets: Any, axis: Any = -1, where: Any = None) -> Any:
    """Σ t (log t - log p) along an axis; 0 where t is."""
    check_floats(log_predictions, targets)
    safe = JNP["where"](JNP["equal"](targets, 0), 1, targets)
    log_targets = JNP["where"](JNP["equal"](targets, 0), 0, JNP["log"](safe))
    terms = JNP["multiply"](targets, JNP["subtract"](log_targets, log_predictions))
    return JNP["sum"](terms, axis, where=where)


@OPTAX.function("losses.kl_divergence_with_log_targets")
def kl_divergence_with_log_targets(
    log_predictions: Any, log_targets: Any, axis: Any = -1, where: Any = None
) -> Any:
    """Σ t (log t - log p) along an axis."""
    apart = JNP["subtract"](log_targets, log_predictions)
    return JNP["sum"](JNP["multiply"](JNP["exp"](log_targets), apart), axis, where=where)


@loss("convex_kl_divergence")
def convex_kl_divergence(log_predictions: Any, targets: Any, axis: Any = -1, where: Any = None) -> Any:
    """The same with Σ (p - t) besides, convex in both."""
    check_floats(log_predictions, targets)
    excess = JNP["sum"](JNP["subtract"](JNP["exp"](log_predictions), targets), axis, where=where)
    return JNP["add"](kl_divergence(log_predictions, targets, axis, where), excess)


@loss("smooth_labels")
def smooth_labels(labels: Any, alpha: Any) -> Any:
    """(1 - α) y + α / k for k classes."""
    check_floats(labels)
    count = JNP["asarray"](labels).aval.shape[-1]
    return JNP["add"](JNP["multiply"](1.0 - alpha, labels), alpha / count)


@loss("sigmoid_focal_loss")
def sigmoid_focal_loss(logits: Any, labels: Any, alpha: Any = None, gamma: Any = 2.0) -> Any:
    """Cross entropy times (1 - p)ᵞ of the probability p of what is right. Source: Lin et al. (2017)."""
    p = NN["sigmoid"](logits)
    entropy = sigmoid_binary_cross_entropy(logits, labels)
    other = JNP["subtract"](1, labels)
    right = JNP["add"](JNP["multiply"](p, labels), JNP["multiply"](JNP["subtract"](1, p), other))
    found = JNP["multiply"](entropy, JNP["power"](JNP["subtract"](1, right), gamma))
    if alpha is None:
        return found
    weight = JNP["add"](JNP["multiply"](alpha, labels), JNP["multiply"](1 - alpha, other))
    return JNP["multiply"](weight, found)


@OPTAX.function("losses.poly_loss_cross_entropy")
def poly_loss_cross_entropy(logits: Any, labels: Any, epsilon: Any = 2.0) -> Any:
    """Cross entropy + ε (1 - Σ y p). Source: Leng et al., PolyLoss (2022)."""
    check_floats(logits, labels)
    one_less = JNP["subtract"](1, JNP["sum"](JNP["multiply"](labels, NN["softmax"](logits)), -1))
    return JNP["add"](softmax_cross_entropy(logits, labels), JNP["multiply"](epsilon, one_less))


@loss("safe_softmax_cross_entropy")
def safe_softmax_cross_entropy(logits: Any, labels: Any) -> Any:
    """The same of logits that may be infinite where the label is 0."""
    logs = JNP["where"](JNP["equal"](labels, 0), 0.0, JNP["multiply"](labels, NN["log_softmax"](logits)))
    return JNP["negative"](JNP["sum"](logs, -1))


@OPTAX.function("losses.multiclass_hinge_loss")
def multiclass_hinge_loss(scores: Any, labels: Any) -> Any:
    """max over classes of score + 1 less that of the right class; 0 where that leads by 1."""
    right = NN["one_hot"](labels, JNP["asarray"](scores).aval.shape[-1])
    ahead = JNP["add"](scores, JNP["subtract"](1.0, right))
    chosen = JNP["sum"](JNP["multiply"](scores, right), -1)
    return JNP["subtract"](JNP["max"](ahead, -1), chosen)


@OPTAX.function("losses.multiclass_perceptron_loss")
def multiclass_perceptron_loss(scores: Any, labels: Any) -> Any:
    """max over classes of the score less that of the right class."""
    right = NN["one_hot"](labels, JNP["asarray"](scores).aval.shape[-1])
    chosen = JNP["sum"](JNP["multiply"](scores, right), -1)
    return JNP["subtract"](JNP["max"](scores, -1), chosen)


@OPTAX.function("losses.triplet_margin_loss")
def triplet_margin_loss(
    anchors: Any,
    positives: Any,
    negatives: Any,
    axis: Any = -1,
    norm_degree: Any = 2,
    margin: Any = 1.0,
    eps: Any = 1e-6,
) -> Any:
    """max(0, d(a, p) - d(a, n) + margin). Source: Balntas et al. (2016)."""

    def distance(other: Any) -> Any:
        powers = JNP["power"](JNP["abs"](JNP["subtract"](anchors, other)), norm_degree)
        return JNP["power"](JNP["add"](JNP["sum"](powers, axis), eps), 1.0 / norm_degree)

    apart = JNP["subtract"](distance(positives), distance(negatives))
    return JNP["maximum"](JNP["add"](apart, margin), 0.0)
