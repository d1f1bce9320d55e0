"""`torchvision.transforms.functional`: the changes of pictures without chance, as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.torch.dtypes import DEFAULT_FLOAT, dtype_of
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.registry import TorchFunction
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.languages.surfaces.torch.vision.transforms import KINDS, changed, part

HERE = ("transforms.functional", "transforms.v2.functional")
TRANSFORMS = {
    "to_tensor": "ToTensor",
    "pil_to_tensor": "PILToTensor",
    "to_pil_image": "ToPILImage",
    "normalize": "Normalize",
    "center_crop": "CenterCrop",
    "resize": "Resize",
    "pad": "Pad",
    "rgb_to_grayscale": "Grayscale",
    "to_grayscale": "Grayscale",
}


def _as_transform(name: str) -> Callable[..., Any]:
    """A function that does what a transform with the settings after its first argument does."""

    def function(interpreter: Interpreter, img: Any, *args: Any, **keywords: Any) -> Any:
        if "output_size" in keywords:
            keywords["size"] = keywords.pop("output_size")
        return interpreter.call(interpreter.call(KINDS[name], list(args), keywords), [img], {})

    return function


def _flipped(axis: int) -> Callable[..., Any]:
    return lambda img: changed(img, lambda rows: np.flip(rows, axis))


def _cropped(img: Any, top: Any, left: Any, height: Any, width: Any) -> Any:
    return part(img, int(top), int(left), (int(height), int(width)))


def _converted(image: Tensor, dtype: Any = DEFAULT_FLOAT) -> Tensor:
    """Bytes as shares of 255, and back. Shapes: (*S) -> (*S)."""
    rows, wanted = image.array, np.dtype((dtype_of(dtype) or DEFAULT_FLOAT).name)
    if rows.dtype == np.uint8 and wanted.kind == "f":
        return of_numbers(rows.astype(wanted) / wanted.type(255))
    if rows.dtype.kind == "f" and wanted == np.uint8:
        return of_numbers((rows * rows.dtype.type(255 + 1 - 1e-3)).astype(wanted))
    if rows.dtype.kind != wanted.kind:
        raise not_here(
            f"convert_image_dtype from {rows.dtype} to {wanted}", f"从 {rows.dtype} 到 {wanted} 的转换"
        )
    return of_numbers(rows.astype(wanted))


def enter(library: Library) -> None:
    """Enter the functions into `torchvision`."""
    functions: dict[str, Callable[..., Any]] = {
        **{name: _as_transform(transform) for name, transform in TRANSFORMS.items()},
        "hflip": _flipped(1),
        "vflip": _flipped(0),
        "crop": _cropped,
        "convert_image_dtype": _converted,
    }
    for name, function in functions.items():
        library.value(TorchFunction(name, function), *(f"{place}.{name}" for place in HERE))
