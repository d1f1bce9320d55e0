"""numpy's functions of tensors: which of them give tensors back, and which cannot take them.

numpy computes with a tensor's memory and hands what its universal functions give back to the tensor
(`__array_wrap__`): a tensor comes out, of uint8 where truth values do. For a few other functions it calls the
tensor's own method of that name, with arguments that some of these methods do not know.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

import numpy as np

from engine.languages.surfaces.numpy.module import NUMPY
from engine.languages.surfaces.numpy.universal import OF_ONE, OF_TWO
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import ARRAYS, Tensor, of_numbers

GIVING_TENSORS = (
    *OF_ONE,
    *OF_TWO,
    *("argmax", "argmin", "argsort", "cumsum", "cumprod", "ptp", "clip", "round", "around", "take", "repeat"),
    *("reshape", "transpose", "squeeze", "swapaxes", "searchsorted", "matmul", "linalg.inv", "linalg.solve"),
)
UNKNOWN_AXIS = ("sum", "mean")  # the methods behind these have no `axis` beside `out`
ONE_AXIS = ("prod", "max", "min", "amax", "amin")
OTHER_SETTINGS = {"std": "ddof=int, dtype=NoneType, out=NoneType", "any": "out=NoneType"}
OTHER_SETTINGS |= {"var": OTHER_SETTINGS["std"], "all": OTHER_SETTINGS["any"]}


def as_numpy_gives_it(found: Any) -> Any:
    """What numpy has computed of a tensor, as a tensor; truth values become uint8."""
    if isinstance(found, (tuple, list)):
        return tuple(as_numpy_gives_it(one) for one in found)
    array = np.asarray(found)
    return of_numbers(array.astype(np.uint8) if array.dtype == bool else array)


def _giving_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(interpreter: Any, *args: Any, **keywords: Any) -> Any:
        found = function(interpreter, *args, **keywords)
        is_of_tensors = any(isinstance(one, Tensor) for one in args) and keywords.get("out") is None
        return as_numpy_gives_it(found) if is_of_tensors else found

    return call


def _not_of_tensors(function: Callable[..., Any], message: Callable[[Sequence[Any], Any], str]) -> Any:
    """A function that refuses a tensor as PyTorch's method does which numpy calls."""

    @wraps(function)
    def call(interpreter: Any, a: Any, *args: Any, **keywords: Any) -> Any:
        if isinstance(a, Tensor):
            said = message(args, keywords)
            raise torch_error(
                said,
                "numpy 会调用张量自己的同名方法，而该方法不接受 numpy 的参数。",
                kind="TypeError",
                hint="Call the tensor's own method, such as x.sum(), or give numpy an array: x.numpy().",
                hint_zh="请调用张量自己的方法，例如 x.sum()；或把数组交给 numpy：x.numpy()。",
            )
        return function(interpreter, a, *args, **keywords)

    return call


def _unknown_axis(name: str) -> Callable[[Sequence[Any], Any], str]:
    return lambda args, keywords: f"{name}() got an unexpected keyword argument 'axis'"


def _one_axis(name: str) -> Callable[[Sequence[Any], Any], str]:
    def message(args: Sequence[Any], keywords: Any) -> str:
        if (args[0] if args else keywords.get("axis")) is None:
            return f"{name}(): argument 'dim' must be int, not NoneType"
        return f"{name}() got an unexpected keyword argument 'axis'"

    return message


def _other_settings(name: str, settings: str) -> Callable[[Sequence[Any], Any], str]:
    def message(args: Sequence[Any], keywords: Any) -> str:
        kind = "NoneType" if (args[0] if args else keywords.get("axis")) is None else "int"
        return f"{name}() received an invalid combination of arguments - got ({settings}, axis={kind}, )"

    return message


def _enter(name: str, wrapped: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    member = NUMPY.members[name]
    member.function = wrapped(member.function)


for _name in GIVING_TENSORS:
    _enter(_name, _giving_tensors)
for _name in UNKNOWN_AXIS:
    _enter(_name, partial(_not_of_tensors, message=_unknown_axis(_name)))
for _name in ONE_AXIS:
    _enter(_name, partial(_not_of_tensors, message=_one_axis(_name.removeprefix("a"))))
for _name, _settings in OTHER_SETTINGS.items():
    _enter(_name, partial(_not_of_tensors, message=_other_settings(_name, _settings)))


def _beside_array(name: str, tensor: Tensor, array: Any) -> Any:
    """A tensor and an array through an operator of Python: numpy computes it. Raises: ValueError of numpy."""
    try:
        if name != "matmul":
            state().graph.meter.check_elements(np.broadcast_shapes(tensor.form.shape, array.shape))
        return as_numpy_gives_it(getattr(operator, name)(np.array(tensor.array), array))
    except ValueError as error:
        raise torch_error(
            str(error),
            f"张量的形状 {list(tensor.shape)} 与数组的形状 {list(array.shape)} 不合。",
            kind="ValueError",
        ) from None


ARRAYS["computed"] = _beside_array
