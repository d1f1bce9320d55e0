"""Activations, each by the function of `torch.nn.functional` that computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.nn.functional.random_slopes import LOWER, UPPER
from engine.languages.surfaces.torch.nn.layer import REQUIRED, element_type, filled, layer
from engine.languages.surfaces.torch.nn.module import functional, torch_call
from engine.languages.surfaces.torch.registry import TORCH, F

INPLACE = {"inplace": False}


def by_function(function: str, names: Mapping[str, str]) -> Callable[..., Any]:
    """A `forward` that hands the settings on, under the function's own names."""

    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        given = {own: self.fields[setting] for setting, own in names.items()}
        if given.pop("inplace", False):
            return _changed(interpreter, function, input, given)
        if F + function in TORCH:
            return functional(interpreter, function, input, **given)
        return torch_call(interpreter, function, input, **given)

    return forward


def _changed(interpreter: Interpreter, function: str, input: Any, given: Mapping[str, Any]) -> Any:
    """The same in place."""
    from engine.languages.surfaces.torch.autograd.in_place import change

    result = (
        functional(interpreter, function, input, **given)
        if F + function in TORCH
        else torch_call(interpreter, function, input, **given)
    )
    return change(input, result)


def activation(name: str, function: str, extra: Any = "", **settings: Any) -> None:
    """Enter an activation; all its settings are the function's, too."""
    names = {setting: setting for setting in settings}
    layer(name, by_function(function, names), extra=extra, settings=settings)


activation("ReLU", "relu", "?inplace", **INPLACE)
activation("ReLU6", "relu6", "?inplace", **INPLACE)
activation("SELU", "selu", "?inplace", **INPLACE)
activation("SiLU", "silu", "?inplace", **INPLACE)
activation("Mish", "mish", "?inplace", **INPLACE)
activation("Hardswish", "hardswish", **INPLACE)
activation("Hardsigmoid", "hardsigmoid", **INPLACE)
activation("ELU", "elu", "alpha ?inplace", alpha=1.0, **INPLACE)
activation("CELU", "celu", "alpha ?inplace", alpha=1.0, **INPLACE)
activation("LeakyReLU", "leaky_relu", "negative_slope ?inplace", negative_slope=0.01, **INPLACE)
activation("Hardtanh", "hardtanh", "min_val max_val ?inplace", min_val=-1.0, max_val=1.0, **INPLACE)
activation(
    "Threshold", "threshold", "threshold value ?inplace", threshold=REQUIRED, value=REQUIRED, **INPLACE
)
activation("Softplus", "softplus", "beta threshold", beta=1.0, threshold=20.0)
activation("Hardshrink", "hardshrink", "-lambd", lambd=0.5)
activation("Softshrink", "softshrink", "-lambd", lambd=0.5)
activation(
    "GELU", "gelu", lambda self: f"approximate={to_repr(self.fields['approximate'])}", approximate="none"
)
activation("GLU", "glu", "dim", dim=-1)
activation("Softmax", "softmax", "dim", dim=None)
activation("LogSoftmax", "log_softmax", "dim", dim=None)
activation("Softmin", "softmin", "dim", dim=None)
for _name, _function in {
    "Sigmoid": "sigmoid",
    "Tanh": "tanh",
    "LogSigmoid": "logsigmoid",
    "Softsign": "softsign",
    "Tanhshrink": "tanhshrink",
}.items():
    activation(_name, _function)


def _random_slopes(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
    settings = (self.fields[key] for key in ("lower", "upper", "training", "inplace"))
    return functional(interpreter, "rrelu", input, *settings)


layer(
    "RReLU",
    _random_slopes,
    extra="lower upper ?inplace",
    settings={"lower": LOWER, "upper": UPPER, "inplace": False},
)


def _set_up_prelu(self: UserObject) -> None:
    facts, dtype = self.fields, element_type(self)
    facts["weight"] = filled((facts["num_parameters"],), facts["init"], dtype)


layer(
    "PReLU",
    lambda interpreter, self, input: functional(interpreter, "prelu", input, self.fields["weight"]),
    setup=_set_up_prelu,
    extra="num_parameters",
    settings={"num_parameters": 1, "init": 0.25, "device": None, "dtype": None},
)
layer(
    "Softmax2d",
    lambda interpreter, self, input: functional(interpreter, "softmax", input, -3),
    settings={},
)
