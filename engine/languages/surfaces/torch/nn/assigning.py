"""`module.name = value`: what may stand where a parameter, a module or a buffer stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.parameter import Buffer, Parameter
from engine.languages.surfaces.torch.tensor import Tensor


def assign(self: UserObject, name: str, value: Any, is_module: Callable[[Any], bool]) -> None:
    """Let a module have an attribute. Raises: TypeError's and AttributeError's messages of PyTorch."""
    fields = self.fields
    present = fields.get(name)
    if isinstance(value, Parameter) or is_module(value):
        if "training" not in fields:
            raise not_begun(self, "parameters" if isinstance(value, Parameter) else "module")
    elif value is not None and "training" in fields:
        if isinstance(present, Parameter):
            raise _unfit(value, f"parameter '{name}'", f"参数 {name}", "torch.nn.Parameter")
        if is_module(present):
            raise _unfit(value, f"child module '{name}'", f"子模块 {name}", "torch.nn.Module")
        if name in fields["_buffers"] and not isinstance(value, Tensor):
            raise _unfit(value, f"buffer '{name}'", f"缓冲 {name}", "torch.nn.Buffer, torch.Tensor")
        if isinstance(value, Buffer):
            fields["_buffers"][name] = value.persistent
            value = Tensor(value.storage, value.steps, value.version)
    fields[name] = value


def _unfit(value: Any, what: str, what_zh: str, expected: str) -> Exception:
    kind = f"torch.{value.dtype.scalar_name}Tensor" if isinstance(value, Tensor) else python_name(value)
    return torch_error(
        f"cannot assign '{kind}' as {what} ({expected} or None expected)",
        f"不能把 {kind} 赋给{what_zh}。",
        kind="TypeError",
        hint=f"Give a {expected}, or use another name.",
        hint_zh=f"请给出 {expected}，或换一个名字。",
    )


def not_begun(self: UserObject, what: str = "module") -> Exception:
    """A class of the program whose `__init__` does not call that of `nn.Module`."""
    return torch_error(
        f"cannot assign {what} before Module.__init__() call",
        f"{self.kind.name} 的 __init__ 没有先调用 super().__init__()。",
        kind="AttributeError",
        hint="Write super().__init__() as the first line of __init__.",
        hint_zh="请在 __init__ 的第一行写 super().__init__()。",
    )
