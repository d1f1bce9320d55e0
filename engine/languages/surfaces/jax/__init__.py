"""JAX programs: its transformations in miniature, over values that numpy computes.

`core/` holds what a primitive is and how each transformation treats one, `lax/` the primitives, each with its
rules in one block, `numpy/` what `jnp` makes of them, and `api/` the functions that a program calls.
"""
