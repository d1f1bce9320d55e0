"""What a program may ask of a tensor beside functions: facts, numbers out of it, other types, gradients."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from engine.languages.interpreter.attributes import WRITES
from engine.languages.interpreter.builtins.functions import DIVIDED, ROUNDED
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.autograd.examples import (
    check_memory_wanted,
    check_number_wanted,
    check_truth_wanted,
)
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.devices import CPU, Device, check_device
from engine.languages.surfaces.torch.dtypes import BFLOAT16, DTYPES, DType, dtype_of
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functional.levels import (
    check_change,
    check_requires_grad_outside,
    check_retain_grad_outside,
)
from engine.languages.surfaces.torch.functions.operands import common_type, plain
from engine.languages.surfaces.torch.functions.shaping import data_of, detach, numpy_t, to, transpose
from engine.languages.surfaces.torch.registry import TENSOR, torch_function
from engine.languages.surfaces.torch.sizes import Size, lengths
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, require_grad

# -- facts -----------------------------------------------------------------------------------------------

TENSOR.fact("shape")(lambda tensor: tensor.shape)
TENSOR.fact("dtype")(lambda tensor: tensor.dtype)
TENSOR.fact("ndim")(lambda tensor: tensor.array.ndim)
TENSOR.fact("requires_grad")(lambda tensor: tensor.requires_grad)
TENSOR.fact("is_leaf")(lambda tensor: tensor.is_leaf)
TENSOR.fact("grad_fn")(lambda tensor: tensor.grad_fn)
TENSOR.fact("output_nr")(lambda tensor: tensor.output)
TENSOR.fact("device")(lambda tensor: CPU)
TENSOR.fact("is_cuda", "is_sparse", "is_quantized", "is_mps", "is_meta")(lambda tensor: False)
TENSOR.fact("data")(data_of)
TENSOR.fact("T")(numpy_t)
TENSOR.fact("mT")(lambda tensor: transpose(tensor, -2, -1) if tensor.form.ndim else tensor)
TENSOR.fact("H")(lambda tensor: OPERATORS["conj"](numpy_t(tensor)))
TENSOR.fact("_version")(lambda tensor: _version_of(tensor))
TENSOR.fact("_base")(lambda tensor: tensor.base)
TENSOR.method("_is_view")(lambda tensor: tensor.base is not None)
TENSOR.fact("retains_grad")(lambda tensor: tensor.retains)
TENSOR.fact("itemsize")(lambda tensor: tensor.dtype.itemsize)
TENSOR.fact("nbytes")(lambda tensor: tensor.array.size * tensor.dtype.itemsize)
TENSOR.fact("layout")(lambda tensor: "torch.strided")
TENSOR.fact("name")(lambda tensor: None)


@TENSOR.fact("grad")
def grad_of(tensor: Any) -> Any:
    """What backward has added up; of a tensor that is no leaf only where that was asked for."""
    if tensor.grad is None and tensor.grad_fn is not None and not tensor.retains:
        interpreter = state().interpreter
        interpreter.note(
            "grad_of_no_leaf",
            "The .grad of a tensor that is no leaf is not filled by backward(): it stays None.",
            "backward() 不会填写非叶子张量的 .grad，它仍为 None。",
            "Call y.retain_grad() before backward() to have it.",
            "如需要它，请在 backward() 之前调用 y.retain_grad()。",
        )
    return tensor.grad


def _set_grad(tensor: Any, new: Any) -> Any:
    if new is not None and not isinstance(new, Tensor):
        raise torch_error(
            f"assigned grad expected to be a Tensor or None but got grad of type {type(new).__name__}",
            ".grad 只能是张量或 None。",
            kind="TypeError",
        )
    if new is not None and new.dtype is not tensor.dtype:
        raise torch_error(
            f"attempting to assign a gradient with dtype '{new.dtype.cpp_name}' to a tensor with grad_dtype "
            f"'{tensor.dtype.scalar_name}'. The gradient must match the tensor's grad_dtype (defaults to the "
            "tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None "
            "to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its "
            "gradient may break downstream systems that assume they match.",
            "赋给 .grad 的张量类型不同。",
            code="dtype_mismatch",
        )
    if new is not None and new.shape != tensor.shape:
        raise torch_error(
            f"attempting to assign a gradient of size '{list(new.shape)}' to a tensor of size "
            f"'{list(tensor.shape)}'. Please ensure that the gradient and the tensor are the same size",
            "赋给 .grad 的张量形状不同。",
        )
    tensor.grad = new


def _set_data(tensor: Any, new: Any) -> Any:
    """`x.data = y`: the memory of y in the same tensor; what showed the old memory still does."""
    if tensor.requires_grad and not new.dtype.has_gradients:
        raise torch_error(
            "data set to a tensor that requires gradients must be floating point or complex dtype",
            "要求梯度的张量，其 data 必须是浮点类型。",
        )
    same = new.shape == tensor.shape and new.dtype is tensor.dtype
    if new.storage is tensor.storage and same and not (new.steps or tensor.steps):
        return
    if tensor.storage.is_held and not tensor.steps and same:
        if new.steps:
            tensor.storage.write(new.value)  # a copy, as no variable is a part of memory
            return
        if not new.storage.is_held:
            tensor.storage.move_to(new.storage)
    if not same:
        tensor.accumulator = None
    tensor.storage, tensor.steps = new.storage, new.steps
    tensor.seen, tensor.shown, tensor.turn = new.seen, new.shown, new.turn


def _version_of(tensor: Any) -> int:
    """How often it was changed in place. Raises: RuntimeError's message of PyTorch for one of inference."""
    if tensor.is_inference:
        raise torch_error(
            "Inference tensors do not track version counter.", "inference_mode 中的张量不记录修改次数。"
        )
    return int(tensor.version.number)


