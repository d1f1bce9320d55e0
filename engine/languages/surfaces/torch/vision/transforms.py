"""`torchvision.transforms`: pictures as tensors, and changes of pictures and tensors, by their formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.pictures import Picture, channels_first, convert
from engine.languages.surfaces.torch.classes import is_object, library_class
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.random.making import rand, randint
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array

KINDS: dict[str, UserClass] = {}


def _transform(
    name: str, call: Callable[..., Any], begin: Callable[..., None], text: Callable[[UserObject], str]
) -> UserClass:
    made = library_class(name, __init__=begin, __call__=call, forward=call, __repr__=text)
    KINDS[name] = made
    return made


def _nothing(self: UserObject) -> None:
    """No settings."""


def _keep(*names: str, **defaults: Any) -> Callable[..., None]:
    """An `__init__` that keeps settings: the first ones by position."""
    order = (*names, *defaults)

    def begin(self: UserObject, *args: Any, **keywords: Any) -> None:
        given = {**defaults, **dict(zip(order, args, strict=False)), **keywords}
        missing = [name for name in names if name not in given]
        unknown = [name for name in given if name not in order]
        if missing or unknown or len(args) > len(order):
            raise torch_error(
                f"{self.kind.name}.__init__() got unexpected or missing arguments: "
                f"{', '.join([*missing, *unknown]) or len(args)}",
                f"{self.kind.name} 的参数不对：{'、'.join([*missing, *unknown]) or len(args)}。",
                kind="TypeError",
            )
        self.fields.update(given)

    return begin


def changed(x: Any, change: Callable[[Array], Array]) -> Any:
    """A picture or a tensor whose rows and columns are changed; the function sees them as the first axes."""
    if isinstance(x, Picture):
        return Picture(np.ascontiguousarray(change(x.array)))
    if isinstance(x, Tensor):
        moved = np.moveaxis(x.array, (-2, -1), (0, 1))
        return of_numbers(np.ascontiguousarray(np.moveaxis(change(moved), (0, 1), (-2, -1))))
    raise torch_error(
        f"Unexpected type <class '{python_name(x)}'>", f"不能变换 {python_name(x)}。", kind="TypeError"
    )


def _size_of(x: Any) -> tuple[int, int]:
    array = x.array
    height, width = array.shape[:2] if isinstance(x, Picture) else array.shape[-2:]
    return int(height), int(width)


def _pair(size: Any) -> tuple[int, int]:
    given = [int(one) for one in size] if isinstance(size, (list, tuple)) else [int(size)] * 2
    return (given[0], given[-1])


# -- one after the other -----------------------------------------------------------------------------


def _compose(interpreter: Interpreter, self: UserObject, img: Any) -> Any:
    for one in iterate(self.fields["transforms"]):
        img = interpreter.call(one, [img], {})
    return img


def _composed_text(self: UserObject) -> str:
    return "Compose(" + "".join(f"\n    {to_repr(one)}" for one in self.fields["transforms"]) + "\n)"


COMPOSE = _transform("Compose", _compose, _keep("transforms"), _composed_text)
_transform(
    "Lambda",
    lambda interpreter, self, img: interpreter.call(self.fields["lambd"], [img], {}),
    _keep("lambd"),
    lambda self: "Lambda()",
)

# -- pictures as tensors -----------------------------------------------------------------------------


def _as_tensor(self: UserObject, pic: Any) -> Tensor:
    """Shapes: (H, W) or (H, W, C), bytes -> (C, H, W) between 0 and 1."""
    if isinstance(pic, np.ndarray) and pic.ndim in (2, 3):
        pic = Picture(pic)
    if not isinstance(pic, Picture):
        raise torch_error(
            f"pic should be PIL Image or ndarray. Got <class '{python_name(pic)}'>",
            f"ToTensor 需要图像或数组，但得到 {python_name(pic)}。",
            kind="TypeError",
        )
    rows = channels_first(pic)
    return of_numbers(_shares(rows) if rows.dtype == np.uint8 else rows.copy())


def _shares(rows: Array) -> Array:
    return rows.astype(np.float32) / np.float32(255)


TO_TENSOR = _transform("ToTensor", _as_tensor, _nothing, lambda self: "ToTensor()")
_transform(
    "PILToTensor",
    lambda self, pic: of_numbers(channels_first(pic).copy()),
    _nothing,
    lambda self: "PILToTensor()",
)


def _as_picture(self: UserObject, pic: Any) -> Picture:
    """Shapes: (C, H, W) or (H, W) between 0 and 1 -> bytes."""
    rows = pic.array if isinstance(pic, Tensor) else np.asarray(pic)
    if isinstance(pic, Tensor):
        rows = rows[None] if rows.ndim == 2 else rows
        rows = (rows * 255).astype(np.uint8) if rows.dtype.kind == "f" else rows
        rows = rows[0] if rows.shape[0] == 1 else rows.transpose(1, 2, 0)
    return Picture(np.ascontiguousarray(rows).astype(np.uint8))


_transform("ToPILImage", _as_picture, _keep(mode=None), lambda self: "ToPILImage()")


def _normalized(self: UserObject, tensor: Any) -> Tensor:
    """(x - mean) / std of each channel."""
    if not isinstance(tensor, Tensor):
        raise torch_error(
            f"img should be Tensor Image. Got <class '{python_name(tensor)}'>",
            f"Normalize 需要张量，但得到 {python_name(tensor)}。",
            kind="TypeError",
        )
    if tensor.array.dtype.kind != "f":
        raise torch_error(
            f"Input tensor should be a float tensor. Got torch.{tensor.array.dtype.name}.",
            "Normalize 需要浮点张量。",
            kind="TypeError",
        )
    return of_numbers(_normal(self, tensor.array))


def _normal(self: UserObject, rows: Array) -> Array:
    mean, std = (_of_channels(self.fields[name], rows) for name in ("mean", "std"))
    return (rows - mean) / std


def _of_channels(value: Any, rows: Array) -> Array:
    held = value.array if isinstance(value, Tensor) else value
    given = np.atleast_1d(np.asarray(held, rows.dtype)).reshape(-1)
    if given.size not in (1, rows.shape[-3]):
        raise torch_error(
            f"The size of tensor a ({rows.shape[-3]}) must match the size of tensor b ({given.size}) at "
            "non-singleton dimension 0",
            f"图像有 {rows.shape[-3]} 个通道，但给了 {given.size} 个数。",
            hint="Give one number for each channel: Normalize((0.5,), (0.5,)) for grey pictures.",
            hint_zh="每个通道给一个数：灰度图写 Normalize((0.5,), (0.5,))。",
            code="shape_mismatch",
        )
    return given.reshape(-1, 1, 1)


NORMALIZE = _transform(
    "Normalize",
    _normalized,
    _keep("mean", "std", inplace=False),
    lambda self: f"Normalize(mean={to_str(self.fields['mean'])}, std={to_str(self.fields['std'])})",
)


def whole_batch(transform: Any, pictures: Array) -> Array | None:
    """What ToTensor, then Normalize, make of a whole batch; None for other transforms.

    Shapes: (n, H, W) or (n, H, W, C) uint8 -> (n, C, H, W) float32.
    """
    steps = list(transform.fields["transforms"]) if is_object(transform, COMPOSE) else [transform]
    if not steps or not is_object(steps[0], TO_TENSOR):
        return None
    if not all(is_object(one, NORMALIZE) for one in steps[1:]):
        return None
    rows = _shares(pictures[:, None] if pictures.ndim == 3 else pictures.transpose(0, 3, 1, 2))
    for one in steps[1:]:
        rows = _normal(one, rows)
    return np.ascontiguousarray(rows)


# -- places ------------------------------------------------------------------------------------------


PADDING = ("constant", "edge", "reflect", "symmetric")


def _padded(facts: dict[str, Any], x: Any) -> Any:
    """A picture with a margin. Raises: ValueError for a kind of margin that there is not."""
    padding, mode = facts["padding"], facts["padding_mode"]
    if mode not in PADDING:
        raise torch_error(
            "Padding mode should be either constant, edge, reflect or symmetric",
            "padding_mode 只能是 constant、edge、reflect 或 symmetric。",
            kind="ValueError",
        )
    sides = [int(one) for one in padding] if isinstance(padding, (list, tuple)) else [int(padding)]
    left, top, right, bottom = sides * 4 if len(sides) == 1 else sides * 2 if len(sides) == 2 else sides

    def change(rows: Array) -> Array:
        widths = [(top, bottom), (left, right), *[(0, 0)] * (rows.ndim - 2)]
        constant = {"constant_values": facts["fill"]} if mode == "constant" else {}
        return np.pad(rows, widths, mode, **constant)

    return changed(x, change)


def part(x: Any, top: int, left: int, size: tuple[int, int]) -> Any:
    return changed(x, lambda rows: rows[top : top + size[0], left : left + size[1]])


def _centre(self: UserObject, img: Any) -> Any:
    size, (height, width) = _pair(self.fields["size"]), _size_of(img)
    return part(img, round((height - size[0]) / 2), round((width - size[1]) / 2), size)


def _random_part(self: UserObject, img: Any) -> Any:
    facts = self.fields
    if facts["pad_if_needed"]:
        raise not_here("RandomCrop(pad_if_needed=True)", " RandomCrop(pad_if_needed=True)")
    if facts["padding"] is not None:
        img = _padded(facts, img)
    size, (height, width) = _pair(facts["size"]), _size_of(img)
    if (height, width) == size:
        return img
    top = int(randint(0, height - size[0] + 1, (1,)).array[0])
    left = int(randint(0, width - size[1] + 1, (1,)).array[0])
    return part(img, top, left, size)


def _flip(axis: int) -> Callable[..., Any]:
    def call(self: UserObject, img: Any) -> Any:
        if rand(1).array[0] < self.fields["p"]:
            return changed(img, lambda rows: np.flip(rows, axis))
        return img

    return call


def _resized(self: UserObject, img: Any) -> Any:
    """Each new pixel as a mean of the old ones below it, weighted by a triangle (bilinear)."""
    facts = self.fields
    for name in ("interpolation", "max_size"):
        if facts[name] not in (None, "bilinear"):
            raise not_here(f"Resize({name}=…)", f" Resize({name}=…)")
    height, width = _size_of(img)
    size = facts["size"]
    if isinstance(size, (list, tuple)) and len(size) == 2:
        new = _pair(size)
    else:
        short = _pair(size)[0]
        new = (
            (short, int(short * width / height)) if height <= width else (int(short * height / width), short)
        )
    if new == (height, width):
        return img

    def change(rows: Array) -> Array:
        found = np.tensordot(_weights(height, new[0]), rows.astype(np.float64), (1, 0))
        found = np.moveaxis(np.tensordot(_weights(width, new[1]), found, (1, 1)), 0, 1)
        return (
            np.floor(found + 0.5).astype(rows.dtype) if rows.dtype.kind in "iu" else found.astype(rows.dtype)
        )

    return changed(img, change)


def _weights(old: int, new: int) -> Array:
    """How much of each old pixel is in each new one. Shapes: () -> (new, old)."""
    step = old / new
    x = (np.arange(new) + 0.5)[:, None] * step - (np.arange(old) + 0.5)[None, :]
    found = np.maximum(0, 1 - np.abs(x) / max(step, 1.0))
    return np.asarray(found / found.sum(1, keepdims=True))


def _grey(self: UserObject, img: Any) -> Any:
    if isinstance(img, Tensor):
        return _grey_tensor(img, int(self.fields["num_output_channels"]))
    found = convert(img, "L")
    return found if self.fields["num_output_channels"] == 1 else convert(found, "RGB")


GREY_OF_TENSORS = (0.2989, 0.587, 0.114)  # how much red, green and blue count where torchvision adds them


def _grey_tensor(img: Tensor, channels: int) -> Tensor:
    """Shapes: (*S, 3, H, W) or (*S, 1, H, W) -> (*S, channels, H, W)."""
    rows = img.array
    if rows.shape[-3] not in (1, 3):
        raise torch_error(
            f"Input image tensor permitted channel values are [1, 3], but found {rows.shape[-3]}",
            f"图像张量须有 1 或 3 个通道，但有 {rows.shape[-3]} 个。",
            kind="TypeError",
        )
    if rows.shape[-3] == 3:
        r, g, b = (rows[..., channel, :, :] for channel in range(3))
        red, green, blue = GREY_OF_TENSORS
        rows = (red * r + green * g + blue * b).astype(rows.dtype)[..., None, :, :]
    return of_numbers(np.repeat(rows, channels, axis=-3))


def _written(*names: str) -> Callable[[UserObject], str]:
    def text(self: UserObject) -> str:
        return f"{self.kind.name}({', '.join(f'{name}={to_str(self.fields[name])}' for name in names)})"

    return text


_transform(
    "Pad",
    lambda self, img: _padded(self.fields, img),
    _keep("padding", fill=0, padding_mode="constant"),
    _written("padding", "fill", "padding_mode"),
)
_transform(
    "CenterCrop", _centre, _keep("size"), lambda self: f"CenterCrop(size={_pair(self.fields['size'])})"
)
_transform(
    "RandomCrop",
    _random_part,
    _keep("size", padding=None, pad_if_needed=False, fill=0, padding_mode="constant"),
    lambda self: f"RandomCrop(size={_pair(self.fields['size'])}, padding={to_str(self.fields['padding'])})",
)
for _name, _axis in {"RandomHorizontalFlip": 1, "RandomVerticalFlip": 0}.items():
    _transform(_name, _flip(_axis), _keep(p=0.5), _written("p"))
for _name in ("Resize", "Scale"):
    _transform(
        _name, _resized, _keep("size", interpolation=None, max_size=None, antialias=True), _written("size")
    )
_transform("Grayscale", _grey, _keep(num_output_channels=1), _written("num_output_channels"))
