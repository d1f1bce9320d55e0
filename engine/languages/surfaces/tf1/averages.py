"""TensorFlow 1's moving averages of variables."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.surfaces.argument_kinds import SCALAR, TENSOR, TENSORS, VARIABLES
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import current_graph
from engine.optimizers.moving_averages import MOVING_AVERAGE_VARIABLES, ExponentialMovingAverage

AVERAGE = members_of(ExponentialMovingAverage, "ExponentialMovingAverage")
AVERAGE.fact("name")(lambda average: average.name)


@TF.function("train.ExponentialMovingAverage", decay=SCALAR, num_updates=SCALAR)
def exponential_moving_average(
    decay: Any,
    num_updates: Any = None,
    zero_debias: Any = False,
    name: Any = "ExponentialMovingAverage",
) -> ExponentialMovingAverage:
    """Shadows of variables, which follow these more slowly."""
    default = "ExponentialMovingAverage"
    return ExponentialMovingAverage(decay, num_updates, bool(zero_debias), name or default)


@AVERAGE.method("apply", var_list=TENSORS)
def apply(average: ExponentialMovingAverage, var_list: Any = None) -> Any:
    """The operation that moves each shadow one step."""
    return average.apply(None if var_list is None else list(iterate(var_list)))


@AVERAGE.method("average", var=TENSOR)
def average_of(average: ExponentialMovingAverage, var: Any) -> Any:
    """The shadow of a variable, or None."""
    return average.average(var)


@AVERAGE.method("average_name", var=TENSOR)
def average_name(average: ExponentialMovingAverage, var: Any) -> str:
    """The name of its shadow."""
    return average.average_name(var)


@AVERAGE.method("variables_to_restore", moving_avg_variables=VARIABLES)
def variables_to_restore(average: ExponentialMovingAverage, moving_avg_variables: Any = None) -> Any:
    """The variables by the names that a saver would find their averages under."""
    given = None if moving_avg_variables is None else list(iterate(moving_avg_variables))
    return average.variables_to_restore(given)


@TF.function("moving_average_variables")
def moving_average_variables(scope: Any = None) -> list[Any]:
    """The variables that have a shadow."""
    followed = current_graph().collection(MOVING_AVERAGE_VARIABLES)
    return [variable for variable in followed if not scope or variable.name.startswith(scope)]
