"""Comparing, choosing and bounding: truth values, `where`, `clamp`, the larger of two."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.operators import HOLDS
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import BOOL, DEFAULT_FLOAT, check_fits
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import (
    alike,
    check_broadcast,
    common_type,
    to_type,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_scalar, of_value


def truths(tensor: Tensor) -> Any:
    """What a tensor holds as truth values: whether it is not 0."""
    return (
        tensor.value
        if tensor.dtype is BOOL
        else ops.not_equal(tensor.value, np.asarray(0, tensor.dtype.held_as))
    )


def _comparison(name: Any, op: Any, operator: Any, *others: Any) -> Any:
    def compare(input: Any, other: Any, *, out: Any = None) -> Any:
        a, b = alike(name, input, other)
        if a.dtype is BOOL and name not in ("eq", "ne"):
            a, b = to_type(a, DEFAULT_FLOAT), to_type(b, DEFAULT_FLOAT)
        return of_value(op(a.operand, b.operand))

    compare.__doc__ = f"Whether `{name}` holds, element by element."
    torch_function(name, *others, method=True, operator=operator)(compare)
    torch_function(f"{name}_", method="only")(in_place(compare))
    return compare


def _equal(a: Any, b: Any) -> Any:
    return ops.equal(a, b)


eq = _comparison("eq", _equal, "eq")
ne = _comparison("ne", ops.not_equal, "ne", "not_equal")
lt = _comparison("lt", ops.less, "lt", "less")
le = _comparison("le", ops.less_equal, "le", "less_equal")
gt = _comparison("gt", ops.greater, "gt", "greater")
ge = _comparison("ge", ops.greater_equal, "ge", "greater_equal")


def _logical(name: Any, op: Any) -> Any:
    def call(input: Any, other: Any, *, out: Any = None) -> Any:
        check_broadcast([input, other])
        return of_value(op(truths(input), truths(other)))

    call.__doc__ = f"`{name}`, element by element."
    torch_function(name, method=True)(call)


_logical("logical_and", ops.logical_and)
_logical("logical_or", ops.logical_or)
_logical("logical_xor", ops.logical_xor)


@torch_function("logical_not", method=True)
def logical_not(input: Any, *, out: Any = None) -> Any:
    """Whether an element is 0."""
    return of_value(ops.logical_not(truths(input)))


@torch_function("bitwise_not", method=True, operator="invert")
def bitwise_not(input: Any, *, out: Any = None) -> Any:
    """The opposite truth value; of whole numbers every bit."""
    if input.dtype is BOOL:
        return of_value(ops.logical_not(input.value))
    check_whole(input, "bitwise_not_cpu")
    return of_value(ops.sub(ops.neg(input.value), np.asarray(1, input.dtype.held_as)))


def check_whole(tensor: Tensor, kernel: str) -> None:
    """Raises: NotImplementedError's message of PyTorch where a function of bits is given floats."""
    if tensor.dtype.is_floating:
        raise torch_error(
            f"\"{kernel}\" not implemented for '{tensor.dtype.scalar_name}'",
            f"{tensor.dtype.scalar_name} 张量没有按位运算。",
            kind="NotImplementedError",
            hint="Write x.long() first.",
            hint_zh="请先写 x.long()。",
        )


def _bitwise(name: Any, op: Any, operator: Any, of_bits: Any) -> Any:
    def call(input: Any, other: Any, *, out: Any = None) -> Any:
        a, b = alike(name, input, other)
        if a.dtype is BOOL:
            return of_value(op(a.value, b.value))
        check_whole(a, f"{name}_cpu")
        return OPERATORS["of_numbers"](of_bits(a.array, b.array))

    call.__doc__ = f"`{name}` of truth values, or of the bits of whole numbers."
    torch_function(name, method=True, operator=operator)(call)
    torch_function(f"{name}_", method="only")(in_place(call))


_bitwise("bitwise_and", ops.logical_and, "and", np.bitwise_and)
_bitwise("bitwise_or", ops.logical_or, "or", np.bitwise_or)
_bitwise("bitwise_xor", ops.logical_xor, "xor", np.bitwise_xor)


@torch_function("isnan", method=True)
def isnan(input: Any) -> Any:
    """Which elements are no number."""
    return (
        of_value(ops.is_nan(input.value))
        if input.dtype.has_gradients
        else eq(input, input) & ne(input, input)
    )


@torch_function("isinf", method=True)
def isinf(input: Any) -> Any:
    """Which elements are infinite."""
    return of_value(ops.is_inf(input.value)) if input.dtype.has_gradients else ne(input, input)


@torch_function("isfinite", method=True)
def isfinite(input: Any) -> Any:
    """Which elements are finite."""
    return of_value(ops.is_finite(input.value)) if input.dtype.has_gradients else eq(input, input)


@torch_function("equal", method=True)
def equal(input: Any, other: Any) -> Any:
    """Whether two tensors have the same shape and elements."""
    return bool(np.array_equal(input.array, other.array))


