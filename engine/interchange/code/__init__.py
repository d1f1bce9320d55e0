"""A computation written for another framework, or as mathematics."""

from collections.abc import Mapping

from .arrays import Jax, Numpy
from .computation import Computation, Input
from .language import Language
from .latex import Latex
from .mathematics import Mathematics
from .tensorflow import TensorFlow1, TensorFlow2
from .torch import Torch

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
