"""A computation written for another framework, or as mathematics."""

from collections.abc import Mapping

from engine.interchange.code.arrays import Jax, Numpy
from engine.interchange.code.computation import Computation, Input
from engine.interchange.code.language import Language
from engine.interchange.code.latex import Latex
from engine.interchange.code.mathematics import Mathematics
from engine.interchange.code.tensorflow import TensorFlow1, TensorFlow2
from engine.interchange.code.torch import Torch

LANGUAGES: Mapping[str, type[Language]] = {
    "math": Mathematics,
    "latex": Latex,
    "tf1": TensorFlow1,
    "tf2": TensorFlow2,
    "numpy": Numpy,
    "torch": Torch,
    "jax": Jax,
}

__all__ = ["LANGUAGES", "Computation", "Input"]
