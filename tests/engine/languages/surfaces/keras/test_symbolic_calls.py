"""Keras's symbolic tensors: several arguments, several results, operators and functions between them."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

BEGIN = "i = tf.keras.Input((2,))\n"


def test_operators_between_symbolic_tensors_stand_between_layers() -> None:
    assert printed(
        BEGIN
        + """
m = tf.keras.Model(i, (i * 2 + 1) / i - i ** 2)
print([layer.name for layer in m.layers], m.output_shape)
print(m(np.array([[1., 2.]])).numpy())
"""
    ) == ["['input_layer'] (None, 2)", "[[ 2.  -1.5]]"]  # 3 / 1 - 1 and 5 / 2 - 4


def test_functions_of_tensorflow_on_symbolic_tensors_are_computed_as_in_keras_2_and_noted() -> None:
    answer = run(
        BEGIN
        + "m = tf.keras.Model(i, tf.reduce_sum(tf.concat([i, i + 1], 1), 1))\n"
        + "print(m(np.array([[1., 2.]])).numpy())"
    )
    assert answer["printed"] == ["[8.]"]  # 1 + 2 + 2 + 3
    assert "keras_tensor" in [one["code"] for one in answer["diagnostics"]]


def test_a_layer_takes_several_arguments() -> None:
    assert printed(
        BEGIN
        + """
class Weigh(L.Layer):
    def call(self, a, b, scale=1.0):
        return a - scale * b
m = tf.keras.Model(i, Weigh()(i, i * 3, scale=2.0))
print(m(np.array([[1., 2.]])).numpy())
"""
    ) == ["[[ -5. -10.]]"]  # x - 2 * 3 x


def test_a_layer_gives_several_tensors_which_another_one_begins_with() -> None:
    assert printed(
        """
i = tf.keras.Input((3, 2))
out, h, c = L.LSTM(4, return_state=True)(i)
again = L.LSTM(4, return_sequences=True)(i, initial_state=[h, c])
m = tf.keras.Model(i, [again, h])
print([one.shape for one in (out, h, c, again)])
print([one.shape for one in m.predict(np.ones((5, 3, 2)), verbose=0)])
"""
    ) == ["[(None, 4), (None, 4), (None, 4), (None, 3, 4)]", "[(5, 3, 4), (5, 4)]"]


def test_a_model_of_several_outputs_stands_inside_another_one() -> None:
    assert printed(
        BEGIN
        + """
inner = tf.keras.Model(i, [i + 1, i * 2], name="inner")
first, second = inner(i)
print(tf.keras.Model(i, second)(np.array([[1., 3.]])).numpy(), second)
"""
    ) == [
        "[[2. 6.]] <KerasTensor shape=(None, 2), dtype=float32, sparse=False, ragged=False, "
        "name=keras_tensor_4>"
    ]


def test_shapes_that_do_not_go_together_are_refused() -> None:
    answer = run("i = tf.keras.Input((2,))\nk = tf.keras.Input((3,))\ni + k")
    assert answer["diagnostics"][-1]["message"].startswith(
        "Add cannot work element by element on (?, 2) and (?, 3)."
    )


def test_a_model_inside_another_gives_the_shapes_that_it_was_made_with() -> None:
    assert printed(
        """
d = tf.keras.Input((16,))
h = L.Conv2DTranspose(2, 3, kernel_initializer="ones")(L.Reshape((4, 4, 1))(d))
m = tf.keras.Model(d, L.UpSampling2D(3)(h))
n = tf.keras.Model(d, m(d))
print(m(tf.keras.Input((16,))).shape, n.predict(np.ones((2, 16)), verbose=0).sum())
"""
    ) == ["(None, 18, 18, 2) 5184.0"]


def test_a_layer_of_ones_own_is_built_with_the_shapes_of_several_inputs_in_a_list() -> None:
    assert printed(
        """
class Weighed(L.Layer):
    def build(self, input_shape):
        print(input_shape)
        self.w = self.add_weight(shape=(input_shape[0][1], 1), initializer="ones")
    def call(self, inputs):
        return [x @ self.w for x in inputs]
several = [tf.keras.Input((4,)) for _ in range(2)]
m = tf.keras.Model(several, L.add(Weighed()(several)))
print(m.count_params(), m([np.ones((1, 4)), np.ones((1, 4))]).numpy())
"""
    ) == ["[(None, 4), (None, 4)]", "4 [[8.]]"]


def test_a_layer_of_ones_own_is_built_with_the_shapes_of_arrays_by_name() -> None:
    assert printed(
        """
class Line(L.Layer):
    def build(self, input_shape):
        print(input_shape)
        self.w = self.add_weight(shape=(input_shape["x"][-1], 1), initializer="ones")
    def call(self, inputs):
        return inputs["x"] @ self.w + inputs["b"]
print(Line()({"x": np.ones((2, 3), "float32"), "b": np.ones((2, 1), "float32")}).numpy())
"""
    ) == ["{'x': (2, 3), 'b': (2, 1)}", "[[4.]", " [4.]]"]


def test_what_cannot_be_done_with_a_symbolic_tensor_is_said_of_it_by_keras_name() -> None:
    answer = run(f"{BEGIN}print(type(i).__name__)\ni > 0")
    assert answer["printed"] == ["KerasTensor"]
    assert answer["diagnostics"][-1]["message"] == "`>` does not work between KerasTensor and int."
