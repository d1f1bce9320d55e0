"""Making tensors: of numbers and arrays, filled with one number, in steps, like another one."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete, python_name
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.dtypes import DTYPES, NAMED_TYPES, check_fits, dtype_of, of_array
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import kind_needed, plain, type_of_number
from engine.languages.surfaces.torch.functions.shaping import clone, detach, to, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths, whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers, require_grad


def array_of(data: Any, dtype: Any = None) -> Any:
    """Nested lists of numbers as an array of the type that PyTorch gives them.

    Raises: TypeError's and ValueError's messages of PyTorch.
    """
    if isinstance(data, Tensor):
        found = data.array
    elif isinstance(data, (np.ndarray, np.generic)):
        found = np.asarray(data)
    elif concrete(data) is not None:
        found = np.asarray(concrete(data))
    else:
        found = _of_list(data)
        if dtype is None and found.dtype.name == "float64" and not _holds_arrays(data):
            return found.astype(state().default_float.name)
        if dtype is None and found.dtype.kind == "c" and not _holds_arrays(data):
            return found.astype(state().default_float.with_parts.name)
    if dtype is not None:
        if not isinstance(data, (Tensor, np.ndarray, np.generic)):
            if found.dtype.kind == "c" and not dtype.is_complex:
                raise torch_error(
                    "must be real number, not complex", "这里的数必须是实数。", kind="TypeError"
                )
            check_fits(found, dtype, dtype.name)
        return found.astype(dtype.held_as)
    of_array(found)
    return found


def _holds_arrays(data: Any) -> Any:
    """Whether numbers of numpy stand in a list, whose type counts."""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (np.ndarray, np.generic))


def _of_list(data: Any) -> Any:
    if data is None:
        raise torch_error("Could not infer dtype of NoneType", "不能由 None 构成张量。")
    if isinstance(data, (dict, set)):
        raise torch_error(f"Could not infer dtype of {python_name(data)}", "不能由字典或集合构成张量。")
    if not isinstance(data, (list, tuple, bool, int, float, complex, range, deque)):
        raise torch_error(
            f"must be real number, not {python_name(data)}"
            if not isinstance(data, str)
            else "new(): invalid data type 'str'",
            f"张量只能由数字构成，不能是 {python_name(data)}。",
            kind="TypeError",
        )
    plain_data = _plain_list(data)
    if _holds_text(plain_data):
        raise _of_text(plain_data)
    if isinstance(data, (list, tuple)) and (other := _other_kind(plain_data)):
        raise torch_error(f"Could not infer dtype of {other}", f"不能由 {other} 构成张量。")
    if _holds_none(plain_data):
        raise torch_error("Could not infer dtype of NoneType", "不能由 None 构成张量。")
    if plain_data == []:
        return np.zeros((0,), dtype=state().default_float.name)
    _check_even(plain_data, 0, plain_data)
    try:
        found = np.asarray(plain_data)
    except (ValueError, OverflowError):
        found = np.asarray(None)
    if found.dtype.kind not in "biufc":
        raise torch_error(
            "not a sequence of numbers", "列表里必须全是数字，各行长度相同。", kind="ValueError"
        )
    return found.astype("float64") if found.size == 0 else found


def _of_text(data: Any) -> Exception:
    """What PyTorch says of texts in a list: the first item says how deep the list is."""
    first = data
    while isinstance(first, list):
        first = first[0] if first else None
    message_zh = "张量只能由数字构成，不能是文字。"
    if isinstance(first, str):
        return torch_error("too many dimensions 'str'", message_zh, kind="ValueError")
    return torch_error("new(): invalid data type 'str'", message_zh, kind="TypeError")


def _other_kind(data: Any) -> str:
    """The kind of an item that stands for no number: `dict`, `set`; else ''."""
    if isinstance(data, list):
        return next(filter(None, map(_other_kind, data)), "")
    return python_name(data) if isinstance(data, (dict, set)) else ""


def _holds_text(data: Any) -> bool:
    return isinstance(data, str) or (isinstance(data, list) and any(map(_holds_text, data)))


def _holds_none(data: Any) -> bool:
    return data is None or (isinstance(data, list) and any(map(_holds_none, data)))


def _plain_list(data: Any) -> Any:
    if isinstance(data, (list, tuple, range, deque)):
        return [_plain_list(one) for one in data]
    if isinstance(data, Tensor):
        return _number_of(data)
    array = concrete(data)
    return data if array is None else np.asarray(array).tolist()


def _number_of(item: Tensor) -> Any:
    """A tensor in a list counts as its number. Raises: ValueError's message of PyTorch for several."""
    if item.form.size != 1:
        raise torch_error(
            "only one element tensors can be converted to Python scalars",
            "列表里的张量只能含有一个数。",
            kind="ValueError",
            hint="Write torch.stack([…]) to join tensors.",
            hint_zh="要合并张量请写 torch.stack([…])。",
        )
    return item.array.item()


