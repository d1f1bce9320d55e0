"""Complex numbers: their parts, conjugates, sizes and angles, and tensors made of these.

The gradient of a real loss with respect to z = x + i y is ∂L/∂x + i ∂L/∂y, as in PyTorch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.engine import FITTING
from engine.languages.surfaces.torch.autograd.function import CONJUGATES, differentiable, view
from engine.languages.surfaces.torch.autograd.in_place import change, in_place
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.comparison import where, zeros_like_value
from engine.languages.surfaces.torch.functions.indexing import copied
from engine.languages.surfaces.torch.functions.shaping import to
from engine.languages.surfaces.torch.registry import TENSOR, torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, note_complex, of_numbers

OF_PARTS = ("float32", "float64")  # the types of the real and the imaginary part


# -- parts -----------------------------------------------------------------------------------------------


@view("SelectBackward0")
def _real(self: Any) -> Any:
    return ops.real(self)


@_real.backward
def _real_backward(saved: Any, grad: Any) -> Any:
    return to(grad, grad.dtype.with_parts)


@view("SelectBackward0")
def _imag(self: Any) -> Any:
    return ops.imag(self)


@_imag.backward
def _imag_backward(saved: Any, grad: Any) -> Any:
    return _complex(zeros_like_value(grad), grad)


_real.on_arrays(lambda places: 2 * places)
_imag.on_arrays(lambda places: 2 * places + 1)


@torch_function("real", method=True)
def real(input: Any) -> Any:
    """The real part; real numbers are their own."""
    return _real(input) if input.dtype.is_complex else input


@torch_function("imag", method=True)
def imag(input: Any) -> Any:
    """The imaginary part. Raises: RuntimeError's message of PyTorch for real numbers."""
    if not input.dtype.is_complex:
        raise torch_error(
            "imag is not implemented for tensors with non-complex dtypes.",
            f"{input.dtype.name} 张量没有虚部。",
        )
    return _imag(input)


for _name in ("real", "imag"):
    del TENSOR.methods[_name]
TENSOR.fact("real")(real)
TENSOR.fact("imag")(imag)
TENSOR.settable["real"] = lambda tensor, new: _set_part(real(tensor), new)
TENSOR.settable["imag"] = lambda tensor, new: _set_part(imag(tensor), new)
FITTING["real"] = real


def _set_part(part: Any, new: Any) -> None:
    """`z.real = x`: written into the memory of the complex numbers."""
    source = new if isinstance(new, Tensor) else of_numbers(np.asarray(new, part.dtype.name))
    change(part, copied(part, source))


# -- conjugates ------------------------------------------------------------------------------------------


@view("ConjBackward0")
def _conj(self: Any) -> Any:
    return ops.conj(self)


@_conj.backward
def _conj_backward(saved: Any, grad: Any) -> Any:
    return conj(grad)


_conj.on_arrays(lambda places: places)


@torch_function("conj", method=True)
def conj(input: Any) -> Any:
    """The conjugates; real numbers are their own."""
    return _conj(input) if input.dtype.is_complex else input


CONJUGATES["of"] = conj


@differentiable("ConjPhysicalBackward0")
def _conj_physical(self: Any) -> Any:
    return ops.conj(self)


_conj_physical.backward(_conj_backward)


@torch_function("conj_physical", method=True)
def conj_physical(input: Any) -> Any:
    """The conjugates in memory of their own."""
    return _conj_physical(input) if input.dtype.is_complex else input


torch_function("conj_physical_", method="only")(in_place(conj_physical))


@torch_function("resolve_conj", method=True)
def resolve_conj(input: Any) -> Any:
    """The same numbers, written out."""
    return OPERATORS["clone"](input) if is_conj(input) else input


@torch_function("is_conj", method=True)
def is_conj(input: Any) -> bool:
    """Whether it shows the conjugates of what is in its memory."""
    return sum(step.function is _conj for step in input.steps) % 2 == 1


# -- sizes, angles, signs --------------------------------------------------------------------------------


@differentiable("AbsBackward0", saves="self")
def _distance(self: Any) -> Any:
    return ops.complex_abs(self)


@_distance.backward
def _distance_backward(saved: Any, grad: Any) -> Any:
    return grad * sign_of(saved.self)


@differentiable("AngleBackward0", saves="self")
def _angle(self: Any) -> Any:
    return ops.angle(self)


@_angle.backward
def _angle_backward(saved: Any, grad: Any) -> Any:
    """i z / |z|², 0 where z is."""
    z = saved.self
    x, y = real(z), _imag(z)
    square = x * x + y * y
    is_zero = OPERATORS["eq"](square, 0)
    return where(is_zero, zeros_like_value(z), grad * 1j * z / where(is_zero, square + 1, square))


@differentiable("SgnBackward0", saves="self result")
def sign_of(self: Any) -> Any:
    """z / |z|, 0 where z is."""
    size = ops.complex_abs(self)
    is_zero = ops.equal(size, ops.zeros_like(size))
    safe = ops.complex_of(ops.select(is_zero, ops.ones_like(size), size), ops.zeros_like(size))
    return ops.divide(self, safe)


@sign_of.backward
def _sign_of_backward(saved: Any, grad: Any) -> Any:
    """(ȳ - Re(ȳ conj s) s) / |z|, 0 where z is."""
    z, s = saved.self, saved.result
    size = _distance(z)
    is_zero = OPERATORS["eq"](size, 0)
    across = grad - real(grad * conj(s)) * s
    return where(is_zero, zeros_like_value(across), across / where(is_zero, size + 1, size))


