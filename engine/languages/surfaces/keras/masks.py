"""Which turns of a sequence count: a mask goes with a tensor from layer to layer, as in Keras.

A layer makes one (Embedding(mask_zero=True), Masking), hands it on, uses it (recurrent layers), or ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from typing import Any

from engine import ops
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.ops.base.tensors import Tensor

MOST_MASKS = 128  # that are kept from one call of the program's to the next
HANDING_ON = frozenset(
    {
        *("Dense", "Activation", "Dropout", "SpatialDropout1D", "GaussianNoise", "GaussianDropout", "ReLU"),
        "AlphaDropout",
        *("LeakyReLU", "PReLU", "ELU", "Softmax", "BatchNormalization", "LayerNormalization", "Identity"),
        *("GroupNormalization", "UnitNormalization", "Rescaling", "Normalization", "ActivityRegularization"),
        *("TimeDistributed", "MultiHeadAttention", "Attention", "AdditiveAttention"),
    }
)  # kinds of layers behind which a mask still holds
TOGETHER = frozenset({"Add", "Multiply", "Average", "Subtract", "Maximum", "Minimum"})


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
    """Before a layer is called by the program: tensors of long ago count as they are."""
    masks = interpreter.workspace.masks
    for old in list(masks)[:-MOST_MASKS]:
        del masks[old]


def compute_mask(interpreter: Interpreter, self: UserObject, inputs: Any, previous_mask: Any = None) -> Any:
    """`layer.compute_mask(inputs)`: the mask that the layer makes of its inputs, or the one before it."""
    kind = self.kind.name
    if kind == "Embedding":
        return ops.not_equal(inputs, ops.zeros_like(inputs)) if self.fields["mask_zero"] else None
    if kind == "Masking":
        return counted_turns(self, inputs)
    return previous_mask


def counted_turns(self: UserObject, inputs: Any) -> Any:
    """Of a Masking layer, which turns hold another number than the one that marks those left out."""
    return ops.reduce_any(ops.not_equal(inputs, ops.cast(self.fields["mask_value"], inputs.dtype)), -1)


def hand_on(interpreter: Interpreter, layer: UserObject, inputs: Any, result: Any) -> None:
    """The mask that holds behind a layer. Raises: nothing; a mask that ends is noted."""
    kind = layer.kind.name
    if isinstance(result, Tensor) and kind == "Embedding" and layer.fields.get("mask_zero"):
        set_mask(interpreter, result, ops.not_equal(inputs, ops.zeros_like(inputs)))
        return
    if isinstance(result, (list, tuple)) and layer.fields.get("return_sequences"):
        result = result[0]  # the states behind the sequence have no turns
    if not isinstance(result, Tensor) or mask_of(interpreter, result) is not None:
        return
    set_mask(interpreter, result, _behind(interpreter, layer, inputs))


def _behind(interpreter: Interpreter, layer: UserObject, inputs: Any) -> Any:
    """The mask behind a layer; None where it ends there."""
    kind, own = layer.kind.name, layer.kind.find("compute_mask")
    of_query = kind in ("Attention", "AdditiveAttention") and isinstance(inputs, (list, tuple))
    mask = mask_of(interpreter, inputs[0] if of_query else inputs)
    if isinstance(own, UserFunction):
        return interpreter.call(attribute_of(interpreter, layer, "compute_mask"), [inputs, mask], {})
    if mask is None:
        return None
    if kind in TOGETHER or kind == "Concatenate":
        masks = [mask_of(interpreter, one) for one in inputs]
        return _either(masks) if kind in TOGETHER else _beside(masks, inputs, layer.fields["axis"])
    hands_on = kind in HANDING_ON or layer.fields.get("return_sequences")
    return mask if hands_on or layer.fields.get("supports_masking") else None


def _either(masks: list[Any]) -> Any:
    """A turn counts that counts in one of the inputs, where each has a mask."""
    return None if any(one is None for one in masks) else reduce(ops.logical_or, masks)


def _beside(masks: list[Any], inputs: Any, axis: int) -> Any:
    """The masks of tensors that are put beside each other; an input without one counts all over."""
    whole = [
        ops.ones(one.shape, "bool")
        if mask is None
        else ops.logical_or(ops.expand_dims(mask, -1), ops.zeros(one.shape, "bool"))
        for mask, one in zip(masks, inputs, strict=True)
    ]
    return ops.reduce_any(ops.concat(whole, axis), -1)


def take_masks(interpreter: Interpreter, *values: Any) -> None:
    """These tensors have no mask from now on, as behind an attention layer of Keras."""
    for value in values:
        interpreter.workspace.masks.pop(id(value), None)


@contextmanager
def keeping_masks(interpreter: Interpreter) -> Iterator[None]:
    """Masks that are taken off inside stand as before behind it."""
    before = dict(interpreter.workspace.masks)
    yield
    interpreter.workspace.masks.update(before)


def column(mask: Any) -> Any:
    """(examples,) as (examples, 1), beside the numbers of a turn."""
    return ops.expand_dims(mask, -1)
