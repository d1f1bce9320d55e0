import jax
import jax.numpy as jnp

# The chain rule on two hops: exp passes back its own output, sin needs a cosine.
def f(x):
    return jnp.exp(jnp.sin(x))

y, slope = jax.value_and_grad(f)(3.0)
print(f"y {y:.4f}, dy/dx {slope:.4f}")
