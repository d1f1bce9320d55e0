"""A function of PyTorch with a gradient of its own: forward, what it keeps, and backward, in one block."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.execution.eager.turns.late import node_of as graph_node_of
from engine.languages.surfaces.torch.autograd.carrying import operand_of
from engine.languages.surfaces.torch.autograd.nodes import (
    Edge,
    Meta,
    Node,
    SavedTensor,
    freed_already,
    gradient_edge,
)
from engine.languages.surfaces.torch.dtypes import BFLOAT16
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import Step, rounded
from engine.languages.surfaces.torch.tensor import (
    Tensor,
    check_without_node,
    held_now,
    of_bfloat16,
    of_value,
    without_node,
)

SIZES, NUMEL = "_sym_sizes", "_sym_numel"  # what PyTorch keeps of a tensor instead of the tensor


CONJUGATES: dict[str, Callable[[Any], Any]] = {}  # of a tensor; functions/complex_numbers/parts.py enters it


def conjugated(kept: Any) -> Any:
    """What was saved, its complex numbers conjugated.

    PyTorch sends ȳ conj(f'(z)) back through y = f(z); of an analytic function that takes real numbers to
    real ones this is ȳ f'(conj z), its formula of real numbers at the conjugates.
    """
    if isinstance(kept, Tensor):
        return CONJUGATES["of"](kept) if kept.dtype.is_complex else kept
    if isinstance(kept, (list, tuple)) and any(isinstance(one, Tensor) for one in kept):
        return [conjugated(one) for one in kept]
    return kept.conjugate() if isinstance(kept, complex) else kept


class Saved:
    """What a node keeps, as its formula asks for it: `saved.self`, `saved.dim`."""

    def __init__(self, node: FunctionNode, needed: Sequence[bool]) -> None:
        self._node = node
        self._needed = needed

    def __getattr__(self, name: str) -> Any:
        found = self._node.saved(name)
        if state().has_complex and self._node.function.is_analytic:
            found = conjugated(found)
        self.__dict__[name] = found  # unpacked once in a pass
        return found

    def needs(self, index: int) -> bool:
        """Whether the gradient with respect to this input is asked for."""
        return self._needed[index]


def all_bfloat16(tensors: Iterable[Tensor | None]) -> bool:
    """Whether the floats among tensors are of bfloat16, so that results are, too."""
    floats = [one.dtype for one in tensors if one is not None and one.dtype.is_floating]
    return bool(floats) and all(one is BFLOAT16 for one in floats)


def _rounded(found: Any) -> Any:
    """What a function has computed in float32, its floats rounded to bfloat16."""
    if isinstance(found, (tuple, list)):
        return [_rounded(one) for one in found]
    return rounded(found) if found.dtype == "float32" else found


class FunctionNode(Node):
    """The node of a differentiable function."""

    def __init__(self, function: Differentiable, next_edges: Sequence[Edge | None]) -> None:
        super().__init__(function.node_name, next_edges)
        self.function = function
        self.kept: dict[str, Any] = {}
        self.saved_names = tuple(sorted(function.shown))

    def saved(self, name: str) -> Any:
        """What is kept under this name; a tensor as it was. Raises: RuntimeError's message of PyTorch."""
        kept = self.kept.get(name)
        if isinstance(kept, SavedTensor):
            return kept.unpack()
        if isinstance(kept, list) and any(isinstance(one, SavedTensor) for one in kept):
            return [one.unpack() if isinstance(one, SavedTensor) else one for one in kept]
        return kept

    def known_names(self) -> Collection[str]:
        """What is kept, and what would be if its gradient were asked for."""
        return {*self.kept, *(name for name, _ in self.function.saves)}

    def apply(self, grads: list[Tensor | None], needed: Sequence[bool]) -> Sequence[Tensor | None]:
        """The gradients by the function's own formula."""
        if self.released and self.function.keeps_values:
            raise freed_already()
        rule = self.function.rule
        assert rule is not None
        if len(grads) == 1 and grads[0] is None:
            return [None] * len(self.next_edges)
        found = rule(Saved(self, needed), *grads)
        listed = list(found) if isinstance(found, (tuple, list)) else [found]
        return [
            (one() if callable(one) else one) if is_needed else None
            for one, is_needed in zip(listed, needed, strict=True)
        ]


class Differentiable:
    """A function with a formula of its own. Called with tensors, it leaves a node behind where one is needed.

    node_name: what PyTorch calls its node.
    saves:     what the node keeps, by PyTorch's names: arguments, `result` or the names of `outputs`,
               `self_sym_sizes` for the shape of `self`. `self:other` keeps `self` only where the gradient
               with respect to `other` is asked for.
    inputs:    its tensors, of which each may have a gradient; one that begins with `*` is a list of them
               (`takes_lists`). `named` are their names without that.
    outputs:   the names of its outputs, those without a gradient in brackets.
    keeps_type: whether floats come out in the type that went in.
    is_analytic: whether its formula is that of an analytic function, and so goes for complex numbers, too.
    """

    keeps_type = True
    is_analytic = True

    def __init__(
        self, forward: Callable[..., Any], node_name: str, saves: str, inputs: str, outputs: str
    ) -> None:
        self.forward = forward
        self.node_name = node_name
        self.inputs = tuple(inputs.split())
        self.named = tuple(name.lstrip("*") for name in self.inputs)
        self.takes_lists = self.named != self.inputs
        parameters = inspect.signature(forward).parameters
        self.attributes = tuple(parameters)[len(self.inputs) :]
        empty = inspect.Parameter.empty
        self.usual = {
            name: parameters[name].default
            for name in self.attributes
            if parameters[name].default is not empty
        }
        wanted = [part.partition(":") for part in saves.split()]
        order = {
            name: place for place, name in enumerate(self.inputs)
        }  # PyTorch saves what is for self first
        wanted.sort(key=lambda part: order.get(part[2], -1))
        self.saves = tuple((name, condition) for name, _, condition in wanted)
        self.shown = tuple(name for name, _ in self.saves)
        self.outputs = tuple(name.strip("()") for name in outputs.split())
        self.differs = tuple(not name.startswith("(") for name in outputs.split())
        tensors = {*self.inputs, *self.outputs, "indices", "index", "mask", "condition", "target", "weight"}
        self.keeps_values = any(name in tensors for name, _ in self.saves)
        self.rule: Callable[..., Any] | None = None
        self.__doc__ = forward.__doc__

    def backward(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: the gradients for its tensors, of what it has saved and the gradients of its outputs.

        A gradient given as a function without parameters is computed only where it is needed.
        """
        self.rule = rule
        return rule

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        tensors, values, attributes = self._taken_apart(arguments, keywords)
        now = state()
        rounds = now.has_bfloat16 and self.keeps_type and all_bfloat16(tensors)
        try:
            if now.graph.runs_freely():
                found = self._computed(values, attributes, rounds)
            else:
                given = (
                    tuple(values),
                    tuple([(name, held(one)) for name, one in attributes.items()]),
                    rounds,
                )
                found = now.graph.call(self, given, lambda: self._computed(values, attributes, rounds))
        except ProgramError as error:
            raise of_torch(error) from None
        several = isinstance(found, (tuple, list))
        made = [of_value(one) for one in found] if several else [of_value(found)]
        if rounds:
            made = [of_bfloat16(one) if one.dtype.is_floating else one for one in made]
        self.record(tensors, made, attributes, arguments)
        return tuple(made) if several else made[0]

    def _computed(self, values: Sequence[Any], attributes: Mapping[str, Any], rounds: bool) -> Any:
        loose = without_node(attributes.values()) if attributes else ()
        found = self.forward(*values, **attributes)
        if loose:
            check_without_node(loose)
        return _rounded(found) if rounds else found

    def _taken_apart(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[list[Tensor | None], list[Any], dict[str, Any]]:
        """The tensors in a row, the values for the kernel, and its other arguments by name."""
        tensors: list[Tensor | None] = []
        values: list[Any] = []
        for name, given in zip(self.inputs, arguments, strict=False):
            if name.startswith("*"):
                tensors += given
                values.append([operand_of(one) for one in given])
            else:
                tensors.append(given)
                values.append(None if given is None else operand_of(given))
        if not (self.attributes or keywords):
            return tensors, values, {}
        rest = dict(zip(self.attributes, arguments[len(self.inputs) :], strict=False))
        return tensors, values, {**self.usual, **rest, **keywords}

    def record(
        self,
        tensors: Sequence[Tensor | None],
        made: Sequence[Tensor],
        attributes: Mapping[str, Any],
        arguments: Sequence[Any],
    ) -> FunctionNode | None:
        """Leave a node behind, where gradients are recorded and one of the tensors asks for them."""
        if not state().records or not any(one is not None and one.requires_grad for one in tensors):
            return None
        floats = [
            differs and one.dtype.has_gradients for differs, one in zip(self._differ(made), made, strict=True)
        ]
        if not any(floats):
            return None
        edges = [gradient_edge(one) for one in tensors]
        if self.node_name == "NotImplemented":  # shows only those that ask for a gradient
            edges = [edge for edge in edges if edge is not None]
        node = FunctionNode(self, edges)
        node.outputs = [Meta(one.shape, one.dtype) for one in made]
        self._keep(node, tensors, made, attributes, arguments)
        node.forward = graph_node_of(made[0].value)
        for index, (one, is_float) in enumerate(zip(made, floats, strict=True)):
            if is_float:
                one.node, one.output, one.node_version = node, index, one.version.number
        return node

    def _differ(self, made: Sequence[Tensor]) -> Sequence[bool]:
        return self.differs if len(self.differs) == len(made) else [True] * len(made)

    def _keep(
        self,
        node: FunctionNode,
        tensors: Sequence[Tensor | None],
        made: Sequence[Tensor],
        attributes: Mapping[str, Any],
        arguments: Sequence[Any],
    ) -> None:
        if not self.saves and not self.takes_lists:
            return
        named = {} if self.takes_lists else dict(zip(self.inputs, tensors, strict=False))
        given = {**dict(zip(self.named, arguments, strict=False)), **attributes, **named}
        outputs = dict(zip(self.outputs, enumerate(made), strict=False))
        for name, condition in self.saves:
            if condition and not self._asks(named.get(condition)):
                continue
            node.kept[name] = self._value_of(node, name, given, outputs)
        if self.takes_lists:
            node.kept["parts"] = [Meta(one.shape, one.dtype) for one in tensors if one is not None]

    def _asks(self, tensor: Tensor | None) -> bool:
        return tensor is not None and tensor.requires_grad

    def _value_of(self, node: Node, name: str, given: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
        if name in outputs:
            index, tensor = outputs[name]
            return SavedTensor.of(tensor, node, index)
        if name.endswith(SIZES):
            return given[name.removesuffix(SIZES)].shape
        if name.endswith(NUMEL):
            return int(given[name.removesuffix(NUMEL)].form.size)
        value = given.get(name)
        return SavedTensor.of(value, node) if isinstance(value, Tensor) else value


def of_torch(error: ProgramError) -> ProgramError:
    """A mistake in a kernel, by the class that PyTorch raises."""
    if error.kind in ("", "InvalidArgumentError"):
        error.kind = "RuntimeError"
    return error


def differentiable(
    node_name: str, saves: str = "", inputs: str = "self", outputs: str = "result"
) -> Callable[[Callable[..., Any]], Differentiable]:
    """Decorator: a function of values of the graph becomes one of tensors, with a gradient."""

    def make(forward: Callable[..., Any]) -> Differentiable:
        return Differentiable(forward, node_name, saves, inputs, outputs)

    return make


class ViewFunction(Differentiable):
    """A function whose result shows the memory of its input: how, `forward` says for a value of the graph and
    `of_array` for an array."""

    of_array: Callable[..., Any]
    put_back: Callable[[Any, Any], Any] | None = None  # what it shows of, with another view in it

    def on_arrays(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: the same view of an array, without a graph."""
        self.of_array = function
        return function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        (tensor, *_), _, attributes = self._parted(arguments, keywords)
        step = Step(
            lambda value: self.forward(value, **attributes),
            lambda array: self.of_array(array, **attributes),
            self,
        )
        made = view_of(tensor, step)
        value = operand_of(tensor)
        given = (value, tuple([(name, held(one)) for name, one in attributes.items()]))
        made.show(state().graph.call(self, given, lambda: step.of_value(value)))
        self.record([tensor], [made], attributes, [tensor])
        return made

    def _parted(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Any, Any, dict[str, Any]]:
        rest = dict(zip(self.attributes, arguments[1:], strict=False))
        return arguments[:1], None, {**rest, **keywords}


def view(node_name: str, saves: str = "") -> Callable[[Callable[..., Any]], ViewFunction]:
    """Decorator: the same for a function that gives a view."""

    def make(forward: Callable[..., Any]) -> ViewFunction:
        return ViewFunction(forward, node_name, saves, "self", "result")

    return make


def view_of(tensor: Tensor, step: Step) -> Tensor:
    """A tensor that shows another one's memory, one step further."""
    made = Tensor(tensor.storage, (*tensor.steps, step), tensor.version)
    made.base = tensor if tensor.base is None else tensor.base
    made.node_version = made.version.number
    made.view_error = "no_grad" if not state().records else ""
    return made


def held(value: Any) -> Any:
    """An argument as a call of a turn knows it: of a tensor, what decides its value."""
    return held_now(value) if isinstance(value, Tensor) else value


NO_ATTRIBUTES: Mapping[str, Any] = MappingProxyType({})
