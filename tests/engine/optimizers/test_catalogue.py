"""The catalogue: every optimizer by name, described in both languages, and made from a request."""

from __future__ import annotations

from typing import Any

import pytest

from engine import ops
from engine.errors import ProgramError
from engine.execution import Session
from engine.graph import Graph, Variable
from engine.ops import REGISTRY
from engine.optimizers import (
    RULES,
    describe_optimizers,
    describe_schedules,
    optimizer_named,
    schedule_named,
)


@pytest.mark.parametrize(
    "entry", describe_optimizers() + describe_schedules(), ids=lambda entry: entry["name"]
)
def test_everything_is_described_with_a_formula_and_in_both_languages(entry: dict[str, Any]) -> None:
    assert entry["latex"]
    assert entry["doc"]["en"]
    assert entry["doc"]["zh"]
    assert all(parameter["doc"]["en"] and parameter["doc"]["zh"] for parameter in entry["hyper_parameters"])


@pytest.mark.parametrize("name", RULES)
def test_every_optimizer_brings_a_small_square_closer_to_zero(name: str) -> None:
    with Graph().as_default() as graph:
        x = Variable(0.5)
        loss = ops.square(x)
        optimizer, step = optimizer_named(name, {"learning_rate": 0.05})
        train = optimizer.minimize(loss, step)
        session = Session(graph)
        session.run([variable.initializer for variable in graph.collection("variables")])
        for _ in range(10):
            session.run(train)
    assert session.run(loss) < 0.25


@pytest.mark.parametrize("name", RULES)
def test_every_rule_cites_where_it_comes_from_and_lists_its_slots(name: str) -> None:
    doc = RULES[name].__doc__ or ""
    assert "Source:" in doc
    assert "Slots:" in doc
    assert RULES[name]().apply_op.name in REGISTRY


def test_the_defaults_are_listed() -> None:
    adam = next(entry for entry in describe_optimizers() if entry["name"] == "Adam")
    defaults = {parameter["name"]: parameter["default"] for parameter in adam["hyper_parameters"]}
    assert defaults == {
        "learning_rate": 0.001,
        "beta1": 0.9,
        "beta2": 0.999,
        "epsilon": 1e-8,
        "use_nesterov": False,
    }


def test_an_unknown_optimizer_suggests_the_near_name() -> None:
    with pytest.raises(ProgramError) as caught:
        optimizer_named("adam", {})
    assert caught.value.message == "There is no optimizer named 'adam'."
    assert caught.value.hint == "Did you mean Adam?"
    assert caught.value.code == "unknown_optimizer"


def test_an_unknown_hyper_parameter_suggests_the_near_name() -> None:
    with pytest.raises(ProgramError) as caught:
        optimizer_named("Momentum", {"learning_rat": 0.1})
    assert caught.value.message == "Momentum has no hyper-parameter named 'learning_rat'."
    assert caught.value.hint == "Did you mean learning_rate?"


def test_a_schedule_starts_from_the_optimizers_own_rate() -> None:
    schedule = schedule_named({"name": "exponential_decay", "decay_steps": 10, "decay_rate": 0.5}, 0.4)
    assert schedule.rate(10) == pytest.approx(0.2)


def test_a_schedule_without_its_arguments_says_which() -> None:
    with pytest.raises(ProgramError) as caught:
        schedule_named({"name": "exponential_decay"}, 0.4)
    assert caught.value.message == "exponential_decay needs decay_steps, decay_rate."


def test_a_schedule_makes_the_optimizer_follow_the_global_step() -> None:
    with Graph().as_default() as graph:
        x = Variable(8.0)
        halving = {"name": "exponential_decay", "decay_steps": 1, "decay_rate": 0.5}
        optimizer, step = optimizer_named("GradientDescent", {"learning_rate": 1.0}, halving)
        train = optimizer.minimize(x * 1.0, step)
        session = Session(graph)
        session.run([variable.initializer for variable in graph.collection("variables")])
        session.run(train)
        session.run(train)
    assert session.run(x) == 6.5  # 8 - 1 - 1/2


PIECES = {"name": "piecewise_constant", "values": [1, 2, 3]}


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (
            {"name": "cosine_decay", "decay_steps": 0},
            "cosine_decay: decay_steps must be above 0, but is 0.",
        ),
        (
            {"name": "warm_up", "warmup_steps": -1},
            "warm_up: warmup_steps must be above 0, but is -1.",
        ),
        ({"decay_steps": 9}, "The schedule has no name."),
        (
            {"name": "cosine_decay", "decay_steps": 9, "learning_rate": [1, 2]},
            "cosine_decay: learning_rate must be a number, but is [1, 2].",
        ),
        (
            {**PIECES, "boundaries": [3, 1]},
            "piecewise_constant: boundaries must be step numbers in ascending order, but is [3, 1].",
        ),
        (
            {**PIECES, "boundaries": [1.5, 3]},
            "piecewise_constant: boundaries must be whole step numbers, but is [1.5, 3].",
        ),
        (
            {**PIECES, "boundaries": 3},
            "piecewise_constant: boundaries must be a list of numbers, but is 3.",
        ),
        (
            {"name": "polynomial_decay", "decay_steps": 9, "cycle": "yes"},
            "polynomial_decay: cycle must be true or false, but is 'yes'.",
        ),
    ],
)
def test_a_schedule_that_would_fail_on_the_way_is_refused_before(
    schedule: dict[str, Any], message: str
) -> None:
    with pytest.raises(ProgramError) as caught:
        schedule_named(schedule, 0.4)
    assert (caught.value.message, caught.value.code) == (message, "wrong_arguments")


@pytest.mark.parametrize("value", [[0.5, 0.9], True, "0.9", float("nan")])
def test_a_hyper_parameter_is_one_finite_number(value: Any) -> None:
    with pytest.raises(ProgramError) as caught:
        optimizer_named("Momentum", {"momentum": value})
    assert caught.value.message == f"Momentum: momentum must be a number, but is {value!r}."


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("adam", "Adam"),
        ("keras.adam", "keras.Adam"),
        ("SGD", "keras.SGD"),
        ("rmsprop", "RMSProp"),
        ("gradientdescent", "GradientDescent"),
        ("keras.Adagard", "keras.Adagrad"),
    ],
)
def test_the_name_that_was_meant_is_found_capitals_and_prefix_aside(given: str, meant: str) -> None:
    with pytest.raises(ProgramError) as caught:
        optimizer_named(given, {})
    assert caught.value.hint == f"Did you mean {meant}?"
