import jax
import jax.numpy as jnp

# One record, two questions: the way back that vjp returns may be taken again.
def f(x):
    y = x * x
    z = y * y
    return z, y

x = jnp.array([0.0, 1.0, 2.0, 3.0])
(z, y), pull_back = jax.vjp(f, x)
(dz_dx,) = pull_back((jnp.ones(4), jnp.zeros(4)))
print(dz_dx)
(dy_dx,) = pull_back((jnp.zeros(4), jnp.ones(4)))
print(dy_dx)
