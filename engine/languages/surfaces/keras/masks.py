"""Which turns of a sequence count: a mask goes with a tensor from layer to layer, as in Keras.

A layer makes one (Embedding(mask_zero=True), Masking), hands it on, uses it (recurrent layers), or ends it.
"""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.ops.base.tensors import Tensor

HANDING_ON = frozenset(
    {
        *("Dense", "Activation", "Dropout", "SpatialDropout1D", "GaussianNoise", "GaussianDropout", "ReLU"),
        "AlphaDropout",
        *("LeakyReLU", "PReLU", "ELU", "Softmax", "BatchNormalization", "LayerNormalization", "Identity"),
        *("TimeDistributed", "Add", "Multiply", "Average", "Subtract", "Maximum", "Minimum", "Lambda"),
    }
)  # kinds of layers behind which a mask still holds


def mask_of(interpreter: Interpreter, value: Any) -> Any:
    """The mask of a tensor, (examples, turns) of truth values; None where all turns count."""
    for one in value if isinstance(value, (list, tuple)) else [value]:
        found = interpreter.workspace.masks.get(id(one))
        if found is not None:
            return found[1]
    return None


def set_mask(interpreter: Interpreter, value: Any, mask: Any) -> None:
    """From now on only these turns of a tensor count."""
    if mask is not None:
        interpreter.workspace.masks[id(value)] = (value, mask)


def forget_masks(interpreter: Interpreter) -> None:
    """Before a model is called anew."""
    interpreter.workspace.masks.clear()


def hand_on(interpreter: Interpreter, layer: UserObject, inputs: Any, result: Any) -> None:
    """The mask that holds behind a layer. Raises: nothing; a mask that ends is noted."""
    kind = layer.kind.name
    if isinstance(result, Tensor) and kind == "Embedding" and layer.fields.get("mask_zero"):
        set_mask(interpreter, result, ops.not_equal(inputs, ops.zeros_like(inputs)))
        return
    mask = mask_of(interpreter, inputs)
    if mask is None or not isinstance(result, Tensor) or mask_of(interpreter, result) is not None:
        return
    if kind in HANDING_ON or layer.fields.get("return_sequences"):
        set_mask(interpreter, result, mask)


def column(mask: Any) -> Any:
    """(examples,) as (examples, 1), beside the numbers of a turn."""
    return ops.expand_dims(mask, -1)
