"""A graph's collections: lists by name, such as the trainable variables, that parts of a program share."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.tensors import GRAPH
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import current_graph

KEYS: dict[str, str] = {
    "ACTIVATIONS": "activations",
    "BIASES": "biases",
    "EVAL_STEP": "eval_step",
    "GLOBAL_STEP": "global_step",
    "GLOBAL_VARIABLES": "variables",
    "LOCAL_VARIABLES": "local_variables",
    "LOSSES": "losses",
    "METRIC_VARIABLES": "metric_variables",
    "MOVING_AVERAGE_VARIABLES": "moving_average_variables",
    "MODEL_VARIABLES": "model_variables",
    "REGULARIZATION_LOSSES": "regularization_losses",
    "SUMMARIES": "summaries",
    "TRAINABLE_VARIABLES": "trainable_variables",
    "TRAIN_OP": "train_op",
    "UPDATE_OPS": "update_ops",
    "VARIABLES": "variables",
    "WEIGHTS": "weights",
}
for key_name, key in KEYS.items():
    TF.value(key, f"GraphKeys.{key_name}")


def _items(graph: Any, key: Any) -> list[Any]:
    """The list itself; what the engine keeps for itself (its keys begin with `__`) is no program's."""
    hidden = not isinstance(key, str) or key.startswith("__")
    items: list[Any] = [] if hidden else graph.collection(key)
    return items


def matching(graph: Any, key: Any, scope: Any) -> list[Any]:
    """What a collection holds, or of it what has a name that begins with `scope`."""
    items = _items(graph, key)
    return [item for item in items if not scope or getattr(item, "name", "").startswith(scope)]


def add_to_collection(graph: Any, name: Any, value: Any) -> None:
    """Enter a value into a collection."""
    _items(graph, name).append(value)


TF.function("get_collection")(lambda key, scope=None: matching(current_graph(), key, scope))
TF.function("get_collection_ref")(lambda key: _items(current_graph(), key))
TF.function("add_to_collection")(lambda name, value: add_to_collection(current_graph(), name, value))
GRAPH.methods["get_collection"] = Native(
    "Graph.get_collection", lambda graph, name, scope=None: matching(graph, name, scope)
)
GRAPH.methods["add_to_collection"] = Native("Graph.add_to_collection", add_to_collection)
