import jax
import jax.numpy as jnp

# Fit a line through (0, 1), (1, 3), (2, 5), (3, 7).
x = jnp.array([0.0, 1.0, 2.0, 3.0])
t = jnp.array([1.0, 3.0, 5.0, 7.0])

def loss(params):
    return jnp.mean((params["w"] * x + params["b"] - t) ** 2)

@jax.jit
def update(params):
    grads = jax.grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)

params = {"w": 0.0, "b": 0.0}
print("start", loss(params))
for step in range(200):
    params = update(params)
print("w %.4f, b %.4f" % (params["w"], params["b"]))
