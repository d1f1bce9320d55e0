"""A program that has run, as bytes: any process goes on from there, and need not run the program again.

What is asked of a program once it has run is packed: its graphs, names, target, gradients, updates and
last values. Each unpacking gives an outcome of its own, which may be grown. Functions and objects of the
program are packed as an answer lists them; a graph that depends on such is not packed.
"""

from __future__ import annotations

import io
import logging
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.errors import Span
from engine.execution import Run, Session
from engine.execution.budget import Limits
from engine.execution.eager.immediate import EagerTensor, ImmediateGraph
from engine.execution.eager.passing import WatchedTensor
from engine.execution.eager.repeating_graph import RepeatingGraph
from engine.execution.eager.turns.late import LateTensor
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.lazy_nodes import LazyNodes
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.tf1.program_session import KeptRun, ProgramSession
from engine.languages.surfaces.torch.result import TensorItem
from engine.languages.workspace import Workspace
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.optimizers import Optimizer
from engine.programs.program.items import MAX_DEPTH, ObjectJson, is_listed, item_json
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request

log = logging.getLogger(__name__)

MOST_BYTES = 4_000_000  # of one program; a larger one is run again
PACKED = {"ok", "error"}  # a program that was refused left nothing, one that met a limit perhaps too much
MOST_NODES = 5_000
MOST_ITEMS = 20_000
AN_OBJECT = 200  # items that an object's JSON may have
AS_IT_IS = (Tensor, Node, Variable, TensorItem, IndexedSlices, Optimizer, np.ndarray, np.generic, range)
UNCHANGED = (*AS_IT_IS, str, int, float, complex, type(None))
PROGRAMS_WORLD = ("engine.languages.interpreter.", "engine.languages.surfaces.")  # whose objects stay behind
OF_A_GRAPH = {
    "engine.languages.interpreter.decisions",
    "engine.languages.interpreter.reading.diagnostics",
    "engine.languages.interpreter.builtins.records",
    "engine.languages.surfaces.keras.optimizers.optimizer",
    "engine.languages.surfaces.keras.layer",
    "engine.languages.surfaces.keras.seeds",
    "engine.languages.surfaces.keras.weights",
    "engine.languages.surfaces.tf2.variables",
    "engine.languages.surfaces.torch.result",
}  # but for these

Reduced = tuple[Any, ...]


class NotPackable(Exception):
    """Something that the graph leans on lives in one process alone."""


def outcome_of(request: ProgramRequest, limits: Limits) -> Outcome:
    """What running a program leaves behind: unpacked where it has run before, else run now."""
    return unpack_outcome(request.ran, limits) if request.ran else run_request(request, limits)


def pack_outcome(outcome: Outcome) -> bytes:
    """What a program left behind, up to its mistake if it made one; nothing where it is large, say."""
    nodes = sum(len(graph.nodes) for graph in outcome.workspace.graphs)
    if outcome.status not in PACKED or nodes > MOST_NODES:
        return b""
    file = SmallFile()
    try:
        Packer(file, protocol=pickle.HIGHEST_PROTOCOL).dump(_fields(outcome))
    except (NotPackable, pickle.PicklingError, TypeError, AttributeError) as error:
        log.info("A program has to be run again each time: %s", error)
        return b""
    return file.getvalue()


class SmallFile(io.BytesIO):
    """Bytes in memory, up to `MOST_BYTES`; so nothing large is written only to be thrown away."""

    def write(self, data: Any) -> int:
        """Take more bytes. Raises: NotPackable where they would be too many."""
        if self.tell() + memoryview(data).nbytes > MOST_BYTES:
            raise NotPackable("too large")
        return super().write(data)


def unpack_outcome(packed: bytes, limits: Limits) -> Outcome:
    """The outcome that was packed, its budget spent as it was, and a clock that starts now."""
    found = pickle.loads(packed)  # bytes that a worker of ours has packed
    budget = Budget(limits)
    budget.steps, budget.operations = found["spent"]
    for graph in found["graphs"]:
        if isinstance(graph, ImmediateGraph):
            graph.meter = budget
    workspace = Workspace(
        found["graph"],
        budget,
        feeds=found["feeds"],
        seed=found["seed"],
        gradient_calls=found["gradient_calls"],
        updates=found["updates"],
        clips=found["clips"],
        questions=found["questions"],
        known_values=_values_of(found["last_values"]),
        sessions=[_session(*kept) for kept in found["sessions"]],
        autograd=found["autograd"],
        jaxprs=found["jaxprs"],
        passes=_with_arrays(found["passes"]),
        more_passes=found["more_passes"],
    )
    workspace.graphs = found["graphs"]
    return Outcome(workspace=workspace, **found["outcome"])


