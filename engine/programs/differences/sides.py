"""One of two things that are compared: the graph of a program that ran, or of a file, and what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import GradlensError, ProgramError
from engine.execution.budget import Limits
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.essentials import SeenNode, essentials, everything
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.interchange.reading import read_graph
from engine.languages.surfaces.torch.result import TensorItem
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.programs.differences.numbers import dense
from engine.programs.imported.graph_files import constants_of
from engine.programs.imported.rebuilding import rebuilt
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.program.result import gradient_rows
from engine.programs.service import differentiate

Compared = ProgramRequest | bytes  # a program, or the file of a graph
VIEWS: Mapping[str, Callable[[Graph], list[SeenNode]]] = {"tensorflow": everything, "essentials": essentials}
PROGRAM, GRAPH = "program", "graph"
SIDES_ZH = {"before": "改动前", "after": "改动后"}


@dataclass(frozen=True, slots=True)
class GradientRow:
    """One gradient of a program, of y with respect to x, as its answer lists it. value: None: unknown."""

    name: str
    y: str
    x: Node
    tensor: str | None
    value: Array | None
    reason: str | None
    reason_zh: str | None


@dataclass(slots=True)
class Side:
    """What is compared of one of the two.

    kind:     `program` or `graph`; form: the dialect of the one, the format of the other's file.
    seen:     the nodes that are looked at, in the detail asked for.
    names:    what a person calls a node, in the program.
    initial:  the values that variables begin with, where these are no nodes of what is seen.
    printed:  None of a graph.
    """

    kind: str
    form: str
    graph: Graph
    seen: list[SeenNode]
    values: Mapping[Tensor, Array]
    names: Mapping[Node, str] = field(default_factory=dict)
    initial: Mapping[Node, Array] = field(default_factory=dict)
    target: Tensor | None = None
    gradients: Sequence[GradientRow] = ()
    printed: list[str] | None = None


def side_of(part: str, compared: Compared, detail: str, limits: Limits) -> Side:
    """One of the two, `before` or `after`, ready to be compared.

    Raises: GradlensError whose `part` says which, for a file that holds no graph or a program that does not
            run to its end.
    """
    try:
        if isinstance(compared, bytes):
            return _of_file(compared, detail, limits)
        return _of_program(part, compared, detail, limits)
    except GradlensError as error:
        error.part = part
        raise


def _of_file(data: bytes, detail: str, limits: Limits) -> Side:
    imported = read_graph(data, limits)
    graph = rebuilt(imported).graph
    seen, values = VIEWS[detail](graph), constants_of(graph)
    initial = dict(_assigned(graph, values, {item.node for item in seen}))
    return Side(GRAPH, imported.form, graph, seen, values, initial=initial)


def _assigned(graph: Graph, values: Mapping[Tensor, Array], seen: set[Node]) -> Iterator[tuple[Node, Array]]:
    """What variables of a file begin with, where that is a constant which is not among what is seen."""
    for node in graph.nodes:
        if node.op.name == "Assign" and node.name == f"{node.inputs[0].node.name}/Assign":
            variable, value = node.inputs[0].node, node.inputs[1]
            if value in values and value.node not in seen:
                yield variable, values[value]


def _of_program(part: str, request: ProgramRequest, detail: str, limits: Limits) -> Side:
    outcome = outcome_of(request, limits)
    _check_ran(part, outcome)
    values = differentiate(request, outcome)
    graph = outcome.graph
    seen = VIEWS[detail](graph)
    return Side(
        PROGRAM,
        outcome.dialect,
        graph,
        seen,
        values,
        names=_names_in(outcome),
        initial=_initial_values(graph, values, {item.node for item in seen}),
        target=outcome.target,
        gradients=_gradients(outcome, values),
        printed=outcome.printed,
    )


def _check_ran(part: str, outcome: Outcome) -> None:
    if outcome.status == "ok":
        return
    first = next(one for one in outcome.diagnostics if one.severity == "error")
    raise ProgramError(
        f"The program {part} the change does not run: {first.message}",
        hint=first.hint,
        message_zh=f"{SIDES_ZH[part]}的程序无法运行：{first.message_zh}",
        hint_zh=first.hint_zh,
        code=first.code,
        where=first.span,
    )


def _names_in(outcome: Outcome) -> dict[Node, str]:
    """What the program calls its tensors and variables; of several names the last."""
    found: dict[Node, str] = {}
    for name, bound in outcome.names.items():
        node = _node_of(bound)
        if node is not None and node.graph is outcome.graph:
            found[node] = name
    for node_name, name in outcome.parameter_names().items():
        if node_name in outcome.graph:
            found.setdefault(outcome.graph.node(node_name), name)
    return found


def _node_of(bound: Any) -> Node | None:
    if isinstance(bound, TensorItem):
        bound = bound.held if isinstance(bound.held, (Tensor, Variable)) else bound.value
    if isinstance(bound, Variable):
        return bound.node
    return bound.node if isinstance(bound, Tensor) and bound.index == 0 else None


def _initial_values(graph: Graph, values: Mapping[Tensor, Array], seen: set[Node]) -> dict[Node, Array]:
    """What variables begin with, where the node that computes it is not among those that are seen."""
    return {
        one.node: values[one.initial_value]
        for one in graph.collection(GLOBAL_VARIABLES)
        if one.initial_value in values and one.initial_value.node not in seen
    }


def _gradients(outcome: Outcome, values: Mapping[Tensor, Array]) -> list[GradientRow]:
    calls = [
        call for call in outcome.workspace.gradient_calls if call.ys and call.ys[0].graph is outcome.graph
    ]
    pairs = [pair for call in calls for pair in zip(call.xs, call.gradients, strict=True)]
    rows = gradient_rows(outcome, {})
    return [
        GradientRow(
            row["name"],
            row["y"],
            x.node,
            row["tensor"],
            _value_of(gradient, values),
            row["reason"],
            row["reason_zh"],
        )
        for (x, gradient), row in zip(pairs, rows, strict=True)
    ]


def _value_of(gradient: Any, values: Mapping[Tensor, Array]) -> Array | None:
    if isinstance(gradient, IndexedSlices):
        shape = None if gradient.dense_shape is None else values.get(gradient.dense_shape)
        return dense(values.get(gradient.values), values.get(gradient.indices), shape)
    return None if gradient is None else values.get(gradient)
