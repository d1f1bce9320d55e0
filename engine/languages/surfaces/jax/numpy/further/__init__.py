"""Further functions of `jnp`, which fewer programs use."""
