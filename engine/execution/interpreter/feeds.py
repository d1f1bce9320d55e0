"""What is fed into a run: values in the dtypes and shapes that tensors take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import FeedError
from engine.graph import Node, Tensor, Variable
from engine.ops.base.building import as_array
from engine.ops.base.shapes import written
from engine.ops.base.tensors import IN_CPP, INTEGERS, TEXT, Array
from engine.ops.base.texts import is_text

NUMBERS = frozenset({float, np.float32, np.float64})
NUMBERS_OF: Mapping[str, Callable[[Any], Any]] = MappingProxyType({"float32": np.float32, "float64": float})


def plain_feeds(given: Iterable[tuple[Tensor, Any]]) -> tuple[dict[Tensor, Any], list[tuple[int, ...]]]:
    """What is fed, as generated functions take it, and the shapes of that. Raises: as `fed_value`."""
    feeds: dict[Tensor, Any] = {}
    shapes: list[tuple[int, ...]] = []
    for tensor, value in given:
        number_of = NUMBERS_OF.get(tensor.dtype) if type(value) in NUMBERS and not tensor.shape else None
        if number_of is not None:
            feeds[tensor] = number_of(value)
            shapes.append(())
        else:
            feeds[tensor] = plain = _plain(fed_value(tensor, value))
            shapes.append(() if type(plain) is float else plain.shape)
    return feeds, shapes


def _plain(array: Array) -> Any:
    if array.ndim or array.dtype.kind not in "fiub":
        return array
    return float(array) if array.dtype == np.float64 else array[()]


def fed_value(tensor: Tensor, value: Any) -> Array:
    """What a feed gives a tensor, in the tensor's dtype. Raises: FeedError where it does not fit."""
    if isinstance(value, (Tensor, Variable)):
        raise FeedError(
            f"{tensor.name} is fed with a tensor.",
            hint="Feed a number, a list or a numpy array; run the tensor first.",
            message_zh=f"{tensor.name} 被喂入了一个张量。",
            hint_zh="请喂入数字、列表或 numpy 数组；先运行该张量。",
            kind="TypeError",
            said="The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python "
            "scalars, strings, lists, numpy ndarrays, or TensorHandles.",
        )
    array = _converted(tensor, value)
    if not _compatible(tensor.shape, array.shape):
        raise FeedError(
            f"{tensor.name} takes the shape {written(tensor.shape)}, but was fed {written(array.shape)}.",
            message_zh=f"{tensor.name} 需要形状 {written(tensor.shape)}，但喂入了 {written(array.shape)}。",
            hint="Reshape the value, or give the placeholder another shape; None stands for any length.",
            hint_zh="请改变值的形状，或给占位符另一个形状；None 表示任意长度。",
            code="shape_mismatch",
            said=f"Cannot feed value of shape {written(array.shape)} for Tensor '{tensor.name}', "
            f"which has shape '{written(tensor.shape)}'",
        )
    return array


def _converted(tensor: Tensor, value: Any) -> Array:
    if tensor.dtype == TEXT or is_text(value):
        return _texts(tensor, value)
    array = _listed(tensor, value) if isinstance(value, (list, tuple)) else as_array(np.asarray(value))
    if tensor.dtype in INTEGERS and not np.array_equal(array, np.floor(array)):
        raise FeedError(
            f"{tensor.name} holds {tensor.dtype}, but was fed a fraction.",
            message_zh=f"{tensor.name} 的类型是 {tensor.dtype}，但喂入了小数。",
        )
    return array.astype(tensor.dtype)


def _texts(tensor: Tensor, value: Any) -> Array:
    """Raises: FeedError where texts meet a tensor of numbers, or numbers one of texts."""
    if tensor.dtype == TEXT and (is_text(value) or np.size(value) == 0):
        return as_array(value, TEXT)
    given, given_zh = ("text", "文字") if is_text(value) else ("numbers", "数字")
    raise FeedError(
        f"{tensor.name} holds {tensor.dtype}, but was fed {given}.",
        message_zh=f"{tensor.name} 的类型是 {tensor.dtype}，但喂入了{given_zh}。",
    )


def _listed(tensor: Tensor, value: Any) -> Array:
    """Raises: FeedError for rows of different lengths."""
    try:
        return np.asarray(value)
    except ValueError:
        raise FeedError(
            f"{tensor.name} was fed rows of different lengths.",
            message_zh=f"{tensor.name} 被喂入了长度不同的行。",
            hint="Each row needs as many numbers as the others.",
            hint_zh="每一行的数字个数必须相同。",
        ) from None


def _compatible(wanted: Any, given: tuple[int, ...]) -> bool:
    if wanted is None:
        return True
    return len(wanted) == len(given) and all(n in (None, m) for n, m in zip(wanted, given, strict=True))


def not_fed(node: Node, name: str = "") -> FeedError:
    """A placeholder that is needed has no value. name: what the program calls it."""
    name, dtype = name or node.name, node.outputs[0].dtype
    return FeedError(
        f"The placeholder {name} ({dtype}) has no value in this run.",
        hint=f"Add it to the run: feed_dict={{{name}: …}}.",
        message_zh=f"占位符 {name}（{dtype}）在这次运行中没有值。",
        hint_zh=f"请在运行时喂入：feed_dict={{{name}: …}}。",
        code="missing_feed",
        kind="InvalidArgumentError",
        said=_said_of_missing(node),
        node=node.name,
    )


def _said_of_missing(node: Node) -> str:
    """What TensorFlow 1 says first; then it names a line of its own."""
    dtype, shape = node.outputs[0].dtype, node.outputs[0].shape
    lengths = ",".join("?" if length is None else str(length) for length in shape or ())
    text = f"You must feed a value for placeholder tensor '{node.name}' with dtype {IN_CPP.get(dtype, dtype)}"
    return f"{text} and shape [{lengths}]" if lengths else text
