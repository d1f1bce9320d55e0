"""TensorFlow 1's variable scopes and initializers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import DtypeError
from engine.graph import Variable
from engine.graph.variables import initializers
from engine.graph.variables import variable_scopes as scopes
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.argument_kinds import ANY_DTYPE
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.tf1.functions.arrays import known_shape, plain
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.variables import CALLED
from engine.ops.base.building import current_graph
from engine.ops.base.tensors import FLOATS

SCOPE = members_of(scopes.VariableScope, "VariableScope")
SCOPE.fact("name")(lambda scope: scope.name)
SCOPE.fact("original_name_scope")(lambda scope: scope.original_name_scope)
SCOPE.fact("reuse")(lambda scope: scope.reuse)


@SCOPE.method("reuse_variables")
def reuse_variables(owner: scopes.VariableScope) -> None:
    """From here on, existing variables only."""
    owner.reuse_variables()


TF.value(scopes.AUTO_REUSE, "AUTO_REUSE")


@TF.function("get_variable", dtype=ANY_DTYPE)
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
    return scopes.get_variable(
        graph,
        name,
        lengths,
        dtype_name(dtype),
        as_initializer(interpreter, plain(initializer)),
        trainable=bool(trainable),
        collections=collections,
        regularizer=None if regularizer is None else interpreter.as_function(regularizer),
    )


def as_initializer(interpreter: Interpreter, initializer: Any) -> Any:
    """A function of the program as one of ours; rules and values as they are; a rule's class as a rule."""
    if isinstance(initializer, Native) and initializer.function in RULE_MAKERS:
        return initializer.function()
    return interpreter.as_function(initializer) if isinstance(initializer, CALLED) else initializer


@TF.function("variable_scope")
def variable_scope(
    interpreter: Interpreter,
    name_or_scope: Any,
    default_name: Any = None,
    values: Any = None,
    initializer: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    regularizer: Any = None,
) -> Block:
    """Variables made inside the block have names that begin with this one."""
    graph: Any = current_graph()
    penalty = None if regularizer is None else interpreter.as_function(regularizer)
    return Block(
        lambda: scopes.variable_scope(
            graph, name_or_scope, default_name, initializer, reuse, dtype_name(dtype), penalty
        )
    )


@TF.function("get_variable_scope")
def get_variable_scope() -> scopes.VariableScope:
    """The scope that is open."""
    graph: Any = current_graph()
    return scopes.store_of(graph).scope


def _initial_value(interpreter: Interpreter, rule: Any, args: Any, keywords: Any) -> Any:
    """`initializer(shape, dtype)`: the value that a variable of this shape would begin with."""
    given = dict(zip(("shape", "dtype"), args, strict=False), **keywords)
    shape = known_shape(interpreter, given.get("shape", ()))
    return rule(shape, dtype_name(given.get("dtype")) or getattr(rule, "dtype", "float32"))


for rule in initializers.RULES:
    CALLABLES[rule] = _initial_value


@TF.function("constant_initializer", "initializers.constant")
def constant_initializer(value: Any = 0, dtype: Any = None, verify_shape: Any = False) -> Any:
    """One number everywhere."""
    return _typed(initializers.Constant(plain(value), bool(verify_shape)), dtype)


def _typed(rule: Any, dtype: Any) -> Any:
    """A rule that makes this type, where a program gives one."""
    given = dtype_name(dtype)
    return rule if given in (None, "float32") else initializers.Typed(rule, given)


def _typed_floats(rule: Any, dtype: Any) -> Any:
    """The same for random numbers. Raises: DtypeError for a type that is no float's."""
    given = dtype_name(dtype)
    if given is not None and given not in FLOATS:
        raise DtypeError(
            f"Expected floating point type, got {given}.",
            message_zh=f"这里需要浮点类型，不能是 {given}。",
        )
    return _typed(rule, dtype)


def _fixed(rule: Callable[[], Any]) -> Callable[..., Any]:
    return lambda dtype=None: _typed(rule(), dtype)


TF.function("zeros_initializer", "initializers.zeros")(_fixed(initializers.Zeros))
TF.function("ones_initializer", "initializers.ones")(_fixed(initializers.Ones))


@TF.function("initializers.identity")
def identity_initializer(gain: Any = 1.0, dtype: Any = None) -> Any:
    """The identity matrix."""
    return _typed_floats(initializers.Identity(gain), dtype)


@TF.function("initializers.RandomNormal", "initializers.random_normal", "random_normal_initializer")
def random_normal_initializer(mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = None) -> Any:
    """Normal random numbers."""
    return _typed_floats(initializers.RandomNormal(mean, stddev, seed), dtype)


@TF.function("initializers.truncated_normal", "truncated_normal_initializer")
def truncated_normal_initializer(
    mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = None
) -> Any:
    """Normal random numbers within two deviations."""
    return _typed_floats(initializers.TruncatedNormal(mean, stddev, seed), dtype)


@TF.function("initializers.random_uniform", "random_uniform_initializer")
def random_uniform_initializer(
    minval: Any = 0.0, maxval: Any = None, seed: Any = None, dtype: Any = None
) -> Any:
    """Random numbers spread evenly."""
    return _typed(initializers.RandomUniform(minval, maxval, seed), dtype)


def by_connections(scale: float, mode: str, distribution: str = "truncated_normal") -> Callable[..., Any]:
    """Spread by the number of connections."""
    return lambda seed=None: initializers.VarianceScaling(scale, mode, distribution, seed)


def _of_a_type(make: Callable[..., Any]) -> Callable[..., Any]:
    """The same, where a program may also write a type, which TensorFlow 1 does not read."""
    return lambda seed=None, dtype=None: make(seed)


for word, way in (("normal", "truncated_normal"), ("uniform", "uniform")):
    he, glorot = by_connections(2.0, "fan_in", way), by_connections(1.0, "fan_avg", way)
    TF.function(f"initializers.he_{word}", f"keras.initializers.he_{word}")(he)
    TF.function(f"glorot_{word}_initializer", f"initializers.glorot_{word}")(_of_a_type(glorot))


@TF.function("initializers.variance_scaling", "variance_scaling_initializer")
def variance_scaling_initializer(
    scale: Any = 1.0,
    mode: Any = "fan_in",
    distribution: Any = "truncated_normal",
    seed: Any = None,
    dtype: Any = None,
) -> Any:
    """Spread by the number of connections, as the arguments say."""
    kind = "truncated_normal" if distribution == "normal" else distribution
    return _typed_floats(initializers.VarianceScaling(scale, mode.lower(), kind, seed), dtype)


@TF.function("contrib.layers.xavier_initializer")
def xavier_initializer(uniform: Any = True, seed: Any = None, dtype: Any = None) -> Any:
    """Glorot's, evenly or normally (this older one widens by the square root of 1.3)."""
    distribution = "uniform" if uniform else "truncated_normal"
    return _typed_floats(
        initializers.VarianceScaling(1.0, "fan_avg", distribution, seed, narrowing=1.3**-0.5), dtype
    )


RULE_MAKERS = frozenset(
    member.function
    for name, member in TF.members.items()
    if isinstance(member, Native) and ("initializer" in name and "variables" not in name)
)
