"""Hooks: functions of a program that see a gradient on its way, and may send another one on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block, python_name
from engine.languages.surfaces.torch.autograd.nodes import Node, gradient_edge
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import Tensor


class Handle:
    """What registering a hook gives: it can be removed again."""

    def __init__(self, hooks: list[Any], entry: Any) -> None:
        self.hooks = hooks
        self.entry = entry

    def remove(self) -> None:
        """The hook is called no more."""
        self.hooks[:] = [one for one in self.hooks if one is not self.entry]


HANDLE = members_of(Handle, "RemovableHandle")
HANDLE.method("remove")(lambda handle: handle.remove())
CONTEXTS[Handle] = lambda interpreter, handle: Block(lambda: _Removing(handle)).open()


class _Removing:
    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def __enter__(self) -> Handle:
        return self._handle

    def __exit__(self, *_: object) -> None:
        self._handle.remove()


def enter(hooks: list[Any], entry: Any) -> Handle:
    """Add a hook to others."""
    hooks.append(entry)
    return Handle(hooks, entry)


@torch_function("register_hook", method="only")
def register_hook(interpreter: Interpreter, self: Tensor, hook: Any) -> Handle:
    """Call a function with the gradient of this tensor; what it returns goes on in its place."""
    edge = gradient_edge(self)
    if edge is None:
        raise torch_error(
            "cannot register a hook on a tensor that doesn't require gradient",
            "不能给不要求梯度的张量注册 hook。",
        )
    return enter(edge.node.pre_hooks, (edge.index, _exchanging(interpreter, hook)))


def _exchanging(interpreter: Interpreter, hook: Any) -> Callable[[Tensor], Tensor]:
    def call(gradient: Tensor) -> Tensor:
        found = interpreter.call(hook, [gradient], {})
        return gradient if found is None else _exchangeable(found, gradient, hook)

    return call


def _exchangeable(found: Any, gradient: Tensor, hook: Any) -> Tensor:
    """What a hook returns. Raises: the messages of PyTorch where it cannot stand for the gradient."""
    if not isinstance(found, Tensor):
        kind = python_name(found)
        raise torch_error(
            f"expected Variable, but hook returned '{kind}'",
            f"hook 必须返回张量或 None，不能返回 {kind}。",
            kind="TypeError",
        )
    name = getattr(hook, "name", "hook")
    if found.dtype is not gradient.dtype:
        new, old = (f"torch.{one.dtype.scalar_name}Tensor" for one in (found, gradient))
        raise torch_error(
            f"hook '{name}' has changed the type of value (was {old} got {new})",
            f"hook {name} 返回的梯度类型不同：{new}，应为 {old}。",
        )
    if found.shape != gradient.shape:
        raise torch_error(
            f"hook '{name}' has changed the size of value",
            f"hook {name} 返回的梯度形状 {list(found.shape)} 应为 {list(gradient.shape)}。",
            code="shape_mismatch",
        )
    return found


@torch_function("register_post_accumulate_grad_hook", method="only")
def register_post_accumulate_grad_hook(interpreter: Interpreter, self: Tensor, hook: Any) -> Handle:
    """Call a function with this leaf whenever its `grad` has changed."""
    if not self.is_leaf or not self.requires_grad:
        raise torch_error(
            "post accumulate grad hooks cannot be registered on non-leaf tensors",
            "只能给叶子张量注册这种 hook。",
        )
    return enter(self.post_hooks, lambda leaf: interpreter.call(hook, [leaf], {}))


def node_hook(interpreter: Interpreter, node: Node, fn: Any) -> Handle:
    """Call a function with what a node sends on and what came to it."""

    def call(found: list[Any], grads: list[Any]) -> Any:
        given = interpreter.call(fn, [tuple(found), tuple(grads)], {})
        return found if given is None else list(given) if isinstance(given, (list, tuple)) else [given]

    return enter(node.post_hooks, call)


def node_pre_hook(interpreter: Interpreter, node: Node, fn: Any) -> Handle:
    """Call a function with what has come to a node."""

    def call(grads: list[Any]) -> Any:
        given = interpreter.call(fn, [tuple(grads)], {})
        return grads if given is None else list(given) if isinstance(given, (list, tuple)) else [given]

    return enter(node.node_pre_hooks, call)
