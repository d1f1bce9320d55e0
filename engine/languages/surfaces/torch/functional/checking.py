"""`torch.autograd.gradcheck`: gradients beside differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.autograd.calls import as_tuple
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.derivatives import (
    Call,
    fresh,
    gradients,
    jacobian_of,
    zeros_like,
)
from engine.languages.surfaces.torch.functions.creation.alike import ones_like
from engine.languages.surfaces.torch.functions.shaping import detach
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, require_grad, tensors_in
from engine.ops.base.tensors import Array


@torch_function("autograd.gradcheck")
def gradcheck(
    interpreter: Interpreter,
    func: Any,
    inputs: Any,
    *,
    eps: Any = 1e-06,
    atol: Any = 1e-05,
    rtol: Any = 0.001,
    raise_exception: Any = True,
    nondet_tol: Any = 0.0,
    check_undefined_grad: Any = True,
    check_grad_dtypes: Any = False,
    fast_mode: Any = False,
) -> bool:
    """Whether the gradients of a function agree with differences; else an error with both."""
    given = list(as_tuple(inputs))
    func, given = _of_parts(func, given)
    floats = [one for one in given if isinstance(one, Tensor) and one.requires_grad]
    call = Call(interpreter, func, tuple(given), create=False)
    rows = jacobian_of(call.ys, call.xs, create=False)
    for place, one in enumerate(given):
        if not any(one is other for other in floats):
            continue
        numeric = _differences(interpreter, func, given, place, float(eps))
        for output, (row, found) in enumerate(zip(rows, numeric, strict=True)):
            exact = row[place].array.reshape(found.shape)
            if not np.allclose(exact, found, rtol=rtol, atol=atol):
                if not raise_exception:
                    return False
                raise _mismatch(output, place, found, exact)
    return True


@torch_function("autograd.gradgradcheck")
def gradgradcheck(
    interpreter: Interpreter, func: Any, inputs: Any, grad_outputs: Any = None, **settings: Any
) -> bool:
    """Whether the gradients of the gradients of a function agree with differences."""
    given = list(as_tuple(inputs))
    places = [i for i, one in enumerate(given) if isinstance(one, Tensor) and one.requires_grad]

    def gradient(*args: Any) -> tuple[Tensor, ...]:
        with recording(True):
            xs = [fresh(args[i], create=True) if args[i].requires_grad else _input(args[i]) for i in places]
            values = [xs[places.index(i)] if i in places else one for i, one in enumerate(args)]
            ys = tensors_in([interpreter.call(func, values, {})])
            seeds = [ones_like(y) for y in ys] if grad_outputs is None else list(as_tuple(grad_outputs))
            found = gradients(ys, xs, seeds, create=True)
        return tuple(zeros_like(x) if one is None else one for one, x in zip(found, xs, strict=True))

    settings.pop("gen_non_contig_grad_outputs", None)
    return bool(gradcheck(interpreter, Native("gradient", gradient), inputs, **settings))


def _input(tensor: Tensor) -> Tensor:
    made: Tensor = detach(tensor)
    return require_grad(made)


def _differences(
    interpreter: Interpreter, func: Any, given: list[Any], place: int, eps: float
) -> list[Array]:
    """For each output the central differences with respect to every element of one input."""
    columns: list[list[Array]] = []
    base = np.array(given[place].array)
    for index in range(base.size):
        sides = []
        for step in (eps, -eps):
            moved = base.copy()
            moved.flat[index] += step
            arguments = [*given[:place], of_numbers(moved), *given[place + 1 :]]
            with recording(False):
                sides.append([y.array for y in tensors_in([interpreter.call(func, arguments, {})])])
        columns.append([(a - b).ravel() / (2 * eps) for a, b in zip(*sides, strict=True)])
    return [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]


def _of_parts(func: Any, given: list[Any]) -> tuple[Any, list[Any]]:
    """A function of complex numbers as one of their real and imaginary parts, as are its results."""
    places = [i for i, one in enumerate(given) if isinstance(one, Tensor) and one.dtype.is_complex]
    if not places:
        return Native("func", lambda interpreter, *args: _parts_of(interpreter.call(func, args, {}))), given

    def of_parts(interpreter: Interpreter, *args: Any) -> Any:
        whole = [OPERATORS["view_as_complex"](one) if i in places else one for i, one in enumerate(args)]
        return _parts_of(interpreter.call(func, whole, {}))

    return Native("func", of_parts), [
        _leaf_of_parts(one) if i in places else one for i, one in enumerate(given)
    ]


def _parts_of(ys: Any) -> tuple[Tensor, ...]:
    return tuple(OPERATORS["view_as_real"](y) if y.dtype.is_complex else y for y in tensors_in([ys]))


def _leaf_of_parts(tensor: Tensor) -> Tensor:
    parts = OPERATORS["clone"](OPERATORS["view_as_real"](detach(tensor)))
    return require_grad(parts) if tensor.requires_grad else parts


def _mismatch(output: int, place: int, numeric: Array, exact: Array) -> Exception:
    return torch_error(
        f"Jacobian mismatch for output {output} with respect to input {place},\n"
        f"numerical:{numeric.T}\nanalytical:{exact.T}\n",
        f"第 {output} 个输出对第 {place} 个输入的雅可比矩阵与差分不一致。",
        kind="GradcheckError",
    )
