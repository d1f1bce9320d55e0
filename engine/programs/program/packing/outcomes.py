"""What a program left behind as bytes, and an outcome of its own from them.

What is asked of a program once it has run is packed: its graphs, names, target, gradients, updates and
last values. A graph that depends on functions or objects of the program is not packed.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.execution import Run, Session
from engine.execution.budget import Limits
from engine.execution.eager.immediate import ImmediateGraph
from engine.graph import Graph, Node, Tensor
from engine.languages.interpreter.budget import Budget
from engine.languages.surfaces.tf1.program_session import KeptRun, ProgramSession
from engine.languages.workspace import Workspace
from engine.ops.base.tensors import Array
from engine.programs.program.items import is_listed
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing.arrays import bare, in_data, whole
from engine.programs.program.packing.graphs import Packer, tensor_at
from engine.programs.program.packing.names import NamePacker
from engine.programs.program.packing.small_file import MOST_BYTES, NotPackable, SmallFile
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request

log = logging.getLogger(__name__)

PACKED = {"ok", "error"}  # a program that was refused left nothing, one that met a limit perhaps too much
MOST_NODES = 5_000


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
        passes=in_data(found["passes"], whole),
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
        "passes": in_data(workspace.passes, bare),
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
        tensor: None if getattr(tensor, "array", None) is value else bare(np.array(value, order="C"))
        for tensor, value in values.items()
    }


def _values_of(copied: Mapping[Tensor, Any]) -> dict[Tensor, Array]:
    """These values again."""
    return {
        tensor: tensor.array if array is None else whole(array)  # type: ignore[attr-defined]  # it has it itself
        for tensor, array in copied.items()
    }


Numbered = tuple[int, int, Any]  # the place of a node, which of its outputs, its array as `_bare` writes it


def _first_numbers(session: ProgramSession) -> list[Numbered]:
    """The single numbers that the first run of a session computed."""
    values = session.first[0].run.values if session.first else {}
    return [
        (tensor.node.index, tensor.index, bare(np.array(value)))
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
    run = Run(values={tensor_at(graph, node, index): whole(number) for node, index, number in first})
    return ProgramSession(session, first=[KeptRun(0, None, run)], last_feeds=dict(feeds))
