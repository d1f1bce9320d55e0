"""What a learner calls a quantity: the name that the program gave it, else its own expression."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.errors import Span
from engine.graph import Node, Tensor, Variable
from engine.languages.surfaces.torch.result import TensorItem
from engine.programs.lesson.mathematics.notation import (
    ATOM,
    PRODUCT,
    Piece,
    called,
    composed,
    name_piece,
    upright,
    value_piece,
)
from engine.programs.lesson.mathematics.operations import (
    GIVEN,
    WHOLE_CALLS,
    Operation,
    depends_on_given,
    is_mean,
    whole_call,
)
from engine.programs.lesson.mathematics.source import CallText, assigned_places, calls_of, returned_places
from engine.programs.lesson.words import Words

LONGEST = 28  # characters of an expression that serves as a name
LONGEST_SHOWN = 48  # of one that is shown where the quantity is computed
COMMON = frozenset(
    {
        "cross_entropy",
        "max",
        "maxpool",
        "mean",
        "min",
        "mod",
        "placed",
        "relu",
        "softmax",
        "stack",
        "stop",
        "tanh",
        "unstack",
    }
)  # functions
MAKING = frozenset({"Variable", "get_variable", "placeholder", "placeholder_with_default", "add_weight"})
STOPPING = ("stop", "detach")  # what a text calls it that stops gradients
TRAINING = "fit"  # the call that trains a model of Keras
UNTITLED = ("y", "f", "L")  # for a result that the program gave no name


class Names:
    """The names of all quantities of a lesson.

    source: the program's text, in which an assignment names what stands on its right.
    others: what is called by these where the text gives it no name; firm: whatever the text calls it.
    """

    def __init__(
        self,
        words: Words,
        operations: Sequence[Operation],
        source: str,
        others: Iterable[tuple[Tensor, Piece]] = (),
        firm: Iterable[tuple[Tensor, Piece]] = (),
    ) -> None:
        self.words = words
        self._words = set(re.findall(r"\w+", source))
        self._stops = any(word.startswith(STOPPING) for word in self._words)
        self._calls = calls_of(source)
        self._returned = returned_places(source) if words.outcome.dialect == "jax" else {}
        self._tensors = {n for n, bound in words.outcome.names.items() if isinstance(bound, TensorItem)}
        self._call_values = set(_call_values(operations))
        self._calls_made = Counter(map(self._place, operations))
        self.given = dict(_given_names(words, operations, source))
        for tensor, piece in others:
            self.given.setdefault(words.resolved(tensor), piece)
        self.given |= {words.resolved(tensor): piece for tensor, piece in firm}
        self._taken = {piece.latex for piece in self.given.values()}
        self._pieces: dict[Tensor, Piece] = {}
        self._definitions: dict[Tensor, Piece] = {}
        self._wholes: dict[Tensor, Piece] = {}
        self._number = 0
        for y in words.ys:
            self._title(words.resolved(y))
        self.add(operations)

    def add(self, operations: Sequence[Operation]) -> None:
        """Name more operations."""
        for operation in operations:
            self._name(operation)

    def call_gradients(self, pairs: Iterable[tuple[Tensor, Tensor]]) -> None:
        """Call each gradient after what was differentiated; pairs: x and its gradient."""
        for x, gradient in pairs:
            self._pieces.setdefault(self.words.resolved(gradient), Piece(self.gradient(x), PRODUCT))

    def of(self, tensor: Tensor) -> Piece:
        """What a quantity is called."""
        tensor = self.words.resolved(tensor)
        if tensor in self.given:
            return self.given[tensor]
        if tensor not in self._pieces:
            self._pieces[tensor] = Piece(r"\ldots")  # where a loop comes back to it
            self._pieces[tensor] = self._unnamed(tensor)
        return self._pieces[tensor]

    def formula(self, tensor: Tensor) -> Piece:
        """What it is computed by, of the quantities before it; its name where that would be long."""
        tensor = self.words.resolved(tensor)
        found = self._definitions.get(tensor)
        return found if found is not None and len(found.text) <= LONGEST_SHOWN else self.of(tensor)

    def whole(self, tensor: Tensor) -> Piece:
        """What all outputs of a tensor's node are computed by together."""
        found = self._wholes.get(self.words.resolved(tensor))
        return found if found is not None and len(found.text) <= LONGEST_SHOWN else self.formula(tensor)

    def gradient(self, tensor: Tensor) -> str:
        r"""`\partial y/\partial(\sin x)`."""
        return rf"\partial {self.target}/{self.below(tensor)}"

    def below(self, tensor: Tensor) -> str:
        r"""`\partial x`, `\partial(\sin x)`."""
        piece = self.of(tensor)
        return rf"\partial {piece.latex}" if piece.strength == ATOM else rf"\partial({piece.latex})"

    @property
    def target(self) -> str:
        """What is differentiated."""
        pieces = [self.of(y) for y in self.words.ys]
        if len(pieces) == 1:
            return pieces[0].inside(ATOM)
        return f"({' + '.join(piece.latex for piece in pieces)})"

    # -- naming --------------------------------------------------------------------------------------------

    def _title(self, y: Tensor) -> None:
        """A result without a name is called as the function that returns it, else y, or what is free."""
        if y not in self.given and y.node.inputs:
            function = self._returned.get(y.node.span) if y.node.span is not None else None
            names = (*(() if function is None else (function,)), *UNTITLED)
            name = next((name for name in names if name_piece(name).latex not in self._taken), "y")
            self.given[y] = name_piece(name)
            self._taken.add(name)

    def _name(self, operation: Operation) -> None:
        definition = self._definition(operation)
        passed = [self.of(tensor) for tensor in operation.last.inputs]
        for tensor in operation.last.outputs:
            piece = _of_several(operation.last, tensor, definition, passed)
            self._definitions[tensor] = piece
            self._wholes[tensor] = piece if operation.last.op.name == "IdentityN" else definition
            if tensor in self.given:
                continue
            is_short = len(piece.text) <= LONGEST and not self._is_foreign(piece)
            self._pieces[tensor] = piece if is_short else self._letter()

    def _definition(self, operation: Operation) -> Piece:
        """An operation's formula; one of several nodes is written as a function where that is too long."""
        inside: dict[Tensor, Piece] = {}
        for node in operation.nodes:
            pieces = [inside.get(self.words.resolved(t)) or self.of(t) for t in self.words.kept.get(node, ())]
            piece = pieces[0] if _is_laid_out(operation, node) else self._composed(node, pieces)
            for tensor in node.outputs:
                inside[tensor] = piece
        whole = inside[operation.output]
        if whole_call(self.words, operation.nodes, operation.core):
            return self._called(operation)
        if is_mean(operation):
            return Piece(rf"\mathrm{{mean}}({self.of(operation.inputs[0]).latex})")
        is_unclear = len(whole.text) > LONGEST_SHOWN or "cases" in whole.latex
        if (operation.core is None and is_unclear) or self._is_foreign(whole):
            return self._called(operation)
        return whole

    def _composed(self, node: Node, pieces: Sequence[Piece]) -> Piece:
        """A node's formula; that a loss keeps its labels fixed is nothing that the learner wrote."""
        if node.op.name == "StopGradient" and not self._stops:
            return pieces[0]
        return composed(node, self._all_inputs(node, pieces))

    def _is_foreign(self, whole: Piece) -> bool:
        """Whether a formula has a function that neither the text has nor a textbook."""
        functions = re.findall(r"\\mathrm\{(\w+)\}\(", whole.latex)
        return any(function not in self._words | COMMON for function in functions)

    def _called(self, operation: Operation) -> Piece:
        """An operation of several nodes as the function that the text calls."""
        pieces = [self.of(tensor) for tensor in operation.inputs if not _is_setting(tensor)]
        span = operation.last.span
        text = None if span is None else self._calls.get(span)
        own = called(operation.last, pieces)
        if whole_call(self.words, operation.nodes, operation.core):
            return self._whole_call(operation, text, pieces)
        is_part = operation.output not in self._call_values and not self._is_foreign(own)
        if text is None or not text.call or is_part:
            return own
        return Piece(f"{upright(text.call)}({', '.join(piece.latex for piece in pieces)})")

    def _whole_call(self, operation: Operation, text: CallText | None, pieces: list[Piece]) -> Piece:
        """`criterion(z, labels)`, as the text calls it; a part of a call under its own name."""
        name = WHOLE_CALLS[whole_call(self.words, operation.nodes, operation.core)]
        if text is not None and text.call and self._calls_made[self._place(operation)] == 1:
            name, pieces = text.call, [*pieces, *self._targets(text, pieces)]
        return Piece(f"{upright(name)}({', '.join(piece.latex for piece in pieces)})")

    def _place(self, operation: Operation) -> object:
        return operation.last.span, self.words.paths.get(operation.last, ())

    def _targets(self, text: CallText | None, pieces: Sequence[Piece]) -> list[Piece]:
        """Tensors that a call of the text is given by name, such as the numbers of classes."""
        named = [] if text is None else [name_piece(name) for name in text.names if name in self._tensors]
        return [piece for piece in named if piece not in pieces]

    def _all_inputs(self, node: Node, pieces: Sequence[Piece]) -> list[Piece]:
        """Pieces for all inputs of a node, where the essentials leave out shapes and axes."""
        if len(pieces) == len(node.inputs):
            return list(pieces)
        found = iter(pieces)
        shown = set(self.words.kept.get(node, ()))
        return [
            next(found, value_piece(0)) if self.words.resolved(t) in shown else self._constant(t)
            for t in node.inputs
        ]

    def _unnamed(self, tensor: Tensor) -> Piece:
        node = tensor.node
        if node.op.name == "Fill" and len(node.inputs) == 2:
            return self.of(node.inputs[1])
        if node.op.name in ("Const", "Fill"):
            return self._constant(tensor)
        if not node.inputs:
            return self._node_name(node)
        if node.phase == "gradient" and not depends_on_given(node) and tensor in self.words.values:
            return self._constant(tensor)
        definition = self._composed(node, [self.of(t) for t in self.words.kept.get(node, ())])
        is_short = len(definition.text) <= LONGEST and not self._is_foreign(definition)
        return definition if is_short else self._letter()

    def _node_name(self, node: Node) -> Piece:
        """A variable that no name is bound to; of several of one name each has its number."""
        others = [n for n in self.words.kept if n.op.name in GIVEN and n.outputs[0] not in self.given]
        alike = [other for other in others if _own_name(other) == _own_name(node)]
        if len(alike) < 2 or node not in alike:
            return _node_name(node)
        return name_piece(_own_name(node), alike.index(node) + 1)

    def _constant(self, tensor: Tensor) -> Piece:
        value = tensor.node.attrs.get("value") if tensor.node.op.name == "Const" else None
        value = self.words.values.get(tensor) if value is None else value
        if value is None:
            return Piece(r"\ldots")
        return (self._array_name(value) if np.ndim(value) else None) or value_piece(value)

    def _array_name(self, value: Any) -> Piece | None:
        """The name of an array of the program that holds these numbers."""
        for name, bound in self.words.outcome.names.items():
            if isinstance(bound, (np.ndarray, list, tuple)) and _same(bound, value):
                return name_piece(name)
        return None

    def _letter(self) -> Piece:
        while True:
            self._number += 1
            piece = name_piece("u", self._number)
            if piece.latex not in self._taken:
                return piece


