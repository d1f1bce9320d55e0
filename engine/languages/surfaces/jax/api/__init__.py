"""The functions that a program calls under `jax`."""
