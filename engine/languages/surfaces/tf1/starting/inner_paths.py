"""`tensorflow.python.…`: the paths inside the library that older programs import from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.languages.interpreter.values import Module
from engine.languages.surfaces.dtypes import DType

HINT = (
    "Names inside the library are not for programs: use the ones of tf itself.",
    "库内部的名称不供程序使用：请使用 tf 自己的名称。",
)
OF_TF = (
    *("array_ops", "check_ops", "clip_ops", "control_flow_ops", "functional_ops", "gradients_impl"),
    *("init_ops", "linalg_ops", "logging_ops", "math_ops", "random_ops", "state_ops", "tensor_array_ops"),
    *("variable_scope", "variables"),
)
OF_FRAMEWORK = ("constant_op", "ops", "random_seed", "tensor_shape", "tensor_util")
# A path below `tensorflow.python`, and the module of tf whose names it has.
ELSEWHERE: Mapping[str, str] = {
    "layers.layers": "layers",
    "ops.embedding_ops": "nn",
    "ops.losses.losses": "losses",
    "ops.metrics": "metrics",
    "ops.nn": "nn",
    "ops.nn_impl": "nn",
    "ops.nn_ops": "nn",
    "ops.rnn": "nn",
    "ops.rnn_cell": "nn.rnn_cell",
    "ops.rnn_cell_impl": "nn.rnn_cell",
    "training.adam": "train",
    "training.gradient_descent": "train",
    "training.optimizer": "train",
    "training.training": "train",
}


def inner_paths(tf: Module) -> Module:
    """The module `tensorflow.python`, whose parts have the names of tf."""
    plain = {name: one for name, one in tf.members.items() if not isinstance(one, Module)}
    found: dict[str, Mapping[str, Any]] = {f"ops.{name}": plain for name in OF_TF}
    found |= {f"framework.{name}": plain for name in OF_FRAMEWORK}
    found["framework.dtypes"] = {name: one for name, one in plain.items() if isinstance(one, DType)}
    found["framework.errors"] = _members(tf, "errors")
    found |= {path: _members(tf, home) for path, home in ELSEWHERE.items()}
    return _tree("tf.python", found)


def _members(module: Module, path: str) -> Mapping[str, Any]:
    for name in path.split("."):
        module = module.members[name]
    return module.members


def _tree(name: str, found: Mapping[str, Mapping[str, Any]]) -> Module:
    """Modules for paths."""
    members: dict[str, Any] = dict(found.get("", {}))
    for head in {path.partition(".")[0] for path in found if path}:
        below = {
            path.removeprefix(head).removeprefix("."): one
            for path, one in found.items()
            if path == head or path.startswith(f"{head}.")
        }
        members[head] = _tree(f"{name}.{head}", below)
    return Module(name, members, others=HINT)
