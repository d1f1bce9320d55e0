"""`torch.func`: functions made of functions: grad, jacrev, jacfwd, jvp, vjp, hessian."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.languages.interpreter.builtins.records import like
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.calls import check_shape_of_seed
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.derivatives import (
    forward_products,
    fresh,
    gradients,
    jacobian_of,
    zeros_like,
)
from engine.languages.surfaces.torch.functional.levels import transforming
from engine.languages.surfaces.torch.functions.shaping import detach
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, tensors_in


def mapped(value: Any, function: Callable[[Tensor], Any]) -> Any:
    """The tensors of nested lists, tuples and dicts exchanged."""
    if isinstance(value, Tensor):
        return function(value)
    if isinstance(value, dict):
        return {key: mapped(one, function) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return like(value, [mapped(one, function) for one in value])
    return value


class Inside:
    """A call of a function inside of a transformation: some arguments are inputs of its own.

    What it computes can be differentiated further where the arguments, or what the function closes over, are
    inputs of an outer transformation.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        func: Any,
        args: Any,
        keywords: Any,
        argnums: Any,
        *,
        has_aux: bool,
        kind: str = "grad",
    ) -> None:
        self.numbers = argnums if isinstance(argnums, tuple) else (argnums,)
        self.is_tuple = isinstance(argnums, tuple)
        given = list(args)
        for number in self.numbers:
            if not -len(given) <= number < len(given):
                raise torch_error(
                    f"Got argnum={number}, but only {len(given)} positional inputs",
                    f"没有第 {number} 个参数。",
                )
            check_input(given[number])
            with recording(True):
                given[number] = mapped(given[number], _input)
        self.inputs = [given[number] for number in self.numbers]
        self.xs = tensors_in(self.inputs)
        with recording(True), transforming(kind, [args, keywords, self.xs], self.xs):
            found = interpreter.call(func, given, keywords)
        self.aux = None
        if has_aux:
            found, aux = found
            self.aux = mapped(aux, lambda one: finished([one], self.xs)[0])
        self.output = found
        self.ys = tensors_in([found])

    def shaped(self, parts: list[Any]) -> Any:
        """One part for each input, in the form of the inputs."""
        waiting = iter(parts)
        made = tuple(mapped(one, lambda _: next(waiting)) for one in self.inputs)
        return made if self.is_tuple else made[0]

    def answer(self, result: Any, *, has_aux: bool) -> Any:
        """The result, with what the function gives besides."""
        return (result, self.aux) if has_aux else result


def check_input(value: Any) -> None:
    """Raises: the messages of PyTorch for an input that cannot be differentiated by: 2.0, whole numbers."""
    if isinstance(value, (bool, int, float)):
        kind = f"<class '{python_name(value)}'>"
        raise torch_error(
            f"Thing passed to transform API must be Tensor, got {kind}",
            f"要对其求导的参数必须是张量，不能是 {kind}。",
            kind="ValueError",
            hint="Write torch.tensor(2.0).",
            hint_zh="请写 torch.tensor(2.0)。",
        )
    if any(not one.dtype.has_gradients for one in tensors_in([value])):
        raise torch_error(
            "only Tensors of floating point dtype can require gradients",
            "只能对浮点张量求导。",
            hint="Write x.float().",
            hint_zh="请写 x.float()。",
        )


def _input(tensor: Tensor) -> Any:
    """An input of its own, which keeps its way back to outer transformations."""
    return fresh(tensor, create=tensor.requires_grad)


def _slopes(inside: Inside) -> list[Tensor]:
    if not isinstance(inside.output, Tensor):
        kind = f"<class '{python_name(inside.output)}'>"
        raise torch_error(
            f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {kind}",
            f"grad 的函数必须返回张量，不能返回 {kind}。",
        )
    if len(inside.ys) != 1 or inside.ys[0].array.ndim != 0 or inside.output is not inside.ys[0]:
        shape = list(inside.ys[0].shape) if inside.ys else []
        raise torch_error(
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
            f"{len(shape)} dims. Maybe you wanted to use the "
            "vjp or jacrev APIs instead?",
            "grad 的函数必须返回零维张量；请改用 vjp 或 jacrev。",
        )
    (y,) = inside.ys
    found = gradients([y], inside.xs, [OPERATORS["ones_like"](y)], create=True)
    return [zeros_like(x) if g is None else g for x, g in zip(inside.xs, found, strict=True)]


def _transformation(name: str, call: Callable[..., Any]) -> Native:
    return Native(name, call)


@torch_function("func.grad_and_value")
def grad_and_value(func: Any, argnums: Any = 0, has_aux: Any = False) -> Native:
    """A function that gives the gradient and the value."""

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        inside = Inside(interpreter, func, args, keywords, argnums, has_aux=bool(has_aux))
        with recording(True):
            slopes = inside.shaped(finished(_slopes(inside), inside.xs))
        value = finished([inside.output], inside.xs)[0]
        return slopes, ((value, inside.aux) if has_aux else value)

    return _transformation("grad_and_value", call)


@torch_function("func.grad")
def grad(func: Any, argnums: Any = 0, has_aux: Any = False) -> Native:
    """A function that gives the gradient."""

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        inside = Inside(interpreter, func, args, keywords, argnums, has_aux=bool(has_aux))
        with recording(True):
            slopes = inside.shaped(finished(_slopes(inside), inside.xs))
        return inside.answer(slopes, has_aux=bool(has_aux))

    return _transformation("grad", call)


