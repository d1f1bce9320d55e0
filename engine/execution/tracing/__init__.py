"""Tracing: kernels run once on values that are not there yet, and what they do is written down."""
