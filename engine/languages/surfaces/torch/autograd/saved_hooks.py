"""`torch.autograd.graph`: functions of a program that see what is kept for the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.torch.autograd.hooks import Handle
from engine.languages.surfaces.torch.autograd.nodes import PACKING, gradient_edge
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import Tensor

HERE = "autograd.graph."


@contextmanager
def packing(pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> Iterator[None]:
    """A block in which these functions pack what is kept, and unpack it on the way back."""
    hooks = state().parts.setdefault(PACKING, [])
    hooks.append((pack, unpack))
    try:
        yield
    finally:
        hooks.pop()


@torch_function(f"{HERE}saved_tensors_hooks")
def saved_tensors_hooks(interpreter: Interpreter, pack_hook: Any, unpack_hook: Any) -> Block:
    """A block in which functions of the program pack each saved tensor, and unpack it on the way back."""

    def pack(tensor: Tensor) -> Any:
        with recording(False):
            return interpreter.call(pack_hook, [tensor], {})

    def unpack(packed: Any) -> Tensor:
        found = interpreter.call(unpack_hook, [packed], {})
        if isinstance(found, Tensor):
            return found
        raise torch_error(
            "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
            f"{type(found).__name__}",
            "unpack_hook 必须返回张量。",
            kind="TypeError",
        )

    return Block(lambda: packing(pack, unpack))


@torch_function(f"{HERE}save_on_cpu")
def save_on_cpu(pin_memory: Any = False, device_type: Any = "cuda") -> Block:
    """A block that keeps saved tensors in the processor's memory, where they are."""
    return Block(lambda: packing(lambda tensor: tensor, lambda packed: packed))


@torch_function(f"{HERE}register_multi_grad_hook")
def register_multi_grad_hook(interpreter: Interpreter, tensors: Any, fn: Any, *, mode: Any = "all") -> Handle:
    """Call a function once the gradients of all these tensors are there; or of any of them.

    The gradient of a tensor that a pass does not reach is None.
    """
    wanted = [one for one in tensors if isinstance(one, Tensor)]
    edges = [gradient_edge(one) for one in wanted]
    if any(edge is None for edge in edges):
        raise torch_error(
            "Expected all tensors to require gradients", "每个张量都必须要求梯度（requires_grad）。"
        )
    seen: list[Any] = [None] * len(wanted)

    def entry(place: int) -> Callable[[Tensor], Tensor]:
        def call(gradient: Tensor) -> Tensor:
            if mode == "any":
                if all(one is None for one in seen):
                    seen[place] = gradient
                    interpreter.call(fn, [gradient], {})
                return gradient
            seen[place] = gradient
            if all(one is not None for one in seen):
                given, seen[:] = list(seen), [None] * len(seen)
                interpreter.call(fn, [given], {})
            return gradient

        return call

    every: list[Any] = []
    for place, edge in enumerate(edges):
        assert edge is not None
        hook = (edge.index, entry(place))
        edge.node.pre_hooks.append(hook)
        every.append(Handle(edge.node.pre_hooks, hook))
    return _Several(every)


class _Several(Handle):
    """Handles that are removed together."""

    def __init__(self, handles: list[Handle]) -> None:
        super().__init__([], None)
        self.handles = handles

    def remove(self) -> None:
        """None of the hooks is called any more."""
        for one in self.handles:
            one.remove()
