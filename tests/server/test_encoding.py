"""Whether the reader takes gzip, as its header has it."""

from __future__ import annotations

import pytest

from server.encoding import accepts_gzip


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
