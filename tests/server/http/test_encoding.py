"""Whether the reader takes gzip, as its header has it."""

from __future__ import annotations

import random

import httpx
import pytest

from server.http.encoding import PART_BYTES, accepts_gzip, unpacked_bytes, unpacked_parts
from server.serialization.gzip_pieces import compressed


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True),
        ("br, gzip", True),
        ("GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("identity", False),
        ("", False),
    ],
)
def test_gzip_is_sent_to_who_takes_it(header: str, accepted: bool) -> None:
    assert accepts_gzip(header) is accepted


def test_a_text_is_unpacked_in_parts_of_a_bounded_length() -> None:
    text = random.Random(0).randbytes(300_000) + b"a" * 50_000_000
    packed = compressed(text)
    assert len(packed) < 1_000_000
    assert unpacked_bytes(packed) == len(text)
    parts = list(unpacked_parts(packed))
    assert max(map(len, parts)) <= PART_BYTES
    assert b"".join(parts) == text


def test_an_answer_is_the_same_packed_and_unpacked(client: httpx.Client) -> None:
    plain, packed = ({"Accept-Encoding": coding} for coding in ("identity", "gzip"))
    first, second = client.get("/ops", headers=plain), client.get("/ops", headers=packed)
    assert first.content == second.content  # which the client has unpacked
    assert int(first.headers["content-length"]) == len(first.content)
    assert first.headers["etag"] != second.headers["etag"]
    for headers, tag in ((plain, first.headers["etag"]), (packed, second.headers["etag"])):
        known = client.get("/ops", headers={**headers, "If-None-Match": tag})
        assert (known.status_code, known.content) == (304, b"")
    assert client.head("/ops", headers=plain).headers["content-length"] == first.headers["content-length"]
