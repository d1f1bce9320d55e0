"""`tf.random.set_seed`, and what `tf.keras.utils` has beside it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.counting import stateless as stateless_module  # noqa: F401  # for its table
from engine.languages.surfaces.keras.optimizers import (  # noqa: F401  # for their tables
    optimizer,
    schedules,
    state,
)
from engine.languages.surfaces.keras.weights import variable
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.pictures import Picture
from engine.languages.surfaces.tf1 import module as tf1_module  # noqa: F401  # for its table
from engine.languages.surfaces.tf2 import op_errors as op_errors_module  # noqa: F401  # for its texts
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.looping import body as looping_body  # noqa: F401  # for its table
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import current_graph
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Operators


def set_seed(seed: Any) -> None:
    """The seed of the random operations from here on."""
    graph: Any = current_graph()
    graph.set_seed(whole_number(seed, "seed"))


def set_random_seed(interpreter: Interpreter, seed: Any) -> None:
    """The seed of Python's, numpy's and TensorFlow's random numbers."""
    whole = whole_number(seed, "seed")
    set_seed(whole)
    interpreter.workspace.numpy_random = np.random.RandomState(whole % 2**32)
    interpreter.workspace.python_random = random.Random(whole)
    interpreter.workspace.seed_source = None


def to_categorical(interpreter: Interpreter, x: Any, num_classes: Any = None) -> Any:
    """One-hot rows of class numbers, an array of an array's and a tensor of a tensor's.

    Shapes: x (*S) or (*S, 1) -> (*S, num_classes).
    Raises: ProgramError for a tensor without num_classes, as Keras does.
    """
    is_tensor = isinstance(x, Operators)
    if is_tensor and num_classes is None:
        raise ProgramError(
            "keras.utils.to_categorical() counts the classes of arrays and lists, not those of a tensor.",
            hint="Give num_classes, or write x.numpy().",
            message_zh="keras.utils.to_categorical() 只统计数组和列表的类别数，不统计张量的。",
            hint_zh="请给出 num_classes，或写 x.numpy()。",
            code="wrong_arguments",
            kind="ValueError",
        )
    classes = to_array(interpreter, x).astype("int64")
    if classes.ndim > 1 and classes.shape[-1] == 1:
        classes = classes.reshape(classes.shape[:-1])
    most = int(classes.max(initial=-1)) + 1
    count = most if num_classes is None else whole_number(num_classes, "num_classes")
    interpreter.budget.check_elements((*classes.shape, count))
    if classes.size and not (-count <= classes.min() and classes.max() < count):
        raise ProgramError(
            f"The classes run from {classes.min()} to {classes.max()}, but there are {count} of them.",
            hint="num_classes is the largest class number and one more.",
            message_zh=f"类别编号从 {classes.min()} 到 {classes.max()}，但只有 {count} 个类别。",
            hint_zh="num_classes 应为最大类别编号加一。",
            code="bad_value",
        )
    rows = np.eye(count)[classes]
    return ops.constant(rows, "float32") if is_tensor else rows


def array_to_img(x: Any, data_format: Any = None, scale: Any = True, dtype: Any = None) -> Picture:
    """An array as a picture of bytes, from its least number to its largest one unless `scale` is false.

    Shapes: x (rows, columns, 1) or (rows, columns, 3).
    Raises: ProgramError for another shape.
    """
    _refuse_order("array_to_img", data_format, dtype)
    values = np.asarray(array_of(x), np.float32)
    if values.ndim != 3:
        raise _no_picture(
            f"Expected image array to have rank 3 (single image). Got array with shape: {values.shape}"
        )
    if values.shape[2] not in (1, 3):
        raise _no_picture(f"Unsupported channel number: {values.shape[2]}")
    if scale:
        values = values - values.min()
        most = values.max()
        values = (values / most if most else values) * np.float32(255)
    found = values.astype(np.uint8)
    return Picture(found[..., 0] if found.shape[2] == 1 else found)


def _refuse_order(function: str, data_format: Any, dtype: Any = None) -> None:
    """Raises: ProgramError for channels that stand first, and for numbers other than float32."""
    given = {
        "data_format": None if data_format == "channels_last" else data_format,
        "dtype": None if dtype == "float32" else dtype,
    }
    refuse_given(f"keras.utils.{function}", given, "Leave it out.", "请去掉它。")


def _no_picture(said: str) -> ProgramError:
    return ProgramError(
        said,
        hint="Give one picture of the shape (rows, columns, 1) or (rows, columns, 3).",
        message_zh="一张图像应是形状为 (行, 列, 1) 或 (行, 列, 3) 的数组。",
        hint_zh="请给出形状为 (行, 列, 1) 或 (行, 列, 3) 的数组。",
        code="bad_value",
        kind="ValueError",
    )


def img_to_array(img: Any, data_format: Any = None, dtype: Any = None) -> Any:
    """A picture, or an array, as an array of floats with an axis of channels."""
    _refuse_order("img_to_array", data_format)
    values = img.array if isinstance(img, Picture) else np.asarray(array_of(img))
    found = values.astype("float32" if dtype is None else dtype_name(dtype) or "float32")
    return found[..., None] if found.ndim == 2 else found


MEMBERS: dict[str, Callable[..., Any]] = {
    "random.set_seed": set_seed,
    "keras.Variable": variable,
    "keras.utils.set_random_seed": set_random_seed,
    "keras.utils.to_categorical": to_categorical,
    "keras.utils.array_to_img": array_to_img,
    "keras.utils.img_to_array": img_to_array,
    "keras.preprocessing.image.array_to_img": array_to_img,
    "keras.preprocessing.image.img_to_array": img_to_array,
    "keras.utils.np_utils.to_categorical": to_categorical,
}
