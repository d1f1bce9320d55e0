"""Modules of Python's own library."""
