"""A long text compressed in pieces, each by another process, and put together as one gzip file.

A piece is a series of deflate blocks that ends with a whole byte and looks back at nothing before it, so that
pieces one after the other are a series too. Only the checksum of the whole has to be made from theirs.
Source: RFC 1951 (deflate), RFC 1952 (gzip); for the checksum zlib's crc32_combine.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from server.serialization.bounded_json import AnswerTooLarge

LEVEL = 5
LARGE_BYTES = 400_000  # a longer piece is compressed quickly rather than well: its digits take long to pack
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # gzip, deflate, no name, no time, no system
END = b"\x03\x00"  # the last block, an empty one

POLYNOMIAL = 0xEDB88320  # of the checksum, over bits, the highest power in the lowest bit
ONE, BYTE = 1 << 31, 1 << 23  # the powers 0 and 8 of x


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, compressed.

    crc: the checksum of the text; size: its length in bytes.
    """

    blocks: bytes
    crc: int
    size: int

    @classmethod
    def of(cls, text: bytes, level: int | None = None) -> Piece:
        """Compress a text: by half or more, of very many digits only as much as is quick.

        level: how hard to try; 0 leaves it as it is.
        """
        if level is None:
            level = LEVEL if len(text) < LARGE_BYTES else 1
        packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
        blocks = packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)
        return cls(blocks, zlib.crc32(text), len(text))

    def text(self) -> bytes:
        """The text again."""
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(self.blocks)


def as_gzip(pieces: Iterable[Piece], limit_bytes: int | None = None) -> bytes:
    """The texts of all pieces, one after the other, as a gzip file. Raises: AnswerTooLarge."""
    crc, size, blocks = 0, 0, [HEAD]
    for piece in pieces:
        blocks.append(piece.blocks)
        crc = _times(crc, _after(piece.size)) ^ piece.crc if size else piece.crc
        size += piece.size
        if limit_bytes is not None and size > limit_bytes:
            raise AnswerTooLarge
    return b"".join([*blocks, END, crc.to_bytes(4, "little"), (size % 2**32).to_bytes(4, "little")])


def compressed(text: bytes) -> bytes:
    """One text as a gzip file."""
    return as_gzip([Piece.of(text)])


def with_commas(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces with a comma between any two."""
    first, *others = pieces
    comma = Piece.of(b",")
    return chain([first], *([comma, other] for other in others))


def _after(size: int) -> int:
    """What a checksum is multiplied by when so many bytes follow: x to the power of their bits."""
    power, square = ONE, BYTE
    while size:
        if size & 1:
            power = _times(power, square)
        square, size = _times(square, square), size >> 1
    return power


def _times(a: int, b: int) -> int:
    """The product of two polynomials over bits, modulo the checksum's."""
    product = 0
    for power in range(31, -1, -1):
        if a >> power & 1:
            product ^= b
        b = b >> 1 ^ (POLYNOMIAL if b & 1 else 0)
    return product
