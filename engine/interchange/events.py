"""A graph as an event file, the kind that `tf.summary.FileWriter` writes and TensorBoard reads.

An event file is a row of records, each framed by its length and two masked CRC-32C checksums.
Source: tensorflow/core/lib/io/record_writer.h; the polynomial is Castagnoli's (RFC 3720, B.4).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from engine.graph.essentials import SeenNode
from engine.interchange.graphdef import to_pb
from engine.interchange.messages import Event

POLYNOMIAL = 0x82F63B78  # Castagnoli's, bits reversed
MASK = 0xA282EAD8
VERSION = "brain.Event:2"


def to_events(nodes: Iterable[SeenNode]) -> bytes:
    """An event file with the version record and the graph; its time stands at 0, so the bytes never vary."""
    return events_of(to_pb(nodes))


def events_of(graph_def: bytes) -> bytes:
    """The event file of a GraphDef."""
    records = (Event(file_version=VERSION), Event(graph_def=graph_def))
    return b"".join(framed(bytes(record.SerializeToString())) for record in records)


def framed(data: bytes) -> bytes:
    """One record: length, its checksum, the data, their checksum."""
    length = struct.pack("<Q", len(data))
    return length + checksum(length) + data + checksum(data)


def checksum(data: bytes) -> bytes:
    """The masked CRC-32C of some bytes, as a record has it."""
    crc = crc32c(data)
    rotated = (crc >> 15 | crc << 17) & 0xFFFFFFFF
    return struct.pack("<I", (rotated + MASK) & 0xFFFFFFFF)


def crc32c(data: bytes) -> int:
    """The CRC-32C of some bytes."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def _table() -> Iterator[int]:
    """What each byte does to the remainder."""
    for remainder in range(256):
        for _ in range(8):
            remainder = remainder >> 1 ^ (POLYNOMIAL if remainder & 1 else 0)
        yield remainder


TABLE = tuple(_table())
