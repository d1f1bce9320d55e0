"""GraphDefs in text form: the quick way reads what protobuf reads."""

from __future__ import annotations

import pytest
from google.protobuf import text_format

from engine.interchange.messages import GraphDef
from engine.interchange.reading.text import _by_blocks, graph_def_in_text
from tests.data import FOLDER
from tests.engine.interchange.reading.graphs import small

WRITTEN = sorted(path.stem for path in FOLDER.glob("*.pbtxt"))
LOOSE = (
    'node { name: "x" op: "Exp" attr { key: "T" value { type: DT_FLOAT } } } # words\nnode{name:"y" op:"Neg"}'
)


@pytest.mark.parametrize("name", WRITTEN[::8])
def test_what_tensorflow_wrote_is_read_quickly_and_as_protobuf_reads_it(name: str) -> None:
    text = (FOLDER / f"{name}.pbtxt").read_text()
    assert _by_blocks(text) == text_format.Parse(text, GraphDef())


def test_names_with_escapes_are_read() -> None:
    message = small("unsafe_names")
    text = text_format.MessageToString(message)
    assert "\\" in text
    assert _by_blocks(text) == message


def test_a_text_in_another_layout_is_read_as_a_whole() -> None:
    assert _by_blocks(LOOSE) is None
    assert [node.name for node in graph_def_in_text(LOOSE, 10).node] == ["x", "y"]


def test_blocks_that_only_look_like_the_usual_layout_are_read_as_a_whole() -> None:
    text = 'node {\n  name: "x"\n  attr {\n    key: "T"\n  }\n  op: "Exp"\n}\n'  # a field after an attribute
    assert _by_blocks(text) is None
    assert graph_def_in_text(text, 10).node[0].op == "Exp"
