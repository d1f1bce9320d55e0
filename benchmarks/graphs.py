"""Graphs to look at: a deep network as a TensorFlow 1 program, and neutral JSON of any size."""

from __future__ import annotations

import json
from typing import Any

DEEP_NETWORK = """\
import tensorflow as tf

h = tf.ones([4, 8])
for layer in range(20):
    with tf.variable_scope("layer%d" % layer):
        w = tf.get_variable("w", [8, 8])
        b = tf.get_variable("b", [8])
        h = tf.tanh(tf.matmul(h, w) + b)
loss = tf.reduce_mean(tf.square(h))
train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
"""

Node = dict[str, Any]


def network(size: int) -> str:
    """A network with a gradient for each op, as neutral JSON: about `size` nodes, fourteen in a layer."""
    nodes: list[Node] = [_node("x", "Placeholder")]
    last, seed = "x", "gradients/Fill"
    layers = max(1, size // 14)
    for k in range(layers):
        nodes += _layer(f"layer{k}", last)
        last = f"layer{k}/Relu"
    nodes.append(_node(seed, "Fill"))
    for k in reversed(range(layers)):
        nodes += _gradient(f"layer{k}", seed)
        seed = f"gradients/layer{k}/MatMul_grad/MatMul"
    return json.dumps({"nodes": nodes})


def flat(size: int) -> str:
    """So many ops without a scope: all of them are drawn."""
    heads = [_node(f"op{k}", "Relu") for k in range(40)]
    rest = [_node(f"op{k}", "Add", f"op{k - 40}", f"op{k - 37}") for k in range(40, size)]
    return json.dumps({"nodes": heads + rest})


def _layer(name: str, last: str) -> list[Node]:
    nodes = []
    for part in ("w", "b"):
        variable = f"{name}/{part}"
        nodes.append(_node(f"{variable}/initial_value", "Const"))
        nodes.append(_node(variable, "VariableV2"))
        nodes.append(_node(f"{variable}/read", "Identity", variable))
    return [
        *nodes,
        _node(f"{name}/MatMul", "MatMul", last, f"{name}/w/read"),
        _node(f"{name}/BiasAdd", "BiasAdd", f"{name}/MatMul", f"{name}/b/read"),
        _node(f"{name}/Relu", "Relu", f"{name}/BiasAdd"),
    ]


def _gradient(name: str, seed: str) -> list[Node]:
    at = f"gradients/{name}"
    relu, bias, product = (
        f"{at}/Relu_grad/ReluGrad",
        f"{at}/BiasAdd_grad/BiasAddGrad",
        f"{at}/MatMul_grad/MatMul",
    )
    return [
        _node(relu, "ReluGrad", seed, f"{name}/Relu"),
        _node(bias, "BiasAddGrad", relu),
        _node(product, "MatMul", relu, f"{name}/w/read"),
        _node(f"{product}_1", "MatMul", f"{name}/MatMul", relu),
        _node(f"train/update_{name}", "ApplyMomentum", f"{name}/w", f"{product}_1"),
    ]


def _node(name: str, op: str, *inputs: str) -> Node:
    return {"id": name, "op": op, "inputs": list(inputs), "shape": [8]}
