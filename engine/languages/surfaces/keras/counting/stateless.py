"""What a mean or a sum of figures holds, as variables; it may be given to the metric, which gives it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine import ops
from engine.errors import RefusedError, ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.metrics import UPDATES, Metric, Pairs, Root, Values
from engine.languages.surfaces.keras.optimizers.state import StateVariable
from engine.languages.surfaces.tf2.eager import array_of

KINDS = (*UPDATES, Root)


def variables_of(metric: Metric) -> list[StateVariable]:
    """The total, and of a mean the sum of the weights. Raises: RefusedError for another kind of metric."""
    if type(metric) not in KINDS:
        raise RefusedError(
            f"The variables of {metric.kind} are not given out.",
            message_zh=f"不提供 {metric.kind} 的变量。",
            hint="Those of means and sums are: Mean, Sum, MeanSquaredError, accuracies.",
            hint_zh="提供均值和总和类指标的变量：Mean、Sum、MeanSquaredError、各种 accuracy。",
            code="refused_name",
        )
    total = StateVariable(f"{metric.name}/total", lambda: np.asarray(metric.total))
    count = StateVariable(f"{metric.name}/count", lambda: np.asarray(metric.weight))
    return [total, count] if metric.mean else [total]


def _held(metric: Metric) -> list[Any]:
    return [ops.constant(variable.array) for variable in variables_of(metric)]


@contextmanager
def _holding(metric: Metric, given: Any) -> Iterator[None]:
    """The metric with what is given in place of what it holds. Raises: ValueRefused for another count."""
    before, values = (metric.total, metric.weight), [metric.number(array_of(one)) for one in iterate(given)]
    if len(values) != len(variables_of(metric)):
        raise ValueRefused(
            "Argument `metric_variables` must be a list of tensors corresponding 1:1 to "
            f"{metric.kind}().variables. Received list with length {len(values)}, but expected "
            f"{len(variables_of(metric))} variables.",
            message_zh=f"`metric_variables` 应与 {metric.kind}().variables 一一对应。",
            code="wrong_arguments",
        )
    metric.total, metric.weight = values if metric.mean else (values[0], before[1])
    try:
        yield
    finally:
        metric.total, metric.weight = before


def _update(interpreter: Interpreter, metric: Metric, metric_variables: Any, *args: Any, **given: Any) -> Any:
    """What it would hold after this batch."""
    with _holding(metric, metric_variables):
        interpreter.call(UPDATES[Pairs if isinstance(metric, Pairs) else Values], [metric, *args], given)
        return _held(metric)


def _result(metric: Metric, metric_variables: Any) -> Any:
    """The figure of what is given."""
    with _holding(metric, metric_variables):
        return metric.result()


def _reset(metric: Metric) -> Any:
    """What it holds at the beginning."""
    return [ops.constant(np.zeros_like(variable.array)) for variable in variables_of(metric)]


for _kind in KINDS:
    _table = members_of(_kind, "Metric")
    _table.fact("variables")(variables_of)
    _table.method("stateless_update_state")(_update)
    _table.method("stateless_result")(_result)
    _table.method("stateless_reset_state")(_reset)
