"""Eager execution: nodes that run as they are made."""
