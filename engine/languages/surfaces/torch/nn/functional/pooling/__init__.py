"""Pooling: what a window of a picture gives, as it moves over it."""
