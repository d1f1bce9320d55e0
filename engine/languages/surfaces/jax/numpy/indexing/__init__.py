"""Subscripts of JAX's arrays."""
