"""Graphs to match: written down node by node, or drawn at random and then changed in known ways."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from engine.graph.matching import Differences, PlainGraph, PlainNode, differences, match

UNARY = ("Sin", "Cos", "Exp", "Tanh", "Neg", "Relu")
BINARY = ("Sub", "MatMul", "RealDiv", "AddV2", "Mul", "Maximum")

Row = tuple[str, str, str]  # a name, an op, and the names of its inputs with spaces between


def graph(*rows: Row, **values: float) -> PlainGraph:
    """Nodes by rows; `values` are those of constants, by name."""
    places = {row[0]: place for place, row in enumerate(rows)}
    return PlainGraph(
        PlainNode(
            name,
            op,
            tuple((places[source], 0) for source in inputs.split()),
            facts={"value": values[name]} if name in values else {},
        )
        for name, op, inputs in rows
    )


def compared(before: PlainGraph, after: PlainGraph) -> Differences:
    """What differs between two graphs."""
    return differences(match(before, after))


def summary(found: Differences) -> dict[str, list[str]]:
    """What differs, by the names of nodes and the kinds of their changes; what does not is left out."""
    before, after = found.matching.before.nodes, found.matching.after.nodes
    lists = {
        "added": [after[place].name for place in found.added],
        "removed": [before[place].name for place in found.removed],
        "changed": [
            f"{after[new].name}: {', '.join(one.kind for one in found.changes[old, new])}"
            for old, new in found.changed
        ],
        "renamed": [f"{before[old].name} > {after[new].name}" for old, new in found.renamed],
    }
    return {name: names for name, names in lists.items() if names}


def drawn(seed: int, count: int) -> PlainGraph:
    """A graph drawn at random: some variables, then ops that mostly take what was made lately."""
    dice = random.Random(seed)
    nodes = [PlainNode(f"v{number}", "VariableV2") for number in range(max(2, count // 12))]
    while len(nodes) < count:
        op = dice.choice(UNARY + BINARY)
        wanted = 1 if op in UNARY else 2
        recent = range(max(0, len(nodes) - 20), len(nodes))
        inputs = tuple(
            (dice.choice(recent if dice.random() < 0.9 else range(len(nodes))), 0) for _ in range(wanted)
        )
        nodes.append(PlainNode(f"n{len(nodes)}", op, inputs))
    return PlainGraph(nodes)


def rebuilt(nodes: Sequence[PlainNode], order: Sequence[int]) -> PlainGraph:
    """The same nodes in another order."""
    places = {old: new for new, old in enumerate(order)}
    return PlainGraph(
        replace(
            nodes[old],
            inputs=tuple((places[source], index) for source, index in nodes[old].inputs),
            waits=tuple(places[wait] for wait in nodes[old].waits),
            of=None if (of := nodes[old].of) is None else places[of],
        )
        for old in order
    )


def needs_of(graph: PlainGraph, place: int) -> set[int]:
    """The places of what a node needs; what comes back to the start of a loop is none."""
    node = graph.nodes[place]
    sources = {source for source, _ in node.inputs} | set(node.waits) | ({node.of} - {None})
    return {source for source in sources if source is not None and source < place}


def shuffled(graph: PlainGraph, seed: int) -> PlainGraph:
    """The same graph built in another order, all its names new."""
    dice = random.Random(seed)
    waiting = {place: needs_of(graph, place) for place in range(len(graph))}
    order: list[int] = []
    while waiting:
        ready = [place for place, needed in waiting.items() if not needed.difference(order)]
        chosen = dice.choice(ready)
        order.append(chosen)
        del waiting[chosen]
    made = rebuilt(graph.nodes, order)
    return PlainGraph(replace(node, name=f"other{place}") for place, node in enumerate(made.nodes))


def with_insertions(graph: PlainGraph, count: int, seed: int) -> PlainGraph:
    """The same graph with so many nodes put on edges of it, each edge once."""
    dice = random.Random(seed)
    edges = [(user, slot) for user, node in enumerate(graph.nodes) for slot in range(len(node.inputs))]
    nodes = list(graph.nodes)
    order: list[int] = list(range(len(nodes)))
    for number, (user, slot) in enumerate(dice.sample(edges, count)):
        inputs = list(nodes[user].inputs)
        op, stage = dice.choice(("Log", "Abs", "Square")), nodes[user].stage
        nodes.append(PlainNode(f"new{number}", op, (inputs[slot],), stage=stage))
        inputs[slot] = (len(nodes) - 1, 0)
        nodes[user] = replace(nodes[user], inputs=tuple(inputs))
        order.insert(order.index(user), len(nodes) - 1)
    return rebuilt(nodes, order)
