"""A graph for programs that draw graphs: Graphviz (`dot`) and GraphML, which yEd, Gephi and networkx read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO

from engine.graph.essentials import SeenNode
from engine.interchange.letters import escaped

SHAPES = {"Const": "circle", "VariableV2": "box", "Placeholder": "parallelogram"}
COLOURS = {"forward": "white", "gradient": "lightblue", "update": "khaki"}


def to_dot(nodes: Iterable[SeenNode]) -> str:
    """The graph in the language of Graphviz; control inputs are dashed, gradients coloured."""
    lines = ["digraph {", "  rankdir=LR;", "  node [style=filled];"]
    for seen in nodes:
        node = seen.node
        facts = {
            "label": f"{node.name}\n{node.op.name}",
            "shape": SHAPES.get(node.op.name, "ellipse"),
            "fillcolor": COLOURS.get(node.phase, "white"),
        }
        lines.append(f"  {_quoted(node.name)} [{_listed(facts)}];")
        lines += [
            f"  {_quoted(source)} -> {_quoted(node.name)}{f' [{_listed(edge)}]' if edge else ''};"
            for source, edge in _edges(seen)
        ]
    return "\n".join([*lines, "}", ""])


def _edges(seen: SeenNode) -> Iterator[tuple[str, dict[str, str]]]:
    for tensor in seen.inputs:
        yield tensor.node.name, {"taillabel": f":{tensor.index}"} if tensor.index else {}
    for other in seen.control_inputs:
        yield other.name, {"style": "dashed"}


def _listed(facts: dict[str, str]) -> str:
    return ", ".join(f"{key}={_quoted(value)}" for key, value in facts.items())


def _quoted(text: str) -> str:
    plain = escaped(text.replace("\\", "\\\\")).replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'


def to_graphml(nodes: Iterable[SeenNode]) -> bytes:
    """The graph as GraphML: op, phase, type and shape of each node; each input an edge of its own."""
    import networkx  # takes a tenth of the time in which the service starts, and only this needs it

    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for seen in nodes:
        graph.add_node(escaped(seen.node.name), **_facts(seen))
    for seen in nodes:
        name = escaped(seen.node.name)
        for place, tensor in enumerate(seen.inputs):
            source = escaped(tensor.node.name)
            graph.add_edge(source, name, input=place, output=tensor.index, control=False)
        for other in seen.control_inputs:
            graph.add_edge(escaped(other.name), name, control=True)
    written = BytesIO()
    networkx.write_graphml(graph, written, named_key_ids=True)
    return written.getvalue()


def _facts(seen: SeenNode) -> dict[str, str]:
    node = seen.node
    facts = {"op": node.op.name, "phase": node.phase, "device": node.device}
    if node.of is not None:
        facts["of"] = node.of.name
    if node.outputs:
        first = node.outputs[0]
        shape = "?" if first.shape is None else "x".join("?" if n is None else str(n) for n in first.shape)
        facts |= {"dtype": first.dtype, "shape": shape or "scalar"}
    return {key: escaped(text) for key, text in facts.items()}
