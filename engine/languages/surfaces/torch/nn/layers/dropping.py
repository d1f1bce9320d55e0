"""Dropout: numbers become zero by chance, in training."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.nn.functional.dropping import check_share
from engine.languages.surfaces.torch.nn.layer import layer
from engine.languages.surfaces.torch.nn.module import functional


def _check_settings(self: UserObject) -> None:
    check_share(self.fields["p"])


def _enter(name: str, function: str) -> None:
    def forward(interpreter: Interpreter, self: UserObject, input: Any) -> Any:
        p, training, inplace = (self.fields[key] for key in ("p", "training", "inplace"))
        return functional(interpreter, function, input, p, training, inplace)

    layer(
        name,
        forward,
        setup=_check_settings,
        extra="p inplace",
        settings={"p": 0.5, "inplace": False},
    )


for _name, _function in {
    "Dropout": "dropout",
    "Dropout1d": "dropout1d",
    "Dropout2d": "dropout2d",
    "Dropout3d": "dropout3d",
    "AlphaDropout": "alpha_dropout",
    "FeatureAlphaDropout": "feature_alpha_dropout",
}.items():
    _enter(_name, _function)
