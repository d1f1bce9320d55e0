"""Modules that change shapes alone: flattening, padding, shuffling pixels."""

from __future__ import annotations

from typing import Any

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
    for _axes in (1, 2):
        _set_up, _forward = _padding(_axes, _mode)
        _value = {"value": REQUIRED} if _kind == "ConstantPad" else {}
        layer(
            f"{_kind}{_axes}d",
            _forward,
            setup=_set_up,
            extra="padding value" if _value else "-padding",
            settings={"padding": REQUIRED, **_value},
        )
