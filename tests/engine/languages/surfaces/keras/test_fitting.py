"""`compile`, `fit`, `evaluate`, `predict` and `summary` print what Keras 3 under TensorFlow 2.21 printed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import tensorflow as tf\nimport numpy as np\nL = tf.keras.layers\n"


def run(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest(BEGIN + source))


def printed(source: str) -> list[str]:
    answer = run(source)
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"]).split("\n")


LINE = """
model = tf.keras.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(1,))])
model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse", metrics=["mae"])
x = np.array([[1.], [2.], [3.]]); y = 2 * x
"""


def test_a_line_is_fitted() -> None:
    assert printed(
        LINE
        + """
h = model.fit(x, y, epochs=3, batch_size=3, verbose=0)
print({name: np.round(values, 6).tolist() for name, values in h.history.items()}, h.epoch)
print(np.round(model.evaluate(x, y, verbose=0), 6))
print(np.round(model.predict(x, verbose=0).astype(float), 4).tolist())
"""
    ) == [
        "{'loss': [4.666667, 0.074074, 0.018344], 'mae': [2.0, 0.266667, 0.115556]} [0, 1, 2]",
        "[0.016849 0.114371]",
        "[[2.1935], [4.0439], [5.8942]]",
    ]


def test_the_turns_of_fit_go_over_one_graph() -> None:
    """As those of a loop that the program writes itself: ten epochs make no more nodes than two."""
    sizes = [
        len(run(f"{LINE}\nmodel.fit(x, y, epochs={epochs}, verbose=0)")["graph"]["nodes"])
        for epochs in (2, 10)
    ]
    assert sizes[0] == sizes[1]


def test_batches_that_are_evaluated_go_over_one_graph() -> None:
    """Four batches make no more nodes than two, and the figures are those of all rows."""
    sizes = [
        len(run(f"{LINE}\nmodel.evaluate(x[:{rows}], y[:{rows}], batch_size=1)")["graph"]["nodes"])
        for rows in (2, 3)
    ]
    assert sizes[0] == sizes[1]
    assert printed(LINE + "print(model.evaluate(x, y, batch_size=1, verbose=0))")[0].startswith("[4.66666")


def test_a_training_goes_on_after_an_evaluation_as_without_it() -> None:
    fit = "model.fit(x, y, epochs=3, batch_size=1, shuffle=False, verbose=0{})\nprint(model.get_weights())"
    assert printed(LINE + fit.format(", validation_data=(x, y)")) == printed(LINE + fit.format(""))


def test_a_batch_is_evaluated_without_a_step() -> None:
    assert printed(
        LINE
        + """
print(model.metrics_names, tf.keras.Sequential().metrics_names)
print([float(one) for one in model.test_on_batch(x, y)], model.get_weights()[0].tolist())
print(model.test_on_batch(x[:1], y[:1], return_dict=True))
model.reset_metrics()
"""
    ) == [
        "['loss', 'compile_metrics'] []",
        "[4.666666507720947, 2.0] [[1.0]]",  # (1 + 4 + 9) / 3
        "{'loss': 1.0, 'mae': 1.0}",
    ]


def test_labels_of_one_axis_meet_predictions_of_one_column() -> None:
    """(n,) and (n, 1) are compared row by row, not spread against each other."""
    pair = "y = tf.constant([1., 2., 3.]); p = tf.constant([[1.5], [2.5], [2.]])\n"
    assert printed(f"{pair}print(tf.keras.losses.MeanSquaredError()(y, p).numpy())") == ["0.5"]
    assert printed(f"{pair}print(tf.keras.losses.MSE(y, p).numpy())") == ["[0.25 0.25 1.  ]"]
    assert printed(
        f"{pair}m = tf.keras.metrics.MeanSquaredError(); m.update_state(y, p); print(m.result().numpy())"
    ) == ["0.5"]
    refused = run(f"{pair}tf.keras.losses.binary_crossentropy(y, p)")
    assert refused["diagnostics"][-1]["code"] == "shape_mismatch"


def test_validation_and_the_accuracy_that_fits() -> None:
    assert printed(
        """
model = tf.keras.models.Sequential()
model.add(L.Dense(3, activation="softmax", kernel_initializer="ones"))
model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy", "mse"])
x = np.arange(12.).reshape(4, 3) / 10; y = np.eye(3)[[0, 1, 2, 0]]
h = model.fit(x, y, epochs=2, batch_size=4, verbose=0, validation_split=0.25)
print({k: np.round(v, 4).tolist() for k, v in h.history.items()})
print(sorted(model.train_on_batch(x, y, return_dict=True)))
"""
    ) == [
        "{'accuracy': [0.3333, 0.3333], 'loss': [1.0986, 1.0967], 'mse': [0.2222, 0.2218], "
        "'val_accuracy': [0.0, 0.0], 'val_loss': [1.1081, 1.1125], 'val_mse': [0.2243, 0.2253]}",
        "['accuracy', 'loss', 'mse']",
    ]


def test_a_data_set_brings_its_own_batches() -> None:
    assert printed(
        """
