"""Functions that few programs use: windows of signals, differences on a grid, parts exchanged, strides."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import view
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.devices import CPU, Device, device
from engine.languages.surfaces.torch.dtypes import dtype_of
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.creation.alike import is_size
from engine.languages.surfaces.torch.functions.indexing.places import _put as spread
from engine.languages.surfaces.torch.functions.operands import axis_of, plain
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import to
from engine.languages.surfaces.torch.functions.shaping.addresses import storage_offset as first_place
from engine.languages.surfaces.torch.functions.shaping.views import is_contiguous
from engine.languages.surfaces.torch.functions.untracked import is_noted
from engine.languages.surfaces.torch.registry import TENSOR, torch_function, torch_value
from engine.languages.surfaces.torch.sizes import lengths
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import Array

# -- strides ---------------------------------------------------------------------------------------------


def _strided(array: Array, size: Any, stride: Any, offset: int) -> Array:
    flat = array.reshape(-1)[offset:]
    steps = tuple(step * array.itemsize for step in stride)
    return np.lib.stride_tricks.as_strided(flat, size, steps)


@view("AsStridedBackward0", saves="self_sym_sizes size stride offset")
def _as_strided(self: Any, size: Any, stride: Any, offset: int) -> Any:
    shape = self.array.shape
    places = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    rows = np.ascontiguousarray(_strided(places, size, stride, offset))
    return ops.gather(ops.reshape(self, [-1]), constant_node(rows, "places"))


_as_strided.on_arrays(_strided)
_as_strided.shown = ("size", "storage_offset", "stride")


@_as_strided.backward
def _as_strided_backward(saved: Any, grad: Any) -> Any:
    size, stride, offset = saved.size, saved.stride, saved.offset
    return spread(
        grad,
        saved.self_sym_sizes,
        lambda array: _strided(array, size, stride, offset),
        "AsStridedBackwardBackward0",
    )


def _strided_window(input: Any, size: Any, stride: Any, storage_offset: Any) -> tuple[Any, Any, int]:
    """The lengths and steps of a window in memory, and where it begins, from the first element on.

    Raises: RuntimeError where it leaves the memory; what the tensor does not show of it is refused.
    """
    shape, steps = lengths((size,)), lengths((stride,))
    if not is_contiguous(input):
        raise not_here("as_strided of a tensor that is not contiguous", "对不连续张量的 as_strided")
    own = first_place(input)
    offset = own if storage_offset is None else int(plain(storage_offset))
    last = offset + sum((n - 1) * s for n, s in zip(shape, steps, strict=True)) if all(shape) else offset
    memory, size_of = input.storage.form().size, input.array.itemsize
    if last >= memory or offset < 0 or min(steps, default=0) < 0:
        raise torch_error(
            f"setStorage: sizes {list(shape)}, strides {list(steps)}, storage offset {offset}, and itemsize "
            f"{size_of} requiring a storage size of {(last + 1) * size_of} are out of bounds for storage of "
            f"size {memory * size_of}",
            "as_strided 超出了张量的内存。",
        )
    if offset < own or last >= own + input.array.size:
        raise not_here("as_strided beyond what a view shows", "as_strided 超出视图所显示的部分")
    state().graph.meter.check_elements(shape)
    return shape, steps, offset - own


@torch_function("as_strided", method=True)
def as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """A view by steps in memory. Raises: RuntimeError where it leaves the memory."""
    return _as_strided(input, *_strided_window(input, size, stride, storage_offset))


@torch_function("as_strided_scatter", method=True)
def as_strided_scatter(input: Any, src: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """The tensor with another one at steps in memory.

    PyTorch 2.14.1 gives the first tensor the gradient of what was put into it: that is refused here.
    """
    if is_noted(input):
        raise not_here(
            "The gradient of as_strided_scatter with respect to its first tensor",
            "as_strided_scatter 对第一个张量的梯度",
        )
    window = _strided_window(input, size, stride, storage_offset)
    return _with_part("AsStridedScatterBackward0", input, src, lambda array: _strided(array, *window))


# -- parts exchanged -------------------------------------------------------------------------------------


@torch_function("select_scatter", method=True)
def select_scatter(input: Any, src: Any, dim: Any, index: Any) -> Any:
    """The tensor with another one at an index of an axis."""
    key = _at(input, dim, int(plain(index)))
    return _with_part("SelectScatterBackward0", input, src, lambda array: array[key])


@torch_function("slice_scatter", method=True)
def slice_scatter(
    input: Any, src: Any, dim: Any = 0, start: Any = None, end: Any = None, step: Any = 1
) -> Any:
    """The tensor with another one in a slice of an axis."""
    key = _at(input, dim, slice(start, end, step))
    return _with_part("SliceScatterBackward0", input, src, lambda array: array[key])


@torch_function("diagonal_scatter", method=True)
def diagonal_scatter(input: Any, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """The tensor with another one on a diagonal."""
    places = (int(offset), *(axis_of(dim, input.array.ndim) for dim in (dim1, dim2)))
    return _with_part("DiagonalScatterBackward0", input, src, lambda array: np.diagonal(array, *places))


def _at(input: Any, dim: Any, key: Any) -> tuple[Any, ...]:
    return (slice(None),) * axis_of(dim, input.array.ndim) + (key,)


def _with_part(name: str, input: Any, src: Any, part: Any) -> Any:
    places = part(np.arange(input.array.size).reshape(input.array.shape))
    if places.shape != src.array.shape:
        raise torch_error(
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(src.array.shape)}, slice size = {list(places.shape)}",
            f"src 的形状 {list(src.array.shape)} 与所选部分 {list(places.shape)} 不同。",
            code="shape_mismatch",
        )
    return composite(name, "input src", shown="")(_put_part)(input, src, places=places)


def _put_part(input: Any, src: Any, places: Any) -> Any:
    flat, part = (OPERATORS["reshape"](one, (-1,)) for one in (input, to(src, input.dtype)))
    put = OPERATORS["scatter"](flat, 0, of_numbers(places.reshape(-1)), part)
    return OPERATORS["reshape"](put, input.shape)


@torch_function("narrow_copy", method=True)
def narrow_copy(input: Any, dim: Any, start: Any, length: Any) -> Any:
    """`narrow` with memory of its own."""
    return OPERATORS["clone"](OPERATORS["narrow"](input, dim, start, length))


# -- on a grid -------------------------------------------------------------------------------------------


@torch_function("gradient")
@takes_only(edge_order=(1,))
def gradient(input: Any, *, spacing: Any = 1, dim: Any = None, edge_order: Any = 1) -> Any:
    """Central differences inside, one-sided ones at both ends, along each axis."""
    rank = input.array.ndim
    given = range(rank) if dim is None else dim if isinstance(dim, (list, tuple)) else [dim]
    axes = [axis_of(one, rank) for one in given]
    steps = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(axes)
    return tuple(_slope(input, axis, step) for axis, step in zip(axes, steps, strict=True))


def _slope(x: Any, axis: int, step: Any) -> Any:
    n = x.array.shape[axis]
    if n < 2:
        raise torch_error(
            f"torch.gradient expected each dimension size to be at least 2, but got {n}",
            f"每个轴至少要有 2 个数，但有 {n} 个。",
        )

    def part(start: int, end: int) -> Any:
        return OPERATORS["narrow"](x, axis, start, end - start)

    if isinstance(step, Tensor):
        gaps = of_numbers(np.diff(step.array).reshape(-1, *(1,) * (x.array.ndim - axis - 1)))
        slopes = (part(1, n) - part(0, n - 1)) / gaps
        a, b = (OPERATORS["narrow"](gaps, 0, k, n - 2) for k in (0, 1))
        before, after = (OPERATORS["narrow"](slopes, axis, k, n - 2) for k in (0, 1))
        inside = (before * b + after * a) / (a + b)
        ends = [OPERATORS["narrow"](slopes, axis, k, 1) for k in (0, n - 2)]
        return OPERATORS["cat"]([ends[0], inside, ends[1]], axis)
    h = plain(step)
    first, last = (part(1, 2) - part(0, 1)) / h, (part(n - 1, n) - part(n - 2, n - 1)) / h
    return OPERATORS["cat"]([first, (part(2, n) - part(0, n - 2)) / (2 * h), last], axis)


@torch_function("cumulative_trapezoid")
def cumulative_trapezoid(y: Any, x: Any = None, *, dx: Any = 1, dim: Any = -1) -> Any:
    """The running sum of trapezoids. Shapes: (*S) -> one less along `dim`."""
    axis = axis_of(dim, y.array.ndim)
    n = y.array.shape[axis]
    pairs = OPERATORS["narrow"](y, axis, 0, n - 1) + OPERATORS["narrow"](y, axis, 1, n - 1)
    if x is None:
        return OPERATORS["cumsum"](pairs * (plain(dx) / 2), axis)
    at = axis if x.array.ndim > 1 else 0
    gaps = OPERATORS["narrow"](x, at, 1, n - 1) - OPERATORS["narrow"](x, at, 0, n - 1)
    return OPERATORS["cumsum"](pairs * gaps / 2.0, axis)


@torch_function("unravel_index")
def unravel_index(indices: Any, shape: Any) -> Any:
    """Places in flattened memory as places along each axis."""
    found = np.unravel_index(indices.array, lengths((shape,)))
    return tuple(of_numbers(np.asarray(one, np.int64)) for one in found)


@torch_function("histogram", method=True)
def histogram(
    input: Any, bins: Any = 100, *, range: Any = None, weight: Any = None, density: Any = False
) -> Any:
    """How many numbers fall between each two edges, or the sums of their weights; shares with `density`."""
    array = input.array
    if isinstance(bins, Tensor):
        edges = bins.array
    else:
        low, high = (array.min(), array.max()) if range is None else tuple(map(float, range))
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = np.linspace(low, high, int(bins) + 1).astype(array.dtype)
    weights = None if weight is None else weight.array
    counts = np.histogram(array, edges, weights=weights, density=bool(density))[0].astype(array.dtype)
    return named_result("histogram", of_numbers(counts), of_numbers(edges), fields=("hist", "bin_edges"))


@torch_function("frexp", method=True)
def frexp(input: Any) -> Any:
    """x = mantissa 2^exponent, the mantissa from 1/2 to 1."""
    if not input.dtype.is_floating:
        raise torch_error("torch.frexp() only supports floating-point dtypes", "frexp 只用于浮点数。")
    mantissa, exponent = np.frexp(input.array)
    parts = (of_numbers(mantissa), of_numbers(exponent.astype(np.int32)))
    return named_result("frexp", *parts, fields=("mantissa", "exponent"))


# -- windows of signals ----------------------------------------------------------------------------------

Shape = Callable[[Array], Array]


def _window(name: str, shape: Shape) -> None:
    """Enter a window. shape: of the angle 2 π n / N."""

    def call(
        window_length: Any,
        periodic: Any = True,
        *,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: Any = False,
    ) -> Tensor:
        count = int(plain(window_length))
        state().graph.meter.check_elements((count,))
        kind = (dtype_of(dtype) or state().default_float).name
        if count <= 1:
            return of_numbers(np.ones(count, kind), bool(requires_grad))
        turns = 2 * math.pi * np.arange(count) / (count if periodic else count - 1)
        return of_numbers(shape(turns).astype(kind), bool(requires_grad))

    call.__doc__ = f"`{name}`: weights that fall towards both ends."
    torch_function(name)(call)


_window("hann_window", lambda t: 0.5 - 0.5 * np.cos(t))
_window("hamming_window", lambda t: 0.54 - 0.46 * np.cos(t))
_window("blackman_window", lambda t: 0.42 - 0.5 * np.cos(t) + 0.08 * np.cos(2 * t))
_window("bartlett_window", lambda t: 1 - np.abs(t / math.pi - 1))

# -- methods ---------------------------------------------------------------------------------------------


@torch_function("apply_", method="only")
def apply_(interpreter: Interpreter, self: Tensor, callable: Any) -> Tensor:
    """Each number exchanged for what a function of the program gives."""
    if self.requires_grad:
        raise torch_error(
            "Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.",
            "要求梯度的张量不能调用 apply_()。",
            kind="TypeError",
        )
    found = [plain(interpreter.call(callable, [one], {})) for one in self.array.reshape(-1).tolist()]
    return change(self, of_numbers(np.asarray(found, self.array.dtype).reshape(self.array.shape)))


@torch_function("split_with_sizes", method=True)
def split_with_sizes(input: Any, split_sizes: Any, dim: Any = 0) -> Any:
    """Parts of these lengths."""
    return OPERATORS["split"](input, list(split_sizes), dim)


@torch_function("nextafter", method=True)
def nextafter(input: Any, other: Any) -> Any:
    """The next number towards another one."""
    return of_numbers(np.nextafter(input.array, other.array))


@torch_function("new", method="only")
def new(self: Tensor, *size: Any, device: Any = None) -> Tensor:
    """A tensor of the same type: of a list of numbers, or of a size, then of zeros."""
    kind = self.array.dtype
    if is_size(size) or not size:
        return of_numbers(np.zeros(lengths(size), kind))
    return of_numbers(np.asarray(size[0], kind))


TENSOR.fact("is_cpu")(lambda tensor: True)
TENSOR.fact("mH")(lambda tensor: OPERATORS["adjoint"](tensor))
for _name in ("is_neg", "is_pinned", "is_shared", "is_distributed"):
    torch_function(_name, method="only")(lambda self: False)
torch_function("is_signed", method=True)(lambda input: input.dtype.name not in ("uint8", "bool"))
torch_function("is_inference", method=True)(lambda input: bool(input.is_inference))


for _name in ("to_dense", "resolve_neg"):
    torch_function(_name, method=True)(lambda input: input)

# -- the machine -----------------------------------------------------------------------------------------

for _name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"):
    torch_function(f"cuda.{_name}")(lambda device=None: 0)
torch_function("cuda.reset_peak_memory_stats", "cuda.reset_max_memory_allocated", "cuda.ipc_collect")(
    lambda device=None: None
)
torch_function("cuda.is_bf16_supported", "cuda.is_initialized")(lambda: False)
torch_function("get_float32_matmul_precision")(lambda: "highest")
torch_function("get_default_device")(lambda: CPU)


@torch_function("set_default_device")
def set_default_device(device: Any) -> None:
    """The processor is the only one."""
    found = device if isinstance(device, Device) else _device(device)
    if found.type != "cpu":
        raise _no_card()


_device = device


@torch_function(
    "cuda.current_device", "cuda.get_device_name", "cuda.get_device_properties", "cuda.set_device"
)
def no_card(device: Any = None) -> Any:
    """Raises: AssertionError's message of PyTorch: there is no graphics card."""
    raise _no_card()


def _no_card() -> Exception:
    return torch_error(
        "Torch not compiled with CUDA enabled",
        "这里没有显卡（CUDA）。",
        kind="AssertionError",
        hint="Ask torch.cuda.is_available() first.",
        hint_zh="请先检查 torch.cuda.is_available()。",
    )


for _name in ("contiguous_format", "preserve_format", "strided"):
    torch_value(f"torch.{_name}", _name)
