"""`tf.keras.layers`: every kind of layer by its name."""

from engine.languages.surfaces.keras.layers.catalogue import INPUT, LAYERS

__all__ = ["INPUT", "LAYERS"]
