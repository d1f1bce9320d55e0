"""`get_config`, `to_json` and what is made of them again, as Keras 3.15 writes them."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.engine.languages.surfaces.keras.test_fitting import printed

GLOROT = (
    "{'module': 'keras.initializers', 'class_name': 'GlorotUniform', 'config': {'seed': None, "
    "'input_axes': None, 'output_axes': None}, 'registered_name': None}"
)
ZEROS = "{'module': 'keras.initializers', 'class_name': 'Zeros', 'config': {}, 'registered_name': None}"
NO_LIMITS = (
    "'kernel_regularizer': None, 'bias_regularizer': None, 'activity_regularizer': None, "
    "'kernel_constraint': None, 'bias_constraint': None"
)


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (
            "Conv1D(2, 3)",
            "{'filters': 2, 'kernel_size': (3,), 'strides': (1,), 'padding': 'valid', "
            "'data_format': 'channels_last', 'dilation_rate': (1,), 'groups': 1, 'activation': 'linear', "
            f"'use_bias': True, 'kernel_initializer': {GLOROT}, 'bias_initializer': {ZEROS}, {NO_LIMITS}}}",
        ),
        (
            "AveragePooling1D(2)",
            "{'pool_size': (2,), 'padding': 'valid', 'strides': (2,), 'data_format': 'channels_last'}",
        ),
        ("ZeroPadding2D()", "{'padding': ((1, 1), (1, 1)), 'data_format': 'channels_last'}"),
        ("UpSampling1D()", "{'size': 2}"),
        ("Dropout(.3)", "{'rate': 0.3, 'seed': None, 'noise_shape': None}"),
        ("ReLU()", "{'max_value': None, 'negative_slope': 0.0, 'threshold': 0.0}"),
    ],
)
def test_all_settings_are_listed_and_make_the_same_layer(layer: str, expected: str) -> None:
    assert printed(
        f"""
l = L.{layer}
c = l.get_config()
print({{k: v for k, v in c.items() if k not in ("name", "trainable", "dtype")}})
print(type(l).from_config(c).get_config() == c)
"""
    ) == [expected, "True"]


def test_a_sequential_model_is_written_as_json_and_made_again() -> None:
    assert printed(
        """
import json
m = tf.keras.Sequential([tf.keras.Input((3,)), L.Dense(4, "relu", kernel_regularizer="l2")], name="net")
whole = json.loads(m.to_json())
print(list(whole), list(whole["config"]), whole["build_config"])
print(whole["config"]["layers"][0])
print(whole["config"]["layers"][1]["config"]["kernel_regularizer"], m.layers[0].kernel_regularizer.l2)
n = tf.keras.models.model_from_json(m.to_json())
print(n.name, n.count_params(), n.get_config() == m.get_config())
"""
    ) == [
        "['module', 'class_name', 'config', 'registered_name', 'build_config', 'compile_config'] "
        "['name', 'trainable', 'dtype', 'layers', 'build_input_shape'] {'input_shape': [None, 3]}",
        "{'module': 'keras.layers', 'class_name': 'InputLayer', 'config': {'batch_shape': [None, 3], "
        "'dtype': 'float32', 'sparse': False, 'ragged': False, 'name': 'input_layer', 'optional': False}, "
        "'registered_name': None}",
        "{'module': 'keras.regularizers', 'class_name': 'L2', 'config': {'l2': 0.01}, "
        "'registered_name': None} 0.01",
        "net 16 True",
    ]


NO_MODELS = (
    "5",
    "[",
    '{"class_name": ["Sequential"], "config": {}}',
    '{"class_name": "Sequential"}',
    "[" * 5000,
)


@pytest.mark.parametrize("text", NO_MODELS, ids=range(len(NO_MODELS)))
def test_a_text_that_is_no_model_is_refused_as_one(text: str) -> None:
    answer = run_program(
        ProgramRequest(f"import tensorflow as tf\ntf.keras.models.model_from_json({text!r})")
    )
    assert answer["diagnostics"][-1]["code"] == "wrong_arguments", answer["diagnostics"]


def test_asking_for_settings_takes_no_seed() -> None:
    """As Keras 3.15 says: one seed for a rule that is made of a configuration, none for the configuration."""
    begin = "import random\nlayer = L.Dense(2)\nrandom.seed(3)\n"
    ways = ("layer.get_config()", "L.Dense.from_config(layer.get_config())", "random.randint(1, 10**9)")
    asked, made, drawn = (printed(f"{begin}{way}\nprint(random.random())") for way in ways)
    assert asked == ["0.23796462709189137"]
    assert made == drawn == ["0.5926409106271656"]
