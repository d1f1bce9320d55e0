"""What PyTorch says of an argument of the wrong kind: which one, where it stands, and what it takes.

Where a function has one form, PyTorch names the first argument that does not fit; where it has several, it
lists the kinds of all that were given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Kind:
    """What a parameter takes: PyTorch's word for it, and which values these are."""

    word: str
    holds: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, np.generic)) or (
        isinstance(value, Tensor) and value.form.size == 1
    )


def _is_whole(value: Any) -> bool:
    array = value.form if isinstance(value, Tensor) else value
    if isinstance(array, (np.ndarray, np.generic)):
        return array.size == 1 and array.dtype.kind in "iu"
    return isinstance(array, int) and not isinstance(array, bool)


def _are_whole(value: Any) -> bool:
    return all(map(_is_whole, value)) if isinstance(value, (list, tuple)) else _is_whole(value)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


INT = Kind("int", _is_whole)
INTS = Kind("tuple of ints", _are_whole)
NUMBER = Kind("Number", _is_number)
TENSOR = Kind("Tensor", _is_tensor)
TRUTH = Kind("bool", lambda value: isinstance(value, bool))
TENSORS = Kind("tuple of Tensors", lambda value: isinstance(value, (list, tuple)))
BY_NAME: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("dim", "dim0", "dim1", "k", "diagonal", "offset", "chunks", "start_dim", "end_dim"), INT
    ),
    **dict.fromkeys(("dimension", "n"), INT),
    **dict.fromkeys(("dims", "shape", "size", "repeats", "shifts"), INTS),
    **dict.fromkeys(("input", "self", "mat1", "mat2", "tensor", "vec", "vec2", "index", "mask"), TENSOR),
    **dict.fromkeys(("keepdim", "requires_grad", "largest"), TRUTH),
    **dict.fromkeys(("fill_value", "end", "negative_slope", "alpha", "beta", "threshold"), NUMBER),
    "tensors": TENSORS,
    "dtype": Kind("torch.dtype", lambda value: not isinstance(value, (str, int, float))),
}
NUMBERS_TOO = frozenset({"add", "sub", "mul", "div", "true_divide", "subtract", "multiply", "divide"})
NUMBERS_TOO |= {f"{name}_" for name in NUMBERS_TOO}  # which take a number where they ask for a tensor
OF_SEVERAL_AXES = frozenset({"amax", "amin", "logsumexp"})
SEVERAL_FORMS = frozenset(
    {
        *("sum", "mean", "prod", "max", "min", "std", "var", "std_mean", "var_mean", "all", "any", "norm"),
        *("sort", "argsort", "quantile", "squeeze", "narrow", "scatter", "masked_fill", "where", "movedim"),
        *("clamp", "clamp_min", "clamp_max", "pow", "floor_divide", "remainder", "fmod", "addmm", "lerp"),
        *("eq", "ne", "lt", "le", "gt", "ge", "repeat_interleave", "fill_", "count_nonzero", "view"),
        *("linspace", "randint"),
    }
)
OF_FLOATS = {
    **{f"linalg.{name}": f"linalg.{name}" for name in ("inv", "det", "solve", "svd", "qr", "cholesky")},
    "linalg.slogdet": "linalg.slogdet",
    "linalg.cond": "linalg.svd",
    "inverse": "linalg.inv",
    **dict.fromkeys(("linalg.norm", "linalg.vector_norm"), "linalg.vector_norm"),
}  # what takes floats alone, and which function says so
KERNELS_OF_FLOATS: Mapping[str, str] = {
    **{name: f"{name}_cpu" for name in ("softplus", "elu", "silu", "mish", "leaky_relu", "hardswish")},
    **{name: f"{name}_cpu" for name in ("hardsigmoid", "hardshrink", "glu")},
    "selu": "elu_cpu",
    "celu": "elu_cpu",
    "gelu": "GeluKernelImpl",
    "logsigmoid": "log_sigmoid_cpu",
    "softshrink": "softshrink_check",
}  # activations that take floats alone, and which kernel PyTorch misses for other types
OF_MATRICES = ("linalg.svd", "linalg.qr", "linalg.inv", "linalg.cholesky", "linalg.slogdet", "inverse")
OF_NUMBERS = frozenset({"linspace", "randint", "pow", "where"})  # whose first need not be a tensor
THROUGH_METHODS = frozenset({"softmax", "log_softmax"})  # of nn.functional: they call the tensor's method


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function, as it was written.

    is_method: whether its first argument stands before the dot.
    names:     those of its parameters, in order; `many` takes all others by position.
    """

    name: str
    is_method: bool
    names: Sequence[str]
    many: str
    args: Sequence[Any]
    keywords: Mapping[str, Any]

    @property
    def shown(self) -> str:
        """The kinds of all arguments: `Tensor, dim=float`."""
        by_place = [python_name(one) for one in self.args[int(self.is_method) :]]
        named = [f"{key}={python_name(one)}" for key, one in self.keywords.items()]
        return ", ".join([*by_place, *named]) + (", " if named and not by_place else "")

    def arguments(self) -> Iterator[tuple[str, int | None, Any]]:
        """Each argument that is not None: its name, its place if it has one, and itself."""
        taken = list(zip(self.names, self.args, strict=False))
        for place, (name, value) in enumerate(taken, 0 if self.is_method else 1):
            yield name, place, value
        for name, value in self.keywords.items():
            yield name, None, value


def wrong_kind(call: Call) -> Exception | None:
    """What PyTorch says of the first argument of another kind than its parameter's; None where all fit."""
    if call.name in SEVERAL_FORMS and (not call.args or _is_tensor(call.args[0]) or call.name in OF_NUMBERS):
        return None
    for name, place, value in call.arguments():
        kind = _kind_of(call.name, name)
        if kind is None or kind.holds(value) or (value is None and kind.word != TENSOR.word):
            continue
        return _must_be(call, name, place, kind.word, python_name(value))
    return _wrong_lengths(call) or _wrong_element(call)


