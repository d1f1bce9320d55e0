"""An imported graph: the nodes of a GraphDef as plain values, checked once for all that reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import quoted
from engine.execution.budget import Limits
from engine.interchange.messages import GraphOutline
from engine.interchange.reading.attributes import Attributes
from engine.interchange.reading.notes import Note
from engine.interchange.reading.order import circle_in
from engine.interchange.reading.refusals import (
    bad_name,
    cyclic,
    duplicate,
    nested_too_deep,
    too_many,
    unknown_input,
)
from engine.ops.base.tensors import Shape

INPUTS_PER_NODE = 10  # on average, at most
SCOPES = 64  # around one node
NAME = 2_000  # characters
OUTPUTS = 10_000  # of one node
ATTRIBUTES = 1_000  # of one node


@dataclass(slots=True)
class ImportedNode:
    """One NodeDef.

    inputs:   (place of the node that makes it, which of its outputs); waits: places of control inputs.
    attrs:    without the two that stand beside it: `colocate` (_class), `shapes` (_output_shapes, else None);
              the very same object for nodes with the same attributes.
    outputs:  how many are known of: those that have shapes, or that are taken.
    """

    name: str
    op: str
    device: str
    inputs: list[tuple[int, int]]
    waits: list[int]
    attrs: dict[str, Any]
    colocate: tuple[str, ...]
    shapes: tuple[Shape, ...] | None
    outputs: int = 0


@dataclass(slots=True)
class ImportedGraph:
    """The nodes in the order of the file; `message` is the GraphDef that they were read from."""

    form: str
    message: Any
    nodes: list[ImportedNode]
    notes: list[Note] = field(default_factory=list)

    def edge(self, place: int, index: int) -> str:
        """An output as a node's inputs are written: `split`, `split:1`."""
        name = self.nodes[place].name
        return name if index == 0 else f"{name}:{index}"


def imported(form: str, message: Any, notes: Sequence[Note], limits: Limits) -> ImportedGraph:
    """The graph of a GraphDef. Raises: FileRefused where it is none that TensorFlow could have built."""
    outline = GraphOutline.FromString(message.SerializeToString())
    _check_counts(outline, limits)
    places = _places(outline.node)
    attributes = Attributes(limits.tensor_elements)
    nodes = [_node(entry, places, attributes) for entry in outline.node]
    _count_outputs(nodes)
    _check_order(nodes)
    return ImportedGraph(form, message, nodes, [*notes, *_library_note(outline), *attributes.notes()])


def _check_counts(message: Any, limits: Limits) -> None:
    count = len(message.node)
    if count > limits.import_nodes:
        raise too_many(count, limits.import_nodes, "nodes", "节点")
    edges, most = sum([len(entry.input) for entry in message.node]), INPUTS_PER_NODE * limits.import_nodes
    if edges > most:
        raise too_many(edges, most, "inputs of nodes", "节点输入")


def _check_attributes(entry: Any) -> None:
    if len(entry.attr) > ATTRIBUTES:
        what, what_zh = f"attributes on node {quoted(entry.name)}", f"节点 {quoted(entry.name)} 的属性"
        raise too_many(len(entry.attr), ATTRIBUTES, what, what_zh)


def _places(entries: Sequence[Any]) -> dict[str, int]:
    """Each node's place in the file, by its name."""
    places: dict[str, int] = {}
    for place, entry in enumerate(entries):
        name = entry.name
        _check_name(place, name, entry.op)
        if places.setdefault(name, place) != place:
            raise duplicate(name, places[name], place)
    return places


def _check_name(place: int, name: str, op: str) -> None:
    if not name or name.startswith("^") or (":" in name and not _is_plain(name)):
        raise bad_name(place, name, "has a name that its users could not write", "的名称无法被其他节点引用")
    if not op or len(op) > NAME:
        raise bad_name(place, name, "says not what it computes: it has no op", "没有 op，未说明计算什么")
    if len(name) > NAME:
        raise bad_name(
            place, name, f"has a name of {len(name):,} characters", f"的名称有 {len(name):,} 个字符"
        )
    if name.count("/") > SCOPES:
        raise nested_too_deep()


def _is_plain(name: str) -> bool:
    """Whether what stands after the last colon cannot be taken for the number of an output."""
    return not name.rpartition(":")[2].isdecimal()


def _node(entry: Any, places: dict[str, int], attributes: Attributes) -> ImportedNode:
    inputs, waits = [], []
    for text in entry.input:
        if text.startswith("^"):
            waits.append(_place_of(entry, text[1:], places))
        else:
            inputs.append(_source(entry, text, places))
    _check_attributes(entry)
    attrs, colocate, shapes = attributes.of(entry.name, tuple(entry.attr))
    return ImportedNode(entry.name, entry.op, entry.device, inputs, waits, attrs, colocate, shapes)


def _place_of(entry: Any, name: str, places: dict[str, int]) -> int:
    place = places.get(name)
    if place is None:
        raise unknown_input(entry.name, name)
    return place


def _source(entry: Any, text: str, places: dict[str, int]) -> tuple[int, int]:
    place = places.get(text)
    if place is not None:
        return place, 0
    name, _, index = text.rpartition(":")
    if not index.isdecimal() or len(index) > len(str(OUTPUTS)) or int(index) >= OUTPUTS:
        raise unknown_input(entry.name, text)
    return _place_of(entry, name, places), int(index)


def _count_outputs(nodes: Sequence[ImportedNode]) -> None:
    for node in nodes:
        node.outputs = max(node.outputs, len(node.shapes or ()))
        for place, index in node.inputs:
            source = nodes[place]
            if index >= source.outputs:
                source.outputs = index + 1


def _check_order(nodes: Sequence[ImportedNode]) -> None:
    """Only the edge from a NextIteration to a Merge leads back."""
    circle = circle_in(needs_of(nodes))
    if circle:
        raise cyclic([nodes[place].name for place in circle])


def needs_of(nodes: Sequence[ImportedNode]) -> list[list[int]]:
    """For each node what it takes or waits for; the way back to the start of a loop does not count."""
    needs = [[place for place, _ in node.inputs] + node.waits for node in nodes]
    for at, node in enumerate(nodes):
        if node.op in ("Merge", "RefMerge"):
            ends = ("NextIteration", "RefNextIteration")
            needs[at] = [place for place in needs[at] if nodes[place].op not in ends]
    return needs


def _library_note(message: Any) -> Iterator[Note]:
    count = len(message.library.function)
    if count:
        yield Note(
            "functions_not_shown",
            f"The file has {count} functions beside its graph; a node that calls one is shown as one node.",
            f"文件中除图之外还有 {count} 个函数；调用函数的节点显示为单个节点。",
        )
