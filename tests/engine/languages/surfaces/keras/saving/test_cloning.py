"""Layers and models made anew from what others were made of."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_a_layer_is_made_anew_from_its_configuration() -> None:
    assert printed(
        """
d = L.Dense(4, activation="relu", name="first")
e = L.Dense.from_config(d.get_config())
print(e.name, e.units, d.get_config()["units"], e(np.ones((1, 2))).shape)
"""
    ) == ["first 4 4 (1, 4)"]


def test_a_clone_has_layers_of_the_same_names_and_variables_of_its_own() -> None:
    assert printed(
        """
i = tf.keras.Input((2,))
h = L.Dense(3, name="h")(i)
m = tf.keras.Model(i, L.Add()([h, h * 2]), name="net")
c = tf.keras.models.clone_model(m)
c.set_weights([w + 1 for w in m.get_weights()])
print(c.name, [one.name for one in c.layers] == [one.name for one in m.layers], c.count_params())
print((c.get_weights()[1] - m.get_weights()[1]).tolist())
"""
    ) == ["net True 9", "[1.0, 1.0, 1.0]"]


def test_a_class_of_the_programs_own_is_cloned_by_its_configuration() -> None:
    assert printed(
        """
class Scale(L.Layer):
    def __init__(self, factor, **kw):
        super().__init__(**kw)
        self.factor = factor
    def call(self, x):
        return x * self.factor
    def get_config(self):
        return {**super().get_config(), "factor": self.factor}
m = tf.keras.Sequential([tf.keras.Input((1,)), Scale(3.0, name="by")])
c = tf.keras.models.clone_model(m)
print(c.layers[0].name, c(np.ones((1, 1))).numpy())
k = tf.keras.Sequential.from_config(m.get_config(), custom_objects={"Scale": Scale})
print(k(np.ones((1, 1))).numpy())
"""
    ) == ["by [[3.]]", "[[3.]]"]


def test_a_loaded_model_holds_what_was_saved() -> None:
    assert printed(
        """
m = tf.keras.Sequential([tf.keras.Input((1,)), L.Dense(1, kernel_initializer="ones")])
m.compile("sgd", "mse")
m.save("net.keras")
m.set_weights([w + 5 for w in m.get_weights()])
n = tf.keras.models.load_model("net.keras")
print(n(np.ones((1, 1))).numpy(), n.evaluate(np.ones((1, 1)), np.zeros((1, 1)), verbose=0))
"""
    ) == ["[[1.]] 1.0"]


def test_a_model_that_was_not_saved_cannot_be_loaded() -> None:
    answer = run('tf.keras.models.load_model("other.keras")')
    assert answer["diagnostics"][-1]["message"] == "There is no file 'other.keras' here."


def test_a_clone_of_a_built_sequence_is_built() -> None:
    assert printed(
        """
m = tf.keras.Sequential([L.Dense(3), L.Dense(1)])
print(tf.keras.models.clone_model(m).built)
m(np.ones((2, 2)))
c = tf.keras.models.clone_model(m)
c.set_weights(m.get_weights())
print(c.built, np.allclose(c(np.ones((2, 2))), m(np.ones((2, 2)))))
"""
    ) == ["False", "True True"]