def _is_laid_out(operation: Operation, node: Node) -> bool:
    """Whether a node only puts the axes of pictures in the order in which its operation needs them."""
    return len(operation.nodes) > 1 and node.op.name == "Transpose" and len(node.outputs[0].shape or ()) > 2


def _is_setting(tensor: Tensor) -> bool:
    """Whether an input only says how something is computed: a shape, an axis, a number of places."""
    return tensor.node.op.name == "Const" and tensor.dtype in ("int32", "int64")


def _of_several(node: Node, tensor: Tensor, whole: Piece, passed: Sequence[Piece]) -> Piece:
    """An output of a node that has several."""
    if node.op.name == "IdentityN":
        return passed[tensor.index]
    floats = [output for output in node.outputs if output.dtype.startswith("float")]
    if len(floats) < 2:
        return whole
    return Piece(f"{whole.inside(ATOM)}_{{{tensor.index}}}")


def _own_name(node: Node) -> str:
    """A node's name without its scopes."""
    return node.name.rpartition("/")[2]


def _node_name(node: Node) -> Piece:
    """A variable that no name is bound to: the name that the program gave its node."""
    name = _own_name(node)
    default = node.op.name in ("VariableV2", "Placeholder") and name.split("_")[0] in (
        "Variable",
        "Placeholder",
    )
    return (
        name_piece("v", int(name.rpartition("_")[2]) if "_" in name else None)
        if default
        else name_piece(name)
    )