def _set_requires(tensor: Any, new: Any) -> Any:
    if new and not tensor.dtype.has_gradients:
        raise torch_error(
            "only Tensors of floating point and complex dtype can require gradients",
            "只有浮点类型的张量才能要求梯度。",
            hint="Write x = x.float() first.",
            hint_zh="请先写 x = x.float()。",
        )
    let_require(tensor, bool(new))


TENSOR.settable["grad"] = _set_grad
TENSOR.settable["data"] = _set_data
TENSOR.settable["requires_grad"] = _set_requires


@torch_function("size", method="only")
def size(self: Any, dim: Any = None) -> Any:
    """The lengths of the axes, or of one."""
    if dim is None:
        return self.shape
    from engine.languages.surfaces.torch.functions.operands import axis_of

    return self.shape[axis_of(dim, self.array.ndim)]


torch_function("dim", "ndimension", method="only")(lambda self: self.array.ndim)
torch_function("numel", method=True)(lambda input: int(input.array.size))
torch_function("nelement", method="only")(lambda self: int(self.array.size))
torch_function("element_size", method="only")(lambda self: self.dtype.itemsize)
torch_function("is_floating_point", method=True)(lambda input: input.dtype.is_floating)
torch_function("is_complex", method=True)(lambda input: input.dtype.is_complex)
torch_function("is_tensor")(lambda obj: isinstance(obj, Tensor))
torch_function("is_same_size", method="only")(lambda self, other: self.shape == other.shape)
torch_function("get_device", method="only")(lambda self: -1)
torch_function("is_nonzero", method=True)(lambda input: truth_of(input))


@torch_function("stride", method="only")
def stride(self: Any, dim: Any = None) -> Any:
    """How far apart in memory the neighbours along each axis are."""
    from engine.languages.surfaces.torch.functions.shaping import places_of

    places = places_of(self)
    steps = []
    for axis, length in enumerate(places.shape):
        if length > 1 and places.size:
            first = np.take(places, 1, axis).ravel()[0] - np.take(places, 0, axis).ravel()[0]
            steps.append(int(first))
        else:
            steps.append(int(np.prod(places.shape[axis + 1 :], dtype=int)))
    return tuple(steps) if dim is None else steps[dim]


# -- numbers out of a tensor -----------------------------------------------------------------------------


@torch_function("item", method="only")
def item(self: Any) -> Any:
    """The number of a tensor that holds one."""
    if self.array.size != 1:
        raise torch_error(
            f"a Tensor with {self.array.size} elements cannot be converted to Scalar",
            f"含 {self.array.size} 个元素的张量不能转换成一个数。",
            hint="Take one element, or x.tolist() for all.",
            hint_zh="请取其中一个元素，或用 x.tolist() 得到全部。",
        )
    check_number_wanted(self)
    return self.array.item()


@torch_function("tolist", method="only")
def tolist(self: Any) -> Any:
    """The numbers in nested lists."""
    check_memory_wanted(self)
    return self.array.tolist()


