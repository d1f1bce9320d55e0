import jax
import jax.numpy as jnp

# At a kink there is no slope, only a convention: JAX says 0 to relu and 1 to abs.
def f(a, b):
    return jax.nn.relu(a) + jnp.abs(b)

da, db = jax.grad(f, argnums=(0, 1))(0.0, 0.0)
print(f"dy/da {da}, dy/db {db}")