# -- names that the program gave -----------------------------------------------------------------------


def _given_names(
    words: Words, operations: Sequence[Operation], source: str
) -> Iterator[tuple[Tensor, Piece]]:
    """A piece for each tensor that the program has a name for; the first name that a tensor got counts."""
    by_name: defaultdict[str, dict[Tensor, None]] = defaultdict(dict)
    found: dict[Tensor, tuple[str, Piece | None]] = {}
    bound = [*_assigned(operations, words, source), *_bound(words)]
    for name, tensor in bound:
        if tensor not in found:
            found[tensor] = (name, None)
            by_name[name][tensor] = None
    for tensor, (name, _) in found.items():
        several = sorted(by_name[name], key=lambda t: (t.node.index, t.index))
        number = several.index(tensor) + 1 if len(several) > 1 else None
        yield tensor, name_piece(name, number)
    for tensor, piece in (*_in_modules(words), *_arguments(words), *_in_containers(words)):
        if tensor not in found:
            yield tensor, piece


def _bound(words: Words) -> Iterator[tuple[str, Tensor]]:
    for name, value in words.outcome.names.items():
        tensor = _tensor_of(words, value)
        if tensor is not None:
            yield name, tensor


def _tensor_of(words: Words, value: Any) -> Tensor | None:
    """The tensor of the lesson's graph that a Python value stands for."""
    value = value.held if isinstance(value, TensorItem) else value
    tensor = value.ref if isinstance(value, Variable) else value
    if not isinstance(tensor, Tensor) or tensor.graph is not words.graph:
        return None
    tensor = words.resolved(tensor)
    return None if tensor.node.op.name == "Fill" and tensor.node.phase == "gradient" else tensor


