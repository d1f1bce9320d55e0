"""Event files: the framing that TensorBoard reads."""

import struct

import pytest

from engine import ops
from engine.graph import Graph
from engine.graph.essentials import everything
from engine.interchange.events import crc32c, framed, to_events
from engine.interchange.graphdef import to_pb
from engine.interchange.messages import Event


@pytest.mark.parametrize(
    ("data", "checksum"),
    [  # RFC 3720, B.4, and the customary check value
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
    ],
)
def test_the_checksum_gives_the_published_values(data, checksum):
    assert crc32c(data) == checksum


def test_a_record_is_length_checksum_data_checksum():
    record = framed(b"abc")
    assert struct.unpack_from("<Q", record) == (3,)
    assert record[12:15] == b"abc"
    assert len(record) == 8 + 4 + 3 + 4


def test_the_file_has_its_version_and_then_the_graph():
    with Graph().as_default() as graph:
        ops.constant(1.0)
    data = to_events(everything(graph))
    events = []
    while data:
        (length,) = struct.unpack_from("<Q", data)
        events.append(Event.FromString(data[12 : 12 + length]))
        data = data[12 + length + 4 :]
    assert events[0].file_version == "brain.Event:2"
    assert events[1].graph_def == to_pb(everything(graph))
