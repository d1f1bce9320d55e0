"""Inside of `torch.func`: what a function that is transformed may not do, in PyTorch's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from engine.languages.surfaces.torch.autograd.examples import is_of_example
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad, Node, gradient_edge
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, tensors_in

FORWARD = ("jvp", "jacfwd")  # kinds that go forward through a function


@dataclass(eq=False, slots=True)
class Level:
    """One transformation around the function that runs.

    kind:    grad, jvp, jacfwd, vmap.
    given:   the memory of its arguments.
    inputs:  what it differentiates by.
    repeats: whether the function runs once for each of several examples.
    """

    kind: str
    given: set[Any] = field(default_factory=set)
    inputs: Sequence[Tensor] = ()
    repeats: bool = False


@contextmanager
def transforming(
    kind: str, given: Any = (), inputs: Sequence[Tensor] = (), *, repeats: bool = False
) -> Iterator[None]:
    """What runs inside belongs to the function that a transformation is given."""
    now = state()
    outer = now.levels
    level = Level(kind, {one.storage for one in tensors_in([given])}, inputs, repeats)
    now.levels = (*outer, level)
    try:
        yield
    finally:
        now.levels, level.given, level.inputs = outer, set(), ()


# -- changing tensors ------------------------------------------------------------------------------------

SCALAR_OR_TENSOR: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(
            ["pow_", "fmod_", "remainder_", "eq_", "ne_", "lt_", "le_", "gt_", "ge_", "fill_"], 0
        ),
        **dict.fromkeys(["bitwise_and_", "bitwise_or_", "bitwise_xor_"], 0),
        **dict.fromkeys(("masked_fill_", "lerp_"), 1),
    }
)  # of functions with a form for numbers and one for tensors: which argument says so
OVERLOADS: Mapping[str, str] = MappingProxyType(
    {
        **{f"{name}_": f"{name}_.Tensor" for name in ("add", "sub", "mul", "div")},
        "subtract_": "sub_.Tensor",
        "multiply_": "mul_.Tensor",
        "divide_": "div_.Tensor",
        "true_divide_": "div_.Tensor",
        "index_fill_": "index_fill_.int_Scalar",
        "bernoulli_": "bernoulli_.float",
        "random_": "random_.to",
        "set_": "set_.source_Tensor",
    }
)


def operator_name(name: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """The name of a function that changes its tensor, with the form that PyTorch takes of it."""
    if keywords.get("rounding_mode") is not None:
        return f"{name}.Tensor_mode"
    if name in SCALAR_OR_TENSOR:
        given = [*arguments, *keywords.values()][SCALAR_OR_TENSOR[name] :]
        return f"{name}.{'Tensor' if isinstance((given or [None])[0], Tensor) else 'Scalar'}"
    if name == "clamp_" and any(isinstance(one, Tensor) for one in arguments):
        return "clamp_.Tensor"
    if name == "scatter_":
        return f"scatter_.{'src' if tensors_in(arguments[2:]) else 'value'}"
    return OVERLOADS.get(name, name)


def check_change(
    tensor: Tensor, name: str, arguments: Sequence[Any] = (), keywords: Mapping[str, Any] | None = None
) -> None:
    """Raises: RuntimeError's message of PyTorch where a function that is differentiated changes a tensor that
    it was not given and has not made.
    """
    for level in reversed(state().levels):
        if level in tensor.storage.levels or tensor.storage in level.given:
            continue
        if level.kind != "vmap":
            raise captured(operator_name(name, arguments, keywords or {}))
        if level.repeats and not any(is_of_example(one) for one in tensors_in(arguments)):
            raise _once_in_pytorch()


def captured(operator: str) -> Exception:
    """A tensor from outside, changed by a function that is differentiated."""
    return torch_error(
        "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call "
        f"in-place operation (aten::{operator}) that would mutate a captured Tensor. This is not "
        "supported; please rewrite the function being transformed to explicitly accept the mutated "
        "Tensor(s) as inputs.",
        "在 torch.func 的求导变换中，函数不能就地修改外部的张量。",
        hint="Give the tensor as an argument, or make a new one: c = c + x.",
        hint_zh="请把该张量作为参数传入，或构成新的张量：c = c + x。",
    )


def _once_in_pytorch() -> Exception:
    return not_here(
        "Changing a tensor from outside, inside of a function of vmap (PyTorch does so once for all "
        "examples, Gradlens runs the function for each),",
        "在 vmap 的函数中就地修改外部张量（PyTorch 对所有样本只执行一次，这里对每个样本各执行一次）",
        "Return the new values instead.",
        "请改为返回新的值。",
    )


# -- calls that need a graph of their own ----------------------------------------------------------------

INSTEAD = "please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call "


def check_requires_grad_outside() -> None:
    """Raises: RuntimeError's message of PyTorch for `requires_grad_()` inside of a transformation."""
    if state().levels:
        raise torch_error(
            "You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional."
            "* APIs) inside of a function being transformed by a functorch transform. This is unsupported, "
            f"{INSTEAD}requires_grad_() outside of a function being transformed instead.",
            "在 torch.func 变换的函数中不能调用 requires_grad_() 或 torch.autograd.functional 的函数。",
        )


