"""Ask a real library for its slopes at corners: `python record_corners.py torch`, or `jax`, or `tensorflow`.

It prints JSON: for each corner of `corners.py` the slopes by each input. `tests/data/corners.json` holds the
answers of PyTorch 2.14.1, JAX and TensorFlow 1.15.5, which `test_corners.py` holds beside the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

POINTS: dict[str, list[Any]] = {
    "abs": [0.0],
    "relu": [0.0],
    "relu6_low": [0.0],
    "relu6_high": [6.0],
    "leaky_relu": [0.0],
    "elu": [0.0],
    "maximum": [1.0, 1.0],
    "minimum": [1.0, 1.0],
    "reduce_max": [[2.0, 2.0, 1.0]],
    "reduce_min": [[1.0, 1.0, 2.0]],
    "norm": [[0.0, 0.0]],
    "sqrt": [0.0],
    "pow_base": [0.0, 0.0],
    "pow_half": [0.0],
    "clip_low": [-1.0],
    "clip_high": [1.0],
    "sort": [[1.0, 1.0]],
    "atan2": [0.0, 0.0],
    "prod": [[0.0, 3.0]],
    "std": [[2.0, 2.0]],
    "floor": [0.5],
    "round": [0.5],
    "where_sqrt": [0.0],
}


def of_torch() -> dict[str, Callable[..., Any]]:
    import torch

    functional = torch.nn.functional
    return {
        "abs": torch.abs,
        "relu": torch.relu,
        "relu6_low": functional.relu6,
        "relu6_high": functional.relu6,
        "leaky_relu": lambda x: functional.leaky_relu(x, 0.2),
        "elu": functional.elu,
        "maximum": torch.maximum,
        "minimum": torch.minimum,
        "reduce_max": torch.amax,
        "reduce_min": torch.amin,
        "norm": torch.norm,
        "sqrt": torch.sqrt,
        "pow_base": torch.pow,
        "pow_half": lambda x: x**0.5,
        "clip_low": lambda x: torch.clamp(x, -1.0, 1.0),
        "clip_high": lambda x: torch.clamp(x, -1.0, 1.0),
        "sort": lambda x: torch.sort(x).values[0],
        "atan2": torch.atan2,
        "prod": torch.prod,
        "std": lambda x: torch.std(x, unbiased=False),
        "floor": torch.floor,
        "round": torch.round,
        "where_sqrt": lambda x: torch.where(x > 0, torch.sqrt(x), torch.zeros(())),
    }


def of_jax() -> dict[str, Callable[..., Any]]:
    import jax
    import jax.numpy as jnp

    return {
        "abs": jnp.abs,
        "relu": jax.nn.relu,
        "relu6_low": jax.nn.relu6,
        "relu6_high": jax.nn.relu6,
        "leaky_relu": lambda x: jax.nn.leaky_relu(x, 0.2),
        "elu": jax.nn.elu,
        "maximum": jnp.maximum,
        "minimum": jnp.minimum,
        "reduce_max": jnp.max,
        "reduce_min": jnp.min,
        "norm": jnp.linalg.norm,
        "sqrt": jnp.sqrt,
        "pow_base": jnp.power,
        "pow_half": lambda x: x**0.5,
        "clip_low": lambda x: jnp.clip(x, -1.0, 1.0),
        "clip_high": lambda x: jnp.clip(x, -1.0, 1.0),
        "sort": lambda x: jnp.sort(x)[0],
        "atan2": jnp.arctan2,
        "prod": jnp.prod,
        "std": jnp.std,
        "floor": jnp.floor,
        "round": jnp.round,
        "where_sqrt": lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0),
    }


def of_tensorflow() -> dict[str, Callable[..., Any]]:
    import tensorflow as tf

    return {
        "abs": tf.abs,
        "relu": tf.nn.relu,
        "relu6_low": tf.nn.relu6,
        "relu6_high": tf.nn.relu6,
        "leaky_relu": lambda x: tf.nn.leaky_relu(x, 0.2),
        "elu": tf.nn.elu,
        "maximum": tf.maximum,
        "minimum": tf.minimum,
        "reduce_max": tf.reduce_max,
        "reduce_min": tf.reduce_min,
        "norm": tf.norm,
        "sqrt": tf.sqrt,
        "pow_base": tf.pow,
        "pow_half": lambda x: x**0.5,
        "clip_low": lambda x: tf.clip_by_value(x, -1.0, 1.0),
        "clip_high": lambda x: tf.clip_by_value(x, -1.0, 1.0),
        "sort": lambda x: tf.sort(x)[0],
        "atan2": tf.atan2,
        "prod": tf.reduce_prod,
        "std": tf.math.reduce_std,
        "floor": tf.floor,
        "round": tf.round,
        "where_sqrt": lambda x: tf.where(x > 0, tf.sqrt(x), tf.zeros(())),
    }


def slopes_torch(function: Callable[..., Any], at: list[Any]) -> list[Any]:
    import torch

    inputs = [torch.tensor(one, requires_grad=True) for one in at]
    return [one.tolist() for one in torch.autograd.grad(function(*inputs), inputs)]


def slopes_jax(function: Callable[..., Any], at: list[Any]) -> list[Any]:
    import jax
    import jax.numpy as jnp

    found = jax.grad(function, argnums=tuple(range(len(at))))(*map(jnp.array, at))
    return [one.tolist() for one in found]


def slopes_tensorflow(function: Callable[..., Any], at: list[Any]) -> list[Any]:
    import numpy as np
    import tensorflow as tf

    inputs = [tf.placeholder(tf.float32, np.shape(one)) for one in at]  # constants would be folded beforehand
    feeds = {inputs[place]: one for place, one in enumerate(at)}
    found = tf.gradients(function(*inputs), inputs)
    with tf.Session() as session:
        return [None if one is None else session.run(one, feeds).tolist() for one in found]


def main(library: str) -> None:
    functions = {"torch": of_torch, "jax": of_jax, "tensorflow": of_tensorflow}[library]()
    slopes = {"torch": slopes_torch, "jax": slopes_jax, "tensorflow": slopes_tensorflow}[library]
    found: dict[str, Any] = {}
    for name, at in POINTS.items():
        try:
            found[name] = slopes(functions[name], at)
        except Exception as error:  # what a library refuses is an answer, too
            found[name] = f"{type(error).__name__}"
    print(json.dumps(found).replace("Infinity", '"inf"').replace("NaN", '"nan"').replace('-"inf"', '"-inf"'))


if __name__ == "__main__":
    main(sys.argv[1])
