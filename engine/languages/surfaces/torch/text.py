"""How tensors print: a plain stand-in."""

from __future__ import annotations

import numpy as np

from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES
from engine.languages.surfaces.torch.tensor import Tensor


def shown(tensor: Tensor) -> str:
    """`tensor([1., 2.])`."""
    array = tensor.array
    text = (
        np.array2string(array, separator=", ", precision=4, prefix="tensor(")
        if array.ndim
        else str(array.item())
    )
    node = tensor.grad_fn
    extra = (
        f", grad_fn=<{node.name}>"
        if node is not None
        else ", requires_grad=True"
        if tensor.requires_grad
        else ""
    )
    return f"tensor({text}{extra})"


if Tensor not in SHOWN:
    SHOWN[Tensor] = (shown, shown)
PYTHON_NAMES[Tensor] = lambda _: "Tensor"
