"""Tapes: what they follow, what they answer, and why an answer is None."""

from __future__ import annotations

from typing import Any

import pytest

from engine import ops
from engine.differentiation.jacobian import batch_jacobian, jacobian
from engine.differentiation.tape import Missing, Tape
from engine.errors import ProgramError, ShapeError
from engine.execution.eager.graph import EagerGraph
from engine.graph import Variable


def value(tensor: Any) -> Any:
    return tensor.array.tolist()


def test_a_variable_is_watched_by_being_read():
    with EagerGraph().as_default() as graph:
        x = Variable(3.0)
        with graph.recording(Tape()) as tape:
            y = ops.square(x)
        (gradient,) = tape.gradient([y], [x])
        assert value(gradient) == 6  # 2 * 3


def test_a_variable_that_is_not_trainable_has_to_be_watched():
    with EagerGraph().as_default() as graph:
        x = Variable(3.0, trainable=False)
        with graph.recording(Tape()) as tape:
            y = ops.square(x)
        assert tape.gradient([y], [x]) == [None]
        assert tape.why_missing([y], x) is Missing.NOT_WATCHED


def test_a_constant_is_followed_once_it_is_watched():
    with EagerGraph().as_default() as graph:
        x = ops.constant(3.0)
        with graph.recording(Tape()) as tape:
            tape.watch(x)
            y = x * x * x
        (gradient,) = tape.gradient([y], [x])
        assert value(gradient) == 27  # 3 * 3^2


def test_what_runs_outside_of_the_tape_is_constant():
    with EagerGraph().as_default() as graph:
        x = Variable(3.0)
        outside = x * 10.0
        with graph.recording(Tape()) as tape:
            y = x + outside
        assert [value(g) for g in tape.gradient([y], [x])] == [1]  # not 1 + 10


def test_a_paused_tape_records_nothing():
    with EagerGraph().as_default() as graph:
        x = Variable(3.0)
        with graph.recording(Tape()) as tape, graph.not_recording(tape):
            y = ops.square(x)
        assert tape.gradient([y], [x]) == [None]
        assert tape.why_missing([y], x) is Missing.NOT_WATCHED


def test_none_becomes_zero_where_zeros_are_asked_for():
    with EagerGraph().as_default() as graph:
        x, z = Variable(3.0), Variable([1.0, 2.0])
        with graph.recording(Tape()) as tape:
            y = ops.square(x)
        assert [value(g) for g in tape.gradient([y], [x, z], zeros=True)] == [6, [0, 0]]


def test_several_targets_are_summed():
    with EagerGraph().as_default() as graph:
        x = Variable(3.0)
        with graph.recording(Tape()) as tape:
            y, z = x * x, x * 5.0
        assert [value(g) for g in tape.gradient([y, z], [x])] == [11]  # 6 + 5


def test_output_gradients_weigh_the_elements():
    with EagerGraph().as_default() as graph:
        x = Variable([1.0, 2.0])
        with graph.recording(Tape()) as tape:
            y = x * x
        (gradient,) = tape.gradient([y], [x], [ops.constant([10.0, 0.5])])
        assert value(gradient) == [20, 2]  # 10 * 2 * 1, 0.5 * 2 * 2


def test_the_gradient_of_a_gradient_is_the_second_derivative():
    with EagerGraph().as_default() as graph:
        x = Variable(2.0)
        with graph.recording(Tape()) as outer:
            with graph.recording(Tape()) as inner:
                y = x * x * x
            (first,) = inner.gradient([y], [x])
        (second,) = outer.gradient([first], [x])
        assert (value(first), value(second)) == (12, 12)  # 3 * 2^2 and 6 * 2


def test_a_tape_that_is_not_persistent_answers_once():
    tape = Tape()
    tape.use()
    with pytest.raises(ProgramError) as caught:
        tape.use()
    assert caught.value.code == "tape_used_twice"
    assert caught.value.hint == "Write tf.GradientTape(persistent=True) to ask it several times."


def test_an_integer_has_no_gradient():
    with EagerGraph().as_default() as graph:
        x = ops.constant([1.0, 3.0])
        with graph.recording(Tape()) as tape:
            tape.watch(x)
            y = ops.argmax(x)
        assert tape.gradient([y], [x]) == [None]
        assert tape.why_missing([y], x) is Missing.INTEGER


def test_a_jacobian_has_a_row_for_each_element_of_the_target():
    with EagerGraph().as_default() as graph:
        x = ops.constant([1.0, 2.0])
        with graph.recording(Tape()) as tape:
            tape.watch(x)
            y = ops.stack([x[0] * x[1], x[0] + x[1], x[1] * 3.0])
        (matrix,) = jacobian(tape, y, [x])
        assert value(matrix) == [[2, 1], [1, 1], [0, 3]]


def test_a_batch_jacobian_keeps_the_examples_apart():
    with EagerGraph().as_default() as graph:
        x = ops.constant([[1.0, 2.0], [3.0, 4.0]])
        with graph.recording(Tape()) as tape:
            tape.watch(x)
            y = x * x
        assert value(batch_jacobian(tape, y, x)) == [[[2, 0], [0, 4]], [[6, 0], [0, 8]]]


def test_a_batch_jacobian_needs_one_first_axis():
    with EagerGraph().as_default() as graph:
        x = ops.constant([[1.0, 2.0]])
        with graph.recording(Tape()) as tape:
            tape.watch(x)
            y = ops.reshape(x, [2])
        with pytest.raises(ShapeError) as caught:
            batch_jacobian(tape, y, x)
    assert caught.value.message == "batch_jacobian needs the same first axis, but got (2,) and (1, 2)."


def test_a_tape_that_is_kept_answers_for_its_own_turn():
    with EagerGraph().as_default() as graph:
        x = Variable(1.0)
        tapes, ys = [], []
        for _ in range(3):
            with graph.recording(Tape()) as tape:
                ys.append(x * x)
            tapes.append(tape)
            ops.assign_add(x.ref, 1.0)
        found = [value(tape.gradient([y], [x])[0]) for tape, y in zip(tapes, ys, strict=True)]
    assert found == [2, 4, 6]  # at x = 1, 2, 3
