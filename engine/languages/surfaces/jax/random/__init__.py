"""`jax.random`: the numbers of JAX's keys, bit for bit."""
