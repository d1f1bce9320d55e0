"""The nodes of PyTorch's autograd graph: `grad_fn` and what stands behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, like


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a gradient goes on: a node, and which of its outputs the gradient is of."""

    node: Any
    index: int


IN_CPP = (
    "AccumulateGrad",
    "CopyBackwards",
    "CopySlices",
    "NotImplemented",
)  # which `name()` gives with their C++ namespace


class Meta(NamedTuple):
    """What is known of an output: a gradient of it has the same shape and type."""

    shape: tuple[int, ...]
    dtype: Any


class Node:
    """A function that was applied, seen from behind.

    next_edges: for each of its tensors where the gradient goes on, or None.
    outputs:    the shape and type of each output.
    forward:    the node of the graph that computed the output, where one did.
    fills_zeros: whether an output that received nothing sends back zeros.
    runs_a_pass: whether it sends gradients to leaves by a pass of its own, so that none can be handed out.
    """

    fills_zeros = True
    runs_a_pass = False

    def __init__(self, name: str, next_edges: Sequence[Edge | None]) -> None:
        self.name = name
        self.next_edges = list(next_edges)
        self.outputs: list[Meta] = []
        self.forward: Any = None
        self.sequence = state().sequence
        state().sequence += 1
        self.saved_names: tuple[str, ...] = ()
        self.pre_hooks: list[tuple[Any, Any]] = []  # (output or None for all, hook)
        self.retaining: dict[int, Tensor] = {}
        self.node_pre_hooks: list[Any] = []
        self.post_hooks: list[Any] = []
        self.released = False
        self.metadata: dict[Any, Any] = {}

    def apply(self, grads: list[Tensor | None], needed: Sequence[bool]) -> Sequence[Tensor | None]:
        """The gradient for each next edge. needed: which of them are."""
        raise NotImplementedError

    def saved(self, name: str) -> Any:
        """What it keeps under this name (`_saved_self`)."""
        raise NotImplementedError

    def known_names(self) -> Collection[str]:
        """The names under which something is kept, or nothing on purpose."""
        return ()

    def release(self) -> None:
        """Let go of what was kept."""
        self.released = True


class AccumulateGrad(Node):
    """The end of a path: adds what comes to the `grad` of a leaf."""

    def __init__(self, variable: Tensor) -> None:
        super().__init__("AccumulateGrad", ())
        self.variable = variable
        self.outputs = [Meta(variable.shape, variable.dtype)]

    def release(self) -> None:
        """Nothing was kept."""


PACKING = "hooks of saved tensors"  # the part of a run that holds pairs of functions: pack, unpack


class Packed(NamedTuple):
    """What a hook of the program has made of a saved tensor, and the hook that gives it back."""

    what: Any
    unpack: Callable[[Any], Tensor]


def _seen_by_hook(tensor: Tensor, node: Node, output: int | None) -> Tensor:
    """The tensor, an output with the node that it will have."""
    if output is None:
        return tensor
    made = Tensor(tensor.storage, tensor.steps, tensor.version)
    made.node, made.output, made.node_version = node, output, made.version.number
    return made


def _of_inference() -> Exception:
    return torch_error(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference "
        "mode in computation tracked by autograd. To work around this, you can make a clone to get a normal "
        "tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
        "在 inference_mode 中得到的张量不能参与要求梯度的计算。请先调用 .clone()，或改用 torch.no_grad()。",
    )