def _check_even(data: Any, dim: Any, whole: Any) -> Any:
    """Rows of one length. Raises: ValueError's message of PyTorch."""
    if not isinstance(data, list) or not data or not isinstance(data[0], list):
        return
    for row in data:
        given = len(row) if isinstance(row, list) else -1
        if given != len(data[0]):
            raise torch_error(
                f"expected sequence of length {len(data[0])} at dim {dim + 1} (got {given})",
                f"各行长度必须相同：第 {dim + 1} 维应有 {len(data[0])} 项，实际为 {given}。",
                kind="ValueError",
                code="ragged_list",
            )
        _check_even(row, dim + 1, whole)


@torch_function("tensor")
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False
) -> Any:
    """A tensor of numbers, with memory of its own."""
    made = np.array(array_of(data, dtype_of(dtype)))
    return of_numbers(made, bool(requires_grad))


@torch_function("as_tensor")
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """A tensor as it is, or one of these numbers."""
    if isinstance(data, Tensor):
        return data if dtype is None else to(data, dtype_of(dtype))
    if isinstance(data, np.ndarray) and dtype is None:
        return from_numpy(data)
    return tensor(data, dtype=dtype)


@torch_function("asarray")
def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: Any = None, requires_grad: Any = False
) -> Any:
    """A tensor on the memory of what it is given where that is possible, or of its numbers."""
    made = as_tensor(obj, dtype)
    if copy and isinstance(obj, (Tensor, np.ndarray)):
        made = clone(made)
    elif copy is False and isinstance(obj, Tensor) and made is not obj:
        raise torch_error(
            f"can't alias tensor with dtype '{obj.dtype.scalar_name}' into dtype '{made.dtype.scalar_name}'.",
            "copy=False 时不能改变元素类型。",
            kind="ValueError",
        )
    if not requires_grad or made.requires_grad:
        return made
    return require_grad(detach(made))


@torch_function("from_numpy")
def from_numpy(ndarray: Any) -> Any:
    """A tensor on the memory of an array: what changes one changes the other."""
    if not isinstance(ndarray, np.ndarray):
        raise torch_error(
            f"expected np.ndarray (got {python_name(ndarray)})",
            "from_numpy 需要 numpy 数组。",
            kind="TypeError",
        )
    of_array(ndarray)
    made = of_numbers(ndarray.copy())
    made.storage.share_with(ndarray)
    return made


def _made(array: Any, dtype: Any, requires_grad: Any, usual: Any = None) -> Any:
    wanted = dtype_of(dtype) or usual or state().default_float
    if not isinstance(requires_grad, (bool, np.bool_)):
        raise TypeError
    return of_numbers(np.asarray(array, dtype=wanted.held_as), bool(requires_grad))


