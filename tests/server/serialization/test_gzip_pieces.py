"""Texts compressed apart are one gzip file when they are put together."""

from __future__ import annotations

import gzip
import random

from server.serialization.gzip_pieces import LARGE_BYTES, Piece, as_gzip, with_commas


def test_pieces_put_together_are_one_file() -> None:
    long = "".join(random.Random(0).choices("0123456789", k=LARGE_BYTES + 1)).encode()
    texts = [b"[", b"", b"0.5,0.25", long, b"]"]
    packed = as_gzip(map(Piece.of, texts))
    assert gzip.decompress(packed) == b"".join(texts)  # checks checksum and length, too
    assert len(packed) < sum(map(len, texts)) * 0.6


def test_a_piece_says_the_same_whatever_stands_before_it() -> None:
    one = Piece.of(b"one one one")
    assert gzip.decompress(as_gzip([one])) == b"one one one"
    assert gzip.decompress(as_gzip(with_commas([one, one, one]))) == b",".join([b"one one one"] * 3)
