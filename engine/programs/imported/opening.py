"""The answer of `POST /imports`: an imported graph as JSON, with shapes where they are quickly worked out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.execution.budget import Limits
from engine.graph.lazy_nodes import collector_at_rest
from engine.interchange.reading import ImportedGraph, Note, read_graph
from engine.interchange.reading.description import Known, nodes_json
from engine.interchange.reading.statistics import statistics_of
from engine.programs.imported.rebuilding import Rebuilt, foreign_kinds, rebuilt

MOST_KINDS = 8  # ops named in a note
MOST_FAULTS = 5


def open_graph(data: bytes, limits: Limits) -> dict[str, Any]:
    """The body but its id: `{format, nodes, graph, diagnostics}`.

    Raises: FileRefused where the file holds no graph that can be opened.
    """
    with collector_at_rest():
        imported = read_graph(data, limits)
        made = (
            rebuilt(imported) if len(imported.nodes) <= limits.nodes and not _has_shapes(imported) else None
        )
        return described(imported, made)


def described(imported: ImportedGraph, made: Rebuilt | None) -> dict[str, Any]:
    """An imported graph as JSON. made: the same as a graph of the engine's, for types and shapes."""
    notes = [*imported.notes, *(_notes(made) if made else _size_note(imported))]
    return {
        "format": imported.form,
        "nodes": len(imported.nodes),
        "graph": {"nodes": nodes_json(imported, _known(made) if made else None)},
        "statistics": statistics_of(imported),
        "diagnostics": [note.as_json() for note in notes],
    }


def _has_shapes(imported: ImportedGraph) -> bool:
    """Whether the file says the shapes of its outputs, as graphs that were written for TensorBoard do."""
    return any(node.shapes is not None for node in imported.nodes)


def _known(made: Rebuilt) -> Known:
    return {node.name: [(one.dtype, one.shape) for one in node.outputs] for node in made.nodes}


def _size_note(imported: ImportedGraph) -> Iterator[Note]:
    if not _has_shapes(imported):
        yield Note(
            "shapes_left_out",
            f"Shapes are not worked out for a graph of {len(imported.nodes):,} nodes.",
            f"这个图有 {len(imported.nodes):,} 个节点，因此不推算形状。",
        )


def _notes(made: Rebuilt) -> Iterator[Note]:
    kinds = list(foreign_kinds(made))
    if kinds:
        named = ", ".join(kinds[:MOST_KINDS]) + (", …" if len(kinds) > MOST_KINDS else "")
        yield Note(
            "unknown_ops",
            f"Gradlens has no definition of {len(kinds)} ops of this graph: {named}. "
            "They are drawn, and not computed or differentiated.",
            f"Gradlens 没有这个图中 {len(kinds)} 种运算的定义：{named}。它们会显示，但不会计算，也不会求导。",
        )
    for node, fault in list(made.faults.items())[:MOST_FAULTS]:
        yield Note(
            "unfit_node",
            f"Node {node.name} does not fit its op {node.op.name}: {fault.message}",
            f"节点 {node.name} 与它的运算 {node.op.name} 不符：{fault.message_zh}",
            "warning",
        )
