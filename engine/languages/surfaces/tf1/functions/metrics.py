"""TensorFlow 1's figures over many batches, and counts of zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.graph.composites import metrics
from engine.languages.surfaces.tf1.collections import add_to_collection
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import offer, taken
from engine.ops.base.building import current_graph

offer(
    metrics.count_nonzero,
    "count_nonzero",
    "math.count_nonzero",
    keep_dims="keepdims",
    reduction_indices="axis",
)


@TF.function("metrics.mean")
def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: Any = None,
) -> Any:
    """The mean over all batches so far: the figure, and the op that adds a batch."""
    graph: Any = current_graph()
    figure = metrics.mean(graph, taken(values), name, taken(weights))
    return _collected(figure, metrics_collections, updates_collections)


def _of_pairs(kind: str, doc: str) -> Callable[..., Any]:
    """A figure of labels and predictions."""
    build = getattr(metrics, kind)

    def figure(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: Any = None,
    ) -> Any:
        pair = build(current_graph(), taken(labels), taken(predictions), name, taken(weights))
        return _collected(pair, metrics_collections, updates_collections)

    figure.__doc__ = f"{doc}, over all batches so far: the figure, and the op that adds a batch."
    return figure


for kind, doc in (
    ("accuracy", "How often two tensors of classes agree"),
    ("mean_squared_error", "The mean of squared differences"),
):
    TF.function(f"metrics.{kind}")(_of_pairs(kind, doc))


def _collected(pair: tuple[Any, Any], *collections: Any) -> tuple[Any, Any]:
    """A figure and its update, each entered into the collections that the program names for it."""
    for item, names in zip(pair, collections, strict=True):
        for name in [names] if isinstance(names, str) else names or ():
            add_to_collection(current_graph(), name, item)
    return pair


@TF.function("nn.zero_fraction", "math.zero_fraction")
def zero_fraction(value: Any, name: Any = None) -> Any:
    """The share of elements that are 0."""
    graph: Any = current_graph()
    return metrics.zero_fraction(graph, taken(value), name)
