"""bfloat16 around the functions of PyTorch. numpy has no such numbers: arrays of float32 hold them, rounded.

A function with a formula of its own computes in float32 and rounds what it gives (autograd/function.py), as
PyTorch's kernels do. Here stands what is left: numbers that are asked for as bfloat16, and results of
functions that are made without a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.languages.surfaces.torch.autograd.function import all_bfloat16
from engine.languages.surfaces.torch.dtypes import BFLOAT16, DTYPES, DType
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.functions.operands import to_type
from engine.languages.surfaces.torch.state import state_or_none
from engine.languages.surfaces.torch.storage import rounded, rounded_array
from engine.languages.surfaces.torch.tensor import (
    Tensor,
    of_bfloat16,
    of_numbers,
    require_grad,
    tensors_in,
)

Call = Callable[[Sequence[Any], Mapping[str, Any]], Any]
FLOAT32 = DTYPES["float32"]
TYPED = {"to", "type", "type_as", "float", "double", "half", "bfloat16", "view"}  # say the type themselves
MADE_OTHERWISE = {"rand", "rand_like", "linspace", "logspace"}
NORMAL = {"randn", "randn_like", "normal"}
ONE_BY_ONE = 16  # so many normal numbers are drawn together, in another way


def computed(call: Call, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What a function gives, with bfloat16 where it is asked for, and where all that it was given has it."""
    if keywords.get("dtype") is BFLOAT16 and name not in TYPED:
        return _asked_for(call, name, args, keywords)
    found = call(args, keywords)
    now = state_or_none()
    if now is not None and now.has_bfloat16 and name not in TYPED:
        given = [*args, *keywords.values()]
        if not any(isinstance(one, DType) for one in given) and all_bfloat16(tensors_in(given)):
            _round_results(tensors_in([found]))
    return found


def _asked_for(call: Call, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    settings = {key: one for key, one in keywords.items() if key != "requires_grad"}
    found = call(args, {**settings, "dtype": FLOAT32})
    if not isinstance(found, Tensor):
        return found
    if found.storage.array is None or found.steps:
        return to_type(found, BFLOAT16)
    made = of_bfloat16(of_numbers(rounded_array(_as_made(name, found.storage.array))))
    return require_grad(made) if keywords.get("requires_grad") else made


def _as_made(name: str, array: Any) -> Any:
    """Numbers of float32 where PyTorch makes the same of bfloat16. Raises: where it makes others."""
    if name in MADE_OTHERWISE or (name in NORMAL and array.size >= ONE_BY_ONE):
        raise not_here(
            f"torch.{name} of bfloat16",
            f" bfloat16 的 torch.{name}",
            f"Write torch.{name}(…).to(torch.bfloat16), whose numbers differ a little.",
            f"请写 torch.{name}(…).to(torch.bfloat16)，数值略有不同。",
        )
    return array


def _round_results(tensors: Sequence[Tensor]) -> None:
    """Results of float32 become bfloat16."""
    for tensor in tensors:
        if tensor.dtype is FLOAT32:
            if not tensor.steps:
                tensor.storage.value, tensor.storage.array = rounded(tensor.value), None
            of_bfloat16(tensor)
