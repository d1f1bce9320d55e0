"""`torch.autograd.Function`: a program's own function with a backward of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.interpreter.attributes import LOOKUPS, WRITES, members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.torch.autograd.engine import zeros_of
from engine.languages.surfaces.torch.autograd.nodes import (
    Edge,
    Meta,
    Node,
    SavedTensor,
    freed_already,
    gradient_edge,
)
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import check_function, check_jvp, is_forward
from engine.languages.surfaces.torch.registry import torch_value
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import Tensor


class Context:
    """`ctx`: what forward leaves for backward."""

    def __init__(self, needs: Sequence[bool]) -> None:
        self.needs_input_grad = tuple(needs)
        self.to_save: tuple[Any, ...] = ()
        self.saved: list[Any] = []
        self.dirty: tuple[Tensor, ...] = ()
        self.without: tuple[Tensor, ...] = ()
        self.materializes = True
        self.fields: dict[str, Any] = {}
        self.node: Node | None = None

    def unpacked(self) -> tuple[Any, ...]:
        """The saved tensors. Raises: RuntimeError's message of PyTorch once they were let go."""
        if self.node is None:
            return self.to_save
        if self.node.released:
            raise freed_already()
        return tuple(one.unpack() if isinstance(one, SavedTensor) else one for one in self.saved)


CONTEXT = members_of(Context, "FunctionCtx")
CONTEXT.fact("saved_tensors", "saved_variables")(lambda ctx: ctx.unpacked())
CONTEXT.fact("needs_input_grad")(lambda ctx: ctx.needs_input_grad)


@CONTEXT.method("save_for_forward")
def save_for_forward(ctx: Context, *tensors: Any) -> None:
    """What the rule forward of a function would ask for; that rule is not called here."""


@CONTEXT.method("save_for_backward")
def save_for_backward(ctx: Context, *tensors: Any) -> None:
    """Keep tensors for backward."""
    for one in tensors:
        if one is not None and not isinstance(one, Tensor):
            raise torch_error(
                f"save_for_backward can only save variables, but argument {tensors.index(one)} is of type "
                f"{type(one).__name__}",
                "save_for_backward 只能保存张量。",
                kind="TypeError",
                hint="Keep anything else as an attribute: ctx.n = n.",
                hint_zh="其他值请存为属性：ctx.n = n。",
            )
    ctx.to_save = tensors


@CONTEXT.method("mark_dirty")
def mark_dirty(ctx: Context, *tensors: Any) -> None:
    """These inputs are changed in place by forward."""
    ctx.dirty = tensors


@CONTEXT.method("mark_non_differentiable")
def mark_non_differentiable(ctx: Context, *tensors: Any) -> None:
    """These outputs have no gradient."""
    ctx.without = tensors


@CONTEXT.method("set_materialize_grads")
def set_materialize_grads(ctx: Context, value: Any) -> None:
    """Whether outputs that received nothing count as zeros."""
    ctx.materializes = bool(value)


def _write(ctx: Context, name: str, value: Any) -> None:
    ctx.fields[name] = value


WRITES[Context] = _write
LOOKUPS[Context] = lambda ctx, name: ctx.fields.get(name, MISSING)


class CustomNode(Node):
    """The node of a program's own function. arguments: which of those of forward are tensors."""

    fills_zeros = False

    def __init__(
        self,
        interpreter: Interpreter,
        kind: UserClass,
        ctx: Context,
        edges: Sequence[Edge | None],
        arguments: Sequence[bool],
    ) -> None:
        super().__init__(f"{kind.name}Backward", edges)
        self.arguments = list(arguments)
        self.interpreter = interpreter
        self.kind = kind
        self.ctx = ctx

    def apply(self, grads: list[Tensor | None], needed: Sequence[bool]) -> Sequence[Tensor | None]:
        """What the program's own backward gives, for each argument of forward."""
        given = [
            zeros_of(meta) if grad is None and self.ctx.materializes and meta.dtype.has_gradients else grad
            for grad, meta in zip(grads, self.outputs, strict=True)
        ]
        backward = attribute_of(self.interpreter, self.kind, "backward")
        found = self.interpreter.call(backward, [self.ctx, *given], {})
        listed = list(found) if isinstance(found, (tuple, list)) else [found]
        count = len(self.arguments)
        while len(listed) > count and listed[-1] is None:
            listed.pop()
        if len(listed) != count:
            raise torch_error(
                f"function {self.name} returned an incorrect number of gradients (expected {count}, got "
                f"{len(listed)})",
                f"{self.name} 返回的梯度个数不对：应为 {count} 个，实际为 {len(listed)} 个。",
                hint="Return one for each argument of forward, None where there is none.",
                hint_zh="请为 forward 的每个参数返回一个梯度，没有的返回 None。",
            )
        return [one for one, is_tensor in zip(listed, self.arguments, strict=True) if is_tensor]


