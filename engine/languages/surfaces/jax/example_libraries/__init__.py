"""`jax.example_libraries`: the small networks and optimizers that JAX's own examples use."""
