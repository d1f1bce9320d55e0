"""The functions of `jax.lax`: primitives under their names, and what is made of them."""
