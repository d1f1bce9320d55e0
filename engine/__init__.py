"""The engine of Gradlens: graphs, their gradients, running them. It knows nothing of the web."""

from engine.version import ENGINE_VERSION

__all__ = ["ENGINE_VERSION"]