def _fields(outcome: Outcome) -> dict[str, Any]:
    workspace, packer = outcome.workspace, NamePacker()
    return {
        "graphs": workspace.graphs,
        "graph": workspace.graph,
        "spent": (workspace.budget.steps, workspace.budget.operations),
        "feeds": workspace.feeds,
        "seed": workspace.seed,
        "gradient_calls": workspace.gradient_calls,
        "updates": workspace.updates,
        "questions": workspace.questions,
        "clips": workspace.clips,
        "autograd": workspace.autograd,
        "jaxprs": workspace.jaxprs,
        "passes": _without_arrays(workspace.passes),
        "more_passes": workspace.more_passes,
        "last_values": _copied(workspace.last_values),
        "sessions": [
            (s.session.graph, s.session.variables, s.last_feeds, _first_numbers(s))
            for s in workspace.sessions
        ],
        "outcome": {
            "dialect": outcome.dialect,
            "names": {
                name: packer.packable(value) for name, value in outcome.names.items() if is_listed(value)
            },
            "target": outcome.target,
            "printed": outcome.printed,
            "result": packer.packable(outcome.result),
            "status": outcome.status,
            "diagnostics": outcome.diagnostics,
            "decisions": [
                one if one.graph in workspace.graphs else replace(one, graph=None)
                for one in outcome.decisions
            ],
        },
    }


def _copied(values: Mapping[Tensor, Array]) -> dict[Tensor, Any]:
    """The values of tensors; None for one that has its value itself."""
    if sum(value.nbytes for value in values.values()) > MOST_BYTES:
        raise NotPackable("too large")
    return {
        tensor: None if getattr(tensor, "array", None) is value else _bare(np.array(value, order="C"))
        for tensor, value in values.items()
    }


def _values_of(copied: Mapping[Tensor, Any]) -> dict[Tensor, Array]:
    """These values again."""
    return {
        tensor: tensor.array if bare is None else _whole(bare)  # type: ignore[attr-defined]  # it has it itself
        for tensor, bare in copied.items()
    }


Numbered = tuple[int, int, Any]  # the place of a node, which of its outputs, its array as `_bare` writes it


def _first_numbers(session: ProgramSession) -> list[Numbered]:
    """The single numbers that the first run of a session computed."""
    values = session.first[0].run.values if session.first else {}
    return [
        (tensor.node.index, tensor.index, _bare(np.array(value)))
        for tensor, value in values.items()
        if value.size == 1 and value.dtype.kind == "f" and tensor.graph is session.session.graph
    ]


def _session(
    graph: Graph,
    variables: dict[Node, Array],
    feeds: Mapping[Tensor, Array],
    first: Iterable[Numbered],
) -> ProgramSession:
    """A session of the program, with what it held and was fed last, and its first numbers."""
    session = Session(graph)
    session.variables = variables
    run = Run(values={tensor_at(graph, node, index): _whole(number) for node, index, number in first})
    return ProgramSession(session, first=[KeptRun(0, None, run)], last_feeds=dict(feeds))


