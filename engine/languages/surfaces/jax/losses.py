"""optax's losses: one number for each example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.surfaces.jax.nn import FUNCTIONS as NN
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import OPTAX


def loss(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a loss under both of its names."""
    return OPTAX.function(name, f"losses.{name}")


@loss("squared_error")
def squared_error(predictions: Any, targets: Any = None) -> Any:
    """The square of each error."""
    return JNP["square"](_errors(predictions, targets))


@loss("l2_loss")
def l2_loss(predictions: Any, targets: Any = None) -> Any:
    """Half the square of each error."""
    return JNP["multiply"](0.5, squared_error(predictions, targets))


def _errors(predictions: Any, targets: Any) -> Any:
    return predictions if targets is None else JNP["subtract"](predictions, targets)


@loss("huber_loss")
def huber_loss(predictions: Any, targets: Any = None, delta: Any = 1.0) -> Any:
    """Half the square of small errors, in a line with the size of others. Source: Huber (1964)."""
    sizes = JNP["abs"](_errors(predictions, targets))
    small = JNP["minimum"](sizes, delta)
    beyond = JNP["subtract"](sizes, small)
    return JNP["add"](JNP["multiply"](0.5, JNP["square"](small)), JNP["multiply"](delta, beyond))


@loss("softmax_cross_entropy")
def softmax_cross_entropy(logits: Any, labels: Any, axis: Any = -1, where: Any = None) -> Any:
    """Cross entropy of the softmax of logits, with a probability for each class."""
    logs = JNP["multiply"](labels, NN["log_softmax"](logits, axis=axis, where=where))
    return JNP["negative"](JNP["sum"](logs, axis=axis, where=where))


@loss("softmax_cross_entropy_with_integer_labels")
def softmax_cross_entropy_with_integer_labels(logits: Any, labels: Any) -> Any:
    """Cross entropy of the softmax of logits along the last axis, with the number of the right class."""
    places = JNP["expand_dims"](labels, -1)
    chosen = JNP["take_along_axis"](logits, places, axis=-1)
    return JNP["subtract"](NN["logsumexp"](logits, axis=-1), JNP["squeeze"](chosen, axis=-1))


@loss("sigmoid_binary_cross_entropy")
def sigmoid_binary_cross_entropy(logits: Any, labels: Any) -> Any:
    """Cross entropy of the sigmoid of logits, with the probability of a yes."""
    yes = JNP["multiply"](labels, NN["log_sigmoid"](logits))
    no = JNP["multiply"](JNP["subtract"](1.0, labels), NN["log_sigmoid"](JNP["negative"](logits)))
    return JNP["subtract"](JNP["negative"](yes), no)
