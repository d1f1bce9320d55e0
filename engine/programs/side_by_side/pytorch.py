"""What is seen in PyTorch's picture: the ops, and beneath each the node of autograd behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.graph import Node as GraphNode
from engine.programs.frameworks.autograd import ACCUMULATES, Entry, found_entries, run_order
from engine.programs.frameworks.picture import Json
from engine.programs.program.outcome import Outcome
from engine.programs.side_by_side.graphs import GraphView, Prints, Received
from engine.programs.side_by_side.sightings import Sighting, Sightings, Work


def received_in(outcome: Outcome) -> Received:
    """For each forward node the tensor of the graph that is the gradient by its value."""
    nodes, entries = found_entries(outcome)
    pairs = zip(entries, map(_received, nodes), strict=True)
    return [(entry.forward, name) for entry, name in pairs if entry.forward and name]


def _received(node: Json) -> str | None:
    return next((name for name in node.get("received_as") or () if name is not None), None)


def torch_sightings(outcome: Outcome, made: Sequence[GraphNode], prints: Prints) -> Sightings:
    """All that the picture of a PyTorch program shows. made: the nodes of its graph.

    What PyTorch computes inside of a node of autograd is no node of the picture: it is lit by that node.
    """
    nodes, entries = found_entries(outcome)
    if not entries:  # nothing was differentiated
        return Sightings("torch")
    graph = GraphView(outcome, made, prints, received_in(outcome)).sightings("torch")
    shown = {entry.forward: entry.name for entry in entries if entry.forward}
    order = run_order(entries, {node.name: node.index for node in outcome.graph.nodes})
    return replace(
        graph,
        values=[one for one in graph.values if one.node in shown],
        gradients=list(_gradients(nodes, entries, prints)),
        factors=[],
        works={of: _inside(work, shown[of]) for of, work in graph.works.items() if of in shown},
        kept=_saved(outcome, graph.kept, shown),
        sums={},
        backward=len(entries),
        order=[entries[place].name for place in order],
    )


def _inside(work: Work, node: str) -> Work:
    """What an op's gradient takes is computed inside of its node of autograd."""
    return Work(work.op, inside=node if work.place else "", nodes=(node,))


def _saved(outcome: Outcome, names: Sequence[str], shown: Mapping[str, str]) -> list[str]:
    """The ops and leaves whose values are saved; a leaf in place of what reads it."""
    leaves = {
        node.name: node.inputs[0].node.name for node in outcome.graph.nodes if node.op.name == "Identity"
    }
    held = [name if name in shown else leaves.get(name, name) for name in names]
    return list(dict.fromkeys(name for name in held if name in shown))


def _gradients(nodes: list[Json], entries: list[Entry], prints: Prints) -> Iterator[Sighting]:
    """What came to each node, and to `.grad`, which is filled by the first pass."""
    for node, entry in zip(nodes, entries, strict=True):
        name = _received(node)
        found = None if name is None else prints.get(name)
        yield Sighting(entry.name, found, entry.forward or "")
        if entry.kind == ACCUMULATES and entry.variable:
            yield Sighting(f"{entry.variable}.grad", found, entry.forward or "")
