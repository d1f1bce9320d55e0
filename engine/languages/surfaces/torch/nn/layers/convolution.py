"""Convolutional layers."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.functional.checks.convolution import check_layer
from engine.languages.surfaces.torch.nn.functional.windows import each
from engine.languages.surfaces.torch.nn.init import default_weights
from engine.languages.surfaces.torch.nn.layer import REQUIRED, element_type, empty, layer
from engine.languages.surfaces.torch.nn.module import functional

SIZES = {"in_channels": REQUIRED, "out_channels": REQUIRED, "kernel_size": REQUIRED}
END = {"padding_mode": "zeros", "device": None, "dtype": None}
MODES = ("zeros", "reflect", "replicate", "circular")


def _set_up(axes: int, transposed: bool) -> Any:
    def set_up(self: UserObject) -> None:
        facts, dtype = self.fields, element_type(self)
        for name in ("kernel_size", "stride", "dilation", "output_padding", "padding"):
            if name in facts and not isinstance(facts[name], str):
                facts[name] = each(facts[name], axes, name)
        facts.setdefault("output_padding", (0,) * axes)
        check_layer(facts)
        has_bias, groups = facts.pop("bias"), facts["groups"]
        inside, outside = facts["in_channels"], facts["out_channels"]
        _check(inside, outside, groups, facts["padding_mode"])
        first, second = (inside, outside // groups) if transposed else (outside, inside // groups)
        facts["weight"] = empty((first, second, *facts["kernel_size"]), dtype)
        facts["bias"] = empty((outside,), dtype) if has_bias else None
        default_weights(facts["weight"], facts["bias"])

    return set_up


def _reset(self: UserObject) -> None:
    """Draw the weights anew."""
    default_weights(self.fields["weight"], self.fields["bias"])


def _check(inside: int, outside: int, groups: int, mode: Any) -> None:
    """Raises: ValueError in PyTorch's words."""
    if groups <= 0:
        raise torch_error("groups must be a positive integer", "groups 必须是正整数。", kind="ValueError")
    for name, count in (("in_channels", inside), ("out_channels", outside)):
        if count % groups:
            raise torch_error(
                f"{name} must be divisible by groups", f"{name} 必须能被 groups 整除。", kind="ValueError"
            )
    if mode not in MODES:
        raise torch_error(
            f"padding_mode must be one of {set(MODES)}, but got padding_mode='{mode}'",
            f"padding_mode 不能是 {to_str(mode)}。",
            kind="ValueError",
        )


def _text(self: UserObject) -> str:
    facts = self.fields
    parts = [f"{facts['in_channels']}, {facts['out_channels']}"]
    parts += [f"kernel_size={facts['kernel_size']}, stride={facts['stride']}"]
    nothing, once = (0,) * len(facts["kernel_size"]), (1,) * len(facts["kernel_size"])
    for name, usual in (("padding", nothing), ("dilation", once), ("output_padding", nothing), ("groups", 1)):
        if facts[name] != usual:
            parts.append(f"{name}={to_str(facts[name])}")
    if facts["bias"] is None:
        parts.append("bias=False")
    if facts["padding_mode"] != "zeros":
        parts.append(f"padding_mode={facts['padding_mode']}")
    return ", ".join(parts)


def _forward(axes: int) -> Any:
    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        facts = self.fields
        padding = facts["padding"]
        if facts["padding_mode"] != "zeros":
            around = [one for p in reversed(each(padding, axes)) for one in (p, p)]
            input = functional(interpreter, "pad", input, around, facts["padding_mode"])
            padding = 0
        settings = (facts["stride"], padding, facts["dilation"], facts["groups"])
        return functional(interpreter, f"conv{axes}d", input, facts["weight"], facts["bias"], *settings)

    return forward


def _forward_transposed(axes: int) -> Any:
    def forward(interpreter: Interpreter, self: UserObject, input: Any, output_size: Any = None) -> Any:
        facts = self.fields
        extra = facts["output_padding"]
        if output_size is not None:
            extra = _extra_for(facts, input.array.shape[-axes:], list(output_size)[-axes:])
        settings = (facts["stride"], facts["padding"], extra, facts["groups"], facts["dilation"])
        return functional(
            interpreter, f"conv_transpose{axes}d", input, facts["weight"], facts["bias"], *settings
        )

    return forward


def _extra_for(facts: dict[str, Any], lengths: Any, wanted: list[int]) -> tuple[int, ...]:
    """What is added at the end so that the result has this size."""
    settings = (facts["stride"], facts["padding"], facts["dilation"], facts["kernel_size"])
    return tuple(
        size - ((length - 1) * s - 2 * p + d * (k - 1) + 1)
        for size, length, s, p, d, k in zip(wanted, lengths, *settings, strict=True)
    )


for _axes in (1, 2, 3):
    layer(
        f"Conv{_axes}d",
        _forward(_axes),
        setup=_set_up(_axes, transposed=False),
        extra=_text,
        reset_parameters=_reset,
        settings={**SIZES, "stride": 1, "padding": 0, "dilation": 1, "groups": 1, "bias": True, **END},
    )
    layer(
        f"ConvTranspose{_axes}d",
        _forward_transposed(_axes),
        setup=_set_up(_axes, transposed=True),
        extra=_text,
        reset_parameters=_reset,
        settings={
            **SIZES,
            "stride": 1,
            "padding": 0,
            "output_padding": 0,
            "groups": 1,
            "bias": True,
            "dilation": 1,
            **END,
        },
    )
