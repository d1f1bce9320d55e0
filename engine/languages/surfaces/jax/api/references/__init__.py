"""`jax.new_ref`: arrays that change in place, and the functions that are traced with them."""
