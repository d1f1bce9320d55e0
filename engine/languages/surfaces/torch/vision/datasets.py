"""`torchvision.datasets`: the shapes and kinds of the real data sets, with fewer rows (docs/data-sets.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.data_sets import of_keras
from engine.languages.surfaces.pictures import Picture
from engine.languages.surfaces.torch.classes import library_class
from engine.languages.surfaces.torch.data.datasets import DATASET
from engine.languages.surfaces.torch.data.loading import ROWS_OF
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.languages.surfaces.torch.vision.transforms import whole_batch
from engine.ops.base.tensors import Array

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
CLOTHES = (
    *("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat"),
    *("Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"),
)
THINGS = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
CLASSES = {
    "MNIST": [f"{number} - {name}" for number, name in enumerate(DIGITS)],
    "FashionMNIST": list(CLOTHES),
    "CIFAR10": list(THINGS),
    "CIFAR100": [f"class{number}" for number in range(100)],
}
LOADERS: dict[str, Callable[[Interpreter], Any]] = {
    "MNIST": of_keras.mnist,
    "FashionMNIST": of_keras.fashion_mnist,
    "CIFAR10": of_keras.cifar10,
    "CIFAR100": of_keras.cifar100,
}


def _begin(name: str) -> Callable[..., None]:
    def start(
        interpreter: Interpreter,
        self: UserObject,
        root: Any = None,
        train: Any = True,
        transform: Any = None,
        target_transform: Any = None,
        download: Any = False,
    ) -> None:
        parts = LOADERS[name](interpreter)
        interpreter.row_numbers = None  # tensors do not know of rows that stand for others
        images, labels = parts[0 if train else 1]
        grey = images.ndim == 3
        labels = labels.reshape(-1).astype(np.int64)
        classes = CLASSES[name]
        self.fields.update(
            root=root,
            train=bool(train),
            transform=transform,
            target_transform=target_transform,
            data=of_numbers(images) if grey else images,
            targets=of_numbers(labels) if grey else labels.tolist(),
            classes=list(classes),
            class_to_idx={one: place for place, one in enumerate(classes)},
        )

    return start


def _pictures(self: UserObject) -> Array:
    """Shapes: () -> (n, H, W) or (n, H, W, C) uint8."""
    held = self.fields["data"]
    return np.asarray(held.array if isinstance(held, Tensor) else held)


def _labels(self: UserObject) -> Array:
    held = self.fields["targets"]
    return np.asarray(held.array if isinstance(held, Tensor) else held)


def _example(interpreter: Interpreter, self: UserObject, index: Any) -> tuple[Any, Any]:
    """The picture of a number, and its class, each after its transform."""
    place, count = int(plain(index)), len(_labels(self))
    if not -count <= place < count:
        raise torch_error(
            f"index {place} is out of bounds for dimension 0 with size {count}",
            f"序号 {place} 超出了 {count} 个样本。",
            kind="IndexError",
        )
    image: Any = Picture(_pictures(self)[place])
    target: Any = int(_labels(self)[place])
    if self.fields["transform"] is not None:
        image = interpreter.call(self.fields["transform"], [image], {})
    if self.fields["target_transform"] is not None:
        target = interpreter.call(self.fields["target_transform"], [target], {})
    return image, target


def rows_at_once(self: UserObject, places: Array) -> list[Tensor] | None:
    """A batch of pictures and classes where the transforms draw nothing; None where they must run in turn."""
    if self.fields["target_transform"] is not None or self.fields["transform"] is None:
        return None
    found = whole_batch(self.fields["transform"], _pictures(self)[places])
    return None if found is None else [of_numbers(found), of_numbers(_labels(self)[places])]


def _text(self: UserObject) -> str:
    facts = self.fields
    lines = [
        f"Dataset {self.kind.name}",
        f"    Number of datapoints: {len(_labels(self))}",
        f"    Root location: {facts['root']}",
        f"    Split: {'Train' if facts['train'] else 'Test'}",
    ]
    named = {"Transform": facts["transform"], "Target transform": facts["target_transform"]}
    given = {name: one for name, one in named.items() if one is not None}
    if given:
        lines.append("    StandardTransform")
    for name, one in given.items():
        lines.append(f"{name}: " + to_repr(one).replace("\n", "\n" + " " * (len(name) + 2)))
    return "\n".join(lines)


def _kind(name: str) -> UserClass:
    return library_class(
        name,
        DATASET,
        properties={
            "train_data": lambda self: self.fields["data"],
            "test_data": lambda self: self.fields["data"],
            "train_labels": lambda self: self.fields["targets"],
            "test_labels": lambda self: self.fields["targets"],
        },
        __init__=_begin(name),
        __getitem__=_example,
        __len__=lambda self: len(_labels(self)),
        __repr__=_text,
    )


KINDS = tuple(_kind(name) for name in LOADERS)
for _one in KINDS:
    ROWS_OF[_one] = rows_at_once