model = tf.keras.Sequential([L.Dense(3, kernel_initializer="ones", activation="softmax")])
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
x = np.array([[1.], [-2.], [3.], [1.]]); y = np.array([1, 0, 1, 2])
d = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
h = model.fit(d, epochs=2, verbose=0)
print({k: [round(float(a), 4) for a in v] for k, v in h.history.items()})
print([round(float(a), 4) for a in model.evaluate(d, verbose=0)])
"""
    ) == ["{'accuracy': [0.5, 0.75], 'loss': [1.0937, 1.0711]}", "[1.0541, 0.75]"]


def test_batch_normalization_moves_its_averages_in_training_only() -> None:
    assert printed(
        """
b = L.BatchNormalization()
x = tf.constant([[1., 2.], [3., 6.], [5., 1.]])
print(np.round(b(x).numpy().astype(float), 4).tolist())
print(np.round(b(x, training=True).numpy().astype(float), 4).tolist())
print([v.name for v in b.variables], len(b.trainable_variables))
print([np.round(v.numpy().astype(float), 6).tolist() for v in (b.moving_mean, b.moving_variance)])
"""
    ) == [
        "[[0.9995, 1.999], [2.9985, 5.997], [4.9975, 0.9995]]",
        "[[-1.2245, -0.4629], [0.0, 1.3886], [1.2245, -0.9257]]",
        "['gamma', 'beta', 'moving_mean', 'moving_variance'] 2",
        "[[0.03, 0.03], [1.016667, 1.036667]]",
    ]


def test_layers_without_variables() -> None:
    assert printed(
        """
x = tf.constant([[-2., -0.5, 0.5, 8.]])
print(L.ReLU(max_value=6)(x).numpy(), L.ReLU(threshold=1.0)(x).numpy(), L.ReLU(negative_slope=0.5)(x).numpy())
print(L.LeakyReLU(0.5)(x).numpy(), L.Reshape((2, -1))(x).shape, L.Rescaling(0.5, 1.)(x).numpy())
print(L.GlobalMaxPooling2D()(tf.reshape(tf.range(8.), [1, 2, 2, 2])).numpy())
"""
    ) == [
        "[[0.  0.  0.5 6. ]] [[0. 0. 0. 8.]] [[-1.   -0.25  0.5   8.  ]]",
        "[[-1.   -0.25  0.5   8.  ]] (1, 2, 2) [[0.   0.75 1.25 5.  ]]",
        "[[6. 7.]]",
    ]


def test_the_summary() -> None:
    assert printed(
        """
shape = (28, 28, 1)
model = tf.keras.Sequential([tf.keras.Input(shape=shape), L.Conv2D(4, 3, name="hidden"), L.MaxPooling2D(),
    L.Flatten(), L.Dense(1000, name="a_rather_long_name_of_a_layer_that_goes_on")])
model.summary()
"""
    )[:14] == [
        'Model: "sequential"',
        "┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓",
        "┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃",
        "┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩",
        "│ hidden (Conv2D)                 │ (None, 26, 26, 4)      │            40 │",
        "├─────────────────────────────────┼────────────────────────┼───────────────┤",
        "│ max_pooling2d (MaxPooling2D)    │ (None, 13, 13, 4)      │             0 │",
        "├─────────────────────────────────┼────────────────────────┼───────────────┤",
        "│ flatten (Flatten)               │ (None, 676)            │             0 │",
        "├─────────────────────────────────┼────────────────────────┼───────────────┤",
        "│ a_rather_long_name_of_a_layer_… │ (None, 1000)           │       677,000 │",
        "│ (Dense)                         │                        │               │",
        "└─────────────────────────────────┴────────────────────────┴───────────────┘",
        " Total params: 677,040 (2.58 MB)",
    ]


@pytest.mark.parametrize(
    ("kind", "last"),
    [("SimpleRNN", [0.9709, 0.9994]), ("GRU", [0.3444, 0.3197]), ("LSTM", [0.6115, 0.9665])],
)
def test_recurrent_layers(kind: str, last: list[float]) -> None:
    lines = printed(
        f"""
