"""Functions of jnp that arrange the elements of arrays."""
