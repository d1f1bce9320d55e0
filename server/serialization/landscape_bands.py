"""A landscape as JSON, put together from bands that different processes have written."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from engine.execution.budget import Limits
from engine.interchange.values import array_text, dtype_name, little_endian
from engine.ops.base.tensors import Array
from engine.programs.landscapes import Band, Glimpse, LandscapeRequest, View
from server.serialization.gzip_pieces import Piece, as_gzip, with_commas
from server.serialization.identity import landscape_id


@dataclass(frozen=True, slots=True)
class Bands:
    """Where a landscape is cut, and what is known of it before: its target and axes."""

    cuts: list[Band]
    frame: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WrittenBand:
    """A band of a landscape: its grids (values, then slopes where asked), as they stand in the answer.

    dtype: of the numbers.
    """

    grids: list[Piece]
    dtype: str
    glimpse: Glimpse


def written_band(view: View, band: Band) -> WrittenBand:
    """Look at a band, and write its numbers."""
    grids, glimpse = view.look(band)
    write = _in_base64 if view.asked.encoding == "base64" else _as_rows
    return WrittenBand([write(grid) for grid in grids], dtype_name(grids[0]), glimpse)


def _as_rows(grid: Array) -> Piece:
    return Piece.of(array_text(grid)[1:-1])


def _in_base64(grid: Array) -> Piece:
    return Piece.of(base64.b64encode(little_endian(grid)), level=0)  # bytes of floats do not get smaller


def join_landscape(
    program: str,
    asked: LandscapeRequest,
    findings: Mapping[str, Any],
    parts: Sequence[WrittenBand],
    limits: Limits,
) -> bytes:
    """The answer, compressed: the bands in their order, and what else was found. Raises: AnswerTooLarge."""
    head = orjson.dumps({"id": landscape_id(program, asked), "program": program, **findings})
    grids = [[*_grid(asked, findings, parts, place)] for place in range(len(parts[0].grids))]
    pieces = [Piece.of(head[:-1] + b',"values":'), *grids[0]]
    if asked.gradient:
        slopes = [Piece.of(b"["), *grids[1]]
        for grid in grids[2:]:
            slopes += [Piece.of(b","), *grid]
        pieces += [Piece.of(b',"gradient":'), *slopes, Piece.of(b"]}")]
    else:
        pieces.append(Piece.of(b',"gradient":null}'))
    return as_gzip(pieces, limits.answer_bytes)


def band_of_lines(
    asked: LandscapeRequest, frame: Mapping[str, Any], cut: Band, part: WrittenBand
) -> dict[str, Any]:
    """A band as a line of the streamed answer holds it: its rows of each grid, in the answer's own form."""
    values, *slopes = (_of_band(asked, frame, cut, part, grid) for grid in part.grids)
    first, end = cut
    return {"first": first, "end": end, "values": values, "gradient": slopes if asked.gradient else None}


def _of_band(
    asked: LandscapeRequest, frame: Mapping[str, Any], cut: Band, part: WrittenBand, grid: Piece
) -> Any:
    if asked.encoding != "base64":
        return orjson.Fragment(b"[" + grid.text() + b"]")
    shape = [cut[1] - cut[0], *(len(axis["values"]) for axis in frame["axes"][1:])]
    return {"dtype": part.dtype, "shape": shape, "base64": grid.text().decode()}


def _grid(
    asked: LandscapeRequest, findings: Mapping[str, Any], parts: Sequence[WrittenBand], place: int
) -> Iterator[Piece]:
    """One grid: its rows from all bands, with what stands around them."""
    bands = [part.grids[place] for part in parts]
    if asked.encoding == "base64":
        shape = [len(axis["values"]) for axis in findings["axes"]]
        around = orjson.dumps({"dtype": parts[0].dtype, "shape": shape, "base64": ""})
        yield from (Piece.of(around[:-2]), *bands, Piece.of(around[-2:]))
    else:
        yield from (Piece.of(b"["), *with_commas(bands), Piece.of(b"]"))