x = tf.reshape(tf.range(12.), [2, 3, 2]) / 10
l = L.{kind}(2, kernel_initializer="ones", recurrent_initializer="ones")
print(np.round(l(x).numpy().astype(float), 4)[:, 0].tolist())
s = L.{kind}(2, kernel_initializer="ones", recurrent_initializer="ones", return_sequences=True)
print(s(x).shape, np.round(s(x).numpy().astype(float), 4)[:, -1, 1].tolist())
"""
    )
    assert lines == [str(last), f"(2, 3, 2) {last}"]


def test_a_gru_of_one_offset_and_the_states_of_an_lstm() -> None:
    assert printed(
        """
x = tf.reshape(tf.range(12.), [2, 3, 2]) / 10
g = L.GRU(2, kernel_initializer="ones", recurrent_initializer="ones", reset_after=False)
print(np.round(g(x).numpy().astype(float), 4)[:, 0].tolist())
l = L.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones", return_state=True)
print([np.round(v.numpy().astype(float), 4)[:, 0].tolist() for v in l(x)])
"""
    ) == ["[0.3444, 0.3197]", "[[0.6115, 0.9665], [0.6115, 0.9665], [1.0232, 2.5472]]"]


def test_the_functional_way() -> None:
    assert printed(
        """
inputs = tf.keras.Input(shape=(2,))
h = L.Dense(3, activation="relu", kernel_initializer="ones")(inputs)
outputs = L.Dense(1, kernel_initializer="ones")(h)
model = tf.keras.Model(inputs=inputs, outputs=outputs)
print(model(tf.ones((2, 2))).numpy().tolist())
model.compile(optimizer="sgd", loss="mse")
h = model.fit(np.ones((2, 2)), np.ones((2, 1)), epochs=2, verbose=0)
print(np.round(h.history["loss"], 4).tolist(), inputs.shape, outputs.shape, inputs.dtype)
a = tf.keras.Input(shape=(2,)); b = tf.keras.Input(shape=(2,))
m = tf.keras.Model([a, b], [L.Concatenate()([a, b]), L.add([a, b])])
print([t.numpy().tolist() for t in m([tf.ones((1, 2)), tf.zeros((1, 2))])])
"""
    ) == [
        "[[6.0], [6.0]]",
        "[25.0, 8.8804] (None, 2) (None, 1) float32",
        "[[[1.0, 1.0, 0.0, 0.0]], [[1.0, 1.0]]]",
    ]


def test_layers_of_several_inputs() -> None:
    assert printed(
        """
a, b = tf.constant([[1., 2.]]), tf.constant([[3., 5.]])
for kind in (L.Add, L.Subtract, L.Multiply, L.Average, L.Maximum, L.Minimum, L.Concatenate):
    print(kind()([a, b]).numpy())
print(L.Dot(axes=1)([a, b]).numpy())
"""
    ) == [
        "[[4. 7.]]",
        "[[-2. -3.]]",
        "[[ 3. 10.]]",
        "[[2.  3.5]]",
        "[[3. 5.]]",
        "[[1. 2.]]",
        "[[1. 2. 3. 5.]]",
        "[[13.]]",
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("model.fit(x, y)", "You must call `compile()` before using the model."),
        ('model.compile("sgdd", "mse")', "There is no optimizer named 'sgdd'."),
        ('model.compile("sgd", "msee")', "There is no loss named 'msee'."),
        ('model.compile("sgd"); model.fit(x, y)', "compile() was given no loss."),
        (
            "a, b = tf.keras.Input((1,)), tf.keras.Input((1,)); tf.keras.Model(a, L.Add()([a, b]))",
            "The outputs also come from the input input_layer_1, which is not among the inputs.",
        ),
        ('model.compile("sgd", "mse"); model.fit(x)', "There are no labels to compute the loss with."),
        (
            'model.compile("sgd", "mse", metrics=["accurcy"]); model.fit(x, y)',
            "There is no metric named 'accurcy'.",
        ),
    ],
)
def test_what_is_missing_is_named(lines: str, message: str) -> None:
    answer = run(f"model = tf.keras.Sequential([L.Dense(1)])\nx = np.ones((2, 1)); y = x\n{lines}")
    assert answer["diagnostics"][-1]["message"] == message


def test_shuffled_rows_are_noted() -> None:
    def codes(settings: str) -> list[str]:
        answer = run(f"{LINE}\nmodel.fit(x, y, batch_size=1, verbose=0{settings})")
        return [one["code"] for one in answer["diagnostics"]]

    assert "rows_shuffled" in codes("")
    assert "rows_shuffled" not in codes(", shuffle=False")


def test_a_frozen_layer_is_not_trained() -> None:
    assert printed(
        """
