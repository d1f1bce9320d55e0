"""What waits for the step before: circles of numbers, and what stands between them."""

from __future__ import annotations

from collections.abc import Iterable

from engine import ops
from engine.execution import lower_training
from engine.execution.tracing.distribute import (
    Distributed,
    Unit,
    distribute,
    rebalanced,
    recomputed_or_recorded,
)
from engine.execution.tracing.walk import lowered_loop
from engine.graph import Graph, Node, Tensor, Variable
from engine.ops.sources.state import assign


def parts_of(train_op: Node, record: Iterable[Tensor]) -> Distributed:
    variables = [v.node for v in train_op.graph.collection("variables")]
    loop = lower_training(train_op, list(record))
    lowered = lowered_loop(loop.plan, loop.record, dict.fromkeys(variables, ()), {})
    return distribute(lowered.instructions, list(lowered.state.values()))


def functions(units: Iterable[Unit]) -> list[str]:
    return [unit.step.function.__name__ for unit in units if unit.step is not None]


def chained() -> Distributed:
    """p halves by itself, x takes the sine of itself times p, and the exponential of x is only recorded."""
    with Graph(default_float="float64").as_default():
        p, x = Variable(1.0), Variable(0.5)
        y = ops.exp(x)
        step = ops.group(assign(p.ref, p.read * 0.5), assign(x.ref, ops.sin(x.read) * ops.square(p.read)))
    return parts_of(step, [x.ref, y])


def test_columns_stand_before_and_after_the_circle() -> None:
    parts = chained()
    assert functions(parts.first) == ["multiply", "square"]
    assert sorted(functions(parts.loop)) == ["multiply", "sin"]
    assert functions(parts.last) == ["exp"]


def test_machine_code_takes_back_what_fits() -> None:
    parts = rebalanced(
        chained(), lambda unit: unit.step is not None and unit.step.function.__name__ == "square"
    )
    assert functions(parts.first) == ["multiply"]
    assert sorted(functions(parts.loop)) == ["multiply", "sin", "square"]


def test_what_a_column_outside_needs_is_not_taken_back_before_it() -> None:
    parts = rebalanced(chained(), lambda unit: unit.before is not None)
    assert functions(parts.first) == ["multiply", "square"]  # the square stays, so what it takes stays too


def test_a_sine_is_recorded_and_a_product_computed_again() -> None:
    loop = chained().loop
    numbers = {unit.step.function.__name__: unit.step.outputs[0].number for unit in loop if unit.step}
    recorded, again = recomputed_or_recorded(loop, {numbers["multiply"]})
    assert numbers["sin"] in recorded
    assert numbers["multiply"] not in recorded
    assert [step.function.__name__ for step in again] == ["multiply"]


def test_variables_that_change_places_wait_for_each_other() -> None:
    with Graph(default_float="float64").as_default():
        x, y = Variable(1.0), Variable(2.0)
        swap = ops.group(assign(x.ref, y.read), assign(y.ref, x.read))
    parts = parts_of(swap, [x.ref])
    assert (len(parts.first), len(parts.loop), len(parts.last)) == (0, 2, 0)