def finished(parts: list[Tensor], own: list[Tensor]) -> list[Tensor]:
    """Results: cut off where only the transformation's own inputs, and those of transformations inside of it,
    ask for gradients of them.
    """
    inputs: dict[int, Tensor] = state().parts.setdefault("inputs_of_transformations", {})
    inputs.update((id(one), one) for one in own)
    return [one if _leads_elsewhere(one, inputs) else detach(one) for one in parts]


def _is_outside(leaf: Tensor, own: Mapping[int, Tensor]) -> bool:
    """Whether a leaf is none of these, and was not made by a function that is differentiated."""
    return id(leaf) not in own and all(level.kind == "vmap" for level in leaf.storage.levels)


def _leads_elsewhere(tensor: Tensor, own: Mapping[int, Tensor]) -> bool:
    """Whether a gradient would go on to a leaf that is none of these."""
    if tensor.grad_fn is None:
        return tensor.requires_grad and id(tensor) not in own
    seen, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, AccumulateGrad) and _is_outside(node.variable, own):
            return True
        waiting += [edge.node for edge in node.next_edges if edge is not None]
    return False


@torch_function("func.jacrev")
def jacrev(func: Any, argnums: Any = 0, *, has_aux: Any = False, chunk_size: Any = None) -> Native:
    """A function that gives the derivative of every output by every input, row by row."""
    return _jacobian("jacrev", func, argnums, bool(has_aux))


def _jacobian(name: str, func: Any, argnums: Any, has_aux: bool) -> Native:

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        kind = "jacfwd" if name == "jacfwd" else "grad"
        inside = Inside(interpreter, func, args, keywords, argnums, has_aux=has_aux, kind=kind)
        with recording(True):
            rows = jacobian_of(inside.ys, inside.xs, create=True)
        waiting = iter([inside.shaped(finished(row, inside.xs)) for row in rows])
        return inside.answer(mapped(inside.output, lambda _: next(waiting)), has_aux=has_aux)

    return _transformation(name, call)


@torch_function("func.jacfwd")
@takes_only(randomness=("error", "different"))
def jacfwd(func: Any, argnums: Any = 0, has_aux: Any = False, *, randomness: Any = "error") -> Native:
    """The same, column by column: the same numbers."""
    return _jacobian("jacfwd", func, argnums, bool(has_aux))


@torch_function("func.hessian")
def hessian(func: Any, argnums: Any = 0) -> Native:
    """A function that gives the second derivatives."""
    return jacfwd(jacrev(func, argnums), argnums)  # type: ignore[no-any-return]


@torch_function("func.vjp")
def vjp(interpreter: Interpreter, func: Any, *primals: Any, has_aux: Any = False) -> Any:
    """The outputs, and a function that multiplies the jacobian by a vector from the left."""
    numbers = tuple(range(len(primals)))
    inside = Inside(interpreter, func, primals, {}, numbers, has_aux=bool(has_aux))
    output = mapped(inside.output, lambda one: finished([one], inside.xs)[0])

    def back(cotangents: Any, retain_graph: Any = True, create_graph: Any = None) -> Any:
        seeds = tensors_in([cotangents])
        for place, (seed, y) in enumerate(zip(seeds, inside.ys, strict=False)):
            check_shape_of_seed(place, seed, y)
        with recording(True):
            found = gradients(inside.ys, inside.xs, seeds, create=True)
        parts = [zeros_like(x) if g is None else g for x, g in zip(inside.xs, found, strict=True)]
        return inside.shaped(finished(parts, inside.xs))

    made = Native("vjp_fn", back)
    return (output, made, inside.aux) if has_aux else (output, made)


def _check_tangents(primals: Any, tangents: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where tangents do not belong to the inputs."""
    if not isinstance(primals, tuple):
        raise torch_error(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call "
            "f(*primals).",
            "jvp 的 primals 必须是元组。",
            hint="Write (x,).",
            hint_zh="请写 (x,)。",
        )
    for x, v in zip(tensors_in(primals), tensors_in([tangents]), strict=False):
        if x.shape != v.shape:
            raise torch_error(
                "Trying to set a forward gradient that has a different size than that of the original "
                f"Tensor, this is not supported. Tensor is of size {list(x.shape)} while the given forward "
                f"gradient is of size {list(v.shape)}.",
                f"切向量的形状 {list(v.shape)} 应与输入的形状 {list(x.shape)} 相同。",
                code="shape_mismatch",
            )


@torch_function("func.jvp")
def jvp(
    interpreter: Interpreter,
    func: Any,
    primals: Any,
    tangents: Any,
    *,
    strict: Any = False,
    has_aux: Any = False,
) -> Any:
    """The outputs, and the jacobian times the tangents."""
    _check_tangents(primals, tangents)
    numbers = tuple(range(len(primals)))
    inside = Inside(interpreter, func, primals, {}, numbers, has_aux=bool(has_aux), kind="jvp")
    products, duals = forward_products(inside.ys, inside.xs, tensors_in([tangents]), create=True)
    waiting = iter(finished(products, [*inside.xs, *duals]))
    output = mapped(inside.output, lambda one: finished([one], inside.xs)[0])
    tangent = mapped(inside.output, lambda _: next(waiting))
    return (output, tangent, inside.aux) if has_aux else (output, tangent)


@torch_function("func.linearize")
def linearize(interpreter: Interpreter, func: Any, *primals: Any) -> Any:
    """The outputs, and the jacobian as a function."""
    output, _ = vjp(interpreter, func, *primals)

    def forward(interpreter: Interpreter, *tangents: Any) -> Any:
        return jvp(interpreter, func, primals, tangents)[1]

    return output, Native("jvp_fn", forward)
