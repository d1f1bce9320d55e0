"""`register_full_backward_hook`: inputs and outputs of a module pass nodes that see their gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.autograd.nodes import Meta, Node, gradient_edge
from engine.languages.surfaces.torch.tensor import Tensor

Grads = list[Any]
NAME = "BackwardHookFunctionBackward"


class HookNode(Node):
    """Hands gradients on, after a function has seen them, and perhaps exchanged them."""

    def __init__(self, tensors: Sequence[Tensor], seen: Callable[[Grads], Grads]) -> None:
        super().__init__(NAME, [gradient_edge(one) for one in tensors])
        self.outputs = [Meta(one.shape, one.dtype) for one in tensors]
        self.forward = getattr(tensors[0].value, "node", None)
        self.seen = seen

    def apply(self, grads: Grads, needed: Sequence[bool]) -> Grads:
        """What the function makes of them."""
        return self.seen(list(grads))


def _through(tensors: Sequence[Tensor], seen: Callable[[Grads], Grads]) -> list[Tensor]:
    """The same tensors, as they come out of a node."""
    node = HookNode(tensors, seen)
    found = []
    for index, one in enumerate(tensors):
        again = Tensor(one.storage, one.steps, one.version)
        again.seen, again.shown, again.turn = one.seen, one.shown, one.turn
        again.node, again.output, again.node_version = node, index, one.version.number
        found.append(again)
    return found


class BackwardHooks:
    """The hooks of one call of a module: what came to its outputs waits for what goes to its inputs."""

    def __init__(self, interpreter: Interpreter, module: UserObject) -> None:
        self.interpreter, self.module = interpreter, module
        listed = module.fields["_hooks"]
        self.before = [hook for hook, _ in listed.get("before backward", ())]
        self.after = [hook for hook, _ in listed.get("backward", ())]
        self.of_outputs: tuple[Any, ...] = ()
        self.count = 0
        self.follows_inputs = False

    def inputs(self, args: Sequence[Any]) -> Sequence[Any]:
        """The arguments, the tensors among them through a node where a gradient goes to one."""
        self.count = len(args)
        places = [place for place, one in enumerate(args) if isinstance(one, Tensor)]
        if not self.after or not any(args[place].requires_grad for place in places):
            return args
        self.follows_inputs = True
        return _exchanged(args, places, lambda grads: self._went_to_inputs(grads, places))

    def outputs(self, result: Any) -> Any:
        """The results, the tensors among them through a node."""
        several = isinstance(result, (tuple, list))
        listed = list(result) if several else [result]
        places = [i for i, one in enumerate(listed) if isinstance(one, Tensor) and one.requires_grad]
        if not places or not (self.before or self.after):
            return result
        size = len(listed)
        found = _exchanged(listed, places, lambda grads: self._came_to_outputs(grads, places, size))
        return type(result)(found) if several else found[0]

    def _came_to_outputs(self, grads: Grads, places: Sequence[int], size: int) -> Grads:
        self.of_outputs = _spread(grads, places, size)
        for hook in self.before:
            found = self.interpreter.call(hook, [self.module, self.of_outputs], {})
            self.of_outputs = self.of_outputs if found is None else _as_tuple(found)
        if not self.follows_inputs:
            self._call_hooks((None,) * self.count)
        return [self.of_outputs[place] for place in places]

    def _went_to_inputs(self, grads: Grads, places: Sequence[int]) -> Grads:
        found = self._call_hooks(_spread(grads, places, self.count))
        return [found[place] for place in places]

    def _call_hooks(self, of_inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        for hook in self.after:
            found = self.interpreter.call(hook, [self.module, of_inputs, self.of_outputs], {})
            of_inputs = of_inputs if found is None else _as_tuple(found)
        return of_inputs


def _exchanged(values: Sequence[Any], places: Sequence[int], seen: Callable[[Grads], Grads]) -> list[Any]:
    found = list(values)
    for place, one in zip(places, _through([values[place] for place in places], seen), strict=True):
        found[place] = one
    return found


def _spread(grads: Grads, places: Sequence[int], count: int) -> tuple[Any, ...]:
    """Gradients at their places among arguments, None at the others."""
    at = dict(zip(places, grads, strict=True))
    return tuple(at.get(place) for place in range(count))


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)
