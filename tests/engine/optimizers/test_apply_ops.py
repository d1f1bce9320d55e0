"""The `Apply…` op of a rule, derived from the rule's fields and its update."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ops.base.definition import REGISTRY
from engine.optimizers.catalogue import RULES


def test_momentum_takes_its_inputs_by_tensorflow_s_names() -> None:
    op = REGISTRY["ApplyMomentum"]
    assert op.input_names == ("var", "accum", "lr", "grad", "momentum")
    assert op.writes == (0, 1)
    assert dict(op.attributes) == {"use_locking": False, "use_nesterov": False}


def test_a_step_of_momentum_is_the_rule_s_update() -> None:
    theta, velocity = REGISTRY["ApplyMomentum"].forward(1.0, 4.0, 0.1, 2.0, 0.5)
    assert velocity == 4.0  # 0.5 * 4 + 2
    assert theta == pytest.approx(0.6)  # 1 - 0.1 * 4


def test_an_attribute_reaches_the_rule() -> None:
    theta, velocity = REGISTRY["ApplyMomentum"].forward(1.0, 4.0, 0.1, 2.0, 0.5, use_nesterov=True)
    assert velocity == 4.0
    assert theta == pytest.approx(0.6)  # 1 - 0.1 * (2 + 0.5 * 4)


def test_a_field_that_is_no_input_stays_as_the_op_was_made() -> None:
    """ApplyCenteredRMSProp is centred although nothing in its inputs says so: r - m^2 = 1 - 1 in the root."""
    mean, square, velocity, rate, rho, momentum, epsilon, g = 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.25, 3.0
    centred = REGISTRY["ApplyCenteredRMSProp"]
    theta, *_ = centred.forward(10.0, mean, square, velocity, rate, rho, momentum, epsilon, g)
    assert theta == pytest.approx(4.0)  # 10 - 3 / sqrt(0.25)


@pytest.mark.parametrize("name", RULES)
def test_what_an_op_writes_is_the_variable_and_every_slot(name: str) -> None:
    rule = RULES[name]()
    op = rule.apply_op
    assert len(op.writes) == 1 + len(rule.slots)
    assert len(op.input_names) == 1 + len(rule.takes)
    assert set(op.attributes) == {"use_locking", *rule.attributes}


@pytest.mark.parametrize("name", RULES)
def test_an_op_computes_what_its_rule_computes(name: str) -> None:
    rule = RULES[name]()
    theta, g = np.array([1.0, -2.0]), np.array([0.5, 0.25])
    state = rule.init(theta)
    fields = {key: np.asarray(getattr(rule, key)) for key in rule.takes if hasattr(rule, key)}
    found = {**{f"slots.{key}": value for key, value in state.items()}, **state, **fields, "g": g}
    made = rule.apply_op.forward(theta, *(found[key] for key in rule.takes), **rule.attributes)
    expected, after = rule.update(theta, g, state)
    written = [key.removeprefix("slots.") for key in rule.takes if key.startswith("slots.")]
    outputs = made if isinstance(made, tuple) else (made,)
    for value, wanted in zip(outputs, [expected, *(after[key] for key in written)], strict=True):
        np.testing.assert_array_equal(value, wanted)
