"""What Keras 1 called arguments of layers and models, and where it kept layers; Keras 2 has read both.

Source: keras/legacy/interfaces.py of Keras 2.3, whose table this is, as far as the layers are here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter

ARGUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "output_dim": "units",
        "init": "kernel_initializer",
        "inner_init": "recurrent_initializer",
        "inner_activation": "recurrent_activation",
        "W_regularizer": "kernel_regularizer",
        "U_regularizer": "recurrent_regularizer",
        "b_regularizer": "bias_regularizer",
        "W_constraint": "kernel_constraint",
        "U_constraint": "recurrent_constraint",
        "b_constraint": "bias_constraint",
        "bias": "use_bias",
        "p": "rate",
        "nb_filter": "filters",
        "filter_length": "kernel_size",
        "subsample": "strides",
        "subsample_length": "strides",
        "pool_length": "pool_size",
        "stride": "strides",
        "border_mode": "padding",
        "dim_ordering": "data_format",
        "dropout_W": "dropout",
        "dropout_U": "recurrent_dropout",
    }
)
WORDS: Mapping[tuple[str, Any], str] = MappingProxyType(
    {
        ("data_format", "tf"): "channels_last",
        ("data_format", "th"): "channels_first",
        ("kernel_initializer", "uniform"): "random_uniform",
        ("kernel_initializer", "normal"): "random_normal",
        ("kernel_initializer", "zero"): "zeros",
        ("kernel_initializer", "one"): "ones",
    }
)
ROWS_AND_COLUMNS = ("nb_row", "nb_col")  # the two sides of a kernel
PLACES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "core": (
            *("Dense", "Activation", "Dropout", "Flatten", "Reshape", "Permute", "RepeatVector", "Lambda"),
            "Masking",
        ),
        "convolutional": (
            *("Conv1D", "Conv2D", "Convolution1D", "Convolution2D", "Conv2DTranspose", "MaxPooling1D"),
            *("MaxPooling2D", "AveragePooling2D", "UpSampling2D", "ZeroPadding2D", "Cropping2D"),
        ),
        "pooling": (
            *("MaxPooling1D", "MaxPooling2D", "AveragePooling1D", "AveragePooling2D", "MaxPool2D"),
            *("GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalMaxPooling1D", "GlobalMaxPooling2D"),
        ),
        "recurrent": ("LSTM", "GRU", "SimpleRNN"),
        "embeddings": ("Embedding",),
        "normalization": ("BatchNormalization", "LayerNormalization"),
        "advanced_activations": ("LeakyReLU", "PReLU", "ELU", "ReLU", "Softmax"),
        "noise": ("GaussianNoise", "GaussianDropout"),
        "merge": ("Add", "Concatenate", "Multiply", "Average", "Dot", "add", "concatenate", "multiply"),
        "wrappers": ("TimeDistributed", "Bidirectional"),
    }
)


def older_of(parameters: Collection[str]) -> tuple[str, ...]:
    """The older names of these parameters that are not themselves among them."""
    found = [old for old, new in ARGUMENTS.items() if new in parameters and old not in parameters]
    sides = ROWS_AND_COLUMNS if "nb_filter" in found and "kernel_size" in parameters else ()
    return (*found, *sides)


def newer(old: str) -> str:
    """The name that an argument has today."""
    return "kernel_size" if old in ROWS_AND_COLUMNS else ARGUMENTS[old]


def in_todays_words(
    interpreter: Interpreter, settings: Mapping[str, Any], older: Collection[str]
) -> dict[str, Any]:
    """The settings under the names of Keras 3, with a note where one had an older name."""
    found = {name: one for name, one in settings.items() if name not in older}
    for old in older:
        if settings.get(old) is None:
            continue
        new = newer(old)
        if old in ROWS_AND_COLUMNS:
            found[new] = tuple(settings[side] for side in ROWS_AND_COLUMNS)
        else:
            found[new] = _word(new, settings[old])
        note(interpreter, old, new)
    return found


def _word(new: str, value: Any) -> Any:
    return WORDS.get((new, value), value) if isinstance(value, str) else value


def note(interpreter: Interpreter, old: str, new: str) -> None:
    """Say once that an argument has another name since Keras 2."""
    interpreter.note(
        "older_name",
        f"`{old}` is read as `{new}`, its name since Keras 2; Keras 3 takes the new name alone.",
        f"`{old}` 按 Keras 2 起的名称 `{new}` 理解；Keras 3 只接受新名称。",
        key=f"older name {old}",
    )
