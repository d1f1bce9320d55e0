"""`out=`: a function that writes its result into a tensor that is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.in_place import cannot_cast, change
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, like, tensors_in


def into(out: Any, result: Any, name: str, given: Iterable[Any]) -> Any:
    """Write a result into `out`, which takes its shape. Returns: `out`.

    Raises: RuntimeError's messages of PyTorch where a gradient is asked for, or a type does not fit.
    """
    if not isinstance(out, Tensor) or not isinstance(result, Tensor):
        raise not_here(f"{name}(out=…) with several tensors", f" {name}(out=…) 写入多个张量")
    if state().records and any(one.requires_grad for one in tensors_in([out, *given])):
        raise torch_error(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of "
            "the arguments requires grad.",
            f"{name}(out=…) 不能求导，而有一个参数要求梯度。",
            hint="Leave out= away, or write it inside `with torch.no_grad():`.",
            hint_zh="请去掉 out=，或写在 `with torch.no_grad():` 里。",
        )
    if result.shape == out.shape:
        return change(out, result)
    if result.dtype.is_floating and not out.dtype.is_floating:
        raise cannot_cast(result, out)
    out.storage, out.steps = like(ops.cast(result.value, out.dtype.held_as), out.dtype).storage, ()
    out.version.number += 1
    return out
