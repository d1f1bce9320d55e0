"""An imported graph as JSON: its nodes in the form of a program's, without numbers but those of constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.interchange.messages import DATA_TYPES
from engine.interchange.reading.attributes import type_name
from engine.interchange.reading.imported import ImportedGraph, ImportedNode
from engine.interchange.reading.pairing import phases_of
from engine.interchange.values import attributes_json, shape_json, tensor_json
from engine.ops.base.definition import REGISTRY
from engine.ops.base.shapes import is_shape
from engine.ops.base.tensors import Shape
from engine.ops.base.texts import array_of_texts

LONGEST_TEXT = 1_000  # characters of an attribute, or bytes of a text in a tensor
UNKNOWN = "unknown"
TYPES = frozenset(map(type_name, DATA_TYPES.values()))
SMALL = 64  # elements of a constant that are listed; many constants would make a long answer
Known = Mapping[str, Sequence[tuple[str, Shape]]]  # for each node its outputs' types and shapes


def nodes_json(graph: ImportedGraph, known: Known | None = None) -> list[dict[str, Any]]:
    """The nodes in the order of the file. known: types and shapes that were inferred, where they were."""
    phases, facts = phases_of(graph.nodes), Facts(known or {})
    return [
        {
            "name": node.name,
            "op": node.op,
            "inputs": [graph.edge(place, index) for place, index in node.inputs],
            "control_inputs": [graph.nodes[place].name for place in node.waits],
            "device": node.device,
            "phase": phase,
            "of": of,
            "span": None,
            **facts.of(node),
        }
        for node, phase, of in zip(graph.nodes, phases.phases, phases.of, strict=True)
    ]


class Facts:
    """What follows of a node from its op and its attributes, written once for all nodes that are alike."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._written: dict[Any, dict[str, Any]] = {}

    def of(self, node: ImportedNode) -> dict[str, Any]:
        """Its attributes, outputs and value."""
        outputs = self._known.get(node.name)
        alike = (
            node.op,
            id(node.attrs),
            id(node.shapes),
            node.outputs,
            node.colocate,
            None if outputs is None else tuple(outputs),
        )
        if alike not in self._written:
            self._written[alike] = _facts(node, outputs_of(node) if outputs is None else outputs)
        return self._written[alike]


def _facts(node: ImportedNode, outputs: Sequence[tuple[str, Shape]]) -> dict[str, Any]:
    attributes = attributes_json({key: shortened(value) for key, value in node.attrs.items()}, SMALL)
    if node.colocate:
        attributes["colocate"] = list(node.colocate)
    value = node.attrs.get("value")
    return {
        "attrs": attributes,
        "outputs": [{"dtype": dtype, "shape": shape_json(shape)} for dtype, shape in outputs],
        "value": tensor_json(shortened(value), SMALL) if isinstance(value, np.ndarray) else None,
    }


def shortened(value: Any) -> Any:
    """A value whose texts are of a length that one can look at, their ends left out."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else f"{value[:LONGEST_TEXT]}…"
    if isinstance(value, tuple):
        return tuple(map(shortened, value))
    if isinstance(value, np.ndarray) and value.dtype == object and value.size <= SMALL:
        return array_of_texts([_short(text) for text in value.flat], value.shape)
    return value


def _short(text: str | bytes) -> bytes:
    whole = text.encode() if isinstance(text, str) else text
    return whole if len(whole) <= LONGEST_TEXT else whole[:LONGEST_TEXT] + "…".encode()


def outputs_of(node: ImportedNode) -> list[tuple[str, Shape]]:
    """Types and shapes of the outputs, as far as the node itself says them."""
    dtypes, shapes = _dtypes(node), node.shapes or ()
    count = max(len(shapes), node.outputs, len(dtypes))
    named = list(_padded(dtypes, count))
    return [(dtype, shapes[i] if i < len(shapes) else _declared(node)) for i, dtype in enumerate(named)]


def _declared(node: ImportedNode) -> Shape:
    """What a placeholder, a variable or a constant says of itself."""
    value = node.attrs.get("value")
    if isinstance(value, np.ndarray):
        shape: Shape = value.shape
        return shape
    declared = node.attrs.get("shape") if node.op in DECLARE else None
    return declared if isinstance(declared, tuple) and is_shape(declared) else None


DECLARE = frozenset({"Placeholder", "PlaceholderV2", "Variable", "VariableV2"})


def _dtypes(node: ImportedNode) -> Sequence[str]:
    """By the op's definition; of an op that is not known, by the attributes that most ops call their type."""
    op = REGISTRY.get(node.op)
    if op is not None:
        types = op.output_types
        if callable(types):
            return ()
        return [_type(node.attrs.get(kind, op.defaults.get(kind, kind))) for kind in types]
    found = next((node.attrs[key] for key in ("dtype", "T", "out_type", "DstT") if key in node.attrs), None)
    return [] if found is None else [_type(found)]


def _type(value: Any) -> str:
    """A type by its name; of an attribute of another kind it is not known."""
    return value if isinstance(value, str) and value in TYPES else UNKNOWN


def _padded(dtypes: Sequence[str], count: int) -> Iterator[str]:
    yield from dtypes
    for _ in range(count - len(dtypes)):
        yield dtypes[-1] if dtypes else UNKNOWN
