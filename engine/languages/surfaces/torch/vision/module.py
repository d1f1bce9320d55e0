"""The module `torchvision` as programs see it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.languages.surfaces.torch.vision import datasets, functional, transforms

TORCHVISION = Library("torchvision")
TORCHVISION.value("0.28.0", "__version__")
for _kind in datasets.KINDS:
    TORCHVISION.value(_kind, f"datasets.{_kind.name}", f"datasets.mnist.{_kind.name}")
for _name, _transform in transforms.KINDS.items():
    TORCHVISION.value(
        _transform, f"transforms.{_name}", f"transforms.v2.{_name}", f"transforms.transforms.{_name}"
    )
functional.enter(TORCHVISION)
NO_WEIGHTS = (
    "Trained weights are not downloaded here: write the layers with torch.nn.",
    "这里不下载训练好的权重：请用 torch.nn 写出各层。",
)
TORCHVISION.refuse(("models",), *NO_WEIGHTS)
TORCHVISION.refuse(
    ("datasets.ImageFolder", "datasets.CocoDetection", "datasets.VOCSegmentation", "io"),
    "No files are read here; MNIST, FashionMNIST, CIFAR10 and CIFAR100 have stand-ins.",
    "这里不读取文件；MNIST、FashionMNIST、CIFAR10、CIFAR100 有代用数据。",
)


@TORCHVISION.function("utils.make_grid")
@takes_only(scale_each=(False,))
def make_grid(
    tensor: Any,
    nrow: Any = 8,
    padding: Any = 2,
    normalize: Any = False,
    value_range: Any = None,
    scale_each: Any = False,
    pad_value: Any = 0.0,
) -> Tensor:
    """Pictures side by side in one. Shapes: (N, C, H, W) -> (3, rows of H, columns of W) with margins."""
    rows = tensor.array if isinstance(tensor, Tensor) else np.stack([one.array for one in tensor])
    rows = rows.reshape((1,) * (4 - rows.ndim) + rows.shape) if rows.ndim < 4 else rows
    rows = np.repeat(rows, 3, axis=1) if rows.shape[1] == 1 else rows
    if normalize:
        low, high = (rows.min(), rows.max()) if value_range is None else value_range
        rows = (np.clip(rows, low, high) - low) / max(high - low, 1e-5)
    count, channels, height, width = rows.shape
    columns = min(int(nrow), count)
    lines, margin = -(-count // columns), int(padding)
    shape = (channels, lines * (height + margin) + margin, columns * (width + margin) + margin)
    whole = np.full(shape, pad_value, rows.dtype)
    for place, one in enumerate(rows):
        top = (place // columns) * (height + margin) + margin
        left = (place % columns) * (width + margin) + margin
        whole[:, top : top + height, left : left + width] = one
    return of_numbers(whole)


@TORCHVISION.function("utils.save_image")
def save_image(tensor: Any, fp: Any, **settings: Any) -> None:
    """Nothing is written to a disk here."""
