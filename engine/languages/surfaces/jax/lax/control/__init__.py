"""Primitives that hold jaxprs: calls, conditions and loops."""
