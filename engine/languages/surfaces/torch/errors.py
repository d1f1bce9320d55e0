"""Errors in PyTorch's own words, so that a program that catches one sees the text that it knows."""

from __future__ import annotations

from engine.errors import ProgramError, RefusedError

COMPLEX = (
    "Compute with z.real and z.imag, or with z.abs().",
    "请用 z.real 和 z.imag，或用 z.abs() 来计算。",
)  # what to do where complex numbers are not taken


def torch_error(
    message: str,
    message_zh: str,
    *,
    kind: str = "RuntimeError",
    hint: str = "",
    hint_zh: str = "",
    code: str = "torch_error",
) -> ProgramError:
    """An error that PyTorch raises. kind: the exception of Python that it is."""
    return ProgramError(
        message,
        message_zh=message_zh,
        hint=hint,
        hint_zh=hint_zh,
        code=code,
        kind=kind,
        said=message.strip("'") if kind == "KeyError" else message,
    )


def not_here(what: str, what_zh: str = "", hint: str = "", hint_zh: str = "") -> RefusedError:
    """Something of PyTorch that Gradlens leaves out."""
    return RefusedError(
        f"{what} is not supported.",
        message_zh=f"不支持{what_zh or what}。",
        hint=hint,
        hint_zh=hint_zh,
        code="refused_name",
    )


def not_differentiable(function: str) -> ProgramError:
    """A function of PyTorch, `aten::hardsigmoid_backward` say, that it has no derivative of."""
    quoted = function.startswith("'")
    message = (
        f"the derivative for {function} is not implemented."
        if quoted
        else f"derivative for {function} is not implemented"
    )
    return torch_error(message, f"PyTorch 没有实现 {function} 的导数。", code="no_gradient")