def _in_modules(words: Words) -> Iterator[tuple[Tensor, Piece]]:
    """Parameters of the program's PyTorch modules, by the path that leads to them."""
    names = words.outcome.parameter_names()
    for node in words.kept:
        if node.name in names:
            yield node.outputs[0], name_piece(names[node.name])


def _arguments(words: Words) -> Iterator[tuple[Tensor, Piece]]:
    """What functions of JAX were differentiated by, by the names of their parameters."""
    if words.outcome.dialect != "jax":
        return
    for call in words.outcome.workspace.gradient_calls:
        for x in call.xs:
            tensor = _tensor_of(words, x)
            if tensor is not None and tensor.node.op.name == "Const":
                yield tensor, _node_name(tensor.node)


def _in_containers(words: Words) -> Iterator[tuple[Tensor, Piece]]:
    """`w[0]` as w with a subscript, `p["w"]` as w, of lists and dicts that the program made."""
    for name, value in words.outcome.names.items():
        items: Iterable[tuple[Any, Any]] = (
            value.items()
            if isinstance(value, dict)
            else enumerate(value)
            if isinstance(value, (list, tuple))
            else ()
        )
        for key, item in items:
            tensor = _tensor_of(words, item)
            if tensor is not None:
                yield tensor, name_piece(key) if isinstance(key, str) else name_piece(name, key)


def _assigned(operations: Sequence[Operation], words: Words, source: str) -> Iterator[tuple[str, Tensor]]:
    """Names that assignments gave to what stands on their right, each time that they ran."""
    places = assigned_places(source) if words.outcome.dialect != "math" else {}
    inputs = [node for node in words.kept if node.op.name in GIVEN]
    made = [(node.span, node.outputs[0]) for node in _made_by_name(inputs, source)]
    made += [(operation.last.span, operation.output) for operation in operations]
    standing: defaultdict[Span | None, list[Tensor]] = defaultdict(list)
    for place, tensor in made:
        if tensor.node.phase == "forward":
            standing[place].append(tensor)
    calls = calls_of(source)
    for place, tensors in standing.items():
        if (
            place is not None and place in calls and calls[place].call == TRAINING
        ):  # gives a record; what it computes is the loss
            yield from (("loss", tensor) for tensor in _values(tensors))
        elif place is not None and place in places:
            yield from ((places[place], tensor) for tensor in _values(tensors))


def _call_values(operations: Sequence[Operation]) -> Iterator[Tensor]:
    """What each stretch of the text gave, each time that it ran."""
    standing: defaultdict[Span | None, list[Tensor]] = defaultdict(list)
    for operation in operations:
        standing[operation.last.span].append(operation.output)
    for tensors in standing.values():
        yield from _values(tensors)


def _values(tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    """Of what one stretch of the text made, the value of each time that it ran: what stands there last."""
    kinds = Counter(tensor.node.op.name for tensor in tensors)
    alike = [tensor for tensor in tensors if tensor.node.op.name == tensors[-1].node.op.name]
    each = len(alike) // min(kinds.values())
    return alike[each - 1 :: each] if len(alike) % min(kinds.values()) == 0 else alike


def _made_by_name(inputs: Sequence[Node], source: str) -> Iterator[Node]:
    """Variables and placeholders but for those that a call makes several of, as a model does."""
    calls, counts = calls_of(source), Counter(node.span for node in inputs)
    for node in inputs:
        text = None if node.span is None else calls.get(node.span)
        if counts[node.span] == 1 or text is None or text.call in MAKING:
            yield node


def _same(bound: Any, value: Any) -> bool:
    """Whether an array or a list of numbers holds the numbers of a constant."""
    try:
        array = np.asarray(bound, dtype=np.asarray(value).dtype)
    except (TypeError, ValueError):
        return False
    return array.shape == np.shape(value) and bool(np.array_equal(array, value))
