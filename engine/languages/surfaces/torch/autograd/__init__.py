"""Automatic differentiation as PyTorch does it: nodes, what they keep, and the pass backward through them."""
