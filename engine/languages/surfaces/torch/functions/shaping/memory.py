"""The same memory, or a copy of it: clone, detach, other element types."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.engine import FITTING
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.nodes import gradient_edge
from engine.languages.surfaces.torch.dtypes import BFLOAT16
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import (
    CASTING,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.storage import Version, cast_value, rounded
from engine.languages.surfaces.torch.tensor import Tensor, like, note_complex, of_bfloat16


@differentiable("CloneBackward0")
def _clone(self: Any) -> Any:
    return ops.identity(self)


@_clone.backward
def _clone_backward(saved: Any, grad: Any) -> Any:
    return grad


@torch_function("clone", method=True)
def clone(input: Any, *, memory_format: Any = None) -> Any:
    """A copy, which gradients follow."""
    return _clone(input)


@differentiable("ToCopyBackward0")
def _to_copy(self: Any, dtype: Any) -> Any:
    return cast_to(self, dtype)


_to_copy.keeps_type = False


@_to_copy.backward
def _to_copy_backward(saved: Any, grad: Any) -> Any:
    return to(grad, saved._node.metadata["dtype"])


def cast_to(value: Any, dtype: Any) -> Any:
    """A value of the graph with another element type."""
    if dtype is BFLOAT16:
        return rounded(value)
    if dtype.is_complex:
        note_complex(True)
    return cast_value(value, dtype.held_as)


def to(tensor: Any, dtype: Any) -> Any:
    """The tensor with another element type."""
    if tensor.dtype is dtype:
        return tensor
    made = _to_copy(tensor, dtype)
    if dtype is BFLOAT16:
        of_bfloat16(made)
    if made.node is not None:
        made.node.metadata["dtype"] = tensor.dtype
    return made


CASTING["to"] = lambda tensor, dtype: _cast_inside(tensor, dtype)


FITTING["to"] = to


def _cast_inside(tensor: Any, dtype: Any) -> Any:
    """A tensor cast within a function: its own edge stays, and the pass backward casts the gradient."""
    made = like(cast_to(tensor.value, dtype), dtype)
    if dtype.has_gradients:
        made.requires, made.node, made.output = tensor.requires, tensor.grad_fn, tensor.output
        made.node_version = made.version.number
        made.accumulator = tensor.accumulator
        if tensor.requires and tensor.node is None:
            gradient_edge(tensor)
            made.accumulator = tensor.accumulator
    return made


def detach(tensor: Any) -> Any:
    """The same memory, which gradients do not follow."""
    made = Tensor(tensor.storage, tensor.steps, tensor.version)
    made.seen, made.shown, made.turn = tensor.seen, tensor.shown, tensor.turn
    return made


torch_function("detach", method=True)(lambda input: detach(input))


FITTING["detach"] = detach


@torch_function("detach_", method="only")
def detach_in_place(self: Any) -> Any:
    """The tensor itself, cut off from what computed it."""
    if self.base is not None:
        raise torch_error(
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
            "(DDP) for "
            "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, "
            "and hence "
            "detach_() cannot be called on these gradients. To fix this error, please refer to the "
            "Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution.",
            "不能就地 detach 一个视图，请使用 detach()。",
        )
    self.node, self.requires, self.output = None, False, 0
    return self


def data_of(tensor: Any) -> Any:
    """`x.data`: the same memory, with a count of changes of its own."""
    return Tensor(tensor.storage, tensor.steps, Version())
