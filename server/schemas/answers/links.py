"""What answers on links look like."""

from __future__ import annotations

from typing import Any

from server.schemas.answers.common import Answer


class LinkAnswer(Answer):
    """Where a state of the page is kept; `url` is relative to the page."""

    id: str
    url: str


class LinkedState(Answer):
    """A state of the page as it was kept."""

    state: dict[str, Any]
