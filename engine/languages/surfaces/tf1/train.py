"""TensorFlow 1's gradients and optimizers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import differentiation, optimizers
from engine.differentiation.reverse.aggregation import METHODS
from engine.errors import ProgramError
from engine.graph import Node, Tensor, Variable
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, Lazy
from engine.languages.surfaces.argument_kinds import NUMBERS, SCALAR, TENSOR, VARIABLE
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.session import run
from engine.languages.workspace import GradientCall, UpdateCall
from engine.ops.base.building import current_graph
from engine.ops.base.shapes import whole_number
from engine.optimizers import schedules
from engine.optimizers.building import GATE_GRAPH, GATE_NONE, GATE_OP, Optimizer, no_gradients

OPTIMIZER = members_of(Optimizer, "Optimizer")
TYPE_NAMES[Optimizer] = lambda one: f"{one.rule.name}Optimizer"
OPTIMIZER.method("get_name")(lambda optimizer: optimizer.name)
OPTIMIZER.method("get_slot", var=VARIABLE)(lambda optimizer, var, name: optimizer.get_slot(var, name))
OPTIMIZER.method("get_slot_names")(lambda optimizer: optimizer.get_slot_names())
OPTIMIZER.method("variables")(lambda optimizer: optimizer.variables())


@TF.function("gradients", "compat.v1.gradients")
def gradients(
    interpreter: Interpreter,
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: Any = "gradients",
    colocate_gradients_with_ops: Any = False,
    gate_gradients: Any = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> list[Tensor | None]:
    """The nodes that compute d(sum of ys)/dx for each x."""
    found = differentiation.gradients(
        ys,
        xs,
        grad_ys,
        name=name or "gradients",
        gate=bool(gate_gradients),
        colocate=bool(colocate_gradients_with_ops),
        stop_gradients=stop_gradients,
        unconnected_gradients=unconnected_gradients,
        aggregation_method=_method(aggregation_method),
    )
    record(interpreter, _as_list(ys), _as_list(xs), found)
    return found


for method_name, method in METHODS.items():
    TF.value(method, f"AggregationMethod.{method_name}")


def _method(given: Any) -> int | None:
    return None if given is None else whole_number(given, "aggregation_method")


TF.value("none", "UnconnectedGradients.NONE")
TF.value("zero", "UnconnectedGradients.ZERO")


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def record(
    interpreter: Interpreter,
    ys: Sequence[Any],
    xs: Sequence[Any],
    found: Sequence[Any],
    *,
    is_loss: bool = False,
    usual: bool = False,
) -> None:
    """Remember what was differentiated, so that the answer can show it."""
    tensors = tuple(y.as_tensor() for y in ys)
    if tensors:
        call = GradientCall(tensors, tuple(xs), tuple(found), is_loss, usual=usual)
        interpreter.workspace.gradient_calls.append(call)


OPTIMIZERS: dict[str, Callable[..., Optimizer]] = {
    "GradientDescentOptimizer": optimizers.gradient_descent_optimizer,
    "MomentumOptimizer": optimizers.momentum_optimizer,
    "AdagradOptimizer": optimizers.adagrad_optimizer,
    "AdagradDAOptimizer": optimizers.adagrad_da_optimizer,
    "AdadeltaOptimizer": optimizers.adadelta_optimizer,
    "RMSPropOptimizer": optimizers.rms_prop_optimizer,
    "AdamOptimizer": optimizers.adam_optimizer,
    "FtrlOptimizer": optimizers.ftrl_optimizer,
    "ProximalGradientDescentOptimizer": optimizers.proximal_gradient_descent_optimizer,
    "ProximalAdagradOptimizer": optimizers.proximal_adagrad_optimizer,
}

for optimizer_name, make in OPTIMIZERS.items():
    TF.function(f"train.{optimizer_name}")(make)

SCHEDULES: dict[str, Callable[..., Tensor]] = {
    "exponential_decay": schedules.exponential_decay,
    "natural_exp_decay": schedules.natural_exp_decay,
    "inverse_time_decay": schedules.inverse_time_decay,
    "polynomial_decay": schedules.polynomial_decay,
    "piecewise_constant": schedules.piecewise_constant,
    "piecewise_constant_decay": schedules.piecewise_constant,
    "cosine_decay": schedules.cosine_decay,
    "cosine_decay_restarts": schedules.cosine_decay_restarts,
    "linear_cosine_decay": schedules.linear_cosine_decay,
}

RATES = {"values": NUMBERS, "alpha": SCALAR, "decay_steps": SCALAR}
for schedule_name, decay in SCHEDULES.items():
    TF.function(f"train.{schedule_name}", **RATES)(decay)


class OptimizerKind(Kind):
    """`tf.train.Optimizer`: what `isinstance` asks for, and where the gates are named."""


def _optimizer(use_locking: Any = False, name: Any = "Optimizer") -> None:
    raise ProgramError(
        "tf.train.Optimizer is the base of all optimizers, and no optimizer itself.",
        message_zh="tf.train.Optimizer 是所有优化器的基类，本身不是优化器。",
        hint="Take one of them, such as tf.train.GradientDescentOptimizer(0.1).",
        hint_zh="请使用其中一种，例如 tf.train.GradientDescentOptimizer(0.1)。",
        code="wrong_arguments",
    )


TF.value(OptimizerKind("tf.train.Optimizer", _optimizer, (Optimizer,)), "train.Optimizer")
GATES = members_of(OptimizerKind, "Optimizer")
GATES.fact("GATE_NONE")(lambda kind: GATE_NONE)
GATES.fact("GATE_OP")(lambda kind: GATE_OP)
GATES.fact("GATE_GRAPH")(lambda kind: GATE_GRAPH)
OPTIMIZER.facts.update(GATES.facts)


@TF.function("train.get_global_step")
def get_global_step(graph: Any = None) -> Variable | None:
    """The variable that counts the training steps, or None."""
    return optimizers.get_global_step(_graph(graph))


@TF.function("train.create_global_step")
def create_global_step(graph: Any = None) -> Variable:
    """A new variable that counts the training steps."""
    return optimizers.create_global_step(_graph(graph))


@TF.function("train.get_or_create_global_step")
def get_or_create_global_step(graph: Any = None) -> Variable:
    """The variable that counts the training steps, made where there is none."""
    return optimizers.get_or_create_global_step(_graph(graph))


def _graph(given: Any) -> Any:
    return given or current_graph()


@TF.function("train.global_step", global_step_tensor=TENSOR)
def global_step(interpreter: Interpreter, sess: Any, global_step_tensor: Any) -> int:
    """The number of training steps made in a session."""
    return whole_number(run(interpreter, sess, global_step_tensor), "global_step_tensor")


@OPTIMIZER.method("compute_gradients")
def compute_gradients(
    interpreter: Interpreter,
    optimizer: Optimizer,
    loss: Any,
    var_list: Any = None,
    gate_gradients: Any = GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: Any = False,
    grad_loss: Any = None,
) -> list[tuple[Any, Variable]]:
    """The (gradient, variable) pairs."""
    tensor = _loss(loss)
    variables = None if var_list is None else _variables(var_list)
    pairs = optimizer.compute_gradients(
        tensor,
        variables,
        gate_gradients,
        _method(aggregation_method),
        colocate_gradients_with_ops=bool(colocate_gradients_with_ops),
        grad_loss=grad_loss,
    )
    xs, found = [pair[1] for pair in pairs], [pair[0] for pair in pairs]
    usual = gate_gradients == GATE_OP and not (colocate_gradients_with_ops or aggregation_method)
    usual = usual and grad_loss is None
    record(interpreter, [tensor], xs, found, is_loss=True, usual=usual)
    return pairs


@OPTIMIZER.method("apply_gradients", global_step=VARIABLE)
def apply_gradients(
    interpreter: Interpreter,
    optimizer: Optimizer,
    grads_and_vars: Any,
    global_step: Any = None,
    name: Any = None,
) -> Node:
    """The operation that updates the variables."""
    pairs = [_pair(item) for item in iterate(grads_and_vars)]
    train = optimizer.apply_gradients(pairs, global_step, name)
    interpreter.workspace.updates.append(UpdateCall(optimizer, tuple(pairs), train, interpreter.place))
    return train


@OPTIMIZER.method("minimize", global_step=VARIABLE)
def minimize(
    interpreter: Interpreter,
    optimizer: Optimizer,
    loss: Any,
    global_step: Any = None,
    var_list: Any = None,
    gate_gradients: Any = GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: Any = False,
    name: Any = None,
    grad_loss: Any = None,
) -> Node:
    """Compute the gradients and apply them at once."""
    pairs = compute_gradients(
        interpreter,
        optimizer,
        loss,
        var_list,
        gate_gradients,
        aggregation_method,
        colocate_gradients_with_ops,
        grad_loss,
    )
    if all(gradient is None for gradient, _ in pairs):
        raise no_gradients(loss, [variable for _, variable in pairs])
    train: Node = apply_gradients(interpreter, optimizer, pairs, global_step, name)
    return train


def _loss(loss: Any) -> Any:
    if hasattr(loss, "as_tensor"):
        return loss.as_tensor()
    raise ProgramError(
        "The loss of an optimizer must be a tensor that depends on variables.",
        message_zh="优化器的损失必须是依赖于变量的张量。",
        hint="Compute it with tf.Variable and TensorFlow's operations."
        if loss is not ...
        else "`...` stands for something left out: write the loss there.",
        hint_zh="请用 tf.Variable 和 TensorFlow 的运算来计算它。"
        if loss is not ...
        else "`...` 表示省略的内容：请在那里写出损失。",
        code="loss_is_no_tensor",
    )


def _variables(var_list: Any) -> list[Any]:
    return [var_list] if hasattr(var_list, "as_tensor") else list(iterate(var_list))


def _pair(item: Any) -> tuple[Any, Variable]:
    pair = tuple(item) if isinstance(item, (list, tuple, Lazy)) else ()
    if len(pair) != 2 or not isinstance(pair[1], Variable):
        raise ProgramError(
            "apply_gradients takes a list of (gradient, variable) pairs.",
            message_zh="apply_gradients 需要由（梯度，变量）组成的列表。",
            hint="Pass what compute_gradients returned, or zip(gradients, variables).",
            hint_zh="请传入 compute_gradients 的返回值，或 zip(gradients, variables)。",
            code="wrong_arguments",
        )
    return pair
