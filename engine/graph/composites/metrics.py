"""Figures that grow over many batches (`tf.metrics`): sums kept in local variables; and shares of zeros."""

from __future__ import annotations

from typing import Any

from engine.graph.composites.losses import broadcast_weights
from engine.graph.control_flow.building import cond
from engine.graph.graph import Graph
from engine.graph.variables.variable import LOCAL_VARIABLES, Variable
from engine.graph.variables.variable_scopes import variable_scope
from engine.ops.arrays import reshaping
from engine.ops.base.building import control_dependencies, convert_to_tensor, name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.common import casting, constants, measuring, reducing
from engine.ops.common.passing import identity
from engine.ops.elementwise import arithmetic, comparison, extremes, powers, quotients
from engine.ops.sources import state

METRIC_VARIABLES = "metric_variables"


def accuracy(
    graph: Graph, labels: Any, predictions: Any, name: str | None = None, weights: Any = None
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.accuracy`: how often two tensors of classes agree, over all batches so far.

    Returns: the figure so far, and the op that takes in a batch and gives the new figure.
    """
    predictions, labels = _alike(predictions, labels)
    weights = _weights_for(weights, predictions)
    if labels.dtype != predictions.dtype:
        predictions = casting.cast(predictions, labels.dtype)
    agree = casting.cast(comparison.equal(predictions, labels), "float32")
    return mean(graph, agree, name or "accuracy", weights)


def mean_squared_error(
    graph: Graph, labels: Any, predictions: Any, name: str | None = None, weights: Any = None
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean_squared_error`: the mean of squared differences, over all batches so far."""
    predictions, labels = _alike(predictions, labels)
    weights = _weights_for(weights, predictions)
    return mean(graph, powers.squared_difference(labels, predictions), name or "mean_squared_error", weights)


def mean(graph: Graph, values: Any, name: str | None = None, weights: Any = None) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean`: the mean of all values so far, weighted if asked, and the op that takes in more."""
    with variable_scope(graph, name, "mean"):
        values = casting.cast(values, "float32")
        total, count = _counter("total"), _counter("count")
        if weights is None:
            number = casting.cast(measuring.size_of(values), "float32")
        else:
            weights = broadcast_weights(casting.cast(convert_to_tensor(weights), "float32"), values)
            values = arithmetic.mul(values, weights, name="Mul")
            number = reducing.reduce_sum(weights)
        more = state.assign_add(total.ref, reducing.reduce_sum(values))
        with control_dependencies(values):
            counted = state.assign_add(count.ref, number)
        return _quotient(total, count, "value"), _quotient(more, counted, "update_op")


def _counter(name: str) -> Variable:
    collections = [LOCAL_VARIABLES, METRIC_VARIABLES]
    return Variable(
        lambda: constants.zeros((), "float32"), name=name, trainable=False, collections=collections
    )


def _quotient(total: Any, count: Any, name: str) -> Tensor:
    return quotients.div_no_nan(total, extremes.maximum(count, 0.0), name=name)


def _alike(predictions: Any, labels: Any) -> tuple[Tensor, Tensor]:
    """Both as tensors, a last axis of length 1 taken off where one has it and the other has not."""
    predictions = convert_to_tensor(predictions)
    with name_scope(None, "remove_squeezable_dimensions"):
        labels = convert_to_tensor(labels)
        ranks = [None if one.shape is None else len(one.shape) for one in (predictions, labels)]
        more = None if None in ranks else (ranks[0] or 0) - (ranks[1] or 0)
        if more == 1 and (predictions.shape or (None,))[-1] in (None, 1):
            predictions = reshaping.squeeze(predictions, [-1])
        elif more == -1 and (labels.shape or (None,))[-1] in (None, 1):
            labels = reshaping.squeeze(labels, [-1])
    return predictions, labels


def _weights_for(weights: Any, predictions: Tensor) -> Tensor | None:
    """The weights with as many axes as the predictions: a last one of length 1 is taken off or added."""
    if weights is None:
        return None
    given: Tensor = convert_to_tensor(weights)
    if not given.shape or predictions.shape is None:
        return given
    more = len(given.shape) - len(predictions.shape)
    if more == 1:
        return reshaping.squeeze(given, [-1])
    return reshaping.expand_dims(given, [-1]) if more == -1 else given


MOST_COUNTED_AS_INT32 = 2**31 - 1


def zero_fraction(graph: Graph, value: Any, name: str | None = None) -> Tensor:
    """`tf.nn.zero_fraction`: the share of elements that are 0."""
    with name_scope(name, "zero_fraction"):
        value = convert_to_tensor(value, name="value")
        size = measuring.size_of(value, out_type="int64")
        nonzero = cond(
            graph,
            comparison.less_equal(size, MOST_COUNTED_AS_INT32),
            lambda: casting.cast(_count_nonzero(value, "int32"), "int64"),
            lambda: _count_nonzero(value, "int64"),
        )
        with name_scope(None, "counts_to_fraction"):
            zeros = casting.cast(size - nonzero, "float32")
            share = zeros / casting.cast(size, "float32")
        return identity(share, name="fraction")


def _count_nonzero(value: Tensor, dtype: str) -> Tensor:
    with name_scope(None, "count_nonzero"):
        zero = constants.zeros((), value.dtype)
        return reducing.reduce_sum(
            casting.cast(comparison.not_equal(value, zero), dtype), name="nonzero_count"
        )


def count_nonzero(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool = False,
    dtype: str = "int64",
    name: str | None = None,
) -> Tensor:
    """`tf.count_nonzero`: how many elements are not 0, over all axes unless some are named."""
    with name_scope(name, "count_nonzero"):
        value = convert_to_tensor(input_tensor, name="input")
        zero = constants.zeros((), value.dtype)
        other = casting.cast(comparison.not_equal(value, zero), "int64")
        counted = reducing.reduce_sum(other, axis, keepdims)
        return casting.cast(counted, dtype)
