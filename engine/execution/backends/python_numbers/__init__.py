"""Loops of scalars as generated functions of Python's numbers."""
