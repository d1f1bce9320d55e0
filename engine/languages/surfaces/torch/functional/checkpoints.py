"""`torch.utils.checkpoint`: what the way back needs is not kept, but computed once more there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.autograd.calls import as_tuple
from engine.languages.surfaces.torch.autograd.engine import Pass
from engine.languages.surfaces.torch.autograd.nodes import Meta, Node, freed_already, gradient_edge
from engine.languages.surfaces.torch.autograd.saved_hooks import packing
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.shaping import detach
from engine.languages.surfaces.torch.nn.module import children_of
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import Tensor

SETTINGS = ("preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop")


class Rerun:
    """A function with its arguments, to be called a second time with the random numbers of the first."""

    def __init__(
        self, interpreter: Interpreter, function: Any, named: Mapping[str, Any], keeps: bool
    ) -> None:
        self.interpreter = interpreter
        self.function = function
        self.named = named
        self.numbers = generator_of().packed() if keeps else None

    def __call__(self, args: Sequence[Any]) -> Any:
        """What the function gives this time."""
        with recording(True), self._numbers_again():
            return self.interpreter.call(self.function, list(args), dict(self.named))

    @contextmanager
    def _numbers_again(self) -> Iterator[None]:
        if self.numbers is None:
            yield
            return
        before = generator_of().packed()
        generator_of().unpack(self.numbers)
        try:
            yield
        finally:
            generator_of().unpack(before)


class Enough(BaseException):  # not a mistake: no `except` of the program sees it
    """All that the first call had kept was computed again."""


class Recomputed:
    """The tensors that one call of a function keeps, by their order, computed when a pass asks for the first.

    ready: those that were computed again and not asked for yet; asked for a second time, by another pass,
    they are computed once more.
    """

    def __init__(self, again: Callable[[], Any], *, stops_early: bool) -> None:
        self.again = again
        self.stops_early = stops_early
        self.count = 0
        self.ready: dict[int, Tensor] = {}

    def pack(self, tensor: Tensor) -> int:
        """Keep nothing but which tensor it was."""
        self.count += 1
        return self.count - 1

    def unpack(self, place: int) -> Tensor:
        """The tensor, computed again."""
        if place not in self.ready:
            self._recompute()
        if place not in self.ready:
            raise _unlike(self.count, len(self.ready))
        return self.ready.pop(place)

    def _recompute(self) -> None:
        self.ready.clear()
        found = 0

        def keep(tensor: Tensor) -> Tensor:
            nonlocal found
            self.ready[found] = detach(tensor)
            found += 1
            if self.stops_early and found == self.count:
                raise Enough
            return tensor

        try:
            with packing(keep, lambda kept: kept):
                self.again()
        except Enough:
            pass


def _unlike(count: int, found: int) -> Exception:
    return torch_error(
        "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
        f"recomputation.\nNumber of tensors saved during forward: {count}\nNumber of tensors saved during "
        f"recomputation: {found}.",
        f"torch.utils.checkpoint：前向计算保存了 {count} 个张量，重新计算时却保存了 {found} 个。",
        kind="CheckpointError",
    )


class CheckpointNode(Node):
    """The node of a function that ran without recording: on the way back it runs again, and a pass goes
    through what it records."""

    fills_zeros = False
    runs_a_pass = True

    def __init__(self, again: Rerun, args: Sequence[Any]) -> None:
        tensors = [one for one in args if isinstance(one, Tensor)]
        super().__init__("CheckpointFunctionBackward", [gradient_edge(one) for one in tensors])
        self.again = again
        self.args = list(args)

    def apply(self, grads: list[Tensor | None], needed: Sequence[bool]) -> Sequence[Tensor | None]:
        """The gradients with respect to the tensors among the arguments; leaves inside take theirs."""
        if self.released:
            raise freed_already()
        inputs = [_cut_off(one) if isinstance(one, Tensor) else one for one in self.args]
        ys = as_tuple(self.again(inputs))
        pairs = [
            (y, grad)
            for y, grad in zip(ys, grads, strict=True)
            if isinstance(y, Tensor) and y.requires_grad and grad is not None
        ]
        if not pairs:
            raise torch_error(
                "none of output has requires_grad=True, this checkpoint() is not necessary",
                "没有任何输出要求梯度，不需要 checkpoint()。",
            )
        sweep = Pass(keep_graph=False, create_graph=False)
        with recording(False):
            sweep.run([gradient_edge(y) for y, _ in pairs], [grad for _, grad in pairs])  # type: ignore[misc]  # they have one
        return [one.grad for one in inputs if isinstance(one, Tensor)]


def _cut_off(tensor: Tensor) -> Tensor:
    made: Tensor = detach(tensor)
    made.requires = tensor.requires_grad
    return made


def _reentrant(again: Rerun, args: Sequence[Any]) -> Any:
    asks = [one for one in args if isinstance(one, Tensor) and one.requires_grad]
    records = state().records and bool(asks)
    if not asks:
        again.interpreter.note(
            "checkpoint_without_gradient",
            "checkpoint(…, use_reentrant=True): none of the inputs has requires_grad=True, so no gradient "
            "goes through, not even to parameters. use_reentrant=False lets it.",
            "checkpoint(…, use_reentrant=True)：输入都不要求梯度，因此梯度无法通过，参数也得不到梯度。"
            "请改用 use_reentrant=False。",
            severity="warning",
        )
    with recording(False):
        found = again.interpreter.call(again.function, list(args), {})
    if not records:
        return found
    node = CheckpointNode(again, args)
    made = [one for one in as_tuple(found) if isinstance(one, Tensor)]
    node.outputs = [Meta(one.shape, one.dtype) for one in made]
    for index, one in enumerate(made):
        if one.dtype.has_gradients:
            one.node, one.output, one.node_version, one.requires = node, index, one.version.number, False
    return found


@torch_function("utils.checkpoint.checkpoint")
def checkpoint(
    interpreter: Interpreter, function: Any, *args: Any, use_reentrant: Any = None, **kwargs: Any
) -> Any:
    """What a function gives; its gradient computes it once more.

    use_reentrant: True (PyTorch's choice where it is not said) runs it without recording, under one node.
    """
    given = {key: one for key, one in kwargs.items() if key not in SETTINGS}
    again = Rerun(interpreter, function, given, bool(kwargs.get("preserve_rng_state", True)))
    if use_reentrant is None or use_reentrant:
        if given:
            raise torch_error(
                f"Unexpected keyword arguments: {','.join(given)}",
                "use_reentrant=True 时不能传入这些关键字参数。",
                kind="ValueError",
            )
        return _reentrant(again, args)
    kept = Recomputed(lambda: again(args), stops_early=bool(kwargs.get("early_stop", True)))
    with packing(kept.pack, kept.unpack):
        return interpreter.call(function, list(args), given)


def _in_a_row(layers: Sequence[Any]) -> Native:
    def call(interpreter: Interpreter, input: Any) -> Any:
        for layer in layers:
            input = interpreter.call(layer, [input], {})
        return input

    return Native("run_function", call)


@torch_function("utils.checkpoint.checkpoint_sequential")
def checkpoint_sequential(
    interpreter: Interpreter, functions: Any, segments: Any, input: Any, **kwargs: Any
) -> Any:
    """What layers give one after the other, in segments that are computed once more; the last is kept."""
    layers = [one for _, one in children_of(functions)] if isinstance(functions, UserObject) else functions
    layers = list(iterate(layers))
    length = len(layers) // int(segments)
    for start in range(0, length * (int(segments) - 1), length):
        input = checkpoint(interpreter, _in_a_row(layers[start : start + length]), input, **kwargs)
    first = length * (int(segments) - 1)
    return interpreter.call(_in_a_row(layers[first:]), [input], {})
