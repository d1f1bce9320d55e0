"""Every kind of layer of `tf.keras.layers`, by its names."""

from __future__ import annotations

from collections.abc import Mapping

from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.surfaces.keras.layer import LAYER
from engine.languages.surfaces.keras.layers import operations  # noqa: F401  # for their table
from engine.languages.surfaces.keras.layers.along_rows import ALONG_ROWS
from engine.languages.surfaces.keras.layers.attention import ATTENTION
from engine.languages.surfaces.keras.layers.basic import BASIC, INPUT
from engine.languages.surfaces.keras.layers.einsum import EINSUM_DENSE
from engine.languages.surfaces.keras.layers.merging import MERGING
from engine.languages.surfaces.keras.layers.noise import NOISE
from engine.languages.surfaces.keras.layers.normalizing import SIZES
from engine.languages.surfaces.keras.layers.plain import PLAIN
from engine.languages.surfaces.keras.layers.recurrence.bidirectional import BIDIRECTIONAL
from engine.languages.surfaces.keras.layers.recurrence.cells import CELLS
from engine.languages.surfaces.keras.layers.recurrence.recurrent import RECURRENT
from engine.languages.surfaces.keras.layers.separable import SEPARABLE
from engine.languages.surfaces.keras.layers.shaping import SHAPING
from engine.languages.surfaces.keras.layers.wrappers import WRAPPERS
from engine.languages.surfaces.keras.preparing.augmenting import AUGMENTING
from engine.languages.surfaces.keras.preparing.normalization import NORMALIZATION
from engine.languages.surfaces.keras.preparing.pictures import PICTURES
from engine.languages.surfaces.keras.preparing.vectorization import TEXT_VECTORIZATION

LAYERS: Mapping[str, UserClass] = {
    "Layer": LAYER,
    **BASIC,
    **PLAIN,
    **ALONG_ROWS,
    **ATTENTION,
    **AUGMENTING,
    **PICTURES,
    "Normalization": NORMALIZATION,
    "TextVectorization": TEXT_VECTORIZATION,
    **MERGING,
    **RECURRENT,
    **CELLS,
    "EinsumDense": EINSUM_DENSE,
    **SEPARABLE,
    **SHAPING,
    **SIZES,
    **NOISE,
    **WRAPPERS,
    "Bidirectional": BIDIRECTIONAL,
}

__all__ = ["INPUT", "LAYERS"]