def check_retain_grad_outside() -> None:
    """Raises: RuntimeError's message of PyTorch for `retain_grad()` inside of a transformation."""
    if state().levels:
        raise torch_error(
            "You are attempting to call Tensor.retain_grad() inside of a function being transformed by a "
            f"functorch transform. This is unsupported, {INSTEAD}retain_grad() outside of a function being "
            "transformed instead.",
            "在 torch.func 变换的函数中不能调用 retain_grad()。",
        )


def check_backward_outside() -> None:
    """Raises: RuntimeError's message of PyTorch for `backward()` inside of a transformation."""
    if state().levels:
        raise torch_error(
            "backward() called inside a functorch transform. This is not supported, please use "
            "functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms.",
            "在 torch.func 变换的函数中不能调用 backward()；请用 torch.func.grad 或 vjp。",
        )


# -- functions of one's own ------------------------------------------------------------------------------


def check_function(name: str, *, has_setup: bool, has_vmap: bool) -> None:
    """Raises: RuntimeError's messages of PyTorch for an `autograd.Function` that does not fit in."""
    around = [level.kind for level in state().levels]
    if not around:
        return
    if not has_setup:
        raise torch_error(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), "
            "it must override the setup_context staticmethod. For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
            f"要在 torch.func 的变换中使用 {name}，它必须定义静态方法 setup_context。",
            hint="Write forward(x) without ctx, and setup_context(ctx, inputs, output) beside it.",
            hint_zh="请写不带 ctx 的 forward(x)，以及 setup_context(ctx, inputs, output)。",
        )
    if not has_vmap and not {"vmap", "jacfwd"}.isdisjoint(around):
        raise torch_error(
            f"You tried to vmap over {name}, but it does not have vmap support. Please override and "
            "implement the vmap staticmethod or set generate_vmap_rule=True. For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
            f"{name} 不支持 vmap：请定义静态方法 vmap，或设 generate_vmap_rule = True。",
        )


def is_forward(given: Iterable[Any]) -> bool:
    """Whether a transformation that goes forward comes through a function of these arguments."""
    starts = {node for level in state().levels if level.kind in FORWARD for node in _nodes_of(level.inputs)}
    return bool(starts) and not starts.isdisjoint(_behind(tensors_in(list(given))))


def is_recorded(tensor: Tensor) -> bool:
    """Whether the innermost function that is differentiated has a gradient of this tensor to ask for."""
    inner = [level for level in state().levels if level.kind != "vmap"]
    if not inner:
        return True
    starts = _nodes_of(inner[-1].inputs) if inner[-1].kind == "grad" else set()
    return any(
        node in starts or (isinstance(node, AccumulateGrad) and inner[-1] in node.variable.storage.levels)
        for node in _behind([tensor])
    )


def _nodes_of(tensors: Iterable[Tensor]) -> set[Node]:
    return {edge.node for edge in map(gradient_edge, tensors) if edge is not None}


def _behind(tensors: Iterable[Tensor]) -> set[Node]:
    """All nodes to which gradients of these tensors go on."""
    seen = _nodes_of(tensors)
    waiting = list(seen)
    while waiting:
        new = {edge.node for edge in waiting.pop().next_edges if edge is not None} - seen
        seen |= new
        waiting += new
    return seen


def check_jvp(has_jvp: bool, given: Iterable[Any]) -> None:
    """Raises: NotImplementedError's message of PyTorch where a function has no rule forward."""
    if not has_jvp and is_forward(given):
        raise torch_error(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode "
            "AD.",
            "要对自定义的 autograd.Function 作前向微分（jvp、jacfwd、hessian），它必须定义静态方法 jvp。",
            kind="NotImplementedError",
            hint="Write a static method jvp(ctx, *tangents) beside backward.",
            hint_zh="请在 backward 旁边定义静态方法 jvp(ctx, *tangents)。",
        )
