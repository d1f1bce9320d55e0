import jax
import jax.numpy as jnp

# The gradient has the shape of what it is taken by: a column in, a column out.
def f(x):
    return jnp.squeeze(2 * x.T @ x)

x = jnp.arange(4.0).reshape(4, 1)
print(jax.grad(f)(x).tolist())
