"""How tensors print, inside texts and formats too, and `torch.set_printoptions`."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.formatting import WRITTEN_BY
from engine.languages.interpreter.builtins.text import FORMATTED, SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.printing import DEFAULT, PrintOptions, changed_options, text_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state, state_or_none
from engine.languages.surfaces.torch.tensor import Tensor

OPTIONS = "print options"


def _options() -> PrintOptions:
    now = state_or_none()
    found: PrintOptions = DEFAULT if now is None else now.parts.get(OPTIONS, DEFAULT)
    return found


def _default_type() -> str:
    now = state_or_none()
    return "float32" if now is None else now.default_float.name


@torch_function("set_printoptions")
def set_printoptions(
    precision: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    linewidth: Any = None,
    profile: Any = None,
    sci_mode: Any = None,
) -> None:
    """How tensors print from here on."""
    changes = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    state().parts[OPTIONS] = changed_options(_options(), profile, sci_mode, **changes)


def shown(tensor: Tensor) -> str:
    """`tensor([1., 2.], grad_fn=<MulBackward0>)`."""
    node = tensor.grad_fn
    return text_of(
        tensor.array,
        _options(),
        grad_fn=None if node is None else node.name,
        requires_grad=tensor.requires_grad,
        dtype=tensor.dtype.name,
        default_dtype=_default_type(),
    )


def formatted(tensor: Tensor, spec: str) -> str:
    """`f"{x:.2f}"`, of a tensor of one number. Raises: TypeError's message of PyTorch for any other one."""
    if tensor.array.ndim:
        raise torch_error(
            "unsupported format string passed to Tensor.__format__",
            "含多个元素的张量不能使用格式。",
            kind="TypeError",
            hint="Write x.item() or x.tolist().",
            hint_zh="请写 x.item() 或 x.tolist()。",
            code="bad_format",
        )
    number = tensor.array.item()
    try:
        return format(number, spec)
    except ValueError as error:
        raise torch_error(
            str(error),
            f"格式 {spec} 不适用于 {type(number).__name__}。",
            kind="ValueError",
            code="bad_format",
        ) from None


def plainly_formatted(tensor: Tensor) -> str:
    """`f"{x}"`: the number alone where the tensor has no axes."""
    return shown(tensor) if tensor.array.ndim else str(tensor.array.item())


SHOWN[Tensor] = (shown, shown)
WRITTEN_BY[Tensor] = formatted
FORMATTED[Tensor] = plainly_formatted
PYTHON_NAMES[Tensor] = lambda _: "Tensor"
