"""TensorFlow 1's variable scopes and initializers."""

from __future__ import annotations

from typing import Any

from engine.graph import Variable, initializers, scopes
from engine.ops.building import current_graph
from engine.programs.interpreter.attributes import members_of
from engine.programs.interpreter.machine import Interpreter
from engine.programs.interpreter.values import Block

from .dtypes import dtype_name
from .tf1_ops import TF, plain

SCOPE = members_of(scopes.VariableScope, "VariableScope")
SCOPE.fact("name")(lambda scope: scope.name)
SCOPE.fact("original_name_scope")(lambda scope: scope.original_name_scope)
SCOPE.fact("reuse")(lambda scope: scope.reuse)


@SCOPE.method("reuse_variables")
def reuse_variables(scope: scopes.VariableScope) -> None:
    """From here on, existing variables only."""
    scope.reuse_variables()


TF.value(scopes.AUTO_REUSE, "AUTO_REUSE")


@TF.function("get_variable")
def get_variable(
    interpreter: Interpreter,
    name: Any,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: Any = True,
    collections: Any = None,
    use_resource: Any = None,
) -> Variable:
    """The variable of this name in the scope: made once, or given out again."""
    graph: Any = current_graph()
    lengths = [shape] if isinstance(shape, int) else shape
    rule = _callable(interpreter, plain(initializer))
    return scopes.get_variable(graph, name, lengths, dtype_name(dtype), rule, trainable=bool(trainable))


def _callable(interpreter: Interpreter, initializer: Any) -> Any:
    """A function of the program as one of ours; rules and values as they are."""
    if callable(initializer) or hasattr(initializer, "as_tensor") or not hasattr(initializer, "call"):
        return initializer
    return lambda *arguments: interpreter.call(initializer, list(arguments), {})


@TF.function("variable_scope")
def variable_scope(
    name_or_scope: Any,
    default_name: Any = None,
    values: Any = None,
    initializer: Any = None,
    reuse: Any = None,
    dtype: Any = None,
) -> Block:
    """Variables made inside the block have names that begin with this one."""
    graph: Any = current_graph()
    return Block(
        lambda: scopes.variable_scope(
            graph, name_or_scope, default_name, initializer, reuse, dtype_name(dtype)
        )
    )


@TF.function("get_variable_scope")
def get_variable_scope() -> scopes.VariableScope:
    """The scope that is open."""
    graph: Any = current_graph()
    return scopes.store_of(graph).scope


@TF.function("constant_initializer", "initializers.constant")
def constant_initializer(value: Any = 0, dtype: Any = None, verify_shape: Any = False) -> Any:
    """One number everywhere."""
    return initializers.Constant(plain(value))


@TF.function("zeros_initializer", "initializers.zeros")
def zeros_initializer(dtype: Any = None) -> Any:
    """Zeros."""
    return initializers.Zeros()


@TF.function("ones_initializer", "initializers.ones")
def ones_initializer(dtype: Any = None) -> Any:
    """Ones."""
    return initializers.Ones()


@TF.function("initializers.identity")
def identity_initializer(gain: Any = 1.0, dtype: Any = None) -> Any:
    """The identity matrix."""
    return initializers.Identity(gain)


@TF.function("initializers.RandomNormal", "initializers.random_normal", "random_normal_initializer")
def random_normal_initializer(mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = None) -> Any:
    """Normal random numbers."""
    return initializers.RandomNormal(mean, stddev, seed)


@TF.function("initializers.truncated_normal", "truncated_normal_initializer")
def truncated_normal_initializer(
    mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = None
) -> Any:
    """Normal random numbers within two deviations."""
    return initializers.TruncatedNormal(mean, stddev, seed)


@TF.function("initializers.random_uniform", "random_uniform_initializer")
def random_uniform_initializer(
    minval: Any = 0.0, maxval: Any = None, seed: Any = None, dtype: Any = None
) -> Any:
    """Random numbers spread evenly."""
    return initializers.RandomUniform(minval, maxval, seed)


@TF.function("glorot_uniform_initializer", "initializers.glorot_uniform")
def glorot_uniform_initializer(seed: Any = None, dtype: Any = None) -> Any:
    """Spread by the number of connections, evenly."""
    return initializers.VarianceScaling(1.0, "fan_avg", "uniform", seed)


@TF.function("glorot_normal_initializer", "initializers.glorot_normal")
def glorot_normal_initializer(seed: Any = None, dtype: Any = None) -> Any:
    """Spread by the number of connections, normally."""
    return initializers.VarianceScaling(1.0, "fan_avg", "truncated_normal", seed)