@torch_function("numpy", method="only")
def numpy(self: Any, *, force: Any = False) -> Any:
    """An array of numpy on the same memory."""
    if self.dtype.is_complex:
        raise not_here(
            "A numpy array of complex numbers",
            "numpy 的复数数组",
            "Write z.real.numpy() and z.imag.numpy(), or z.tolist().",
            "请写 z.real.numpy() 和 z.imag.numpy()，或 z.tolist()。",
        )
    if self.dtype is BFLOAT16:
        raise torch_error(
            "Got unsupported ScalarType BFloat16",
            "numpy 没有 bfloat16。",
            kind="TypeError",
            hint="Write x.float().numpy().",
            hint_zh="请写 x.float().numpy()。",
        )
    check_memory_wanted(self)
    if not force:
        self.check_for_numpy()
    if self.steps or self.storage.variable is not None:
        return np.array(self.array)
    if self.storage.shared is None:
        self.storage.share_with(np.array(self.array))
    return self.storage.shared.view()  # another array on the same memory, as each call gives


def truth_of(tensor: Any) -> Any:
    """Whether a tensor of one number counts as true. Raises: RuntimeError's message of PyTorch."""
    check_truth_wanted(tensor)
    if tensor.array.size == 1:
        return bool(tensor.array.item())
    many = "more than one value" if tensor.array.size else "no values"
    raise torch_error(
        f"Boolean value of Tensor with {many} is ambiguous",
        f"含 {tensor.array.size} 个元素的张量没有唯一的真假值。",
        hint="Use .any() or .all().",
        hint_zh="请使用 .any() 或 .all()。",
        code="array_as_bool",
    )


def length_of(tensor: Any) -> Any:
    """`len(x)`. Raises: TypeError's message of PyTorch."""
    if tensor.array.ndim == 0:
        raise torch_error("len() of a 0-d tensor", "零维张量没有 len()。", kind="TypeError")
    return tensor.array.shape[0]


OPERATORS["bool"] = truth_of
OPERATORS["len"] = length_of


def number_of(tensor: Any, kind: str = "float") -> Any:
    """The number for `float(x)` and `int(x)`. Raises: ValueError's message of PyTorch."""
    if tensor.array.size != 1:
        raise torch_error(
            "only one element tensors can be converted to Python scalars",
            "只有含一个元素的张量才能转换成 Python 数。",
            kind="ValueError",
        )
    if tensor.dtype.is_complex and kind != "complex":
        wanted = "double" if kind == "float" else "int64_t"
        raise torch_error(
            f"value cannot be converted to type {wanted} without overflow",
            "复数不能转换成实数。",
            hint="Write abs(z), z.real.item() or z.imag.item().",
            hint_zh="请写 abs(z)、z.real.item() 或 z.imag.item()。",
        )
    return item(tensor)


def _not_rounded(*_: Any) -> Any:
    """`round(x)`. Raises: TypeError, as a tensor of PyTorch has no `__round__`."""
    raise torch_error(
        "type Tensor doesn't define __round__ method",
        "张量不能使用 Python 的 round()。",
        kind="TypeError",
        hint="Write x.round(decimals=2), or round(x.item(), 2) for a number.",
        hint_zh="请写 x.round(decimals=2)；单个数请写 round(x.item(), 2)。",
    )


ROUNDED[Tensor] = _not_rounded


def _not_divided(a: Any, b: Any) -> NoReturn:
    """Raises: TypeError, as PyTorch has no divmod()."""
    names = f"'{python_name(a)}' and '{python_name(b)}'"
    raise TypeError(f"unsupported operand type(s) for divmod(): {names}")


DIVIDED[Tensor] = _not_divided


# -- other types -----------------------------------------------------------------------------------------


@torch_function("to", method="only")
def to_(
    self: Any,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    non_blocking: Any = False,
    copy: Any = False,
    memory_format: Any = None,
) -> Any:
    """The tensor with another element type; every device is this processor."""
    wanted = dtype
    for one in args:
        if isinstance(one, DType) or hasattr(one, "types"):
            wanted = one
        elif isinstance(one, Tensor):
            wanted = one.dtype
        elif isinstance(one, (str, Device)):
            check_device(one)
    if device is not None:
        check_device(device)
    found = dtype_of(wanted) or self.dtype
    return to(self, found)


