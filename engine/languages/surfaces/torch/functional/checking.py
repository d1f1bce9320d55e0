"""`torch.autograd.gradcheck`: gradients beside differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.autograd.calls import as_tuple
from engine.languages.surfaces.torch.autograd.nodes import Meta, Node, gradient_edge
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.derivatives import (
    fresh,
    gradients,
    jacobian_of,
    zeros_like,
)
from engine.languages.surfaces.torch.functions.shaping import detach
from engine.languages.surfaces.torch.random.filling import uniform_
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, require_grad, tensors_in
from engine.languages.surfaces.torch.text import shown
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
    func, given = _of_parts(func, list(as_tuple(inputs)))
    xs = [(place, one) for place, one in enumerate(given) if isinstance(one, Tensor) and one.requires_grad]
    if not xs:
        raise torch_error(
            "gradcheck expects at least one input tensor to require gradient, but none of them have "
            "requires_grad=True.",
            "gradcheck 至少需要一个要求梯度（requires_grad=True）的输入。",
            kind="ValueError",
        )
    checked = Checked(interpreter, func, given, xs)
    try:
        checked.beside_differences(float(eps), float(atol), float(rtol), float(nondet_tol))
        if checked.ys:
            checked.proportional()
        if checked.ys and check_undefined_grad:
            checked.without_gradients()
    except ProgramError as error:
        if raise_exception or error.kind != GRADCHECK_ERROR:
            raise
        return False
    return True


GRADCHECK_ERROR = "GradcheckError"


class Checked:
    """A function of the program with what it is checked at.

    xs: the inputs that ask for a gradient, with their places among all.
    ys: the outputs that have one.
    """

    def __init__(
        self, interpreter: Interpreter, func: Any, given: list[Any], xs: list[tuple[int, Tensor]]
    ) -> None:
        self.interpreter = interpreter
        self.func = func
        self.given = given
        self.xs = xs
        self.outputs = self._call(given)
        self.ys = [y for y in self.outputs if y.requires_grad]

    def _call(self, arguments: list[Any]) -> list[Tensor]:
        with recording(True):
            return tensors_in([self.interpreter.call(self.func, arguments, {})])

    def beside_differences(self, eps: float, atol: float, rtol: float, most_apart: float) -> None:
        """Raises: GradcheckError where a Jacobian matrix is not what differences give."""
        numeric = [self._differences(place, eps) for place, _ in self.xs]
        if not self.ys:
            if any(found.any() for columns in numeric for found in columns):
                raise _failed(
                    "Numerical gradient for function expected to be zero",
                    "函数的输出没有梯度，差分却不为零。",
                )
            return
        inputs = [x for _, x in self.xs]
        for output, y in enumerate(self.outputs):
            if not y.requires_grad:
                continue
            row, again = (jacobian_of([y], inputs, create=False)[0] for _ in range(2))
            pairs = zip(row, again, strict=True)
            if any(np.abs(a.array - b.array).max(initial=0.0) > most_apart for a, b in pairs):
                raise _not_reentrant(most_apart)
            for (place, _), exact, columns in zip(self.xs, row, numeric, strict=True):
                found = columns[output]
                if not np.allclose(exact.array.reshape(found.shape), found, rtol=rtol, atol=atol):
                    raise _mismatch(output, place, found, exact.array.reshape(found.shape))

    def _differences(self, place: int, eps: float) -> list[Array]:
        """For each output the central differences with respect to every element of one input."""
        columns: list[list[Array]] = []
        base = np.array(self.given[place].array)
        for index in range(base.size):
            sides = []
            for step in (-eps, eps):
                moved = base.copy()
                moved.flat[index] += step
                arguments = [*self.given]
                arguments[place] = fresh(of_numbers(moved), create=False)
                sides.append([y.array for y in self._call(arguments)])
            columns.append([(b - a).ravel() / (2 * eps) for a, b in zip(*sides, strict=True)])
        return [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]

    def proportional(self) -> None:
        """Raises: GradcheckError where a gradient of 0 at the outputs does not give 0 at the inputs."""
        if self._gives_numbers(self.ys):
            raise _failed(
                "backward not multiplied by grad_output",
                "backward 没有乘以 grad_output。",
                hint="By the chain rule each gradient is grad_output times the derivative.",
                hint_zh="按链式法则，每个梯度都是 grad_output 乘以导数。",
            )

    def without_gradients(self) -> None:
        """Raises: GradcheckError where outputs that receive no gradient give one all the same."""
        places = range(len(self.ys))
        which = [set(places), *({place} for place in places if len(self.ys) > 1)]
        calls = [[y for y in self._call(self.given) if y.requires_grad] for _ in which]
        for ys, silent in zip(calls, which, strict=True):
            if self._gives_numbers([_silent(y) if place in silent else y for place, y in enumerate(ys)]):
                raise _failed(
                    "Expected all input grads to be undefined or zero when all output grads are undefined or "
                    "zero. Please look at 'Notes about undefined output gradients' in "
                    "'tools/autograd/derivatives.yaml'",
                    "输出没有收到梯度时，输入的梯度也必须为零或 None。",
                )

    def _gives_numbers(self, ys: list[Tensor]) -> bool:
        """Whether zeros sent back from the outputs come to an input as anything else."""
        seeds = [zeros_like(y) for y in ys]
        with recording(False):
            found = gradients(ys, [x for _, x in self.xs], seeds, create=False)
        return any(one is not None and one.array.any() for one in found)


class Silent(Node):
    """Sends no gradient on, whatever comes to it."""

    def apply(self, grads: list[Tensor | None], needed: Sequence[bool]) -> Sequence[Tensor | None]:
        """None for its one input."""
        return [None]


def _silent(y: Tensor) -> Tensor:
    """An output whose gradient does not reach the function."""
    node = Silent("UndefinedGrad", [gradient_edge(y)])
    node.outputs = [Meta(y.shape, y.dtype)]
    made: Tensor = detach(y)
    made.node, made.node_version = node, made.version.number
    return made


@torch_function("autograd.gradgradcheck")
def gradgradcheck(
    interpreter: Interpreter, func: Any, inputs: Any, grad_outputs: Any = None, **settings: Any
) -> bool:
    """Whether the gradients of the gradients of a function agree with differences."""
    given = list(as_tuple(inputs))
    places = [i for i, one in enumerate(given) if isinstance(one, Tensor) and one.requires_grad]
    if grad_outputs is None:
        seeds = [_drawn_like(y) for y in tensors_in([interpreter.call(func, given, {})]) if y.requires_grad]
    else:
        seeds = list(as_tuple(grad_outputs))

    def gradient(*args: Any) -> tuple[Tensor, ...]:
        args, weights = args[: len(given)], args[len(given) :]
        with recording(True):
            xs = [fresh(args[i], create=True) if args[i].requires_grad else _input(args[i]) for i in places]
            values = [xs[places.index(i)] if i in places else one for i, one in enumerate(args)]
            ys = [y for y in tensors_in([interpreter.call(func, values, {})]) if y.requires_grad]
            found = gradients(ys, xs, list(weights), create=True)
        return tuple(zeros_like(x) if one is None else one for one, x in zip(found, xs, strict=True))

    settings.pop("gen_non_contig_grad_outputs", None)
    return bool(gradcheck(interpreter, Native("gradient", gradient), (*given, *seeds), **settings))


def _drawn_like(y: Tensor) -> Tensor:
    """Numbers between -1 and 1 as weights of a result. Shapes: y (*S) -> (*S)."""
    drawn: Tensor = uniform_(zeros_like(y), -1.0, 1.0)
    return require_grad(drawn)


def _input(tensor: Tensor) -> Tensor:
    made: Tensor = detach(tensor)
    return require_grad(made)


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


def _failed(message: str, message_zh: str, hint: str = "", hint_zh: str = "") -> ProgramError:
    return torch_error(message, message_zh, kind=GRADCHECK_ERROR, hint=hint, hint_zh=hint_zh)


def _mismatch(output: int, place: int, numeric: Array, exact: Array) -> ProgramError:
    return _failed(
        f"Jacobian mismatch for output {output} with respect to input {place},\n"
        f"numerical:{shown(of_numbers(numeric.T))}\nanalytical:{shown(of_numbers(exact.T))}\n",
        f"第 {output} 个输出对第 {place} 个输入的雅可比矩阵与差分不一致。",
    )


def _not_reentrant(most_apart: float) -> ProgramError:
    return _failed(
        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
        "gives different values, although analytical gradient matches numerical gradient.The tolerance for "
        f"nondeterminism was {most_apart}.",
        "用同样的输入和 grad_output 多次运行 backward，得到的梯度不同。",
    )