for _function in (_real, _imag, _conj, _conj_physical, _distance, _angle, sign_of):
    _function.is_analytic = False


OPERATORS["distance"], OPERATORS["sign_of"] = _distance, sign_of


@torch_function("angle", method=True)
def angle(input: Any, *, out: Any = None) -> Any:
    """The angle with the positive real axis in radians: of real numbers 0 or π."""
    if input.dtype.is_complex:
        return _angle(input)
    array = input.array
    found = np.where(array < 0, np.pi, np.where(array == array, 0, array))
    kind = input.dtype.held_as if input.dtype.is_floating else "float32"
    return of_numbers(found.astype(kind))


# -- made of parts ---------------------------------------------------------------------------------------


@differentiable("ComplexBackward0", inputs="real imag")
def _complex(real: Any, imag: Any) -> Any:
    return ops.complex_of(real, imag)


@_complex.backward
def _complex_backward(saved: Any, grad: Any) -> Any:
    return lambda: real(grad), lambda: imag_of(grad)


def imag_of(tensor: Tensor) -> Any:
    """The imaginary part, 0 of what is real."""
    return _imag(tensor) if tensor.dtype.is_complex else zeros_like_value(tensor)


def _check_parts(a: Tensor, b: Tensor) -> None:
    """Raises: RuntimeError's messages of PyTorch where these are no two parts of one number."""
    kinds = [one.dtype.scalar_name for one in (a, b)]
    if not all(one.dtype.name in OF_PARTS for one in (a, b)):
        raise torch_error(
            f"Expected both inputs to be Half, Float or Double tensors but got {kinds[0]} and {kinds[1]}",
            f"两个部分必须是浮点张量，而这里是 {kinds[0]} 和 {kinds[1]}。",
        )
    if a.dtype is not b.dtype:
        raise torch_error(
            f"Expected object of scalar type {kinds[0]} but got scalar type {kinds[1]} for second argument",
            f"两个部分的元素类型不同：{kinds[0]} 与 {kinds[1]}。",
        )


@torch_function("complex")
def complex_(real: Any, imag: Any, *, out: Any = None) -> Any:
    """real + i imag."""
    _check_parts(real, imag)
    note_complex(True)
    return _complex(real, imag)


@differentiable("PolarBackward0", saves="result", inputs="abs angle")
def _polar(abs: Any, angle: Any) -> Any:
    return ops.complex_of(ops.mul(abs, ops.cos(angle)), ops.mul(abs, ops.sin(angle)))


@_polar.backward
def _polar_backward(saved: Any, grad: Any) -> Any:
    """Re(ȳ conj s) for the size, Re(ȳ conj(i z)) for the angle."""
    z = saved.result
    return lambda: real(conj(grad) * sign_of(z)), lambda: real(conj(grad) * (z * 1j))


for _function in (_complex, _polar):
    _function.is_analytic = False


@torch_function("polar")
def polar(abs: Any, angle: Any, *, out: Any = None) -> Any:
    """abs (cos angle + i sin angle)."""
    _check_parts(abs, angle)
    note_complex(True)
    return _polar(abs, angle)


@view("ViewAsRealBackward0")
def _view_as_real(self: Any) -> Any:
    return ops.stack([ops.real(self), ops.imag(self)], axis=-1)


@_view_as_real.backward
def _view_as_real_backward(saved: Any, grad: Any) -> Any:
    return view_as_complex(grad)


@view("ViewAsComplexBackward0")
def _view_as_complex(self: Any) -> Any:
    return ops.complex_of(*ops.unstack(self, axis=-1))


@_view_as_complex.backward
def _view_as_complex_backward(saved: Any, grad: Any) -> Any:
    return view_as_real(to(grad, grad.dtype.with_parts))


_view_as_real.on_arrays(lambda places: np.stack([2 * places, 2 * places + 1], axis=-1))
_view_as_complex.on_arrays(lambda places: places[..., 0] // 2)
_real.put_back = lambda whole, part: ops.complex_of(part, ops.imag(whole))
_imag.put_back = lambda whole, part: ops.complex_of(ops.real(whole), part)
_conj.put_back = lambda whole, part: ops.conj(part)
_view_as_real.put_back = lambda whole, part: ops.complex_of(*ops.unstack(part, axis=-1))
_view_as_complex.put_back = lambda whole, part: ops.stack([ops.real(part), ops.imag(part)], axis=-1)


@torch_function("view_as_real")
def view_as_real(input: Any) -> Any:
    """Both parts along a last axis of their own. Shapes: (*S) -> (*S, 2)."""
    if not input.dtype.is_complex:
        raise torch_error(
            "view_as_real is only supported for complex tensors", "view_as_real 只适用于复数张量。"
        )
    return _view_as_real(input)


@torch_function("view_as_complex")
def view_as_complex(input: Any) -> Any:
    """The numbers whose parts stand along the last axis. Shapes: (*S, 2) -> (*S)."""
    if input.dtype.name not in OF_PARTS:
        raise torch_error(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of "
            f"scalar type: {input.dtype.scalar_name}",
            "view_as_complex 只适用于浮点张量。",
        )
    if not input.form.ndim or input.shape[-1] != 2:
        raise torch_error("Tensor must have a last dimension of size 2", "最后一维的长度必须是 2。")
    note_complex(True)
    return _view_as_complex(input)


@torch_function("isreal", method=True)
def isreal(input: Any) -> Any:
    """Which elements have no imaginary part."""
    if input.dtype.is_complex:
        return OPERATORS["eq"](_imag(input), 0)
    return OPERATORS["eq"](OPERATORS["zeros_like"](input), 0)
