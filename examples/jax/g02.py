import jax
import jax.numpy as jnp

# The smallest gradient: JAX computes cos in the forward pass, and keeps it.
y, slope = jax.value_and_grad(jnp.sin)(3.0)
print(f"y {y:.4f}, dy/dx {slope:.4f}")