@torch_function("type", method="only")
def type_(self: Any, dtype: Any = None, non_blocking: Any = False) -> Any:
    """The tensor with another element type, or the name of its type."""
    if dtype is None:
        return f"torch.{self.dtype.scalar_name}Tensor"
    return to(self, dtype_of(dtype))


torch_function("type_as", method="only")(lambda self, other: to(self, other.dtype))
for _name, _dtype in {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
}.items():
    torch_function(_name, method="only")(lambda self, memory_format=None, _to=DTYPES[_dtype]: to(self, _to))


def _here(name: Any) -> Any:
    def call(self: Any, device: Any = None, non_blocking: Any = False, memory_format: Any = None) -> Any:
        if name == "cuda":
            check_device("cuda")
        return self

    call.__doc__ = "The tensor itself: there is only this processor."
    torch_function(name, method="only")(call)


for _name in ("cpu", "cuda", "pin_memory", "share_memory_"):
    _here(_name)


@torch_function("result_type")
def result_type(tensor1: Any, tensor2: Any) -> Any:
    """The type of a result of both."""
    return common_type(tensor1, tensor2)


# -- gradients -------------------------------------------------------------------------------------------


@torch_function("requires_grad_", method="only")
def requires_grad_(self: Any, requires_grad: Any = True) -> Any:
    """Let gradients with respect to this tensor be asked for, or not."""
    check_requires_grad_outside()
    return let_require(self, requires_grad)


def let_require(self: Any, requires_grad: Any) -> Any:
    """The same as a fact, `x.requires_grad = True`."""
    if not isinstance(requires_grad, (bool, np.bool_)):
        raise TypeError
    if not requires_grad:
        if self.grad_fn is not None:
            raise torch_error(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                "variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
                "只能改变叶子张量的 requires_grad；请使用 x.detach()。",
            )
        self.requires = False
        return self
    if not self.dtype.has_gradients:
        raise torch_error(
            "only Tensors of floating point dtype can require gradients",
            "只有浮点类型的张量才能要求梯度。",
            hint="Write x.float().requires_grad_().",
            hint_zh="请写 x.float().requires_grad_()。",
        )
    if self.grad_fn is None:
        require_grad(self)
    return self


@torch_function("retain_grad", method="only")
def retain_grad(self: Any) -> Any:
    """Fill the `grad` of a tensor that is no leaf, too."""
    if not self.requires_grad:
        raise torch_error(
            "can't retain_grad on Tensor that has requires_grad=False",
            "没有 requires_grad 的张量不能 retain_grad。",
        )
    check_retain_grad_outside()
    if self.grad_fn is not None:
        self.retains = True
        self.grad_fn.retaining[self.output] = self


@torch_function("data", method="only")
def _unused(self: Any) -> Any:
    """Never called: `data` is a fact."""
    return data_of(self)


del TENSOR.methods["data"]


@torch_function("set_", method="only")
def set_(self: Any, source: Any) -> Any:
    """Take over another tensor's memory."""
    _set_data(self, source)
    return self


@torch_function("resize_", method="only")
def resize_(self: Any, *sizes: Any, memory_format: Any = None) -> Any:
    """The first of its elements in another shape; those beyond them are not said, here zeros."""
    if self.requires_grad:
        raise torch_error("cannot resize variables that require grad", "不能 resize 要求梯度的张量。")
    shape = lengths(sizes)
    state().graph.meter.check_elements(shape)
    count = int(np.prod(shape, dtype=np.int64))
    flat = OPERATORS["reshape"](self, (-1,))
    present = flat.form.size
    if count > present:
        flat = OPERATORS["cat"]([flat, of_numbers(np.zeros(count - present, self.array.dtype))], 0)
    _set_data(self, OPERATORS["reshape"](OPERATORS["narrow"](flat, 0, 0, count), shape))
    self.version.number += 1
    return self


@torch_function("resize_as_", method="only")
def resize_as_(self: Any, the_template: Any, memory_format: Any = None) -> Any:
    """`resize_` to the shape of another tensor."""
    return resize_(self, tuple(the_template.form.shape))


def augmented(tensor: Any, word: Any, other: Any) -> Any:
    """`x += y`: the tensor itself, changed."""
    check_change(tensor, f"{word}_", [other])
    return change(tensor, OPERATORS[word](tensor, other))


__all__ = ["WRITES", "Size", "detach", "plain"]
