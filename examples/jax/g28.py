import jax
import jax.numpy as jnp

# ln x downhill from 0.05: one step too long leaves the domain.
x = 0.05
for step in range(3):
    y, slope = jax.value_and_grad(jnp.log)(x)
    print(f"x {x:.4f}, ln x {y:.4f}, slope {slope:.4f}")
    x = x - 0.01 * slope
