"""`torch.nn.Parameter`: a leaf tensor that modules find among their attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.functions import KINDS_OF, Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES, python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.registry import torch_value
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers, require_grad


class Parameter(Tensor):
    """A tensor that is trained, unless it is made with requires_grad=False."""

    __slots__ = ()
    __hash__ = object.__hash__


def parameter(data: Any = None, requires_grad: Any = True) -> Parameter:
    """A parameter on the memory of a tensor, without its history. Raises: TypeError where it is no tensor."""
    if data is None:
        data = of_numbers(np.zeros(0, dtype=np.float32))
    if not isinstance(data, Tensor):
        raise torch_error(
            f"'{python_name(data)}' object has no attribute 'detach'",
            f"Parameter 需要一个张量，不能是 {python_name(data)}。",
            kind="AttributeError",
            hint="Write nn.Parameter(torch.tensor(…)).",
            hint_zh="请写 nn.Parameter(torch.tensor(…))。",
        )
    made = Parameter(data.storage, data.steps, data.version)
    if requires_grad and not made.steps and made.dtype.has_gradients and made.storage.variable is None:
        made.requires = made.storage.later = True
    elif requires_grad:
        require_grad(made)
    return made


class Buffer(Tensor):
    """A tensor that becomes a buffer of the module that gets it as an attribute."""

    __slots__ = ("persistent",)
    __hash__ = object.__hash__
    persistent: bool


def buffer(data: Any = None, *, persistent: Any = True) -> Buffer:
    """A tensor on the same memory, for a module to keep."""
    if data is None:
        data = of_numbers(np.zeros(0, dtype=np.float32))
    made = Buffer(data.storage, data.steps, data.version)
    made.persistent = bool(persistent)
    return made


BUFFER = Kind("torch.nn.parameter.Buffer", buffer, (Buffer,))
torch_value(BUFFER, "nn.Buffer", "nn.parameter.Buffer")


def of_array(array: Any, requires_grad: bool = True) -> Parameter:
    """A parameter with these numbers. Shapes: (*S) -> (*S)."""
    return parameter(of_numbers(np.asarray(array)), requires_grad)


def _text(value: Parameter) -> str:
    return f"Parameter containing:\n{SHOWN[Tensor][1](value)}"


SHOWN[Parameter] = (_text, _text)
PYTHON_NAMES[Parameter] = lambda _: "Parameter"
PARAMETER = Kind("torch.nn.parameter.Parameter", parameter, (Parameter,))
KINDS_OF[Parameter] = PARAMETER
torch_value(PARAMETER, "nn.Parameter", "nn.parameter.Parameter")
