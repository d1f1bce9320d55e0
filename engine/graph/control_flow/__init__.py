"""Branches and loops as TensorFlow 1 builds them."""
