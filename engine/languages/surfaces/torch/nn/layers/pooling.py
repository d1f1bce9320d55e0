"""Pooling layers."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.nn.functional.windows import each
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.module import functional

MAX = {
    "kernel_size": REQUIRED,
    "stride": None,
    "padding": 0,
    "dilation": 1,
    "return_indices": False,
    "ceil_mode": False,
}
MEAN = {"kernel_size": REQUIRED, "stride": None, "padding": 0, "ceil_mode": False, "count_include_pad": True}


def _own_stride(self: UserObject) -> None:
    if self.fields["stride"] is None:
        self.fields["stride"] = self.fields["kernel_size"]


def _single(self: UserObject) -> None:
    """Of one axis, PyTorch keeps the settings as tuples."""
    _own_stride(self)
    for name in ("kernel_size", "stride", "padding"):
        self.fields[name] = each(self.fields[name], 1)


def _handed_on(function: str, names: tuple[str, ...]) -> Any:
    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        return functional(interpreter, function, input, **{name: self.fields[name] for name in names})

    return forward


for _axes in (1, 2, 3):
    layer(
        f"MaxPool{_axes}d",
        _handed_on(f"max_pool{_axes}d", tuple(MAX)),
        setup=_own_stride,
        extra="kernel_size stride padding dilation ceil_mode",
        settings=MAX,
    )
    _settings = MEAN if _axes == 1 else {**MEAN, "divisor_override": None}
    layer(
        f"AvgPool{_axes}d",
        _handed_on(f"avg_pool{_axes}d", tuple(_settings)),
        setup=_single if _axes == 1 else _own_stride,
        extra="kernel_size stride padding",
        settings=_settings,
    )
    layer(
        f"AdaptiveAvgPool{_axes}d",
        _handed_on(f"adaptive_avg_pool{_axes}d", ("output_size",)),
        extra="output_size",
        settings={"output_size": REQUIRED},
    )
    layer(
        f"AdaptiveMaxPool{_axes}d",
        _handed_on(f"adaptive_max_pool{_axes}d", ("output_size", "return_indices")),
        extra="output_size",
        settings={"output_size": REQUIRED, "return_indices": False},
    )
