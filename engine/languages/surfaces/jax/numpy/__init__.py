"""What `jax.numpy` makes of the primitives."""
