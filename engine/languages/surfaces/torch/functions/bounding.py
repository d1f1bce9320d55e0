"""Numbers kept within bounds: `clamp` and its kin, by numbers and by tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import check_fits
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.comparison import eq, gt, le, lt, masked_fill, shares_of, where
from engine.languages.surfaces.torch.functions.operands import alike, as_tensor, common_type, to_type
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_scalar


def _bounded(value: Any, low: Any, high: Any) -> Any:
    dtype = value.dtype
    if low is not None:
        value = ops.maximum(value, np.asarray(low, dtype=dtype) if np.isscalar(low) else low)
    if high is not None:
        value = ops.minimum(value, np.asarray(high, dtype=dtype) if np.isscalar(high) else high)
    return value


@differentiable("ClampBackward1", saves="self min max")
def _clamp(self: Any, min: Any, max: Any) -> Any:
    return _bounded(self, min, max)


@_clamp.backward
def _clamp_backward(saved: Any, grad: Any) -> Any:
    return where(_inside(saved.self, saved.min, saved.max), grad, of_scalar(0, grad.dtype))


@differentiable("ClampMinBackward0", saves="self min")
def _clamp_min(self: Any, min: Any) -> Any:
    return _bounded(self, min, None)


@_clamp_min.backward
def _clamp_min_backward(saved: Any, grad: Any) -> Any:
    return where(gt(saved.self, saved.min), grad, of_scalar(0, grad.dtype))


@differentiable("ClampMaxBackward0", saves="self max")
def _clamp_max(self: Any, max: Any) -> Any:
    return _bounded(self, None, max)


@_clamp_max.backward
def _clamp_max_backward(saved: Any, grad: Any) -> Any:
    return where(lt(saved.self, saved.max), grad, of_scalar(0, grad.dtype))


@differentiable("ClampMinBackward1", saves="self min", inputs="self min")
def _clamp_min_by_tensor(self: Any, min: Any) -> Any:
    return _bounded(self, min, None)


@_clamp_min_by_tensor.backward
def _clamp_min_by_tensor_backward(saved: Any, grad: Any) -> Any:
    return shares_of(grad, saved.self, saved.min, gt)


@differentiable("ClampMaxBackward1", saves="self max", inputs="self max")
def _clamp_max_by_tensor(self: Any, max: Any) -> Any:
    return _bounded(self, None, max)


@_clamp_max_by_tensor.backward
def _clamp_max_by_tensor_backward(saved: Any, grad: Any) -> Any:
    return shares_of(grad, saved.self, saved.max, lt)


def _inside(value: Any, low: Any, high: Any) -> Any:
    """Where an element is within its bounds, and on none."""
    tests = ([] if low is None else [gt(value, low)]) + ([] if high is None else [lt(value, high)])
    return tests[0] if len(tests) == 1 else OPERATORS["and"](*tests)


@differentiable("ClampBackward0", saves="self min max", inputs="self min max")
def _clamp_by_tensors(self: Any, min: Any, max: Any) -> Any:
    return _bounded(self, min, max)


@_clamp_by_tensors.backward
def _clamp_by_tensors_backward(saved: Any, grad: Any) -> Any:
    if saved.max is None:
        return (*shares_of(grad, saved.self, saved.min, gt), None)
    if saved.min is None:
        of_self, of_high = shares_of(grad, saved.self, saved.max, lt)
        return of_self, None, of_high
    return _between(grad, saved.self, saved.min, saved.max)


def _between(grad: Any, x: Any, low: Any, high: Any) -> Any:
    """On a bound, half goes to it and half to the element; a lower bound above the upper one has no part."""
    zero = of_scalar(0, grad.dtype)
    both, either = OPERATORS["and"], OPERATORS["or"]

    def on(bound: Any) -> Any:
        return both(eq(x, bound), lt(low, high))

    def of_x() -> Any:
        halved = where(either(on(low), on(high)), grad / 2, grad)
        return masked_fill(halved, either(lt(x, low), gt(x, high)), 0)

    def of_low() -> Any:
        return where(both(lt(x, low), le(low, high)), grad, where(on(low), grad / 2, zero))

    def of_high() -> Any:
        return where(either(gt(x, high), gt(low, high)), grad, where(on(high), grad / 2, zero))

    return of_x, of_low, of_high


@torch_function("clamp", "clip", method=True)
def clamp(input: Any, min: Any = None, max: Any = None, *, out: Any = None) -> Any:
    """The elements, none below `min` and none above `max`."""
    if min is None and max is None:
        raise torch_error(
            "torch.clamp: At least one of 'min' or 'max' must not be None", "clamp 至少需要 min 或 max。"
        )
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        bounds = [one if one is None else as_tensor(one) for one in (min, max)]
        given = [one for one in (input, *bounds) if one is not None]
        typed = iter(alike("clamp", *given))
        return _clamp_by_tensors(next(typed), *(one if one is None else next(typed) for one in bounds))
    given = [one for one in (input, min, max) if one is not None]
    for one in given[1:]:
        check_fits(one, common_type(*given))
    return _clamp(to_type(input, common_type(*given)), min=min, max=max)


@torch_function("clamp_min", method=True)
def clamp_min(input: Any, min: Any) -> Any:
    """The elements, none below `min`."""
    if isinstance(min, Tensor):
        return _clamp_min_by_tensor(*alike("clamp_min", input, min))
    return _clamp_min(to_type(input, common_type(input, min)), min=min)


@torch_function("clamp_max", method=True)
def clamp_max(input: Any, max: Any) -> Any:
    """The elements, none above `max`."""
    if isinstance(max, Tensor):
        return _clamp_max_by_tensor(*alike("clamp_max", input, max))
    return _clamp_max(to_type(input, common_type(input, max)), max=max)


for _name, _function in {
    "clamp": clamp,
    "clip": clamp,
    "clamp_min": clamp_min,
    "clamp_max": clamp_max,
}.items():
    torch_function(f"{_name}_", method="only")(in_place(_function))
