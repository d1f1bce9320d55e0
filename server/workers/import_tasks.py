"""What a worker process does with the file of a graph: bytes in, a finished answer out."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from engine.execution.budget import Limits
from engine.programs.answers.picture_files import PICTURE_TYPES, Look
from engine.programs.imported.graph_files import download_imported
from engine.programs.imported.growing import grow_gradients
from engine.programs.imported.opening import open_graph
from engine.programs.imported.picture_files import draw_imported
from engine.programs.imported.valuing import compute_values
from server.pictures.page_layout import lay_out
from server.serialization.answer import Answer, pack, pack_file
from server.serialization.gzip_pieces import compressed
from server.serialization.identity import import_id

Kept = tuple[Answer, bytes]  # an answer, and the file that is kept under its id, compressed


def uncompressed(packed: bytes) -> bytes:
    """A file as it was sent."""
    return zlib.decompress(packed, wbits=31)


def answer_import(name: str, data: bytes, limits: Limits) -> Kept:
    """Open a file: the answer of `POST /imports`."""
    return Answer(name, pack({"id": name, **open_graph(data, limits)}, limits)), compressed(data)


def answer_kept_import(name: str, packed: bytes, limits: Limits) -> Answer:
    """The same of a file that was kept: the answer of `GET /imports/{id}`."""
    return Answer(name, pack({"id": name, **open_graph(uncompressed(packed), limits)}, limits))


def answer_import_gradients(of: str, packed: bytes, y: str, xs: Sequence[str], limits: Limits) -> Kept:
    """Grow a graph by a gradient: the answer of `POST /imports/{id}/gradients`."""
    grown = grow_gradients(uncompressed(packed), y, xs, limits)
    name = import_id(grown.file)
    return Answer(name, pack({"id": name, "of": of, **grown.body}, limits)), compressed(grown.file)


def answer_import_values(
    name: str, packed: bytes, feeds: Mapping[str, Any], variables: Mapping[str, Any], limits: Limits
) -> Answer:
    """Compute what can be computed: the answer of `POST /imports/{id}/values`."""
    found = compute_values(uncompressed(packed), feeds, variables, limits)
    return Answer(name, pack({"id": name, **found}, limits))


def answer_import_graph(key: str, packed: bytes, look: Look, limits: Limits) -> Answer:
    """The graph for other tools, or as a picture: the answer of `GET /imports/{id}/graph`."""
    file = uncompressed(packed)
    if look.form in PICTURE_TYPES:
        return Answer(key, pack_file(draw_imported(file, look, lay_out, limits), limits))
    return Answer(key, pack_file(download_imported(file, look.detail, look.form, limits), limits))
