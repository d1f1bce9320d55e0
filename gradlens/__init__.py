"""What people call by that name: the command line, a client of the REST interface, `show` in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradlens.client import Client, ClientError
    from gradlens.notebook_view import show

__all__ = ["Client", "ClientError", "show"]


def __getattr__(name: str) -> Any:
    """What is loaded when it is asked for: the command line does without."""
    if name not in __all__:
        raise AttributeError(f"module 'gradlens' has no attribute {name!r}")
    if name == "show":
        from gradlens.notebook_view import show

        return show
    from gradlens import client

    return {"Client": client.Client, "ClientError": client.ClientError}[name]
