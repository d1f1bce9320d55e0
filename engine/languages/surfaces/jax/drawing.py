"""The graph of a JAX program: what is computed of known arrays becomes nodes of the engine's own ops.

Each primitive that has an op stands in `OPS`; the result of one that has none is a constant of the graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from engine import ops
from engine.errors import GradlensError, LimitError
from engine.languages.interpreter import Diagnostic
from engine.languages.surfaces.jax.api.calling import flat_arguments, parameter_names, trees
from engine.languages.surfaces.jax.api.derivatives.recording import gradient_call
from engine.languages.surfaces.jax.core.jaxpr import GradientNote, Var
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace, StagingTracer
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer, undrawn
from engine.languages.workspace import GradientCall, Workspace

MOST_NODES = 600  # of one program; what it computes later is not drawn
MOST_ELEMENTS = 100_000  # of an array that is a constant of the graph
MOST_CALLS = 50
MOST_FUNCTIONS = 20  # that are traced once more for their picture
DRAWN = {"float16", "float32", "float64", "int32", "int64", "bool", "uint8", "int8"}

Op = Callable[..., Any]
PLAIN: dict[str, Op] = {
    "add": ops.add,
    "add_any": ops.add,
    "sub": ops.sub,
    "mul": ops.mul,
    "div": ops.divide,
    "pow": ops.power,
    "max": ops.maximum,
    "min": ops.minimum,
    "neg": ops.neg,
    "abs": ops.absolute,
    "sign": ops.sign,
    "square": ops.square,
    "rsqrt": ops.rsqrt,
    "logistic": ops.sigmoid,
    "stop_gradient": ops.stop_gradient,
    "copy": ops.identity,
    "copy_p": ops.identity,
    "eq": ops.equal,
    "ne": ops.not_equal,
    "gt": ops.greater,
    "ge": ops.greater_equal,
    "lt": ops.less,
    "le": ops.less_equal,
    "and": ops.logical_and,
    "or": ops.logical_or,
    "not": ops.logical_not,
    "erf": ops.erf,
    "erfc": ops.erfc,
    "floor": ops.floor,
    "ceil": ops.ceil,
    "is_finite": ops.is_finite,
}
PLAIN.update(
    {
        name: getattr(ops, name)
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
            *("exp", "expm1", "log", "log1p", "sqrt", "atan2", "lgamma", "digamma"),
        )
    }
)


def _reduced(op: Op) -> Op:
    return lambda x, axes, **_: op(x, axis=list(axes))


def _product(x: Any, y: Any, dimension_numbers: Any, **_: Any) -> Any:
    (left, right), (left_batch, right_batch) = dimension_numbers
    if left_batch or right_batch:
        return None
    if (len(x.shape), len(y.shape)) == (2, 2) and (tuple(left), tuple(right)) == ((1,), (0,)):
        return ops.matrix_product(x, y)
    return ops.tensordot(x, y, [list(left), list(right)])


def _broadcast(x: Any, shape: Sequence[int], broadcast_dimensions: Sequence[int], **_: Any) -> Any:
    lengths = [1] * len(shape)
    for axis, place in enumerate(broadcast_dimensions):
        lengths[int(place)] = x.shape[axis]
    spread = x if tuple(x.shape) == tuple(lengths) else ops.reshape(x, lengths)
    return ops.broadcast_to(spread, list(shape))


OPS: dict[str, Op] = {
    "integer_pow": lambda x, y: ops.square(x) if y == 2 else ops.power(x, np.asarray(y, x.dtype)),
    "reduce_sum": _reduced(ops.reduce_sum),
    "reduce_max": _reduced(ops.reduce_max),
    "reduce_min": _reduced(ops.reduce_min),
    "reduce_prod": _reduced(ops.reduce_prod),
    "dot_general": _product,
    "transpose": lambda x, permutation: ops.transpose(x, [int(axis) for axis in permutation]),
    "reshape": lambda x, new_sizes, **_: ops.reshape(x, list(new_sizes)),
    "squeeze": lambda x, dimensions: ops.squeeze(x, list(dimensions)),
    "expand_dims": lambda x, dimensions: ops.expand_dims(x, dimensions[0]),
    "broadcast_in_dim": _broadcast,
    "convert_element_type": lambda x, new_dtype, **_: ops.cast(x, np.dtype(new_dtype).name),
    "select_n": lambda which, *cases: (
        ops.where(which, cases[1], cases[0]) if which.dtype == "bool" and len(cases) == 2 else None
    ),
    "concatenate": lambda *xs, dimension: ops.concat(list(xs), dimension),
}


class Drawing:
    """What a run of a program draws."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.graph: Any = workspace.graph

    @property
    def place(self) -> Any:
        """The stretch of the program that runs now."""
        return self.graph.here().span

    def at(self, place: Any) -> Any:
        """Nodes that are made inside come from this stretch, where it is known."""
        return nullcontext() if place is None else self.graph.at(place)

    @property
    def is_full(self) -> bool:
        """Whether no more is drawn."""
        return len(self.graph.nodes) > MOST_NODES

    def source(self, array: JaxArray, name: str = "Const") -> Any:
        """The tensor of the graph that shows an array: a constant, where nothing computed it there."""
        if array.tensor is not None or self.is_full:
            return array.tensor
        if array.array.dtype.name in DRAWN and not array.kind and array.array.size <= MOST_ELEMENTS:
            with self._phase():
                array.tensor = ops.constant(array.array, name=name)
        return array.tensor

    def record(
        self, primitive: Any, values: Sequence[Any], results: Sequence[Any], parameters: Mapping[str, Any]
    ) -> None:
        """Draw the node of a primitive that has just been computed."""
        op = PLAIN.get(primitive.name) or OPS.get(primitive.name)
        if op is None or self.is_full or any(one.kind for one in results):
            return
        given = {} if primitive.name in PLAIN else parameters
        try:
            inputs = [self._input(value) for value in values]
            with self._phase():  # no other inside: the program's nodes would come after the gradient
                found = None if any(one is None for one in inputs) else op(*inputs, **given)
        except LimitError:
            raise
        except GradlensError:
            return  # an element type that the op does not take
        (result,) = results
        if found is not None and found.dtype == result.aval.dtype and found.shape == result.array.shape:
            result.tensor = found

    def _input(self, value: Any) -> Any:
        if isinstance(value, JaxArray):
            return self.source(value)
        if isinstance(value, Constant) and not value.kind and value.array.dtype.name in DRAWN:
            with self._phase():
                return ops.constant(value.array)
        return None

    def _phase(self) -> Any:
        """Nodes that are made inside belong to a gradient, or to what is computed forward."""
        run = run_now()
        if not run.is_backward:
            return self.graph.making("forward")
        return self.graph.making("gradient", self._node_of(run.forward_of))

    def _node_of(self, value: Any) -> Any:
        """The node of the graph that computed a value; None where it is not drawn."""
        while isinstance(value, Tracer) and value.lowered() is not value:
            value = value.lowered()
        tensor = value.tensor if isinstance(value, JaxArray) else None
        return None if tensor is None or tensor.node.phase != "forward" else tensor.node

    @contextmanager
    def backward(self) -> Iterator[None]:
        """What is computed inside belongs to a gradient."""
        run = run_now()
        is_inside = run.is_backward or run.trace is not run.evaluation
        with run.going_back(), nullcontext() if is_inside else self.graph.name_scope("gradients"):
            yield

    def begin(self, call: gradient_call) -> None:
        """A gradient is about to be computed."""

    def _keep_for_pictures(self, call: gradient_call) -> None:
        """The last call for each function that was differentiated outside of other transformations."""
        calls = run_now().pictures
        calls[:] = [one for one in calls if one.function is not call.function]
        calls.append(call)
        del calls[:-MOST_FUNCTIONS]

    def name_arguments(self, call: gradient_call, leaves: Sequence[Any]) -> None:
        """Give the arguments nodes of their names."""
        for leaf, name in zip(leaves, argument_names(call), strict=False):
            if isinstance(leaf, JaxArray):
                self.source(leaf, name)

    def end(self, call: gradient_call, failed: bool) -> None:
        """Enter a gradient that has been computed of known arrays."""
        if not failed:
            self._keep_for_pictures(call)
        calls = self.workspace.gradient_calls
        if failed or not hasattr(call, "found") or len(calls) >= MOST_CALLS:
            return
        if isinstance(run_now().trace, StagingTrace):
            self._note(call, run_now().trace)
        else:
            self._enter(call.results[0], call.primals, call.found, argument_names(call))

    def _note(self, call: gradient_call, trace: StagingTrace) -> None:
        """Keep with the jaxpr that is being written what gradient it takes."""
        value, *arguments = [_atom(one) for one in (call.results[0], *call.primals)]
        gradients = [_atom(one) for one in call.found]
        trace.notes.append(GradientNote(call, value, arguments, gradients, argument_names(call)))

    def name_noted(self, notes: Sequence[GradientNote], held: dict[Any, Any]) -> None:
        """Name what gradients are taken with respect to in a jaxpr that is about to be computed."""
        for note in notes:
            for variable, name in zip(note.arguments, note.names, strict=False):
                value = _held(variable, held)
                if isinstance(value, Constant) and isinstance(variable, Var):
                    value = held[variable] = undrawn(value)
                if isinstance(value, JaxArray):
                    self.source(value, name)

    def enter_noted(self, note: GradientNote, held: Mapping[Any, Any]) -> None:
        """Enter a gradient that a jaxpr has just computed."""
        if len(self.workspace.gradient_calls) >= MOST_CALLS:
            return
        leaves, structure = flat_arguments(note.call.args, note.call.keywords)
        values = [_held(leaf, held) for leaf in leaves]
        if not any(isinstance(value, Tracer) for value in values):
            args, note.call.keywords = trees().unflatten(structure, values)
            note.call.args = list(args)
        value, *rest = [_held(one, held) for one in (note.value, *note.arguments, *note.gradients)]
        count = len(note.arguments)
        self._enter(value, rest[:count], rest[count:], note.names)

    def _enter(self, y: Any, primals: Sequence[Any], found: Sequence[Any], names: Sequence[str]) -> None:
        if not isinstance(y, JaxArray) or y.tensor is None:
            return
        rows = [
            (x.tensor, g, name)
            for x, g, name in zip(primals, found, names, strict=True)
            if isinstance(x, JaxArray) and x.tensor is not None and isinstance(g, JaxArray)
        ]
        is_cut = self.is_full and any(gradient.tensor is None for _, gradient, _ in rows)
        if not rows or (is_cut and self.workspace.gradient_calls):
            return  # its way back is not drawn any more, that of an earlier one is
        xs, found, names = zip(*rows, strict=True)
        with self.backward() if any(g.tensor is None for g in found) else nullcontext():
            gradients = tuple(self.source(gradient) for gradient in found)
        call = GradientCall((y.tensor,), xs, gradients, is_loss=True, names=names)
        self.workspace.gradient_calls.append(call)