def _no_size(name: str, size: Any) -> Exception:
    """What PyTorch says of a shape that is not of whole numbers."""
    listed = size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size
    wrong = [(place, one) for place, one in enumerate(listed, 1) if not isinstance(one, (int, Tensor))]
    place, kind = (wrong[0][0], python_name(wrong[0][1])) if wrong else (1, "Tensor")
    unpacked = (
        f'failed to unpack the object at pos {place} with error "type must be tuple of ints,but got {kind}"'
    )
    said = f"(position 1) must be tuple of ints, not {kind}" if listed is size and place == 1 else unpacked
    return torch_error(
        f"{name}(): argument 'size' {said}",
        f"{name}() 的形状必须是整数，不能是 {kind}。",
        kind="TypeError",
        hint="Divide with // where a length is computed: torch.zeros(n // 2).",
        hint_zh="计算长度时请用 // 作除法：torch.zeros(n // 2)。",
    )


def wrong_size(function: str, size: Any, place: int = 1) -> Exception:
    """What PyTorch says of one number where a shape in brackets is taken."""
    return torch_error(
        f"{function}(): argument 'size' (position {place}) must be tuple of ints, not {python_name(size)}",
        f"{function}() 的形状必须写成元组，例如 ({python_name(size)},)。",
        kind="TypeError",
        hint="Write torch.full((3,), 1.0).",
        hint_zh="请写 torch.full((3,), 1.0)。",
    )


def _no_truth(name: str, alone: bool) -> Exception:
    """What PyTorch says of a shape that begins with a truth value."""
    said = "not bool" if alone else "but found element of type bool at pos 0"
    return torch_error(
        f"{name}(): argument 'size' (position 1) must be tuple of ints, {said}",
        f"{name}() 的形状必须是整数，不能是 bool。",
        kind="TypeError",
    )


def _checked(size: Any, name: str = "zeros") -> Any:
    """A shape, within the budget, before anything is made."""
    listed = size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size
    if len(size) == 0:
        raise torch_error(
            f'{name}() missing 1 required positional arguments: "size"',
            f"{name}() 缺少参数 size。",
            kind="TypeError",
            code="wrong_arguments",
        )
    if listed and isinstance(listed[0], bool):
        raise _no_truth(name, listed is size)
    try:
        shape = lengths(size)
    except TypeError:
        raise _no_size(name, size) from None
    for length in shape:
        if length < 0:
            raise torch_error(
                f"{name}: Dimension size must be non-negative.",
                f"张量的长度不能为负：{list(shape)}。",
            )
    state().graph.meter.check_elements(shape)
    return shape


