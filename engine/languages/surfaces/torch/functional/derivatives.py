"""`torch.autograd.functional`: jacobian, hessian, and products with them, of a function of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import ops
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.autograd.calls import as_tuple
from engine.languages.surfaces.torch.autograd.engine import Pass
from engine.languages.surfaces.torch.autograd.nodes import gradient_edge
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import check_requires_grad_outside
from engine.languages.surfaces.torch.functions.shaping import detach, reshape, stack, view_as
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_value


def gradients(
    ys: list[Tensor], xs: list[Tensor], seeds: list[Tensor], *, create: bool
) -> list[Tensor | None]:
    """d(ys · seeds)/dx for each x, None where nothing joins them."""
    used = [(y, seed) for y, seed in zip(ys, seeds, strict=True) if y.requires_grad]
    edges = [gradient_edge(x) for x in xs]
    wanted = [edge for edge in edges if edge is not None]
    if not used or not wanted:
        return [None] * len(xs)
    sweep = Pass(keep_graph=True, create_graph=create, wanted=wanted, accumulate=False)
    with state().graph.name_scope("gradients"):
        sweep.run([gradient_edge(y) for y, _ in used], [seed for _, seed in used])  # type: ignore[misc]  # they have one
    state().graph.after_gradient()
    return [None if edge is None else sweep.found.get(sweep.wanted[edge.node, edge.index]) for edge in edges]


def zeros_like(tensor: Tensor) -> Tensor:
    """Zeros in the shape and type of a tensor."""
    return of_value(ops.zeros(list(tensor.shape), dtype=tensor.dtype.held_as))


def fresh(tensor: Tensor, *, create: bool) -> Any:
    """The same value as an input of its own; with `create` one that gradients follow further back."""
    if create and tensor.requires_grad:
        made = view_as(tensor, tensor)
    else:
        made = detach(tensor)
        made.requires = True
    return made


def row_seeds(y: Tensor) -> list[Tensor]:
    """For each element of a tensor a gradient that is 1 there and 0 elsewhere."""
    count = int(y.array.size)
    state().graph.meter.check_elements((count, count))
    rows = OPERATORS["eye"](count, dtype=y.dtype)
    return [reshape(rows[place], y.shape) for place in range(count)]


def jacobian_of(
    ys: list[Tensor], xs: list[Tensor], *, create: bool, strict: bool = False
) -> list[list[Tensor]]:
    """For each y and each x the derivative of every element with respect to every element.

    Shapes: y (*Y), x (*X) -> (*Y, *X).
    """
    found = []
    for y in ys:
        rows: list[list[Tensor]] = [[] for _ in xs]
        with recording(create):
            for seed in row_seeds(y):
                for place, (g, x) in enumerate(
                    zip(gradients([y], xs, [seed], create=create), xs, strict=True)
                ):
                    if g is None and strict:
                        raise _not_joined(y)
                    rows[place].append(zeros_like(x) if g is None else g)
            found.append(
                [reshape(stack(parts, 0), (*y.shape, *x.shape)) for parts, x in zip(rows, xs, strict=True)]
            )
    return found


def _not_joined(y: Tensor) -> Exception:
    if not y.requires_grad:
        return torch_error(
            "Output 0 of the user-provided function does not require gradients. The outputs must be computed "
            "in a differentiable manner from the input when running in strict mode.",
            "函数的输出不要求梯度，strict 模式下不允许。",
        )
    return torch_error(
        "Output 0 of the user-provided function is independent of input 0. This is not allowed in strict "
        "mode.",
        "函数的输出与输入无关，strict 模式下不允许。",
    )


class Call:
    """One call of a function of the program on inputs of its own."""

    def __init__(self, interpreter: Interpreter, func: Any, inputs: Any, *, create: bool) -> None:
        check_requires_grad_outside()
        self.is_tuple = isinstance(inputs, (list, tuple))
        self.create = create
        with recording(True):
            self.xs = [fresh(x, create=create) for x in as_tuple(inputs)]
            output = interpreter.call(func, list(self.xs), {})
        self.several = isinstance(output, (tuple, list))
        self.ys = list(output) if isinstance(output, (tuple, list)) else [output]
        for y in self.ys:
            if not isinstance(y, Tensor):
                raise torch_error(
                    "The outputs of the user-provided function given to jacobian must be either a Tensor "
                    "or a tuple of "
                    "Tensors but the given outputs of the user-provided function has type "
                    f"<class '{python_name(y)}'>.",
                    "函数必须返回张量或张量的元组。",
                    kind="TypeError",
                )

    def finished(self, tensor: Tensor) -> Tensor:
        """A result; cut off where no graph of it is asked for."""
        return tensor if self.create else detach(tensor)

    def shaped(self, parts: list[Any], *, like_inputs: bool) -> Any:
        """Parts in the form of the inputs or of the outputs."""
        return tuple(parts) if (self.is_tuple if like_inputs else self.several) else parts[0]


@torch_function("autograd.functional.jacobian")
def jacobian(
    interpreter: Interpreter,
    func: Any,
    inputs: Any,
    create_graph: Any = False,
    strict: Any = False,
    vectorize: Any = False,
    strategy: Any = "reverse-mode",
) -> Any:
    """The derivative of every output with respect to every input."""
    call = Call(interpreter, func, inputs, create=bool(create_graph))
    rows = jacobian_of(call.ys, call.xs, create=call.create, strict=bool(strict))
    return call.shaped(
        [call.shaped([call.finished(one) for one in row], like_inputs=True) for row in rows],
        like_inputs=False,
    )


@torch_function("autograd.functional.hessian")
def hessian(
    interpreter: Interpreter,
    func: Any,
    inputs: Any,
    create_graph: Any = False,
    strict: Any = False,
    vectorize: Any = False,
    outer_jacobian_strategy: Any = "reverse-mode",
) -> Any:
    """The second derivatives of one number with respect to all inputs."""
    call = Call(interpreter, func, inputs, create=bool(create_graph))
    (y,) = call.ys
    if y.array.size != 1:
        raise torch_error(
            "The Tensor returned by the function given to hessian should contain a single element",
            "hessian 的函数必须返回一个数。",
        )
    slopes = _slopes(y, call.xs)
    rows = jacobian_of(slopes, call.xs, create=call.create)
    return call.shaped(
        [call.shaped([call.finished(one) for one in row], like_inputs=True) for row in rows], like_inputs=True
    )


def _slopes(y: Tensor, xs: list[Tensor]) -> list[Tensor]:
    """The gradient of one number, which can be differentiated again."""
    with recording(True):
        found = gradients([y], xs, [OPERATORS["ones_like"](y)], create=True)
    return [zeros_like(x) if g is None else g for x, g in zip(xs, found, strict=True)]


def _vectors(v: Any, likes: list[Tensor], what: str) -> list[Tensor]:
    if v is None:
        if len(likes) != 1 or likes[0].array.size != 1:
            raise torch_error(
                "The vector v can only be None if the user-provided function returns a single Tensor with "
                "a single "
                "element.",
                "只有函数返回一个数时才能省略 v。",
            )
        return [OPERATORS["ones_like"](likes[0])]
    vectors = list(as_tuple(v))
    for one, like in zip(vectors, likes, strict=False):
        if one.shape != like.shape:
            raise torch_error(
                f"v has invalid size: should be torch.Size({list(like.shape)}) but got "
                f"torch.Size({list(one.shape)}).",
                f"v 的形状应为 {list(like.shape)}，实际为 {list(one.shape)}。",
            )
    return vectors


@torch_function("autograd.functional.vjp")
def vjp(
    interpreter: Interpreter,
    func: Any,
    inputs: Any,
    v: Any = None,
    create_graph: Any = False,
    strict: Any = False,
) -> Any:
    """The outputs, and v times the jacobian."""
    call = Call(interpreter, func, inputs, create=bool(create_graph))
    with recording(call.create):
        found = gradients(call.ys, call.xs, _vectors(v, call.ys, "vjp"), create=call.create)
    products = [zeros_like(x) if g is None else call.finished(g) for x, g in zip(call.xs, found, strict=True)]
    outputs = call.shaped([call.finished(y) for y in call.ys], like_inputs=False)
    return outputs, call.shaped(products, like_inputs=True)


def forward_products(
    ys: list[Tensor], xs: list[Tensor], vectors: list[Tensor], *, create: bool
) -> tuple[list[Tensor], list[Tensor]]:
    """The jacobian times v, for each y: the derivative of v' J by v', which is linear in v'; and the v'."""
    with recording(True):
        duals = [fresh(zeros_like(y), create=False) for y in ys]
        found = gradients(ys, xs, duals, create=True)
        joined = [(g, v) for g, v in zip(found, vectors, strict=True) if g is not None and g.requires_grad]
    if not joined:
        return [zeros_like(y) for y in ys], duals
    with recording(create):
        products = gradients([g for g, _ in joined], duals, [v for _, v in joined], create=create)
    return [zeros_like(y) if g is None else g for y, g in zip(ys, products, strict=True)], duals


@torch_function("autograd.functional.jvp")
def jvp(
    interpreter: Interpreter,
    func: Any,
    inputs: Any,
    v: Any = None,
    create_graph: Any = False,
    strict: Any = False,
) -> Any:
    """The outputs, and the jacobian times v."""
    call = Call(interpreter, func, inputs, create=bool(create_graph))
    vectors = _vectors(v, call.xs, "jvp")
    products, _ = forward_products(call.ys, call.xs, vectors, create=call.create)
    outputs = call.shaped([call.finished(y) for y in call.ys], like_inputs=False)
    return outputs, call.shaped([call.finished(one) for one in products], like_inputs=False)


def _second_product(backward: bool) -> Callable[..., Any]:
    def call_it(
        interpreter: Interpreter,
        func: Any,
        inputs: Any,
        v: Any = None,
        create_graph: Any = False,
        strict: Any = False,
    ) -> Any:
        call = Call(interpreter, func, inputs, create=bool(create_graph))
        vectors = _vectors(v, call.xs, "hvp")
        slopes = _slopes(call.ys[0], call.xs)
        with recording(call.create):
            found = gradients(slopes, call.xs, vectors, create=call.create)
        products = [
            zeros_like(x) if g is None else call.finished(g) for x, g in zip(call.xs, found, strict=True)
        ]
        return call.finished(call.ys[0]), call.shaped(products, like_inputs=True)

    call_it.__doc__ = "The output, and the second derivatives times v."
    return call_it


torch_function("autograd.functional.hvp")(_second_product(backward=False))
torch_function("autograd.functional.vhp")(_second_product(backward=True))
