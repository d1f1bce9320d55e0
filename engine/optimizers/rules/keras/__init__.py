"""Keras's optimizers (as of Keras 3) as rules.

Keras spells an update out in elementary ops; here each is one Apply op, so that its graph reads like
TensorFlow 1's. The op types begin with `ApplyKeras` where the arithmetic differs from TensorFlow 1's.
"""

from engine.optimizers.rules.keras.adadelta import Adadelta
from engine.optimizers.rules.keras.adagrad import Adagrad
from engine.optimizers.rules.keras.adam import Adam, AdamW
from engine.optimizers.rules.keras.adamax import Adamax
from engine.optimizers.rules.keras.ftrl import Ftrl
from engine.optimizers.rules.keras.lion import Lion
from engine.optimizers.rules.keras.nadam import Nadam
from engine.optimizers.rules.keras.rmsprop import RMSprop
from engine.optimizers.rules.keras.sgd import SGD

__all__ = ["SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lion", "Nadam", "RMSprop"]
