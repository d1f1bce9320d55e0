"""Keras's update rules on one or two numbers, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.optimizers import Rule
from engine.optimizers.rules import keras


def numbers(*values: float) -> Any:
    return np.array(values, dtype=np.float64)


def first_step(rule: Rule, theta: Any, g: Any) -> tuple[Any, Any]:
    return rule.update(theta, g, rule.init(theta))


def test_sgd_has_the_rate_inside_its_velocity() -> None:
    rule = keras.SGD(learning_rate=0.1, momentum=0.5)
    theta, slots = rule.update(numbers(1.0), numbers(2.0), {"momentum": numbers(-0.4)})
    assert slots["momentum"] == pytest.approx(-0.4)  # 0.5 * -0.4 - 0.1 * 2
    assert theta == pytest.approx(0.6)


def test_nesterov_sgd_adds_the_velocity_to_come() -> None:
    rule = keras.SGD(learning_rate=0.1, momentum=0.5, nesterov=True)
    theta, _ = rule.update(numbers(1.0), numbers(2.0), {"momentum": numbers(-0.4)})
    assert theta == pytest.approx(0.6)  # 1 + 0.5 * -0.4 - 0.1 * 2


def test_rmsprop_starts_its_mean_square_at_zero() -> None:
    rule = keras.RMSprop(learning_rate=1.0, rho=0.75, epsilon=0.0)
    theta, slots = first_step(rule, numbers(3.0), numbers(4.0))
    assert slots["velocity"] == 4.0  # a quarter of 16
    assert theta == 1.0  # 3 - 4 / 2


def test_adam_goes_the_rate_at_its_first_step() -> None:
    theta, slots = first_step(keras.Adam(learning_rate=0.1), numbers(3.0), numbers(6.0))
    assert theta == pytest.approx(2.9, abs=1e-6)
    assert slots["iterations"] == 1


def test_amsgrad_divides_by_the_largest_mean_square() -> None:
    rule = keras.Adam(learning_rate=1.0, beta_1=0.0, beta_2=0.0, epsilon=0.0, amsgrad=True)
    state = {**rule.init(numbers(0.0)), "velocity_hat": numbers(16.0)}
    theta, slots = rule.update(numbers(3.0), numbers(2.0), state)
    assert slots["velocity_hat"] == 16.0
    assert theta == pytest.approx(2.5)  # 3 - 2 / 4


def test_adamw_shrinks_the_weight_apart_from_the_adaptive_step() -> None:
    plain, _ = first_step(keras.Adam(learning_rate=0.1), numbers(10.0), numbers(1.0))
    decayed, _ = first_step(keras.AdamW(learning_rate=0.1, weight_decay=0.5), numbers(10.0), numbers(1.0))
    assert plain - decayed == pytest.approx(0.5)  # 0.1 * 0.5 * 10


def test_adagrad_has_its_epsilon_inside_the_root() -> None:
    rule = keras.Adagrad(learning_rate=1.0, initial_accumulator_value=5.0, epsilon=4.0)
    theta, _ = first_step(rule, numbers(2.0), numbers(4.0))
    assert theta == pytest.approx(1.2)  # 2 - 4 / sqrt(5 + 16 + 4)


def test_adadelta_differs_from_tensorflow_1_in_epsilon_only() -> None:
    assert keras.Adadelta().epsilon == 1e-7
    theta, _ = first_step(keras.Adadelta(1.0, 0.5, 0.5), numbers(1.0), numbers(1.0))
    assert theta == pytest.approx(1 - np.sqrt(0.5))


def test_adamax_divides_by_the_largest_gradient_not_by_a_mean() -> None:
    rule = keras.Adamax(learning_rate=1.0, beta_1=0.5, beta_2=0.5, epsilon=0.0)
    state = {**rule.init(numbers(0.0)), "u": numbers(8.0)}
    theta, slots = rule.update(numbers(3.0), numbers(2.0), state)
    assert slots["u"] == 4.0  # max(0.5 * 8, 2)
    assert theta == pytest.approx(2.5)  # 3 - 1 / (1 - 0.5) * (0.5 * 2) / 4


def test_nadam_looks_ahead_with_a_momentum_that_grows() -> None:
    rule = keras.Nadam(learning_rate=1.0, beta_1=0.5, beta_2=0.5, epsilon=0.0)
    theta, slots = first_step(rule, numbers(3.0), numbers(1.0))
    now, ahead = 0.5 * (1 - 0.5 * 0.96), 0.5 * (1 - 0.5 * 0.96**2)
    assert slots["u_product"] == pytest.approx(now)
    assert theta == pytest.approx(3 - (ahead * 0.5 / (1 - now * ahead) + 1))


def test_ftrl_adds_beta_to_the_l2_strength() -> None:
    rule = keras.Ftrl(learning_rate=1.0, initial_accumulator_value=9.0, beta=3.0)
    theta, _ = first_step(rule, numbers(0.0), numbers(4.0))
    assert theta == pytest.approx(-0.5)  # -4 / (5 + 2 * 3 / 2)
