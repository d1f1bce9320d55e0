"""Small pieces that programs of Keras are pasted with."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n"


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_a_model_that_its_first_input_has_built_is_loaded_with_its_weights() -> None:
    source = """
m = keras.Sequential([keras.layers.Dense(2, use_bias=False, kernel_initializer='ones')])
m.compile('sgd', 'mse')
print(m.predict(np.ones((1, 3)), verbose=0))
m.save('m.keras')
print(keras.models.load_model('m.keras').predict(np.ones((1, 3)), verbose=0))
"""
    assert printed(source) == ["[[3. 3.]]", "[[3. 3.]]"]


def test_a_tensor_of_int64_is_a_subscript_beside_a_slice() -> None:
    source = "x = tf.constant([[1.0, 3.0, 2.0]])\nprint(x[:, tf.argmax(x[0])].numpy())"
    assert printed(source) == ["[3.]"]


@pytest.mark.parametrize(
    ("call", "expected"),
    [("4", "[0 1 2 3]"), ("1, 4", "[1 2 3]"), ("0, 5, step=2", "[0 2 4]"), ("2, dtype='float32'", "[0. 1.]")],
)
def test_numbers_at_equal_distances(call: str, expected: str) -> None:
    assert printed(f"print(keras.ops.arange({call}).numpy())") == [expected]


def test_alpha_dropout_leaves_what_is_not_trained_alone_and_drops_to_one_value() -> None:
    source = """
layer = keras.layers.AlphaDropout(0.5)
x = np.ones((1, 200), 'float32')
print(np.unique(layer(x).numpy()), [f'{v:.4f}' for v in np.unique(layer(x, training=True).numpy())])
"""
    # a = (0.5 (1 + 0.5 1.7581²))^-0.5 = 0.8864, b = 0.5 1.7581 a = 0.7792: a (-1.7581) + b and a + b
    assert printed(source) == ["[1.] ['-0.7792', '1.6656']"]


def test_a_seed_of_keras_needs_no_note() -> None:
    answer = run_program(ProgramRequest(BEGIN + "keras.utils.set_random_seed(1)", dialect="tf2"))
    assert answer["diagnostics"] == []