def _kind_of(function: str, name: str) -> Kind | None:
    if name in ("other", "input") and function in NUMBERS_TOO:
        return Kind("Tensor", lambda value: _is_tensor(value) or _is_number(value))
    if name == "dim" and function in OF_SEVERAL_AXES:
        return INTS
    return TENSOR if name == "other" else BY_NAME.get(name)


def _must_be(call: Call, name: str, place: int | None, word: str, given: str) -> Exception:
    where_ = "" if place is None else f" (position {place})"
    return torch_error(
        f"{call.name}(): argument '{name}'{where_} must be {word}, not {given}",
        f"{call.name}() 的参数 '{name}' 必须是 {word}，不能是 {given}。",
        kind="TypeError",
        code="wrong_arguments",
        hint="Write torch.tensor(…) first, or use math for a single number." if word == "Tensor" else "",
        hint_zh="请先写 torch.tensor(…)，单个数请用 math。" if word == "Tensor" else "",
    )


def _wrong_lengths(call: Call) -> Exception | None:
    """`reshape(2.0, 3)`: what stands where lengths or axes are taken one by one."""
    given = call.args[len(call.names) :]
    if BY_NAME.get(call.many) is not INTS or call.name in SEVERAL_FORMS or all(map(_are_whole, given)):
        return None
    if len(given) == 1:
        place = len(call.names) + (0 if call.is_method else 1)
        return _must_be(call, call.many, place, INTS.word, python_name(given[0]))
    return torch_error(
        f"{call.name}() takes 1 positional argument but {len(given)} were given",
        f"{call.name}() 的各个长度必须是整数。",
        kind="TypeError",
        code="wrong_arguments",
    )


def _wrong_element(call: Call) -> Exception | None:
    """`cat([x, 3])`: an element of a list that is no tensor."""
    listed = call.args[0] if call.args and call.names[:1] == ("tensors",) else ()
    for place, one in enumerate(listed if isinstance(listed, (list, tuple)) else ()):
        if not _is_tensor(one):
            return torch_error(
                f"expected Tensor as element {place} in argument 0, but got {python_name(one)}",
                f"第 {place} 个元素必须是张量，不能是 {python_name(one)}。",
                kind="TypeError",
                code="wrong_arguments",
            )
    return None


def check_floats(name: str, value: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where linear algebra is given whole numbers."""
    if isinstance(value, Tensor) and not value.dtype.has_gradients:
        kind = value.dtype.scalar_name
        raise torch_error(
            f"{OF_FLOATS[name]}: Expected a floating point or complex tensor as input. Got {kind}",
            f"{OF_FLOATS[name]} 需要浮点张量，不能是 {kind}。",
            hint="Write x.float() first.",
            hint_zh="请先写 x.float()。",
        )
    if isinstance(value, Tensor) and value.form.ndim < 2 and name in OF_MATRICES:
        raise torch_error(
            f"{OF_FLOATS[name]}: The input tensor A must have at least 2 dimensions.",
            f"{OF_FLOATS[name]} 需要至少两维的张量。",
        )


def check_kernel_of(name: str, value: Any) -> None:
    """Raises: NotImplementedError's message of PyTorch where an activation is given whole numbers."""
    if isinstance(value, Tensor) and not value.dtype.has_gradients:
        raise torch_error(
            f"\"{KERNELS_OF_FLOATS[name]}\" not implemented for '{value.dtype.scalar_name}'",
            f"{name}() 不能用于 {value.dtype.scalar_name} 类型。",
            kind="NotImplementedError",
            hint="Write x.float() first.",
            hint_zh="请先写 x.float()。",
        )


def unfit(call: Call) -> Exception:
    """What PyTorch says of arguments that a function cannot work with."""
    return wrong_kind(call) or torch_error(
        f"{call.name}() received an invalid combination of arguments - got ({call.shown})",
        f"{call.name}() 无法使用给出的参数：({call.shown})。",
        kind="TypeError",
        code="wrong_arguments",
        hint="Check the kinds, the values and the order of the arguments.",
        hint_zh="请检查参数的类型、值和顺序。",
    )