@torch_function("zeros")
def zeros(
    *size: Any,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """A tensor of zeros."""
    return _made(np.zeros(_checked(size)), dtype, requires_grad)


@torch_function("ones")
def ones(
    *size: Any,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """A tensor of ones."""
    return _made(np.ones(_checked(size, "ones")), dtype, requires_grad)


@torch_function("empty")
def empty(
    *size: Any,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
    memory_format: Any = None,
) -> Any:
    """A tensor whose numbers are not said; here zeros."""
    return _made(np.zeros(_checked(size, "empty")), dtype, requires_grad)


@torch_function("full")
def full(
    size: Any,
    fill_value: Any,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """A tensor of one number."""
    if not isinstance(size, (list, tuple)):
        raise wrong_size("full", size)
    if isinstance(fill_value, (list, tuple)):
        raise kind_needed("full", "fill_value", 2, "Number", fill_value)
    number = plain(fill_value)
    check_fits(number, dtype_of(dtype) or type_of_number(number))
    return _made(np.full(_checked((size,), "full"), number), dtype, requires_grad, type_of_number(number))


def _like(name: Any, of_shape: Any) -> Any:
    def call(
        input: Any,
        *,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: Any = False,
        memory_format: Any = None,
    ) -> Any:
        wanted = dtype_of(dtype) or input.dtype
        return of_numbers(of_shape(input.shape, wanted.held_as), bool(requires_grad))

    call.__doc__ = f"`{name}` in the shape and type of another tensor."
    torch_function(name)(call)
    return call


zeros_like = _like("zeros_like", lambda shape, dtype: np.zeros(shape, dtype))
ones_like = _like("ones_like", lambda shape, dtype: np.ones(shape, dtype))
empty_like = _like("empty_like", lambda shape, dtype: np.zeros(shape, dtype))


@torch_function("full_like")
def full_like(
    input: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    memory_format: Any = None,
) -> Any:
    """A number in the shape and type of another tensor."""
    wanted = dtype_of(dtype) or input.dtype
    number = plain(fill_value)
    check_fits(number, wanted)
    return of_numbers(np.full(input.shape, number).astype(wanted.held_as), bool(requires_grad))


@torch_function("eye")
def eye(
    n: Any,
    m: Any = None,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """Ones on the diagonal, zeros elsewhere."""
    if whole(n) < 0:
        raise torch_error(f"n must be greater or equal to 0, got {n}", "eye 的大小不能为负。")
    shape = _checked((whole(n), whole(n) if m is None else whole(m)))
    return _made(np.eye(*shape), dtype, requires_grad)


@torch_function("tril_indices")
@takes_only(dtype=(None,))
def tril_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None, device: Any = None) -> Any:
    """The places of the lower triangle."""
    _checked((row, col))
    return of_numbers(np.stack(np.tril_indices(row, offset, col)).astype("int64"))


@torch_function("triu_indices")
@takes_only(dtype=(None,))
def triu_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None, device: Any = None) -> Any:
    """The places of the upper triangle."""
    _checked((row, col))
    return of_numbers(np.stack(np.triu_indices(row, offset, col)).astype("int64"))


@torch_function("scalar_tensor")
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
    """A tensor of one number, float32 unless said."""
    return _made(plain(s), dtype, requires_grad)


def _new(name: Any, make: Any) -> Any:
    def call(
        self: Any,
        *size: Any,
        dtype: Any = None,
        device: Any = None,
        requires_grad: Any = False,
        **named: Any,
    ) -> Any:
        return make(*size, **named, dtype=dtype_of(dtype) or self.dtype, requires_grad=requires_grad)

    call.__doc__ = f"`{name}` of the type of this tensor."
    torch_function(name, method="only")(call)


_new("new_zeros", zeros)
_new("new_ones", ones)
_new("new_empty", empty)
_new("new_full", full)


@torch_function("new_tensor", method="only")
def new_tensor(
    self: Any, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False
) -> Any:
    """A tensor of numbers, of the type of this one."""
    return tensor(data, dtype=dtype_of(dtype) or self.dtype, requires_grad=requires_grad)


def plain_tensor(*data: Any, device: Any = None) -> Any:
    """`torch.Tensor([1, 2])`: floats; `torch.Tensor(2, 3)`: numbers that are not said, here zeros."""
    if data and all(isinstance(one, int) for one in data):
        return empty(*data)
    return tensor(data[0] if data else (), dtype=state().default_float)


def _typed(*names: Any, dtype: Any) -> Any:
    NAMED_TYPES.update(dict.fromkeys((*names, *(f"torch.{name}" for name in names)), DTYPES[dtype]))

    def call(*data: Any) -> Any:
        if data and all(isinstance(one, int) for one in data):  # a size
            return empty(*data, dtype=DTYPES[dtype])
        return tensor(data[0] if data else (), dtype=DTYPES[dtype])

    call.__doc__ = f"A tensor of numbers of the type {dtype}."
    torch_function(*names)(call)


_typed("FloatTensor", dtype="float32")
_typed("DoubleTensor", dtype="float64")
_typed("LongTensor", dtype="int64")
_typed("IntTensor", dtype="int32")
_typed("BoolTensor", dtype="bool")
_typed("ByteTensor", dtype="uint8")
_typed("CharTensor", dtype="int8")
_typed("ShortTensor", dtype="int16")
_typed("HalfTensor", dtype="float16")


__all__ = ["Interpreter", "detach", "require_grad", "unsqueeze"]
