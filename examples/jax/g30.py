import jax
import jax.numpy as jnp

# Two inputs, one sweep back.
def f(x1, x2):
    return jnp.log(x1) + x1 * x2 - jnp.sin(x2)

value, (d1, d2) = jax.value_and_grad(f, argnums=(0, 1))(2.0, 5.0)
print(f"f {value:.3f}, df/dx1 {d1:.3f}, df/dx2 {d2:.3f}")