class NamePacker:
    """What names are bound to, as it is packed: up to `MOST_ITEMS`, shared ones counted each time."""

    def __init__(self) -> None:
        self._room = MOST_ITEMS

    def packable(self, value: Any, depth: int = 0) -> Any:
        """Tensors and numbers as they are, an object as an answer lists it. Raises: NotPackable."""
        if isinstance(value, UNCHANGED):
            return value
        if type(value) in (list, tuple, set, frozenset):
            self._go_into(value, depth)
            return type(value)(self.packable(item, depth + 1) for item in value)
        if type(value) is dict:
            self._go_into(value, depth)
            return {
                self.packable(key, depth + 1): self.packable(item, depth + 1) for key, item in value.items()
            }
        if isinstance(value, Record):
            self._go_into(value, depth)
            kind = RecordKind(value.kind.name, value.kind.fields)
            return Record(kind, [self.packable(item, depth + 1) for item in value])
        if isinstance(value, (list, tuple, set, frozenset, dict)):
            raise NotPackable(type(value).__name__)
        self._take(AN_OBJECT)
        return ObjectJson(item_json(value, {}))

    def _go_into(self, container: Any, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise NotPackable("too many lists in lists")
        self._take(len(container))

    def _take(self, items: int) -> None:
        self._room -= items
        if self._room < 0:
            raise NotPackable("too many items")


# -- graphs --------------------------------------------------------------------------------------------


class Packer(pickle.Pickler):
    """Writes a graph as a list: each node and tensor by its place in it, so that no chain of them is deep."""

    def reducer_override(self, thing: Any) -> Any:
        """How to write what is more than plain data; `NotImplemented` leaves it to pickle."""
        kind = type(thing)
        reduced = REDUCED.get(kind)
        if reduced is not None:
            return reduced(thing)
        if isinstance(thing, Graph):
            return _reduced_graph(thing)
        home = kind.__module__ + "."
        if home.startswith(PROGRAMS_WORLD) and kind.__module__ not in OF_A_GRAPH:
            raise NotPackable(kind.__name__)
        return NotImplemented


# What a graph finds again, and what an eager one needs only while its program runs.
LEFT_EMPTY = (
    "_by_name",
    "_asked",
    "_carried",
    "_costs",
    "_examples",
    "_from_before",
    "_nodes_before",
    "_paths",
    "_ran",
    "_repeats_of",
    "_run",
    "_taken",
)
# Of a graph's fields: what is written apart, or is of one process.
LEFT_OUT = {"_nodes", "lazy", "meter", "observe", "variables"}


def _reduced_graph(graph: Graph) -> Reduced:
    """A graph: first its nodes without anything that leads to other nodes, then the rest."""
    nodes = graph.nodes
    bare = [(n.name, n.op.name, [(type(t), t.dtype, t.shape) for t in n.outputs]) for n in nodes]
    fields = {name: value for name, value in vars(graph).items() if name not in LEFT_OUT}
    fields.update((name, type(fields[name])()) for name in LEFT_EMPTY if name in fields)
    state = fields, [_rest_of(node) for node in nodes], (type(graph.lazy), graph.lazy.limit)
    return bare_graph, (type(graph), bare), state, None, None, fill_in


def bare_graph(kind: type[Graph], bare: Sequence[Any]) -> Graph:
    """A graph whose nodes are not joined yet."""
    graph = kind.__new__(kind)
    nodes: list[Node] = []
    vars(graph).update(_nodes=nodes, observe=None)
    for index, (name, op, outputs) in enumerate(bare):
        node = Node(graph, index, name, REGISTRY[op], {})
        node.outputs = tuple([cls(node, n, dtype, shape) for n, (cls, dtype, shape) in enumerate(outputs)])
        nodes.append(node)
    return graph


PLAIN = "biufc"  # kinds of numbers that are their bytes
SMALL_BYTES = 4_096  # of an array that is written as its bytes, without asking pickle about it


def _rest_of(node: Node) -> Reduced:
    """What a bare node lacks. Other nodes stand in it by their places: pickle would ask about each."""
    value = node.attrs.get("value")
    attrs = {**node.attrs, "value": _bare(value)} if isinstance(value, np.ndarray) else node.attrs
    inputs = tuple([_place_of(tensor, node.graph) for tensor in node.inputs])
    arrays = [
        None if tensor.array is value else _bare(tensor.array)
        for tensor in node.outputs
        if isinstance(tensor, EagerTensor)
    ]
    of = node.of.index if node.of is not None and node.of.graph is node.graph else node.of
    return (
        attrs,
        inputs,
        node.control_inputs,
        node.colocate,
        node.context,
        node.device,
        node.phase,
        of,
        node.span,
        arrays,
    )


def _place_of(tensor: Tensor, graph: Graph) -> Any:
    """The place of a tensor in its graph; one of an earlier turn, or of another graph, as it is."""
    node = tensor.node
    is_here = node.graph is graph and node.outputs[tensor.index] is tensor
    return (node.index, tensor.index) if is_here else tensor


def _bare(array: Any) -> Any:
    """A small array as its type, shape and bytes; any other as it is."""
    if type(array) is not np.ndarray or array.dtype.kind not in PLAIN or array.nbytes > SMALL_BYTES:
        return array
    return (array.dtype.str, array.shape, array.tobytes()) if array.flags.c_contiguous else array


def _whole(bare: Any) -> Any:
    """The array again."""
    if type(bare) is not tuple:
        return bare
    dtype, shape, data = bare
    return np.frombuffer(data, dtype).reshape(shape).copy()


def _without_arrays(data: Any) -> Any:
    """Lists and dicts in each other, their arrays as `_bare` writes them."""
    kind = type(data)
    if kind is list:
        return [_without_arrays(one) for one in data]
    if kind is dict:
        return {name: _without_arrays(one) for name, one in data.items()}
    return _bare(data)


def _with_arrays(data: Any) -> Any:
    """The same with arrays again."""
    kind = type(data)
    if kind is list:
        return [_with_arrays(one) for one in data]
    if kind is dict:
        return {name: _with_arrays(one) for name, one in data.items()}
    return _whole(data)


def fill_in(graph: Graph, state: tuple[dict[str, Any], Sequence[Any], tuple[type[LazyNodes], int]]) -> None:
    """Join the nodes of a bare graph, and give it all that it knew."""
    fields, rests, (lazy, limit) = state
    vars(graph).update(fields)
    nodes: list[Node] = vars(graph)["_nodes"]
    graph.lazy = lazy(graph, nodes, limit)  # one list: what is made later is in both
    if isinstance(graph, RepeatingGraph):
        graph.take_names(nodes)
    for node, rest in zip(nodes, rests, strict=True):
        (
            attrs,
            inputs,
            node.control_inputs,
            node.colocate,
            node.context,
            node.device,
            node.phase,
            of,
            node.span,
            arrays,
        ) = rest
        node.attrs = {**attrs, "value": _whole(attrs["value"])} if "value" in attrs else attrs
        node.inputs = tuple([nodes[one[0]].outputs[one[1]] if type(one) is tuple else one for one in inputs])
        node.of = nodes[of] if type(of) is int else of
        for tensor, array in zip(node.outputs, arrays, strict=bool(arrays)):
            tensor.array = node.attrs["value"] if array is None else _whole(array)  # type: ignore[attr-defined]  # only eager tensors have arrays


def node_at(graph: Graph, index: int) -> Node:
    """A node by its place."""
    node: Node = vars(graph)["_nodes"][index]
    return node


def tensor_at(graph: Graph, index: int, output: int) -> Tensor:
    """An output of a node."""
    return node_at(graph, index).outputs[output]


def op_named(name: str) -> OpDef:
    """An op of the registry."""
    return REGISTRY[name]


def _reduced_tensor(tensor: Tensor) -> Any:
    node = tensor.node
    if node.outputs[tensor.index] is not tensor:
        return NotImplemented  # of an earlier turn of an eager program
    return tensor_at, (node.graph, node.index, tensor.index)


def _reduced_array(array: Array) -> Any:
    """An array, laid out in memory as it is: sums of another layout could have other last digits."""
    if array.flags.forc:
        return NotImplemented
    repeated = [n > 1 and step == 0 for n, step in zip(array.shape, array.strides, strict=True)]
    if not any(repeated):
        raise NotPackable("a view of an array")
    return np.broadcast_to, (array[tuple(slice(0, 1) if r else slice(None) for r in repeated)], array.shape)


def _reduced_span(span: Span) -> Reduced:
    return Span, (span.line, span.column, span.end_line, span.end_column)


REDUCED: dict[type, Callable[[Any], Any]] = {
    Span: _reduced_span,
    Node: lambda node: (node_at, (node.graph, node.index)),
    Tensor: _reduced_tensor,
    EagerTensor: _reduced_tensor,
    LateTensor: _reduced_tensor,
    WatchedTensor: _reduced_tensor,
    OpDef: lambda op: (op_named, (op.name,)),
    np.ndarray: _reduced_array,
}
