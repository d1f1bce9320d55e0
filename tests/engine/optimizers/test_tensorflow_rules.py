"""TensorFlow 1's update rules on one or two numbers, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.optimizers import (
    Adadelta,
    Adagrad,
    AdagradDA,
    Adam,
    Ftrl,
    GradientDescent,
    Momentum,
    ProximalAdagrad,
    ProximalGradientDescent,
    RMSProp,
    Rule,
)


def numbers(*values: float) -> Any:
    return np.array(values, dtype=np.float64)


def first_step(rule: Rule, theta: Any, g: Any) -> tuple[Any, Any]:
    return rule.update(theta, g, rule.init(theta))


def test_gradient_descent_goes_the_rate_times_the_gradient_downhill() -> None:
    theta, _ = first_step(GradientDescent(0.1), numbers(3.0), numbers(6.0))
    assert theta == pytest.approx(2.4)  # 3 - 0.1 * 6


def test_momentum_adds_the_old_velocity_to_the_new_gradient() -> None:
    rule = Momentum(learning_rate=0.1, momentum=0.5)
    theta, slots = rule.update(numbers(1.0), numbers(2.0), {"momentum": numbers(4.0)})
    assert slots["momentum"] == 4.0  # 0.5 * 4 + 2
    assert theta == pytest.approx(0.6)  # 1 - 0.1 * 4


def test_nesterov_steps_by_the_gradient_and_the_velocity_to_come() -> None:
    rule = Momentum(learning_rate=0.1, momentum=0.5, use_nesterov=True)
    theta, slots = rule.update(numbers(1.0), numbers(2.0), {"momentum": numbers(4.0)})
    assert slots["momentum"] == 4.0
    assert theta == pytest.approx(0.6)  # 1 - 0.1 * (2 + 0.5 * 4)


def test_adagrad_divides_by_the_root_of_all_squares_so_far() -> None:
    rule = Adagrad(learning_rate=1.0)
    theta, slots = rule.update(numbers(1.0), numbers(4.0), {"accumulator": numbers(9.0)})
    assert slots["accumulator"] == 25.0  # 9 + 16
    assert theta == pytest.approx(0.2)  # 1 - 4 / 5


def test_adagrad_starts_from_a_tenth_and_has_no_epsilon() -> None:
    theta, slots = first_step(Adagrad(learning_rate=1.0), numbers(1.0), numbers(0.0))
    assert slots["accumulator"] == pytest.approx(0.1)
    assert theta == 1.0


def test_dual_averaging_forgets_where_the_variable_started() -> None:
    rule = AdagradDA(learning_rate=1.0, initial_gradient_squared_accumulator_value=9.0)
    near, _ = first_step(rule, numbers(1.0), numbers(4.0))
    far, _ = first_step(rule, numbers(100.0), numbers(4.0))
    assert near == far == pytest.approx(-0.8)  # -4 / sqrt(9 + 16)


def test_dual_averaging_keeps_a_variable_at_zero_while_its_gradients_are_below_l1() -> None:
    rule = AdagradDA(learning_rate=1.0, l1_regularization_strength=3.0)
    theta, _ = first_step(rule, numbers(1.0, 1.0), numbers(2.0, 5.0))
    assert theta[0] == 0.0  # |2| < 3 * 1
    assert theta[1] < 0.0


def test_adadelta_takes_its_first_step_from_epsilon_alone() -> None:
    rule = Adadelta(learning_rate=1.0, rho=0.5, epsilon=0.5)
    theta, slots = first_step(rule, numbers(1.0), numbers(1.0))
    assert slots["accum"] == 0.5  # half of 1 squared
    assert theta == pytest.approx(1 - np.sqrt(0.5) / np.sqrt(0.5 + 0.5))
    assert slots["accum_update"] == pytest.approx(0.25)  # half of the step squared


def test_rmsprop_starts_its_mean_square_at_one() -> None:
    rule = RMSProp(learning_rate=1.0, decay=0.75, epsilon=0.0)
    theta, slots = first_step(rule, numbers(1.0), numbers(1.0))
    assert slots["rms"] == 1.0  # 0.75 * 1 + 0.25 * 1
    assert theta == 0.0  # 1 - 1 / sqrt(1)


def test_rmsprop_keeps_a_share_of_its_last_step() -> None:
    rule = RMSProp(learning_rate=1.0, decay=1.0, momentum=0.5, epsilon=0.0)
    theta, _ = rule.update(numbers(5.0), numbers(1.0), {"rms": numbers(1.0), "momentum": numbers(2.0)})
    assert theta == 3.0  # 5 - (0.5 * 2 + 1)


def test_centered_rmsprop_takes_the_squared_mean_off() -> None:
    rule = RMSProp(learning_rate=1.0, decay=0.5, epsilon=0.0, centered=True)
    state = {"rms": numbers(7.0), "mg": numbers(-1.0), "momentum": numbers(0.0)}
    theta, slots = rule.update(numbers(5.0), numbers(3.0), state)
    assert slots["rms"] == 8.0  # (7 + 9) / 2
    assert slots["mg"] == 1.0  # (-1 + 3) / 2
    assert theta == pytest.approx(5 - 3 / np.sqrt(7))  # 8 - 1^2 = 7


def test_adam_goes_the_rate_at_its_first_step_whatever_the_gradient() -> None:
    theta, _ = first_step(Adam(learning_rate=0.1), numbers(3.0, 3.0), numbers(6.0, 0.01))
    assert theta == pytest.approx([2.9, 2.9], abs=1e-5)  # epsilon is all that differs


def test_adam_keeps_a_tenth_of_the_gradient_and_a_thousandth_of_its_square() -> None:
    _, slots = first_step(Adam(), numbers(3.0), numbers(6.0))
    assert slots["m"] == pytest.approx(0.6)
    assert slots["v"] == pytest.approx(0.036)
    assert slots["beta1_power"] == pytest.approx(0.81)


def test_ftrl_starts_from_zero_and_steps_like_adagrad() -> None:
    rule = Ftrl(learning_rate=1.0, initial_accumulator_value=9.0)
    theta, slots = first_step(rule, numbers(0.0), numbers(4.0))
    assert slots["accum"] == 25.0
    assert slots["linear"] == 4.0
    assert theta == pytest.approx(-0.8)  # -4 / sqrt(25)


def test_ftrl_is_exactly_zero_while_the_linear_sum_is_at_most_l1() -> None:
    rule = Ftrl(learning_rate=1.0, l1_regularization_strength=4.0)
    theta, _ = first_step(rule, numbers(0.0, 0.0), numbers(4.0, -5.0))
    assert theta[0] == 0.0
    assert theta[1] > 0.0


def test_shrinkage_joins_the_linear_sum_and_not_the_squares() -> None:
    rule = Ftrl(learning_rate=1.0, initial_accumulator_value=9.0, l2_shrinkage_regularization_strength=0.5)
    _, slots = first_step(rule, numbers(2.0), numbers(4.0))
    assert slots["accum"] == 25.0  # 9 + 4^2
    assert slots["linear"] == pytest.approx(2.0)  # 4 + 2 * 0.5 * 2 - (5 - 3) * 2


def test_the_proximal_step_stops_at_zero_and_does_not_cross_it() -> None:
    rule = ProximalGradientDescent(learning_rate=0.5, l1_regularization_strength=2.0)
    theta, _ = first_step(rule, numbers(2.0, 3.0), numbers(2.0, 2.0))
    assert theta == pytest.approx([0.0, 1.0])  # 2 - 1 - 1, 3 - 1 - 1


def test_the_l2_strength_divides_the_proximal_point() -> None:
    rule = ProximalGradientDescent(learning_rate=0.5, l2_regularization_strength=2.0)
    theta, _ = first_step(rule, numbers(3.0), numbers(2.0))
    assert theta == pytest.approx(1.0)  # (3 - 1) / (1 + 0.5 * 2)


def test_proximal_adagrad_shrinks_by_each_elements_own_rate() -> None:
    rule = ProximalAdagrad(learning_rate=1.0, initial_accumulator_value=9.0, l1_regularization_strength=1.0)
    theta, _ = first_step(rule, numbers(2.0), numbers(4.0))
    assert theta == pytest.approx(1.0)  # 2 - 4 / 5 - 1 / 5


@pytest.mark.parametrize("rule", [Adam(), Momentum(), RMSProp(centered=True), Adadelta(), Ftrl()])
def test_an_update_leaves_its_arguments_alone(rule: Rule) -> None:
    theta, g = numbers(1.0, 2.0), numbers(3.0, 4.0)
    slots = rule.init(theta)
    before = {name: np.array(value) for name, value in slots.items()}
    rule.update(theta, g, slots)
    assert theta.tolist() == [1.0, 2.0]
    assert all(np.array_equal(slots[name], value) for name, value in before.items())
