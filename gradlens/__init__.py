"""What people call by the name gradlens: the command line, and a client of the REST interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradlens.client import Client, ClientError

__all__ = ["Client", "ClientError"]


def __getattr__(name: str) -> Any:
    """The client, loaded when it is asked for: the command line does without."""
    if name not in __all__:
        raise AttributeError(f"module 'gradlens' has no attribute {name!r}")
    from gradlens import client

    return {"Client": client.Client, "ClientError": client.ClientError}[name]
