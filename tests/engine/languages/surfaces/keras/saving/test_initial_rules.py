"""`get` and `serialize` of `keras.initializers` print what Keras 3 under TensorFlow 2.21 printed."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

AXES = "'input_axes': None, 'output_axes': None"
BEGIN = "I = tf.keras.initializers\n"


@pytest.mark.parametrize(
    ("rule", "class_name", "config"),
    [
        ("I.get('glorot_uniform')", "GlorotUniform", f"'seed': None, {AXES}"),
        ("I.get('GlorotUniform')", "GlorotUniform", f"'seed': None, {AXES}"),
        ("I.get('zeros')", "Zeros", ""),
        ("I.LecunNormal(seed=2)", "LecunNormal", f"'seed': 2, {AXES}"),
        ("I.get('orthogonal')", "Orthogonal", "'seed': None, 'gain': 1.0"),
        ("I.RandomNormal(stddev=0.1, seed=3)", "RandomNormal", "'seed': 3, 'mean': 0.0, 'stddev': 0.1"),
        ("I.RandomUniform(seed=1)", "RandomUniform", "'seed': 1, 'minval': -0.05, 'maxval': 0.05"),
        ("I.Constant(3.0)", "Constant", "'value': 3.0"),
        ("I.Identity()", "Identity", ""),
        (
            "I.VarianceScaling(1.0, 'fan_avg', 'uniform')",
            "VarianceScaling",
            f"'seed': None, 'scale': 1.0, 'mode': 'fan_avg', 'distribution': 'uniform', {AXES}",
        ),
    ],
)
def test_a_rule_as_a_dictionary(rule: str, class_name: str, config: str) -> None:
    assert printed(f"{BEGIN}print(I.serialize({rule}))") == [
        f"{{'module': 'keras.initializers', 'class_name': '{class_name}', "
        f"'config': {{{config}}}, 'registered_name': None}}"
    ]


def test_a_rule_made_of_a_dictionary_draws_the_same() -> None:
    assert printed(
        f"""{BEGIN}
print(I.get(I.serialize(I.RandomNormal(stddev=2., seed=7)))((2,)).numpy())
print(I.get({{"class_name": "random_normal", "config": {{"stddev": 2., "seed": 7}}}})((2,)).numpy())
print(I.deserialize(I.serialize(I.Constant(3.)))(shape=(2,)).numpy())
print(I.RandomNormal(stddev=0.1).stddev, I.RandomNormal(seed=3).seed, I.HeNormal().scale, I.get(None))
"""
    ) == ["[-1.3483455 -0.7173851]", "[-1.3483455 -0.7173851]", "[3. 3.]", "0.1 3 2.0 None"]


def test_a_function_is_a_rule_as_it_is() -> None:
    source = "f = lambda shape, dtype=None: tf.ones(shape)\nprint(tf.keras.initializers.get(f) is f)"
    assert printed(source) == ["True"]


@pytest.mark.parametrize("given", ["5", "{'class_name': 'Nope', 'config': {}}"])
def test_what_is_no_rule_is_refused(given: str) -> None:
    (found,) = run(f"tf.keras.initializers.get({given})")["diagnostics"]
    assert found["message"] == f"Could not interpret initializer identifier: {given}"


def test_a_function_of_the_program_has_no_dictionary() -> None:
    source = "tf.keras.initializers.serialize(lambda shape, dtype=None: tf.ones(shape))"
    (found,) = run(source)["diagnostics"]
    assert found["message"] == "initializers.serialize() takes one of Keras' own initializers here."


def test_a_layer_writes_its_element_type_as_a_policy_and_reads_it() -> None:
    assert printed(
        """
class Linear(L.Layer):
    def __init__(self, units=3, **k):
        super().__init__(**k)
        self.units = units
    def get_config(self):
        return {**super().get_config(), "units": self.units}
print(Linear(name="l").get_config())
print(Linear.from_config(Linear(7).get_config()).units, L.Dense.from_config(L.Dense(4).get_config()).units)
"""
    ) == [
        "{'name': 'l', 'trainable': True, 'dtype': {'module': 'keras', 'class_name': 'DTypePolicy', "
        "'config': {'name': 'float32'}, 'registered_name': None}, 'units': 3}",
        "7 4",
    ]


def test_activations_regularizers_and_constraints_are_found_by_name() -> None:
    assert printed(
        """
K = tf.keras
print(K.activations.serialize(K.activations.relu), K.regularizers.get(None), K.constraints.get(None))
print(K.regularizers.get("l2")(tf.constant([1.0, 2.0])).numpy())
print(K.constraints.get("non_neg")(tf.constant([-1.0, 2.0])).numpy())
"""
    ) == ["relu None None", "0.049999997", "[0. 2.]"]
