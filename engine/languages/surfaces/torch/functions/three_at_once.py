"""Functions of three tensors at once: a product or a quotient added, and the way from one to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.arithmetic.sums import times_plus, type_name
from engine.languages.surfaces.torch.functions.operands import alike, plain
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import Tensor, of_scalar


@differentiable(
    "AddcmulBackward0", saves="tensor1:tensor2 tensor2:tensor1 value", inputs="self tensor1 tensor2"
)
def _addcmul(self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    return times_plus(_times(tensor1, value), tensor2, self)


@_addcmul.backward
def _addcmul_backward(saved: Any, grad: Any) -> Any:
    return grad, lambda: grad * (saved.tensor2 * saved.value), lambda: grad * (saved.tensor1 * saved.value)


@torch_function("addcmul", method=True)
def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1, out: Any = None) -> Any:
    """input + value * tensor1 * tensor2."""
    return _addcmul(*alike("addcmul", input, tensor1, tensor2), value=plain(value))


@differentiable("AddcdivBackward0", saves="tensor1:tensor2 tensor2 value", inputs="self tensor1 tensor2")
def _addcdiv(self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    return ops.add(self, ops.divide(_times(tensor1, value), tensor2))


@_addcdiv.backward
def _addcdiv_backward(saved: Any, grad: Any) -> Any:
    return (
        grad,
        lambda: grad * (of_scalar(saved.value, grad.dtype) / saved.tensor2),
        lambda: -grad * (saved.tensor1 * saved.value / (saved.tensor2 * saved.tensor2)),
    )


@torch_function("addcdiv", method=True)
def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1, out: Any = None) -> Any:
    """input + value * tensor1 / tensor2."""
    return _addcdiv(*alike("addcdiv", input, tensor1, tensor2), value=plain(value))


def _times(tensor: Any, value: Any) -> Any:
    return tensor if value == 1 else ops.mul(tensor, np.asarray(value, dtype=type_name(tensor)))


def _from_start(self: Any, end: Any, weight: Any) -> Any:
    return times_plus(ops.sub(end, self), weight, self)


def _from_end(self: Any, end: Any, weight: Any) -> Any:
    rest = np.asarray(1, dtype=type_name(self)) - weight
    return times_plus(ops.sub(self, end), rest, end)


@differentiable("LerpBackward0", saves="weight", inputs="self end")
def _lerp_number(self: Any, end: Any, weight: Any) -> Any:
    """From the nearer end on, as PyTorch reckons: with weight 1 it is the end itself."""
    way = _from_start if abs(weight) < 0.5 else _from_end
    return way(self, end, np.asarray(weight, dtype=type_name(self)))


@_lerp_number.backward
def _lerp_number_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * (1 - saved.weight), lambda: grad * saved.weight


@differentiable("LerpBackward1", saves="self end weight", inputs="self end weight")
def _lerp(self: Any, end: Any, weight: Any) -> Any:
    shape = np.broadcast_shapes(self.form.shape, end.form.shape, weight.form.shape)
    self, end, weight = (
        one if one.form.shape == shape else ops.broadcast_to(one, list(shape)) for one in (self, end, weight)
    )
    near = ops.less(ops.absolute(weight), np.asarray(0.5, dtype=type_name(self)))
    return ops.select(near, _from_start(self, end, weight), _from_end(self, end, weight))


@_lerp.backward
def _lerp_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: grad * (1 - saved.weight),
        lambda: grad * saved.weight,
        lambda: grad * (saved.end - saved.self),
    )


@torch_function("lerp", method=True)
def lerp(input: Any, end: Any, weight: Any, *, out: Any = None) -> Any:
    """input + weight * (end - input)."""
    for name, one in (("end", end), ("weight", weight)):
        if isinstance(one, Tensor) and one.dtype is not input.dtype:
            raise torch_error(
                f"expected dtype {input.dtype.cpp_name} for `{name}` but got dtype {one.dtype.cpp_name}",
                f"lerp 的 {name} 必须与输入是同一类型。",
            )
    if not input.dtype.has_gradients:
        kernel = "lerp_kernel_tensor" if isinstance(weight, Tensor) else "lerp_kernel_scalar"
        raise torch_error(
            f"\"{kernel}\" not implemented for '{input.dtype.scalar_name}'",
            "lerp 需要浮点张量。",
            kind="NotImplementedError",
        )
    if isinstance(weight, Tensor):
        return _lerp(*alike("lerp", input, end, weight))
    return _lerp_number(*alike("lerp", input, end), weight=weight)


for _name, _function in {"addcmul": addcmul, "addcdiv": addcdiv, "lerp": lerp}.items():
    torch_function(f"{_name}_", method="only")(in_place(_function))
