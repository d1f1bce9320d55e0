"""Compressed files: a gzip, or a zip with one graph in it, unpacked up to a limit and no further."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO

from engine.interchange.reading.refusals import bad_archive, damaged, too_large

PACKED = GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
MOST_ENTRIES = 1000  # files in a zip whose names are looked at
GRAPH_FILES = (".pb", ".pbtxt")


def unpacked(data: bytes, limit_bytes: int) -> bytes:
    """What a compressed file holds; any other file as it is.

    Raises: FileRefused for more than `limit_bytes`, for a damaged file, or where not one graph is in it.
    """
    if not data.startswith(PACKED):
        return data
    found = _inflated(data, limit_bytes) if data.startswith(GZIP) else _only_graph(data, limit_bytes)
    if found.startswith(PACKED):
        raise bad_archive("holds another compressed file", "里面还是一个压缩文件")
    return found


def _inflated(data: bytes, limit_bytes: int) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        found = stream.decompress(data, limit_bytes + 1)
    except zlib.error:
        raise damaged() from None
    if len(found) > limit_bytes:
        raise too_large(limit_bytes, unpacked=True)
    if not stream.eof:
        raise damaged()
    return found


def _only_graph(data: bytes, limit_bytes: int) -> bytes:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entry = _graph_in(archive)
            with archive.open(entry) as file:
                found = file.read(limit_bytes + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise damaged() from None
    except (NotImplementedError, RuntimeError, UnicodeDecodeError):  # a method of its own, a password
        raise bad_archive("is packed in a way that cannot be read", "的压缩方式无法读取") from None
    if len(found) > limit_bytes:
        raise too_large(limit_bytes, unpacked=True)
    return found


def _graph_in(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise bad_archive(f"holds {len(entries):,} files", f"包含 {len(entries):,} 个文件")
    graphs = [entry for entry in entries if entry.filename.endswith(GRAPH_FILES)]
    models = [entry for entry in graphs if entry.filename.rpartition("/")[2].startswith("saved_model.pb")]
    found = models or graphs
    if len(found) != 1:
        raise bad_archive(f"holds {len(found)} graphs, not one", f"包含 {len(found)} 个图，而不是一个")
    return found[0]
