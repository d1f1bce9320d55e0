"""One number for each window of an image: its largest element, or the mean of its elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.derivatives import AVERAGED, LARGEST_OF_WINDOW
from engine.ops.base.shapes import constant_shape
from engine.ops.base.spellings import one_of
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import constants, measuring
from engine.ops.common import passing as control
from engine.ops.networks.windows import (
    A_STEP,
    Axis,
    axes_of_windows,
    check_format,
    checked_padding,
    four,
    steps,
    steps_at_most,
    windowed,
)

FIXED = {"data_format": "NHWC"}
SINGLE = (1, 1, 1, 1)


def _pooled(x: Shape, *_: Shape, ksize: Any, strides: Any, padding: str) -> Shape:
    return windowed(x, axes_of_windows(ksize, strides, padding), None if x is None else x[-1])


def _for_each_element(made: int, lengths: Sequence[int], ksize: Any, strides: Any, padding: str) -> int:
    """All windows are gone through one time for each of their elements."""
    return (made + A_STEP) * steps_at_most(axes_of_windows(ksize, strides, padding), lengths)


def _effort(made: int, arguments: Sequence[Any], *, ksize: Any, strides: Any, padding: str) -> int:
    windows = made if len(arguments) == 1 else int(np.size(arguments[-1]))
    return _for_each_element(windows, arguments[0].shape[1:3], ksize, strides, padding)


def _how(node: Node) -> dict[str, Any]:
    return {name: node.attrs[name] for name in ("ksize", "strides", "padding")}


# -- the largest -----------------------------------------------------------------------------------


def _largest(x: Array, axes: Sequence[Axis]) -> Any:
    """The largest element of each window."""
    best = _for_each_window(x.shape, axes, x.dtype)
    best[:] = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    for _, windows, found in steps(axes, x.shape[1:3]):
        best[windows] = np.fmax(best[windows], x[found])
    return best


def _first_largest(x: Array, axes: Sequence[Axis]) -> Iterator[tuple[Any, Any, Array]]:
    """For each element of a window: the windows, where they find it, and in which of them it is the largest.

    Of equal ones it is the first.
    """
    best = _largest(x, axes)
    is_open = np.ones(best.shape, dtype=bool)
    for _, windows, found in steps(axes, x.shape[1:3]):
        hit = (x[found] == best[windows]) & is_open[windows]
        is_open[windows] &= ~hit
        yield windows, found, hit


def _for_each_window(shape: Sequence[int], axes: Sequence[Axis], dtype: Any) -> Any:
    counts = [axis.count(length) for axis, length in zip(axes, shape[1:3], strict=True)]
    return np.zeros((shape[0], *counts, shape[3]), dtype=dtype)


@op(
    "MaxPool",
    inputs="input",
    shape=_pooled,
    fixed=FIXED,
    effort=_effort,
    latex=r"\max_{\mathrm{window}} {input}",
    adjoints=[r"\bar{y} \text{ at the largest of each window, else } 0"],
    derivative=[LARGEST_OF_WINDOW],
    accepts="numbers",
)
@in_chinese("每个窗口中最大的元素。")
def max_pool_op(x: Array, ksize: Any = SINGLE, strides: Any = SINGLE, padding: str = "SAME") -> Any:
    """The largest element of each window.

    Shapes: input (n, rows, columns, c) -> y (n, rows', columns', c).
    """
    return _largest(x, axes_of_windows(ksize, strides, padding))


@max_pool_op.gradient
def max_pool_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [max_pool_grad(node.inputs[0], node.outputs[0], dy, **_how(node))]


@op(
    "MaxPoolGrad",
    inputs="orig_input orig_output grad",
    shape=lambda x, y, dy: x,
    fixed=FIXED,
    effort=_effort,
    latex=r"{grad} \text{ at the largest of each window of } {orig\_input}",
    adjoints=["0", "0", r"\bar{z} \text{ at the largest of each window}"],
    derivative=["0", "0", LARGEST_OF_WINDOW],
    accepts="numbers",
)
@in_chinese("每个窗口的梯度，归窗口中最大的元素；有相等的则归第一个。")
def max_pool_grad(
    x: Array, y: Array, dy: Array, ksize: Any = SINGLE, strides: Any = SINGLE, padding: str = "SAME"
) -> Any:
    """Each window's gradient to its largest element; of equal ones to the first.

    Shapes: orig_input (n, rows, columns, c), orig_output and grad (n, rows', columns', c) -> the input's.
    """
    dx = np.zeros_like(x)
    for windows, found, hit in _first_largest(x, axes_of_windows(ksize, strides, padding)):
        dx[found] += np.where(hit, dy[windows], 0)
    return dx


@max_pool_grad.gradient
def max_pool_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y, _ = node.inputs
    return [*_zeros_like_both(x, y), max_pool_grad_grad(x, y, dz, **_how(node))]


def _zeros_like_both(x: Tensor, y: Tensor) -> list[Tensor]:
    return [constants.zeros(measuring.shape_of(one), one.dtype) for one in (x, y)]


@op(
    "MaxPoolGradGrad",
    inputs="orig_input orig_output grad",
    shape=lambda x, y, dz: y,
    fixed=FIXED,
    effort=_effort,
    latex=r"{grad} \text{ from the largest of each window of } {orig\_input}",
    adjoints=["0", "0", r"\bar{u} \text{ at the largest of each window}"],
    derivative=["0", "0", LARGEST_OF_WINDOW],
    accepts="numbers",
)
@in_chinese("输入的每个窗口中最大元素所在位置上的值。")
def max_pool_grad_grad(
    x: Array, y: Array, dz: Array, ksize: Any = SINGLE, strides: Any = SINGLE, padding: str = "SAME"
) -> Any:
    """What stands where each window of the input has its largest element.

    Shapes: orig_input and grad (n, rows, columns, c), orig_output (n, rows', columns', c) -> the output's.
    """
    du = np.zeros_like(y)
    for windows, found, hit in _first_largest(x, axes_of_windows(ksize, strides, padding)):
        du[windows] += np.where(hit, dz[found], 0)
    return du


@max_pool_grad_grad.gradient
def max_pool_grad_grad_gradient(node: Node, du: Tensor) -> Sequence[Tensor]:
    x, y, _ = node.inputs
    return [*_zeros_like_both(x, y), max_pool_grad(x, y, du, **_how(node))]


# -- the mean --------------------------------------------------------------------------------------


def _sums(x: Array, axes: Sequence[Axis]) -> Any:
    sums = _for_each_window(x.shape, axes, x.dtype)
    for _, windows, found in steps(axes, x.shape[1:3]):
        sums[windows] += x[found]
    return sums


def _counts(lengths: Sequence[int], axes: Sequence[Axis], dtype: Any) -> Any:
    """How many elements of each window stand inside the image."""
    return _sums(np.ones((1, *lengths, 1), dtype=dtype), axes)


@op(
    "AvgPool",
    inputs="value",
    shape=_pooled,
    fixed=FIXED,
    effort=_effort,
    latex=r"\mathrm{mean}_{\mathrm{window}} {value}",
    adjoints=[r"\textstyle\sum_{\mathrm{windows}} \bar{y} / n"],
    derivative=[AVERAGED],
    accepts="floats",
)
@in_chinese("每个窗口的平均值；图像四周补上的部分不计。")
def avg_pool_op(x: Array, ksize: Any = SINGLE, strides: Any = SINGLE, padding: str = "SAME") -> Any:
    """The mean of each window; what was added around the image does not count.

    Shapes: value (n, rows, columns, c) -> y (n, rows', columns', c).
    """
    axes = axes_of_windows(ksize, strides, padding)
    return _sums(x, axes) / _counts(x.shape[1:3], axes, x.dtype)


@avg_pool_op.gradient
def avg_pool_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [avg_pool_grad(measuring.shape_of(node.inputs[0]), dy, **_how(node))]


def _stated_shape(shape: Shape, dy: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[0])


def _effort_of_shares(made: int, arguments: Sequence[Any], *, ksize: Any, strides: Any, padding: str) -> int:
    """The lengths of the image are not known from shapes; windows that do not overlap are a step for each."""
    rows, columns = arguments[1].shape[1:3]
    lengths = [
        n * stride + size for n, stride, size in zip((rows, columns), strides[1:3], ksize[1:3], strict=True)
    ]
    return _for_each_element(int(np.size(arguments[1])), lengths, ksize, strides, padding)


@op(
    "AvgPoolGrad",
    inputs="orig_input_shape grad",
    types="int32 T",
    shape=_stated_shape,
    fixed=FIXED,
    effort=_effort_of_shares,
    latex=r"\textstyle\sum_{\mathrm{windows}} {grad} / n",
    adjoints=["0", r"\mathrm{mean}_{\mathrm{window}} \bar{z}"],
    derivative=["0", AVERAGED],
    accepts="floats",
)
@in_chinese("每个窗口的梯度，平均分给窗口里的元素。")
def avg_pool_grad(
    orig_input_shape: Array,
    dy: Array,
    ksize: Any = SINGLE,
    strides: Any = SINGLE,
    padding: str = "SAME",
) -> Any:
    """Each window's gradient in equal shares to its elements.

    Shapes: orig_input_shape (4,), grad (n, rows', columns', c) -> the input's.
    """
    shape = [int(length) for length in orig_input_shape]
    axes = axes_of_windows(ksize, strides, padding)
    share = dy / _counts(shape[1:3], axes, dy.dtype)
    dx = np.zeros(shape, dtype=dy.dtype)
    for _, windows, found in steps(axes, shape[1:3]):
        dx[found] += share[windows]
    return dx


@avg_pool_grad.gradient
def avg_pool_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return [control.stop_gradient(node.inputs[0]), avg_pool_op(dz, **_how(node))]


# -- as programs call them -------------------------------------------------------------------------


def _pool(pooling: OpDef, own_name: str | None = None) -> Callable[..., Tensor]:
    def pool(
        value: Any = None,
        ksize: Any = None,
        strides: Any = None,
        padding: Any = None,
        data_format: Any = "NHWC",
        name: str | None = None,
        input: Any = None,
    ) -> Tensor:
        check_format(data_format)
        with name_scope(name, own_name or pooling.name) as scope:
            x = convert_to_tensor(one_of("input", input, "value", value), name="input")
            how = {"ksize": four(ksize, "ksize"), "strides": four(strides, "strides")}
            return pooling(x, **how, padding=checked_padding(padding), name=scope)

    return pool


max_pool = _pool(max_pool_op)
max_pool2d = _pool(max_pool_op, "MaxPool2d")
avg_pool = _pool(avg_pool_op)