@torch_function("allclose", method=True)
def allclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are as good as equal."""
    _check_close(input, other, rtol, atol)
    return bool(np.allclose(input.array, other.array, rtol=rtol, atol=atol, equal_nan=bool(equal_nan)))


def _check_close(input: Tensor, other: Tensor, rtol: Any, atol: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where two tensors cannot be compared so."""
    if input.dtype is not other.dtype:
        raise torch_error(
            f"{input.dtype.scalar_name} did not match {other.dtype.scalar_name}", "两个张量的元素类型不同。"
        )
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise torch_error(
                f"{name} must be greater than or equal to zero, but got {value:g}", f"{name} 不能为负。"
            )
    check_broadcast([input, other])


@torch_function("isclose", method=True)
def isclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Which elements are as good as equal."""
    _check_close(input, other, rtol, atol)
    found = np.isclose(input.array, other.array, rtol=rtol, atol=atol, equal_nan=bool(equal_nan))
    from_arrays = OPERATORS["of_numbers"]
    return from_arrays(found)


# -- choosing --------------------------------------------------------------------------------------------


def zeros_like_value(tensor: Tensor) -> Tensor:
    """Zeros in the shape and type of a tensor."""
    return of_value(ops.zeros_like(tensor.value))


@differentiable("WhereBackward0", saves="condition", inputs="self other")
def _where(self: Any, other: Any, condition: Any) -> Any:
    shape = np.broadcast_shapes(condition.form.shape, np.shape(_form(self)), np.shape(_form(other)))
    return ops.select(*(_spread(one, shape) for one in (condition.value, self, other)))


def _form(value: Any) -> Any:
    return getattr(value, "form", value)


def _spread(value: Any, shape: Any) -> Any:
    if np.shape(_form(value)) == tuple(shape):
        return value
    return ops.broadcast_to(value, list(shape))


@_where.backward
def _where_backward(saved: Any, grad: Any) -> Any:
    zero = of_scalar(0, grad.dtype)
    return (
        lambda: where(saved.condition, grad, zero),
        lambda: where(saved.condition, zero, grad),
    )


@torch_function("where")
def where(condition: Any, input: Any = None, other: Any = None, *, out: Any = None) -> Any:
    """input where the condition holds, other elsewhere."""
    if input is None:
        return OPERATORS["nonzero"](condition, as_tuple=True)
    dtype = common_type(input, other)
    a, b = (
        to_type(one, dtype) if isinstance(one, Tensor) else of_scalar(one, dtype) for one in (input, other)
    )
    check_broadcast([condition, a, b])
    if condition.dtype is not BOOL:
        raise torch_error(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype.scalar_name}",
            "where 的条件必须是 bool 张量。",
        )
    return _where(a, b, condition)


@torch_function("where", method="only")
def where_method(self: Any, condition: Any, other: Any) -> Any:
    """The tensor where the condition holds, other elsewhere."""
    return where(condition, self, other)


@differentiable("MaskedFillBackward0", saves="mask")
def _masked_fill(self: Any, mask: Any, value: Any) -> Any:
    shape = np.broadcast_shapes(self.form.shape, mask.form.shape)
    filled = ops.fill(list(shape), np.asarray(value, dtype=self.dtype))
    return ops.select(_spread(mask.value, shape), filled, _spread(self, shape))


@_masked_fill.backward
def _masked_fill_backward(saved: Any, grad: Any) -> Any:
    return lambda: masked_fill(grad, saved.mask, 0)


@differentiable("MaskedFillBackward1", saves="mask", inputs="self value")
def _masked_fill_by(self: Any, value: Any, mask: Any) -> Any:
    shape = np.broadcast_shapes(self.form.shape, mask.form.shape)
    return ops.select(*(_spread(one, shape) for one in (mask.value, value, self)))


@_masked_fill_by.backward
def _masked_fill_by_backward(saved: Any, grad: Any) -> Any:
    """What comes back to where the mask holds belongs to the one number."""
    return (
        lambda: masked_fill(grad, saved.mask, 0),
        lambda: OPERATORS["sum"](where(saved.mask, grad, zeros_like_value(grad))),
    )


@torch_function("masked_fill", method=True)
def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """The tensor with a number where the mask holds."""
    if mask.dtype is not BOOL:
        kind = {"int64": "long int", "uint8": "unsigned char", "float32": "float"}.get(
            mask.dtype.name, mask.dtype.name
        )
        raise torch_error(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {kind}",
            "masked_fill 的掩码必须是 bool 张量。",
            hint="Write mask.bool().",
            hint_zh="请写 mask.bool()。",
        )
    if isinstance(value, Tensor):
        return _masked_fill_by(input, to_type(_single_number(value), input.dtype), mask)
    check_fits(value, input.dtype)
    return _masked_fill(input, mask, value)


def _single_number(value: Tensor) -> Tensor:
    """Raises: RuntimeError's message of PyTorch for a tensor with axes."""
    if value.form.ndim:
        raise torch_error(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.form.ndim} dimension(s).",
            "masked_fill 的值只能是一个数或零维张量。",
        )
    return value


