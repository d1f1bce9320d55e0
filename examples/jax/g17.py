import jax
import jax.numpy as jnp

# How many forward runs does the whole gradient of n parameters take?
n = 10

def loss(w):
    return jnp.sum((w - 1.0) ** 2)

w = jnp.zeros(n)
runs, delta, differences = 0, 0.125, []
for step in delta * jnp.eye(n):  # along each axis
    differences.append((loss(step) - loss(-step)) / (2 * delta))
    runs += 2
print("differences: %d forward runs" % runs)

exact = jax.grad(loss)(w)
print("reverse mode: 1 forward run and 1 backward")
print("largest disagreement: %g" % jnp.max(jnp.abs(exact - jnp.array(differences))))
