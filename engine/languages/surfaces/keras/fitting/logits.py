"""What went into the softmax or sigmoid behind a prediction, which Keras computes its crossentropies from.

Its own activations remember it, and every crossentropy takes it, be it of the other activation: behind a
softmax the binary crossentropy is that of the sigmoids of what went into it. In a function that is compiled
(a step of `fit`, a `tf.function`) Keras also looks at the op that made the prediction: `tf.nn.softmax` for
the categorical one, `tf.sigmoid` for the binary one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from engine.execution.eager.graph import EagerGraph
from engine.ops.base.building import current_graph
from engine.ops.base.tensors import Tensor


def knows_logits(activation: Callable[..., Any]) -> Callable[..., Any]:
    """An activation of Keras's own, whose result knows what went into it."""

    @wraps(activation)
    def call(*args: Any, **keywords: Any) -> Any:
        result = activation(*args, **keywords)
        if isinstance(result, Tensor) and isinstance(result.graph, EagerGraph):
            result.graph.activations.add(result.node)
        return result

    return call


def logits_before(prediction: Any, activation: str) -> Any:
    """What went into the activation that made a prediction; None where Keras does not know.

    activation: the op's name that a compiled function looks for.
    """
    node = prediction.node if isinstance(prediction, Tensor) else None
    if node is None:
        return None
    graph = node.graph
    if isinstance(graph, EagerGraph) and node in graph.activations:
        return node.inputs[0]
    is_compiled = not isinstance(graph, EagerGraph) or graph.in_function is not None
    return node.inputs[0] if is_compiled and node.op.name == activation else None


@contextmanager
def in_function(owner: Any) -> Iterator[None]:
    """What runs inside is a call of the function that Keras compiles for an owner; None: there is none."""
    graph = current_graph()
    if not isinstance(graph, EagerGraph):
        yield
        return
    with graph.calling(owner):
        yield
