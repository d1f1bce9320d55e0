"""How a function of one tensor enters the tables: as a function, a method, and one in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.surfaces.torch.autograd.function import Differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import as_floats, no_tensor
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import Tensor

NOT_OF_TRUTHS = ("abs", "ceil", "floor", "round", "trunc")


def no_kernel(name: str, tensor: Tensor) -> Exception:
    """PyTorch computes it for numbers alone."""
    kernel = f"{name}_cpu" if name in ("abs", "frac") else f"{name}_vml_cpu"
    return torch_error(
        f"\"{kernel}\" not implemented for '{tensor.dtype.scalar_name}'",
        f"{tensor.dtype.scalar_name} 张量没有 {name}()。",
        kind="NotImplementedError",
        hint="Write x.float() first.",
        hint_zh="请先写 x.float()。",
    )


def unary(
    name: str, *others: str, whole: bool = False, also: str = ""
) -> Callable[[Differentiable], Differentiable]:
    """Decorator: enter a block for programs, whole numbers made floats first, and its form in place.

    whole: whether whole numbers stay what they are.
    also:  a further dotted name, such as `special.expit`.
    """

    def enter(function: Differentiable) -> Differentiable:
        def call(input: Any, *, out: Any = None) -> Any:
            if not isinstance(input, Tensor):
                raise no_tensor(name, input)
            if name == "frac" and not input.dtype.is_floating:
                raise no_kernel(name, input)
            if name in NOT_OF_TRUTHS and input.dtype is BOOL:
                raise no_kernel(name, input)
            return function(input if whole else as_floats(input))

        call.__doc__ = function.__doc__
        torch_function(name, *others, method=True)(call)
        for one in (name, *others):
            torch_function(f"{one}_", method="only")(in_place(call))
        if also:
            torch_function(also)(call)
        return function

    return enter
