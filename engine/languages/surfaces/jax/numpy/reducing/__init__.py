"""Functions of jnp that take axes together."""
