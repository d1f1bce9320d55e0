"""A picture as PIL has it: bytes in rows, with a size and a mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES
from engine.ops.base.tensors import Array

GREY = np.array([299, 587, 114]) / 1000  # how much red, green and blue count (ITU-R 601)


class Picture:
    """Shapes: array (H, W) for mode L, (H, W, 3) for mode RGB, uint8."""

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array = array

    @property
    def mode(self) -> str:
        """`L` for grey, `RGB` for colour."""
        return "L" if self.array.ndim == 2 else "RGB"


def _text(picture: Picture) -> str:
    height, width = picture.array.shape[:2]
    return f"<PIL.Image.Image image mode={picture.mode} size={width}x{height}>"


SHOWN[Picture] = (_text, _text)
PYTHON_NAMES[Picture] = lambda _: "PIL.Image.Image"
MEMBERS = members_of(Picture, "Image")
MEMBERS.fact("mode")(lambda picture: picture.mode)
MEMBERS.fact("size")(lambda picture: picture.array.shape[1::-1])
MEMBERS.fact("width")(lambda picture: picture.array.shape[1])
MEMBERS.fact("height")(lambda picture: picture.array.shape[0])
MEMBERS.method("show", "save")(lambda picture, *args, **keywords: None)


@MEMBERS.method("convert")
def convert(picture: Picture, mode: Any = None) -> Picture:
    """The picture in grey or in colour."""
    if mode in (None, picture.mode):
        return picture
    if mode == "L":
        return Picture(np.floor(picture.array @ GREY + 0.5).astype(np.uint8))
    if mode == "RGB":
        return Picture(np.repeat(picture.array[..., None], 3, axis=-1))
    raise ProgramError(
        f"unrecognized image mode {mode}",
        message_zh=f"不支持的图像模式 {mode}。",
        code="bad_value",
        kind="ValueError",
    )


def channels_first(picture: Picture) -> Array:
    """Shapes: (H, W) or (H, W, C) -> (C, H, W)."""
    array = picture.array
    return array[None] if array.ndim == 2 else np.ascontiguousarray(array.transpose(2, 0, 1))
