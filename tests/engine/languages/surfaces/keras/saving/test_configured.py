"""Objects of Keras that know their settings: losses, regularizers, constraints. What Keras 3.15 printed."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed


def test_a_loss_knows_its_name_its_reduction_and_its_settings() -> None:
    assert printed(
        """
K = tf.keras.losses
l = K.Huber(0.3, name="a", reduction="sum")
print(l.name, l.reduction, l.call(tf.constant([[1., 2.]]), tf.constant([[1.5, 2.5]])).numpy())
print(K.CategoricalFocalCrossentropy().get_config())
print(K.SparseCategoricalCrossentropy(from_logits=True).get_config())
print(K.Huber().name, type(K.Huber()).__name__, K.CosineSimilarity(axis=1).get_config())
class MyLoss(K.Loss):
    def call(self, a, b): return a - b
print(MyLoss().get_config())
"""
    ) == [
        "a sum [0.105]",
        "{'name': 'categorical_focal_crossentropy', 'reduction': 'sum_over_batch_size', "
        "'from_logits': False, 'label_smoothing': 0.0, 'axis': -1, 'alpha': 0.25, 'gamma': 2.0}",
        "{'name': 'sparse_categorical_crossentropy', 'reduction': 'sum_over_batch_size', "
        "'from_logits': True, 'ignore_class': None}",
        "huber_loss Huber {'name': 'cosine_similarity', 'reduction': 'sum_over_batch_size'}",
        "{'name': 'my_loss', 'reduction': 'sum_over_batch_size'}",
    ]


def test_regularizers_and_constraints_are_written_as_dictionaries_and_read_again() -> None:
    assert printed(
        """
r, c = tf.keras.regularizers, tf.keras.constraints
print(r.serialize(r.L2(.1)))
print(r.deserialize({"class_name": "L2", "config": {"l2": .3}}).get_config(), r.L1(.1).get_config())
print(c.serialize(c.NonNeg()), c.MinMaxNorm(.5, rate=.5).get_config())
"""
    ) == [
        "{'module': 'keras.regularizers', 'class_name': 'L2', 'config': {'l2': 0.1}, "
        "'registered_name': None}",
        "{'l2': 0.3} {'l1': 0.10000000149011612}",
        "{'module': 'keras.constraints', 'class_name': 'NonNeg', 'config': {}, 'registered_name': None} "
        "{'min_value': 0.5, 'max_value': 1.0, 'rate': 0.5, 'axis': 0}",
    ]


def test_rows_that_are_not_at_right_angles_add_to_the_loss() -> None:
    """|cosine| of the rows is 5 / (√5 · 5) = 0.447, the mean over one pair, half of it counted twice."""
    assert printed(
        """
w = tf.constant([[1., -2.], [3., 4.]])
print(tf.keras.regularizers.OrthogonalRegularizer(0.1)(w).numpy().round(5))
"""
    ) == ["0.04472"]
