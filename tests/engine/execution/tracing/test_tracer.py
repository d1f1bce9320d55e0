"""One tracer, one recorder and one table of rules, for one run and for a batch of runs."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import ops
from engine.execution.batching import Batch
from engine.execution.tracing.numpy_rules import new_recorder
from engine.execution.tracing.tracer import NotLowered
from engine.graph import Graph, Variable

ENGINE = Path(engine.__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["__array_ufunc__", "__array_function__"])
def test_one_class_answers_numpy(protocol: str) -> None:
    classes = [
        (path.name, node.name)
        for path in ENGINE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(item, ast.FunctionDef) and item.name == protocol for item in node.body)
    ]
    assert classes == [("tracer.py", "Tracer")]


@pytest.mark.parametrize("batch_axes", [0, 1, 2])
def test_what_is_computed_twice_is_recorded_once(batch_axes: int) -> None:
    recorder = new_recorder(batch_axes)
    x = recorder.value((3,), "float64")
    first, second = np.exp(x * 2.0), np.exp(x * 2.0)
    assert first.number == second.number
    assert [step.function for step in recorder.instructions] == [np.multiply, np.exp]


@pytest.mark.parametrize("batch_axes", [0, 1, 2])
def test_batch_axes_do_not_show_in_the_shape_of_a_run(batch_axes: int) -> None:
    recorder = new_recorder(batch_axes)
    x = recorder.value((2, 3), "float32")
    assert np.sum(x, axis=1).shape == (2,)
    assert np.transpose(x).shape == (3, 2)
    assert (x @ np.ones((3, 4), np.float32)).shape == (2, 4)
    assert np.mean(x).dtype == np.float32


def test_joining_arrays_is_recorded_for_a_batch_and_left_to_the_kernel_for_one_run() -> None:
    batched, alone = (new_recorder(axes).value((2,), "float64") for axes in (1, 0))
    assert np.concatenate([batched, np.zeros(3)]).shape == (5,)
    with pytest.raises(NotLowered):
        np.concatenate([alone, np.zeros(3)])


def test_what_comes_from_fixed_arrays_alone_does_not_change() -> None:
    recorder = new_recorder(batch_axes=1)
    fixed, moving = (recorder.value((), "float64", changing=changing) for changing in (False, True))
    steady: Any = np.exp(fixed)
    product: Any = steady * moving
    assert not steady.changing
    assert product.changing


def test_a_value_and_another_shape_of_it_are_right_in_every_evaluation() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(np.zeros(2), name="x")
        doubled = x.read * 2.0
        batch = Batch([doubled, ops.reshape(doubled, [2, 1])], {x.ref: np.array([[1.0, 2.0], [3.0, 4.0]])})
        assert batch()[1].tolist() == [[[2.0], [4.0]], [[6.0], [8.0]]]
        flat, tall = batch({x.ref: np.array([[5.0, 6.0], [7.0, 8.0]])})
    assert flat.tolist() == [[10.0, 12.0], [14.0, 16.0]]
    assert tall.tolist() == [[[10.0], [12.0]], [[14.0], [16.0]]]
