"""`jax.grad`, `jax.vjp`, `jax.jvp` and their kin."""