def notes_on_the_rest() -> list[Diagnostic]:
    """A note where a program has computed more than is drawn of it."""
    drawing = run_now().recorder
    if drawing is None or not drawing.is_full:
        return []
    return [
        Diagnostic(
            "note",
            "drawn_in_part",
            f"Graph and lesson are of the first {MOST_NODES} operations of the program; what it computes "
            "after them is printed, and not drawn.",
            f"计算图和讲解只包含程序最先的 {MOST_NODES} 个运算；之后的计算照常打印，但不再画出。",
            "Let loops go round less often to see all of it.",
            "减少循环次数，就能看到完整的计算图。",
        )
    ]


def _atom(value: Any) -> Any:
    """The variable of a value in the jaxpr that is being written; the value itself, where it has none."""
    return value.atom if isinstance(value, StagingTracer) else value


def _held(value: Any, held: Mapping[Any, Any]) -> Any:
    """What a variable holds; any other value as it is."""
    atom = _atom(value)
    return held.get(atom, value) if isinstance(atom, Var) else value


def argument_names(call: gradient_call) -> list[str]:
    """A name for each leaf of what a gradient is asked with respect to."""
    names = parameter_names(call.function)
    return [
        name
        for place in call.places
        for name in _leaf_names(call.args[place], names[place] if place < len(names) else f"x{place}")
    ]


def _leaf_names(value: Any, name: str) -> list[str]:
    """For each leaf of an argument a name of its own."""
    parts = trees().parts(value)
    if parts is None:
        return [name]
    kind, keys, children = parts
    labels = keys if kind is dict else range(len(children))
    return [
        found
        for key, child in zip(labels, children, strict=True)
        for found in _leaf_names(child, f"{name}_{re.sub(r'[^A-Za-z0-9_]', '_', str(key))}")
    ]


def drawing() -> Drawing | None:
    """What draws now."""
    found: Drawing | None = run_now().recorder
    return found
