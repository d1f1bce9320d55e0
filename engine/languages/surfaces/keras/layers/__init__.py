"""`tf.keras.layers`: every kind of layer by its name."""

from engine.languages.surfaces.keras.layers.basic import IN_TRAINING, INPUT, LAYERS

__all__ = ["INPUT", "IN_TRAINING", "LAYERS"]
