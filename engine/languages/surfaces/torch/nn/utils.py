"""`torch.nn.utils`: clipping gradients, and parameters as one vector."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.bounding import clamp
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.reductions import vector_norm
from engine.languages.surfaces.torch.functions.shaping import cat, reshape, stack
from engine.languages.surfaces.torch.nn.init import put
from engine.languages.surfaces.torch.nn.module import parameters_of
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers


def _gradients(parameters: Any) -> list[Tensor]:
    """The gradients that there are."""
    listed: Sequence[Tensor] = [parameters] if isinstance(parameters, Tensor) else list(iterate(parameters))
    return [one.grad for one in listed if one.grad is not None]


def _total_norm(grads: list[Tensor], norm_type: Any) -> Any:
    """The norm of all gradients as one vector."""
    if not grads:
        return of_numbers(np.float32(0.0))
    order = float(plain(norm_type))
    norms = [vector_norm(one, order) for one in grads]
    return norms[0] if len(norms) == 1 else vector_norm(stack(norms), order)


@torch_function("nn.utils.skip_init")
def skip_init(interpreter: Interpreter, module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """A module without first weights: zeros here, and no random number is drawn for them."""
    generator = generator_of(None)
    before = generator.packed()
    made = interpreter.call(module_cls, list(args), kwargs)
    generator.unpack(before)
    for one in parameters_of(made):
        put(one, np.zeros_like(one.array))
    return made


@torch_function("nn.utils.get_total_norm")
@takes_only(error_if_nonfinite=(False,))
def get_total_norm(tensors: Any, norm_type: Any = 2.0, error_if_nonfinite: Any = False) -> Any:
    """The norm of tensors as one vector; autograd takes no note of it."""
    with recording(False):
        return _total_norm(list(iterate(tensors)), norm_type)


@torch_function("nn.utils.clip_grad_norm_")
def clip_grad_norm_(
    parameters: Any,
    max_norm: Any,
    norm_type: Any = 2.0,
    error_if_nonfinite: Any = False,
    foreach: Any = None,
) -> Any:
    """Scale all gradients down together where their norm is above a bound. Returns: the norm before."""
    grads = _gradients(parameters)
    with recording(False):
        total = _total_norm(grads, norm_type)
        if error_if_nonfinite and not math.isfinite(total.array.item()):
            raise torch_error(
                f"The total norm of order {float(plain(norm_type))} for gradients from `parameters` is "
                "non-finite, so it cannot be clipped. To disable this error and scale the gradients by the "
                "non-finite norm anyway, set `error_if_nonfinite=False`",
                "梯度的总范数不是有限值，不能裁剪。",
            )
        share = clamp(float(plain(max_norm)) / (total + 1e-6), max=1.0)
        for one in grads:
            change(one, one * share)
    return total


torch_function("nn.utils.clip_grad_norm")(clip_grad_norm_)


@torch_function("nn.utils.clip_grad_value_")
def clip_grad_value_(parameters: Any, clip_value: Any, foreach: Any = None) -> None:
    """Cut every number of every gradient to between -clip_value and clip_value."""
    bound = float(plain(clip_value))
    gradients = _gradients(parameters)
    if not gradients:
        raise torch_error(
            "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)",
            "没有任何参数有梯度。",
            hint="Call backward() first.",
            hint_zh="请先调用 backward()。",
        )
    with recording(False):
        for one in gradients:
            change(one, clamp(one, -bound, bound))


@torch_function("nn.utils.parameters_to_vector")
def parameters_to_vector(parameters: Any) -> Any:
    """All parameters, one after the other. Shapes: -> (n,)."""
    return cat([reshape(one, (-1,)) for one in iterate(parameters)], 0)


@torch_function("nn.utils.vector_to_parameters")
def vector_to_parameters(interpreter: Interpreter, vec: Any, parameters: Any) -> None:
    """Put the numbers of a vector into the parameters, one after the other. Shapes: vec (n,)."""
    from engine.languages.surfaces.torch.nn.init import put

    start = 0
    for one in iterate(parameters):
        count = one.array.size
        put(one, vec.array[start : start + count].reshape(one.array.shape))
        start += count