def _note_jvp(interpreter: Interpreter, name: str) -> None:
    interpreter.note(
        "own_jvp",
        f"Derivatives forward through {name} come from its backward here; its own jvp is not called.",
        f"这里对 {name} 的前向微分由它的 backward 得出，不调用它自己的 jvp。",
    )


def _apply(interpreter: Interpreter, kind: UserClass, *args: Any, **keywords: Any) -> Any:
    """Run forward without recording, and leave one node behind."""
    has_setup = kind.find("setup_context") is not MISSING
    rule = kind.find("generate_vmap_rule")
    has_vmap = kind.find("vmap") is not MISSING or (rule is not MISSING and bool(rule))
    check_function(kind.name, has_setup=has_setup, has_vmap=has_vmap)
    check_jvp(kind.find("jvp") is not MISSING, args)
    if is_forward(args):
        _note_jvp(interpreter, kind.name)
    tensors = [one if isinstance(one, Tensor) else None for one in args]
    needs = [one is not None and one.requires_grad for one in tensors]
    ctx = Context(needs)
    edges = [gradient_edge(one) for one in tensors if one is not None]
    arguments = [one is not None for one in tensors]
    records = state().records and any(needs)
    forward = attribute_of(interpreter, kind, "forward")
    with recording(False):
        if has_setup:
            found = interpreter.call(forward, args, keywords)
            setup = attribute_of(interpreter, kind, "setup_context")
            interpreter.call(setup, [ctx, args, found], {})
        else:
            found = interpreter.call(forward, [ctx, *args], keywords)
    several = isinstance(found, (tuple, list))
    outputs = [_as_output(one, tensors, ctx) for one in (found if several else [found])]
    if records:
        _attach(CustomNode(interpreter, kind, ctx, edges, arguments), outputs)
    return tuple(outputs) if several else outputs[0]


def _as_output(value: Any, inputs: Sequence[Tensor | None], ctx: Context) -> Any:
    """An output; an input that comes out unchanged as a tensor of its own."""
    if isinstance(value, Tensor) and any(value is one for one in inputs):
        if any(value is one for one in ctx.dirty):
            return value
        again = Tensor(value.storage, value.steps, value.version)
        again.seen, again.shown, again.turn = value.seen, value.shown, value.turn
        return again
    return value


def _attach(node: CustomNode, outputs: Sequence[Any]) -> None:
    """The outputs come out of this node; what forward wanted saved is kept."""
    ctx = node.ctx
    made = [one for one in outputs if isinstance(one, Tensor)]
    node.outputs = [Meta(one.shape, one.dtype) for one in made]
    node.forward = getattr(made[0].value, "node", None) if made else None
    for index, one in enumerate(made):
        if one.dtype.has_gradients and not any(one is other for other in ctx.without):
            one.node, one.output, one.node_version, one.requires = node, index, one.version.number, False
    places = {id(one): index for index, one in enumerate(made)}
    ctx.saved = [
        SavedTensor.of(one, node, places.get(id(one))) if isinstance(one, Tensor) else one
        for one in ctx.to_save
    ]
    ctx.node = node


NO_BACKWARD = (
    "either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
)


def _not_written(name: str) -> Any:
    def refuse(*args: Any, **keywords: Any) -> Any:
        raise torch_error(
            f"You must implement {name}",
            "自定义的 autograd.Function 还没有写完整。",
            kind="NotImplementedError",
        )

    return refuse


FUNCTION = UserClass(
    "Function",
    None,
    {
        "apply": Wrapped("classmethod", Native("Function.apply", _apply)),
        "forward": Wrapped(
            "staticmethod",
            Native("Function.forward", _not_written("the forward function for custom autograd.Function.")),
        ),
        "backward": Wrapped("staticmethod", Native("Function.backward", _not_written(NO_BACKWARD))),
    },
    origin="library",
)
torch_value(FUNCTION, "autograd.Function", "autograd.function.Function")


def once_differentiable(function: Any) -> Native:
    """A `backward` whose results lead no gradient further."""

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        with recording(False):
            return interpreter.call(function, args, keywords)

    return Native("backward", call)


torch_value(Native("once_differentiable", once_differentiable), "autograd.function.once_differentiable")
