"""The engine: from a program's text to its graph, its gradients and its values."""

from engine.version import ENGINE_VERSION

__all__ = ["ENGINE_VERSION"]
