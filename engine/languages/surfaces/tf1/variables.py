"""TensorFlow 1's variables and placeholders: what they begin with, and assignments."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.graph import Node, Tensor, Variable
from engine.graph.variables.initial_values import is_initialized
from engine.graph.variables.variable import GLOBAL_VARIABLES, LOCAL_VARIABLES, TRAINABLE_VARIABLES
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.objects import UserMethod
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.request_values import request_array, value_for_variable
from engine.languages.surfaces.argument_kinds import ANY_DTYPE, VARIABLES
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.tf1.functions.arrays import plain
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.unsupported import CONSTRAINT, refuse_given
from engine.ops.base.building import current_graph

CALLED = (UserFunction, UserMethod, Native, BoundMethod)  # what may give an initial value when it is called


@TF.function("Variable", dtype=ANY_DTYPE)
def variable(
    interpreter: Interpreter,
    initial_value: Any = None,
    trainable: Any = True,
    collections: Any = None,
    validate_shape: Any = True,
    caching_device: Any = None,
    name: Any = None,
    variable_def: Any = None,
    dtype: Any = None,
    expected_shape: Any = None,
    import_scope: Any = None,
    constraint: Any = None,
    use_resource: Any = None,
) -> Variable:
    """A value that training changes."""
    check_is_given(initial_value)
    refuse_given("Variable", {"constraint": constraint}, *CONSTRAINT)
    if isinstance(initial_value, CALLED):
        initial_value = partial(interpreter.call, initial_value, [], {})
    value = chosen_value(interpreter, initial_value, name, dtype_name(dtype))
    return Variable(
        plain(value),
        dtype=dtype_name(dtype),
        name=name,
        trainable=bool(trainable),
        collections=collections,
    )


def check_is_given(initial_value: Any) -> None:
    """Raises: ProgramError for a variable without an initial value."""
    if initial_value is None:
        raise ProgramError(
            "tf.Variable needs an initial value.",
            message_zh="tf.Variable 需要初始值。",
            hint="Write tf.Variable(0.).",
            hint_zh="请写 tf.Variable(0.)。",
            code="wrong_arguments",
        )


def chosen_value(
    interpreter: Interpreter, initial_value: Any, name: str | None, dtype: str | None = None
) -> Any:
    """The program's own initial value, or the one that the request gives for this variable."""
    node_name = current_graph().names.peek(name or "Variable")  # type: ignore[attr-defined]  # a Graph
    names = [n for n in (interpreter.assigned_name, node_name, f"{node_name}:0") if n]
    given = interpreter.workspace.request_value(names)
    if given is None:
        return initial_value
    if callable(initial_value):
        return request_array(names[0], given, dtype or "float32")
    own_shape = getattr(initial_value, "shape", None) or np.shape(_numbers(initial_value))
    return value_for_variable(names[0], given, own_shape, dtype or _dtype_of(initial_value))


def _numbers(value: Any) -> Any:
    return value if not hasattr(value, "as_tensor") else ()


def _dtype_of(value: Any) -> str:
    if hasattr(value, "as_tensor"):
        return str(value.dtype)
    kind = np.asarray(value).dtype.name
    if isinstance(value, (np.ndarray, np.generic)):
        return kind
    return {"float64": "float32", "int64": "int32"}.get(kind, kind)


@TF.function("placeholder", dtype=ANY_DTYPE)
def placeholder(dtype: Any, shape: Any = None, name: Any = None) -> Tensor:
    """A value that is fed in each run."""
    return ops.placeholder(dtype_name(dtype) or "float32", shape, name=name)


@TF.function("assign")
def assign(
    ref: Any, value: Any, validate_shape: Any = None, use_locking: Any = None, name: Any = None
) -> Tensor:
    """An operation that sets a variable when it runs."""
    return ops.assign(_variable(ref).ref, value, name=name)


@TF.function("assign_add")
def assign_add(ref: Any, value: Any, use_locking: Any = None, name: Any = None) -> Tensor:
    """An operation that adds to a variable when it runs."""
    return ops.assign_add(_variable(ref).ref, value, name=name)


@TF.function("assign_sub")
def assign_sub(ref: Any, value: Any, use_locking: Any = None, name: Any = None) -> Tensor:
    """An operation that subtracts from a variable when it runs."""
    return ops.assign_sub(_variable(ref).ref, value, name=name)


@TF.function("is_variable_initialized")
def is_variable_initialized(variable: Any) -> Tensor:
    """Whether a session holds a value of the variable."""
    graph: Any = current_graph()
    return is_initialized(graph, _variable(variable))


def _variable(value: Any) -> Variable:
    if isinstance(value, Variable):
        return value
    raise ProgramError(
        "Only a variable can be assigned in a graph.",
        message_zh="图中只能给变量赋值。",
        hint="Make it with tf.Variable(…).",
        hint_zh="请用 tf.Variable(…) 创建它。",
        code="not_a_variable",
    )


# -- initializers ------------------------------------------------------------------------------------


@TF.function("global_variables_initializer", "initializers.global_variables")
def global_variables_initializer() -> Node:
    """The operation that gives every variable its initial value."""
    return _initialise(current_graph().collection(GLOBAL_VARIABLES), "init")


TF.value(TF.members["global_variables_initializer"], "initialize_all_variables")


@TF.function("variables_initializer", "initialize_variables", var_list=VARIABLES)
def variables_initializer(var_list: Any, name: str = "init") -> Node:
    """The operation that gives some variables their initial values."""
    return _initialise(list(var_list), name)


@TF.function("local_variables_initializer", "initialize_local_variables")
def local_variables_initializer() -> Node:
    """The operation that gives the local variables, which metrics count in, their initial values."""
    return _initialise(current_graph().collection(LOCAL_VARIABLES), "init")


def _initialise(variables: list[Variable], name: str) -> Node:
    node: Node = ops.group(*(one.initializer for one in variables), name=name)
    return node


@TF.function("global_variables", "all_variables")
def global_variables() -> list[Variable]:
    """All variables of the graph."""
    return list(current_graph().collection(GLOBAL_VARIABLES))


@TF.function("local_variables")
def local_variables() -> list[Variable]:
    """The variables that metrics count in."""
    return list(current_graph().collection(LOCAL_VARIABLES))


@TF.function("trainable_variables")
def trainable_variables() -> list[Variable]:
    """The variables that training changes."""
    return list(current_graph().collection(TRAINABLE_VARIABLES))