torch_function("masked_fill_", method="only")(in_place(masked_fill, may_overlap=True))


# -- the larger and the smaller of two ------------------------------------------------------------------


def shares_of(grad: Any, a: Any, b: Any, better: Any) -> Any:
    """What goes back to the better of two; where they are equal, half of it to each."""

    def share(first: Any, second: Any) -> Any:
        half = where(eq(first, second), grad / 2, grad)
        return masked_fill(half, better(second, first), 0)

    return lambda: share(a, b), lambda: share(b, a)


def _extreme(node_name: Any, op: Any, better: Any) -> Any:
    """The larger or smaller of two; where they are equal, each gets half of what comes back."""

    @differentiable(node_name, saves="self other", inputs="self other")
    def function(self: Any, other: Any) -> Any:
        return op(self, other)

    @function.backward
    def backward(saved: Any, grad: Any) -> Any:
        return shares_of(grad, saved.self, saved.other, better)

    return function


_maximum = _extreme("MaximumBackward0", ops.maximum, gt)
_minimum = _extreme("MinimumBackward0", ops.minimum, lt)


def _fewer_nan(op: Any) -> Any:
    return lambda a, b: _without_nan(op, a, b)


_fmax = _extreme("FmaxBackward0", _fewer_nan(ops.maximum), gt)
_fmin = _extreme("FminBackward0", _fewer_nan(ops.minimum), lt)


def _without_nan(op: Any, a: Any, b: Any) -> Any:
    if np.dtype(a.dtype).kind != "f":
        return op(a, b)
    shape = np.broadcast_shapes(a.form.shape, b.form.shape)
    a, b = (one if one.form.shape == shape else ops.broadcast_to(one, list(shape)) for one in (a, b))
    return ops.select(ops.is_nan(a), b, ops.select(ops.is_nan(b), a, op(a, b)))


def check_tensor(value: Any) -> None:
    """Raises: TypeError where a function takes a tensor, and no number, beside its first."""
    if not isinstance(value, Tensor):
        raise TypeError


@torch_function("maximum", method=True)
def maximum(input: Any, other: Any, *, out: Any = None) -> Any:
    """The larger of each two elements."""
    if common_type(input, other) is BOOL:
        return OPERATORS["or"](input, other)
    check_tensor(other)
    return _maximum(*alike("maximum", input, other))


@torch_function("minimum", method=True)
def minimum(input: Any, other: Any, *, out: Any = None) -> Any:
    """The smaller of each two elements."""
    if common_type(input, other) is BOOL:
        return OPERATORS["and"](input, other)
    check_tensor(other)
    return _minimum(*alike("minimum", input, other))


@torch_function("fmax", method=True)
def fmax(input: Any, other: Any, *, out: Any = None) -> Any:
    """The larger of each two elements; a number where the other is none."""
    check_tensor(other)
    return _fmax(*alike("fmax", input, other))


@torch_function("fmin", method=True)
def fmin(input: Any, other: Any, *, out: Any = None) -> Any:
    """The smaller of each two elements; a number where the other is none."""
    check_tensor(other)
    return _fmin(*alike("fmin", input, other))


@differentiable("NanToNumBackward0", saves="self")
def _nan_to_num(self: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    dtype = np.dtype(self.dtype)
    high = np.finfo(dtype).max if posinf is None else posinf
    low = np.finfo(dtype).min if neginf is None else neginf
    ones = ops.ones_like(self)
    clean = ops.select(ops.is_nan(self), ops.mul(ones, dtype.type(nan)), self)
    clean = ops.select(ops.equal(clean, dtype.type(np.inf)), ops.mul(ones, dtype.type(high)), clean)
    return ops.select(ops.equal(clean, dtype.type(-np.inf)), ops.mul(ones, dtype.type(low)), clean)


@_nan_to_num.backward
def _nan_to_num_backward(saved: Any, grad: Any) -> Any:
    return where(isfinite(saved.self), grad, of_scalar(0, grad.dtype))


@torch_function("nan_to_num", method=True)
def nan_to_num(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Numbers in place of nan and of infinities; whole numbers as they are."""
    if not input.dtype.is_floating:
        return OPERATORS["clone"](input)
    return _nan_to_num(input, nan=nan or 0.0, posinf=posinf, neginf=neginf)


def _holds(tensor: Tensor, item: Any) -> bool:
    """`item in tensor`: whether an element equals it. Raises: RuntimeError's message of PyTorch."""
    if not isinstance(item, (Tensor, bool, int, float, complex, np.generic)):
        raise torch_error(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"<class '{python_name(item)}'>.",
            f"`in` 的左边必须是张量或数，不能是 {python_name(item)}。",
        )
    return bool(eq(tensor, item).array.any())


HOLDS[Tensor] = _holds
