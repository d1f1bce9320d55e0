"""Modules of functions that answer to whole neighbourhoods: responses, unpooling, resizing, noisy slopes."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.nn.functional.windows import each
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.layers.losses import MEAN, OLD, loss
from engine.languages.surfaces.torch.nn.module import functional


def _handed_on(function: str, names: tuple[str, ...]) -> Any:
    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        return functional(interpreter, function, input, *(self.fields[name] for name in names))

    return forward


layer(
    "LocalResponseNorm",
    _handed_on("local_response_norm", ("size", "alpha", "beta", "k")),
    extra="-size alpha beta k",
    settings={"size": REQUIRED, "alpha": 1e-4, "beta": 0.75, "k": 1.0},
)
layer(
    "PixelUnshuffle",
    _handed_on("pixel_unshuffle", ("downscale_factor",)),
    extra="downscale_factor",
    settings={"downscale_factor": REQUIRED},
)
layer(
    "ChannelShuffle",
    _handed_on("channel_shuffle", ("groups",)),
    extra="groups",
    settings={"groups": REQUIRED},
)
layer(
    "Dropout3d",
    lambda interpreter, self, input: functional(
        interpreter, "dropout3d", input, self.fields["p"], self.fields["training"], self.fields["inplace"]
    ),
    extra="p inplace",
    settings={"p": 0.5, "inplace": False},
)

# -- larger images ---------------------------------------------------------------------------------------


def _upsampling(mode: str, corners: bool | None) -> Any:
    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        facts = self.fields
        settings = (facts["size"], facts["scale_factor"], mode, corners)
        return functional(interpreter, "interpolate", input, *settings)

    def text(self: UserObject) -> str:
        name = "size" if self.fields["scale_factor"] is None else "scale_factor"
        return f"{name}={to_repr(self.fields[name])}, mode={mode!r}"

    return forward, text


def _keep_factor(self: UserObject) -> None:
    factor = self.fields["scale_factor"]
    if factor is not None:
        several = isinstance(factor, (list, tuple))
        self.fields["scale_factor"] = tuple(map(float, factor)) if several else float(factor)


for _name, _mode, _corners in (
    ("UpsamplingNearest2d", "nearest", None),
    ("UpsamplingBilinear2d", "bilinear", True),
):
    _forward, _text = _upsampling(_mode, _corners)
    layer(
        _name,
        _forward,
        setup=_keep_factor,
        extra=_text,
        settings={"size": None, "scale_factor": None},
    )

# -- pooling undone, pooling by powers -------------------------------------------------------------------


def _unpooling(axes: int) -> Any:
    def set_up(self: UserObject) -> None:
        if self.fields["stride"] is None:
            self.fields["stride"] = self.fields["kernel_size"]
        for name in ("kernel_size", "stride", "padding"):
            self.fields[name] = each(self.fields[name], axes, name)

    def forward(
        interpreter: Interpreter, self: UserObject, input: Any, indices: Any, output_size: Any = None
    ) -> Any:
        settings = (self.fields[name] for name in ("kernel_size", "stride", "padding"))
        return functional(interpreter, f"max_unpool{axes}d", input, indices, *settings, output_size)

    return set_up, forward


for _axes in (1, 2, 3):
    _set_up, _forward = _unpooling(_axes)
    layer(
        f"MaxUnpool{_axes}d",
        _forward,
        setup=_set_up,
        extra="kernel_size stride padding",
        settings={"kernel_size": REQUIRED, "stride": None, "padding": 0},
    )

for _axes in (1, 2, 3):
    layer(
        f"LPPool{_axes}d",
        _handed_on(f"lp_pool{_axes}d", ("norm_type", "kernel_size", "stride", "ceil_mode")),
        extra="norm_type kernel_size stride ceil_mode",
        settings={"norm_type": REQUIRED, "kernel_size": REQUIRED, "stride": None, "ceil_mode": False},
    )

# -- losses ----------------------------------------------------------------------------------------------

loss("MultiLabelMarginLoss", "multilabel_margin_loss", **OLD, **MEAN)
loss(
    "TripletMarginWithDistanceLoss",
    "triplet_margin_with_distance_loss",
    distance_function=None,
    margin=1.0,
    swap=False,
    **MEAN,
)
loss("CTCLoss", "ctc_loss", blank=0, reduction="mean", zero_infinity=False)
