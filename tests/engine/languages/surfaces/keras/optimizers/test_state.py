"""The variables of Keras' optimizers, in its order and by its names: what Keras 3.15 printed."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed

EXPECTED = {
    "Nadam()": "a_0_momentum a_0_velocity b_0_momentum b_0_velocity variable",
    "Ftrl()": "a_0_accumulator a_0_linear b_0_accumulator b_0_linear",
    "Adadelta()": "a_0_accumulated_grad a_0_accumulated_delta_var b_0_accumulated_grad "
    "b_0_accumulated_delta_var",
    "Adamax()": "a_0_momentum a_0_norm b_0_momentum b_0_norm",
    "Adam(amsgrad=True)": "a_0_momentum a_0_velocity b_0_momentum b_0_velocity a_0_velocity_hat "
    "b_0_velocity_hat",
    "RMSprop(centered=True, momentum=0.1)": "a_0_velocity b_0_velocity a_0_momentum b_0_momentum "
    "a_0_average_gradient b_0_average_gradient",
}
STEPS = """
a, b = tf.Variable([1., 2.], name="a"), tf.Variable(1., name="b")
for _ in range(2): o.apply_gradients([(tf.constant([1., 2.]), a), (tf.constant(2.), b)])
"""


@pytest.mark.parametrize("made", EXPECTED)
def test_group_after_group_each_for_all_variables(made: str) -> None:
    program = f"o = tf.keras.optimizers.{made}\n{STEPS}print(*[v.path.split('/')[1] for v in o.variables])"
    assert printed(program) == [f"iteration learning_rate {EXPECTED[made]}"]


def test_the_product_of_nadams_momenta_is_one_number() -> None:
    program = f"o = tf.keras.optimizers.Nadam()\n{STEPS}print(round(float(o.variables[-1].numpy()), 5))"
    assert printed(program) == ["0.22711"]


def test_a_configuration_has_the_decay_of_the_weights() -> None:
    assert printed("print(tf.keras.optimizers.Nadam(weight_decay=0.01).get_config()['weight_decay'])") == [
        "0.01"
    ]
