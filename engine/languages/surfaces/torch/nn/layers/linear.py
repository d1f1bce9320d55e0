"""Linear layers."""

from __future__ import annotations

import math
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.nn.init import default_weights, uniform_
from engine.languages.surfaces.torch.nn.layer import REQUIRED, element_type, empty, layer
from engine.languages.surfaces.torch.nn.module import functional

PLACE = {"device": None, "dtype": None}

IDENTITY = layer("Identity", lambda self, input: input, settings={}, takes_anything=True)


def _set_up_linear(self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    has_bias = facts.pop("bias")
    facts["weight"] = empty((facts["out_features"], facts["in_features"]), dtype)
    facts["bias"] = empty((facts["out_features"],), dtype) if has_bias else None
    reset_linear(self)


def reset_linear(self: UserObject) -> None:
    """Draw the weights anew."""
    default_weights(self.fields["weight"], self.fields["bias"])


def _linear(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
    return functional(interpreter, "linear", input, self.fields["weight"], self.fields["bias"])


def _linear_text(self: UserObject) -> str:
    facts = self.fields
    sizes = f"in_features={facts['in_features']}, out_features={facts['out_features']}"
    return f"{sizes}, bias={facts['bias'] is not None}"


LINEAR = layer(
    "Linear",
    _linear,
    setup=_set_up_linear,
    extra=_linear_text,
    settings={"in_features": REQUIRED, "out_features": REQUIRED, "bias": True, **PLACE},
    reset_parameters=reset_linear,
)
OUTPUT_OF_ATTENTION = layer(
    "modules.linear.NonDynamicallyQuantizableLinear",
    _linear,
    setup=_set_up_linear,
    extra=_linear_text,
    base=LINEAR,
    settings={"in_features": REQUIRED, "out_features": REQUIRED, "bias": True, **PLACE},
    _get_name=lambda self: "NonDynamicallyQuantizableLinear",
)


def _set_up_bilinear(self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    has_bias = facts.pop("bias")
    shape = (facts["out_features"], facts["in1_features"], facts["in2_features"])
    bound = 1 / math.sqrt(facts["in1_features"])
    facts["weight"] = uniform_(empty(shape, dtype), -bound, bound)
    facts["bias"] = uniform_(empty(shape[:1], dtype), -bound, bound) if has_bias else None


def _bilinear(interpreter: Interpreter, self: UserObject, input1: Any, input2: Any) -> Any:
    facts = self.fields
    return functional(interpreter, "bilinear", input1, input2, facts["weight"], facts["bias"])


BILINEAR = layer(
    "Bilinear",
    _bilinear,
    setup=_set_up_bilinear,
    extra=lambda self: (
        f"in1_features={self.fields['in1_features']}, in2_features={self.fields['in2_features']}, "
        f"out_features={self.fields['out_features']}, bias={self.fields['bias'] is not None}"
    ),
    settings={
        "in1_features": REQUIRED,
        "in2_features": REQUIRED,
        "out_features": REQUIRED,
        "bias": True,
        **PLACE,
    },
)