model = tf.keras.Sequential([L.Dense(1, kernel_initializer="ones", trainable=False), L.Dense(1)])
model(tf.ones((1, 2)))
print(len(model.trainable_variables), len(model.non_trainable_variables))
model.layers[0].trainable = True
print(len(model.trainable_variables), len(model.non_trainable_variables))
"""
    ) == ["2 2", "4 0"]


def test_a_model_may_be_kept_as_a_name_of_the_module() -> None:
    """As tutorials do; it is this program's alone."""
    assert printed("tf.model = 3\nprint(tf.model)") == ["3"]
    assert run("print(tf.model)")["status"] == "error"
    assert run("tf.constant = 3")["diagnostics"][-1]["code"] == "refused_assignment"


def test_cross_entropies_are_figures_too() -> None:
    # TensorFlow 2.21 prints these.
    assert printed(
        "m = tf.keras.metrics.BinaryCrossentropy(); m.update_state([0., 1., 1.], [0.2, 0.9, 0.4])\n"
        "print(round(float(m.result()), 5))\n"
        "m = tf.keras.metrics.CategoricalCrossentropy()\n"
        "m.update_state([[0., 1.], [1., 0.]], [[0.2, 0.6], [0.5, 0.5]]); print(round(float(m.result()), 5))\n"
        "x = np.linspace(-1, 1, 8).reshape(8, 1).astype('float32'); y = (x > 0).astype('float32')\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1, 'sigmoid', kernel_initializer='ones')])\n"
        "model.compile('sgd', 'mse', metrics=['binary_crossentropy'])\n"
        "h = model.fit(x, y, epochs=2, batch_size=8, verbose=0, shuffle=False)\n"
        "print([round(float(one), 4) for one in h.history['binary_crossentropy']])\n"
    ) == ["0.41493", "0.49041", "[0.4594, 0.4593]"]


def test_pixels_are_repeated_and_a_margin_is_added() -> None:
    assert printed(
        "x = tf.constant([[[[1.], [2.]]]])\n"
        "with tf.GradientTape() as t:\n"
        "    t.watch(x)\n"
        "    u = tf.keras.layers.ZeroPadding2D(((1, 0), (0, 1)))(tf.keras.layers.UpSampling2D((2, 2))(x))\n"
        "    y = tf.reduce_sum(u * u)\n"
        "print(u[0, :, :, 0].numpy().tolist(), t.gradient(y, x).numpy().ravel().tolist())\n"
    ) == ["[[0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 2.0, 2.0, 0.0], [1.0, 1.0, 2.0, 2.0, 0.0]] [8.0, 16.0]"]


def test_a_second_compile_keeps_the_loss_and_the_metrics_that_it_does_not_name() -> None:
    source = """
m = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer='ones')])
m.compile('sgd', 'mse', metrics=['mae'])
m.compile('adam')
print(m.evaluate(np.ones((2, 2)), np.zeros((2, 1)), verbose=0))
"""
    assert printed(source) == ["[4.0, 2.0]"]


def test_crossentropy_is_computed_from_what_went_into_the_activation() -> None:
    source = """
x, y = tf.constant([[50.0, -50.0, 0.0]]), tf.constant([[0.0, 1.0, 0.0]])
p = tf.keras.activations.softmax(x)
print(float(tf.keras.losses.CategoricalCrossentropy()(y, p)))
m = tf.keras.Sequential([tf.keras.layers.Dense(1, activation='sigmoid', kernel_initializer='ones')])
m.compile('sgd', 'binary_crossentropy')
print(m.evaluate(np.array([[40.0], [-40.0]]), np.array([[0.0], [1.0]]), verbose=0))
"""
    assert printed(source) == ["100.0", "40.0"]


def test_callbacks_hear_of_the_batches_that_are_tested_and_predicted() -> None:
    source = """
class Said(tf.keras.callbacks.Callback):
    def on_test_batch_begin(self, batch, logs=None):
        print('test', batch, list(logs))
    def on_test_batch_end(self, batch, logs=None):
        print('tested', batch, list(logs))
    def on_predict_batch_end(self, batch, logs=None):
        print('predicted', batch, list(logs))
m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
m.compile('sgd', 'mse', metrics=['mae'])
x, y = np.ones((3, 2)), np.zeros((3, 1))
m.evaluate(x, y, batch_size=2, verbose=0, callbacks=[Said()])
m.predict(x, batch_size=2, verbose=0, callbacks=[Said()])
"""
    assert printed(source) == [
        *("test 0 []", "tested 0 ['loss', 'mae']", "test 1 []", "tested 1 ['loss', 'mae']"),
        *("predicted 0 ['outputs']", "predicted 1 ['outputs']"),
    ]
