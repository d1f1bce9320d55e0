"""The records of an event file, as `tf.summary.FileWriter` frames them (see `interchange/events.py`)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from google.protobuf.message import DecodeError

from engine.interchange.events import checksum
from engine.interchange.messages import Event, MetaGraphDef
from engine.interchange.reading.refusals import FileRefused, damaged, no_graph

HEADER = 12  # bytes: the length of the record, and the checksum of that
FOOTER = 4


def is_event_file(data: bytes) -> bool:
    """Whether a file begins with a record."""
    return len(data) >= HEADER and checksum(data[:8]) == data[8:HEADER]


def records_in(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The records one after the other, each with its checksum.

    Raises: FileRefused where a record ends too early, or its length is not what was written.
    """
    at = 0
    while at < len(data):
        head, start = data[at : at + 8], at + HEADER
        if checksum(head) != data[at + 8 : start]:
            raise damaged()
        (length,) = struct.unpack("<Q", head)
        end = start + length
        if end + FOOTER > len(data):
            raise damaged()
        yield data[start:end], data[end : end + FOOTER]
        at = end + FOOTER


def graph_in_events(data: bytes) -> bytes:
    """The GraphDef that an event file holds; of several the last, which is the one that TensorBoard shows.

    The last record of a file that is still being written may be incomplete.
    Raises: FileRefused where there is no graph, or where its bytes are not those that were written.
    """
    found = None
    try:
        for record, written in records_in(data):
            graph = _graph_of(record)
            if graph and checksum(record) != written:
                raise damaged()
            found = graph or found
    except FileRefused:
        if found is None:
            raise
    if found is None:
        raise no_graph()
    return found


def _graph_of(record: bytes) -> bytes | None:
    try:
        event = Event.FromString(record)
        if event.WhichOneof("what") == "meta_graph_def":
            return bytes(MetaGraphDef.FromString(event.meta_graph_def).graph_def.SerializeToString()) or None
    except DecodeError:
        raise damaged() from None
    return bytes(event.graph_def) or None
