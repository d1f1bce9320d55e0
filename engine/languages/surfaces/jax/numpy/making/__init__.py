"""Functions of jnp that make arrays."""
