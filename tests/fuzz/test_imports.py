"""Files of graphs with bytes changed, cut out and put in: each opens, or is refused in words."""

from __future__ import annotations

import gzip
from typing import Any

from google.protobuf import text_format
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.execution.budget import Limits
from engine.interchange.events import events_of
from engine.interchange.messages import SavedModel
from engine.interchange.reading import FileRefused
from engine.programs.imported.graph_files import download_imported
from engine.programs.imported.opening import open_graph
from engine.programs.imported.valuing import compute_values
from tests.data import FOLDER
from tests.engine.interchange.reading.graphs import small
from tests.fuzz.conftest import LONG

LIMITS = Limits(import_bytes=100_000, import_nodes=500, tensor_elements=10_000, wall_s=5.0)
TEXT = (FOLDER / "array-concat.pbtxt").read_bytes()
MESSAGE = small("exp_sin_grad")
PB = MESSAGE.SerializeToString()
MODEL = SavedModel(saved_model_schema_version=1)
MODEL.meta_graphs.add(graph_def=MESSAGE)
SEEDS = [
    TEXT,
    PB,
    events_of(PB),
    MODEL.SerializeToString(),
    gzip.compress(PB),
    text_format.MessageToString(MESSAGE).encode(),
]
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.binary(max_size=12)), max_size=6)


def opened(data: bytes) -> dict[str, Any] | None:
    """What a file holds; None where it is refused, in both languages."""
    try:
        return open_graph(data, LIMITS)
    except FileRefused as error:
        said = error.message, error.message_zh
    assert said[0] != said[1]
    return None


@settings(max_examples=20_000 if LONG else 150, deadline=None)
@given(st.sampled_from(SEEDS), EDITS)
def test_no_changed_file_breaks_the_reading(seed: bytes, edits: list[tuple[float, int, bytes]]) -> None:
    data = bytearray(seed)
    for place, removed, added in edits:
        at = int(place * len(data))
        data[at : at + removed] = added
    answer = opened(bytes(data))
    if answer is None:
        return
    assert answer["nodes"] == len(answer["graph"]["nodes"]) > 0
    assert download_imported(bytes(data), "essentials", "json", LIMITS)
    assert "values" in compute_values(bytes(data), {}, {}, LIMITS)


@settings(max_examples=20_000 if LONG else 200, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    opened(data)
