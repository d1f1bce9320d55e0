"""What is left of a share, rounded once: Keras's own digits."""

import numpy as np
import pytest

from engine.optimizers.rules.keras import Adam, RMSprop
from engine.optimizers.rules.keras.shares import as_written, rest_of


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("share", "rest"), [(0.9, 0.1), (0.999, 0.001), (0.8, 0.2), (0.0, 1.0)])
def test_the_rest_of_a_share_has_every_digit_of_its_type(share, rest, dtype):
    kind = np.dtype(dtype)
    given = kind.type(np.float32(share))  # as a graph holds it, whose numbers are float32
    assert kind.type(rest_of(given, kind)) == kind.type(rest)


def test_a_share_is_read_as_it_was_written():
    assert as_written(np.float64(np.float32(0.9)), np.dtype("float64")) == 0.9


def test_adam_makes_the_means_that_keras_makes():
    theta, g = np.array([1.0, 2.0], np.float32), np.array([0.5, 0.5], np.float32)
    rule = Adam(0.001, np.array(0.9, np.float32), np.array(0.999, np.float32))
    _, slots = rule.update(theta, g, rule.init(theta))
    assert slots["momentum"].tolist() == [0.05000000074505806] * 2  # float32(0.05)
    assert slots["velocity"].tolist() == [0.0002500000118743628] * 2


def test_rmsprop_squares_the_gradient_before_it_takes_its_share():
    theta = np.array([1.0], np.float32)
    g = np.array([0.3], np.float32)
    rule = RMSprop(0.001, np.array(0.9, np.float32))
    _, slots = rule.update(theta, g, rule.init(theta))
    assert slots["velocity"] == np.float32(0.1) * (g * g)
