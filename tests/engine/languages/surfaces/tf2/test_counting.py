"""Bits, bins and places: what TensorFlow 2.21 printed."""

from __future__ import annotations

from tests.engine.languages.surfaces.tf2.programs import codes, printed, run


def test_bits_of_numbers() -> None:
    assert printed(
        """b = tf.bitwise
print(b.bitwise_and(5, 3).numpy(), b.bitwise_or([1, 2], [4, 2]).numpy(), b.bitwise_xor(5, 3).numpy())
print(b.invert(3).numpy(), b.left_shift(1, 3).numpy(), b.right_shift(16, 2).numpy())"""
    ) == ["1 [5 2] 6", "-4 8 4"]
    assert codes(run("tf.bitwise.bitwise_and(1.5, 2.5)"))[-1] == "dtype_mismatch"


def test_numbers_outside_of_a_histogram_count_in_its_first_or_last_bin() -> None:
    assert printed(
        """print(tf.histogram_fixed_width([0.1, 0.5, 0.9, 3., -1.], [0., 1.], 4).numpy())
print(tf.histogram_fixed_width_bins([-1., 0., 1.5, 2., 5., 15.], [0., 5.], 5).numpy())
print(tf.unravel_index([3, 5], [2, 3]).numpy().tolist())"""
    ) == ["[2 0 1 2]", "[0 0 1 2 4 4]", "[[1, 1], [0, 2]]"]


def test_the_branch_of_a_number_and_else_the_last_one() -> None:
    assert printed(
        """print(tf.switch_case(tf.constant(1), {0: lambda: 1, 1: lambda: 2}, default=lambda: 3))
print(tf.switch_case(tf.constant(7), [lambda: 5, lambda: 6]))"""
    ) == ["2", "6"]


def test_metrics_stand_below_tf_as_below_keras() -> None:
    assert printed(
        """m = tf.metrics.MeanAbsoluteError()
m.update_state([1., 2.], [2., 4.])
print(m.result().numpy(), tf.metrics.Mean()([1., 3.]).numpy())"""
    ) == ["1.5 2.0"]