@dataclass(slots=True)
class SavedTensor:
    """A tensor that a node keeps, the version that it had, and whether another function had made it."""

    tensor: Tensor
    version: int
    is_output: bool
    node: Node
    output: int
    is_made: bool
    packed: Packed | None = None

    @classmethod
    def of(cls, tensor: Tensor, node: Node, output: int | None = None) -> SavedTensor:
        """Keep a tensor. output: which output of the node it is, if it is one."""
        if tensor.is_inference and not state().inference:
            raise _of_inference()
        is_made = output is None and tensor.grad_fn is not None
        hooks = state().parts.get(PACKING)
        packed = Packed(hooks[-1][0](_seen_by_hook(tensor, node, output)), hooks[-1][1]) if hooks else None
        return cls(tensor, tensor.version.number, output is not None, node, output or 0, is_made, packed)

    def unpack(self) -> Tensor:
        """The tensor. Raises: RuntimeError's message of PyTorch where it was let go, or changed since."""
        if self.node.released:
            raise freed_already()
        if self.packed is not None:
            return self._again(self.packed.unpack(self.packed.what))
        if self.tensor.version.number != self.version:
            raise changed_since(self)
        if self.is_made and self.tensor.grad_fn is None:
            raise torch_error(
                "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is "
                "not supported, please use out-of-place `.detach()` instead",
                "反向传播需要的张量已被 .detach_() 就地断开，请改用 .detach()。",
            )
        return self._again(self.tensor) if self.is_output else self.tensor

    def copied(self) -> SavedTensor:
        """The same with memory of its own, which later changes leave alone."""
        copy = self._again(like(self.tensor.value, self.tensor.dtype))
        return replace(self, tensor=copy, version=copy.version.number)

    def _again(self, tensor: Tensor) -> Tensor:
        """The memory of a tensor in the place that the saved one has in the autograd graph."""
        again = Tensor(tensor.storage, tensor.steps, tensor.version)
        saved = self.tensor
        if self.is_output:
            again.node, again.output = self.node, self.output
        else:
            again.node, again.output, again.requires = saved.grad_fn, saved.output, saved.requires
            again.accumulator = saved.accumulator
        again.node_version = again.version.number
        return again


def gradient_edge(tensor: Tensor | None) -> Edge | None:
    """Where a gradient of this tensor goes on; None where none is asked for."""
    if tensor is None:
        return None
    node = tensor.grad_fn
    if node is not None:
        return Edge(node, tensor.output)
    if not tensor.requires:
        return None
    if tensor.accumulator is None:
        tensor.accumulator = AccumulateGrad(tensor)
    return Edge(tensor.accumulator, 0)


def freed_already() -> Exception:
    """A second pass through a graph whose values were let go."""
    return torch_error(
        "Trying to backward through the graph a second time (or directly access saved tensors after they "
        "have "
        "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
        "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second "
        "time or "
        "if you need to access saved tensors after calling backward.",
        "第二次对同一张图反向传播（或在释放之后访问保存的张量）。调用 .backward() 或 autograd.grad() 后，"
        "图中保存的中间值会被释放。",
        hint="Write y.backward(retain_graph=True) the first time.",
        hint_zh="请在第一次写 y.backward(retain_graph=True)。",
    )


def changed_since(saved: SavedTensor) -> Exception:
    """A tensor that the backward pass needs was changed in place."""
    tensor = saved.tensor
    shape = ", ".join(map(str, tensor.shape))
    maker = _maker(saved)
    output = saved.output if saved.is_output else tensor.output
    of = f", which is output {output} of {maker}," if maker else ""
    return torch_error(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[torch.{tensor.dtype.scalar_name}Tensor [{shape}]]{of} is at version "
        f"{tensor.version.number}; expected version {saved.version} instead. Hint: enable anomaly "
        "detection to "
        "find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False).",
        f"求梯度所需的某个张量被就地修改了：它现在是第 {tensor.version.number} 版，而需要的是第 "
        f"{saved.version} 版。",
        hint="Write a = a * 2 instead of a *= 2, or take a copy first: a.clone().",
        hint_zh="请写 a = a * 2 而不是 a *= 2，或先用 a.clone() 复制。",
    )


def _maker(saved: SavedTensor) -> str:
    node = saved.node if saved.is_output else saved.tensor.grad_fn
    return "" if node is None else re.sub(r"Backward\d+$", "", full_name(node))


def full_name(node: Node) -> str:
    """A node's name with the namespace in which PyTorch's C++ has it."""
    return f"torch::autograd::{node.name}" if node.name in IN_CPP else node.name
