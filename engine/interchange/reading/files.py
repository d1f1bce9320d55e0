"""A file of unknown kind, read as what it is: its first bytes say which form it is tried in."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError, EncodeError

from engine.execution.budget import Limits
from engine.interchange.messages import GraphCount, GraphDef, MetaGraphDef, SavedModel
from engine.interchange.reading.imported import ImportedGraph, imported
from engine.interchange.reading.notes import Note
from engine.interchange.reading.records import graph_in_events, is_event_file
from engine.interchange.reading.refusals import (
    damaged,
    empty_graph,
    nested_too_deep,
    no_graph,
    too_large,
    too_many,
)
from engine.interchange.reading.text import graph_def_in_text, saved_model_in_text
from engine.interchange.reading.unpacking import unpacked

FIRST_BYTES = (b"", b"\x0a", b"\x12", b"\x18", b"\x22")  # of the fields of a GraphDef
CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")  # which no text holds, and every binary file
TEXT_STARTS = (b"node", b"versions", b"library", b"saved_model", b"meta_graphs", b"#")


@dataclass(frozen=True, slots=True)
class Found:
    """A GraphDef and where it was found: `pb`, `pbtxt`, `saved_model`, `meta_graph` or `events`."""

    form: str
    message: Any
    notes: tuple[Note, ...] = ()


def read_graph(data: bytes, limits: Limits) -> ImportedGraph:
    """The graph that a file holds, checked: unique names, inputs that are there, no circles but loops.

    Raises: FileRefused with what is wrong with it; MemoryError.
    """
    if len(data) > limits.import_bytes:
        raise too_large(limits.import_bytes)
    try:
        found = _found_in(unpacked(data, limits.import_bytes), limits)
        if not found.message.node:
            raise empty_graph()
        return imported(found.form, found.message, found.notes, limits)
    except EncodeError:  # of what was just read: there is no memory left to write it
        raise MemoryError from None
    except DecodeError as error:
        raise _why(error) from None


def _why(error: DecodeError) -> Exception:
    """What stopped protobuf, of which its words alone say more than that."""
    if "alloc" in str(error):
        return MemoryError()
    return nested_too_deep() if "MaxDepth" in str(error) else damaged()


def _found_in(data: bytes, limits: Limits) -> Found:
    if is_event_file(data):
        return Found("events", _graph_def(graph_in_events(data), limits))
    text = _text_of(data)
    if text is not None:
        model = saved_model_in_text(text)
        if model is not None:
            return _of_saved_model(model)
        return Found("pbtxt", graph_def_in_text(text, limits.import_nodes))
    return _binary(data, limits)


def _text_of(data: bytes) -> str | None:
    """The text that a file is, or None for a binary one."""
    data = data.removeprefix(codecs.BOM_UTF8)  # which editors on Windows write
    if not data.lstrip()[:20].startswith(TEXT_STARTS) or CONTROLS.search(data, 0, 1000):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _graph_def(data: bytes, limits: Limits) -> Any:
    """A GraphDef whose nodes were counted before any of them was read."""
    count = len(GraphCount.FromString(data).node)
    if count > limits.import_nodes:
        raise too_many(count, limits.import_nodes, "nodes", "节点")
    return GraphDef.FromString(data)


def _binary(data: bytes, limits: Limits) -> Found:
    """A SavedModel begins with its schema's version, a number; the others with a message."""
    if data[:1] == b"\x08":
        return _of_saved_model(SavedModel.FromString(data))
    if data[:1] not in FIRST_BYTES:
        raise no_graph()
    graph = _tried(GraphDef, data, limits)
    if graph is not None and _is_graph(graph):
        return Found("pb", graph)
    meta = _tried(MetaGraphDef, data, limits)
    if meta is not None and _is_graph(meta.graph_def):
        return Found("meta_graph", _graph_def(meta.graph_def.SerializeToString(), limits))
    if graph is None:
        GraphDef.FromString(data)  # raises what is wrong with it
        raise damaged()
    return Found("pb", graph)


def _tried(kind: Any, data: bytes, limits: Limits) -> Any:
    """The message of this kind, None where the bytes are none: the first fields of several are alike."""
    try:
        return _graph_def(data, limits) if kind is GraphDef else kind.FromString(data)
    except DecodeError:
        return None


def _is_graph(message: Any) -> bool:
    """Whether there are nodes, which have a name and an op."""
    return bool(message.node) and bool(message.node[0].name) and bool(message.node[0].op)


def _of_saved_model(model: Any) -> Found:
    """The first of a model's graphs; a note says which others there are."""
    if not model.meta_graphs:
        raise no_graph()
    tags = [", ".join(meta.meta_info_def.tags) or "–" for meta in model.meta_graphs]
    several = Note(
        "several_graphs",
        f"The model holds {len(tags)} graphs ({'; '.join(tags)}); the first is shown.",
        f"模型包含 {len(tags)} 个图（{'; '.join(tags)}）；显示第一个。",
    )
    return Found("saved_model", model.meta_graphs[0].graph_def, (several,) if len(tags) > 1 else ())
