"""Arithmetic of two tensors, each function beside its gradient."""
