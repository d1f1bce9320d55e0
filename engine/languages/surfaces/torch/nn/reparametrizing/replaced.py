"""A parameter that is computed anew before every call of its module, by a hook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.hooks import add_hook
from engine.languages.surfaces.torch.nn.parameter import Parameter, parameter
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import Tensor

COMPUTED = "_computed"  # the field of a module that lists its hooks: name, kind -> handle
Compute = Callable[[UserObject], Tensor]


def parameter_of(module: UserObject, name: str) -> Parameter:
    """A parameter of a module. Raises: KeyError in PyTorch's words where it has none of this name."""
    found = module.fields.get(name)
    if not isinstance(found, Parameter):
        raise torch_error(
            f"'{name}'",
            f"模块 {module.kind.name} 没有名为 {name} 的参数。",
            kind="KeyError",
            hint='Give the name of a parameter of this module itself, such as "weight".',
            hint_zh='请给出这个模块自己的参数名，例如 "weight"。',
        )
    return found


def compute_before_calls(module: UserObject, name: str, kind: str, compute: Compute) -> None:
    """Exchange a parameter for what a function computes from the module. The parameter is gone after it."""
    hooks = module.fields.setdefault(COMPUTED, {})
    if (name, kind) in hooks:
        raise torch_error(
            f"Cannot register two {kind} hooks on the same parameter {name}",
            f"不能对同一个参数 {name} 注册两个 {kind}。",
        )

    def refresh(self: UserObject, _: Any) -> None:
        self.fields[name] = compute(self)

    hooks[name, kind] = add_hook(module, "before", Native(kind, refresh), False, False)


def compute_no_longer(module: UserObject, name: str, kind: str, value: Any) -> None:
    """Let a parameter stand where one was computed. Raises: ValueError where none was."""
    hooks = module.fields.get(COMPUTED, {})
    if (name, kind) not in hooks:
        raise torch_error(
            f"{kind} of '{name}' not found in {module.kind.name}",
            f"{module.kind.name} 的 {name} 没有使用 {kind}。",
            kind="ValueError",
        )
    hooks.pop((name, kind)).remove()
    module.fields.pop(name, None)
    module.fields[name] = parameter(value)


@contextmanager
def without_history() -> Iterator[None]:
    """Functions leave no nodes behind."""
    with recording(False):
        yield
