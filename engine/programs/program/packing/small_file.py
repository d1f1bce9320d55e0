"""Where packed bytes go: a file in memory that holds so many and no more."""

from __future__ import annotations

import io
from typing import Any

MOST_BYTES = 4_000_000  # of one program; a larger one is run again


class NotPackable(Exception):
    """Something that the graph leans on lives in one process alone."""


class SmallFile(io.BytesIO):
    """Bytes in memory, up to `MOST_BYTES`; so nothing large is written only to be thrown away."""

    def write(self, data: Any) -> int:
        """Take more bytes. Raises: NotPackable where they would be too many."""
        if self.tell() + memoryview(data).nbytes > MOST_BYTES:
            raise NotPackable("too large")
        return super().write(data)
