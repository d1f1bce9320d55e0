"""Modules that change shapes alone: flattening, padding, shuffling pixels."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.module import functional, torch_call

layer(
    "Flatten",
    lambda interpreter, self, input: torch_call(
        interpreter, "flatten", input, self.fields["start_dim"], self.fields["end_dim"]
    ),
    extra="start_dim end_dim",
    settings={"start_dim": 1, "end_dim": -1},
)
layer(
    "Unflatten",
    lambda interpreter, self, input: torch_call(
        interpreter, "unflatten", input, self.fields["dim"], self.fields["unflattened_size"]
    ),
    extra="dim unflattened_size",
    settings={"dim": REQUIRED, "unflattened_size": REQUIRED},
)


def _padding(axes: int, mode: str) -> Any:
    """A `setup` and a `forward` that pad so many axes."""

    def set_up(self: UserObject) -> None:
        given = self.fields["padding"]
        self.fields["padding"] = tuple(given) if isinstance(given, (list, tuple)) else (given,) * (2 * axes)

    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        number = self.fields.get("value", 0 if mode == "constant" else None)
        return functional(interpreter, "pad", input, self.fields["padding"], mode, number)

    return set_up, forward


for _kind, _mode in {
    "ZeroPad": "constant",
    "ConstantPad": "constant",
    "ReflectionPad": "reflect",
    "ReplicationPad": "replicate",
    "CircularPad": "circular",
}.items():
    for _axes in (1, 2, 3):
        _set_up, _forward = _padding(_axes, _mode)
        _value = {"value": REQUIRED} if _kind == "ConstantPad" else {}
        layer(
            f"{_kind}{_axes}d",
            _forward,
            setup=_set_up,
            extra="padding value" if _value else "-padding",
            settings={"padding": REQUIRED, **_value},
        )


def _resize(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
    return functional(interpreter, "interpolate", input, **{name: self.fields[name] for name in RESIZING})


def _resize_text(self: UserObject) -> str:
    facts = self.fields
    name = "size" if facts["scale_factor"] is None else "scale_factor"
    return f"{name}={to_repr(facts[name])}, mode={to_repr(facts['mode'])}"


def _keep_factor(self: UserObject) -> None:
    """PyTorch keeps a factor as a float."""
    factor = self.fields["scale_factor"]
    if factor is not None:
        several = isinstance(factor, (list, tuple))
        self.fields["scale_factor"] = tuple(map(float, factor)) if several else float(factor)


RESIZING = {"size": None, "scale_factor": None, "mode": "nearest", "align_corners": None}
layer("Upsample", _resize, setup=_keep_factor, extra=_resize_text, settings=RESIZING)
layer(
    "PixelShuffle",
    lambda interpreter, self, input: functional(
        interpreter, "pixel_shuffle", input, self.fields["upscale_factor"]
    ),
    extra="upscale_factor",
    settings={"upscale_factor": REQUIRED},
)
for _name, _function in {"Unfold": "unfold", "Fold": "fold"}.items():
    _start = {"output_size": REQUIRED} if _name == "Fold" else {}
    _windows = {**_start, "kernel_size": REQUIRED, "dilation": 1, "padding": 0, "stride": 1}
    layer(
        _name,
        lambda interpreter, self, input, _function=_function, _windows=_windows: functional(
            interpreter, _function, input, **{name: self.fields[name] for name in _windows}
        ),
        extra=" ".join(_windows),
        settings=_windows,
    )


def _call_module(interpreter: Interpreter, self: UserObject, *inputs: Any, **kwargs: Any) -> Any:
    return interpreter.call(self.fields["module"], list(inputs), kwargs)


def _no_devices(self: UserObject) -> None:
    self.fields["device_ids"] = []


layer(  # without graphics cards PyTorch, too, calls the module itself
    "DataParallel",
    _call_module,
    setup=_no_devices,
    aliases=("parallel.DataParallel",),
    settings={"module": REQUIRED, "device_ids": None, "output_device": None, "dim": 0},
)
