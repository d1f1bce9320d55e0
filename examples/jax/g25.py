import jax
import jax.numpy as jnp

# Two towers share one parameter; vmap computes the gradient of each half of the data.
def loss(w, inputs, targets):
    return jnp.mean((targets - w * inputs) ** 2)

inputs = jnp.array([[1.0, 2.0], [3.0, 4.0]])
targets = jnp.array([[2.0, 4.0], [6.0, 8.0]])

w = 0.0
tower_grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(w, inputs, targets)
average = tower_grads.mean()
print(tower_grads.tolist(), average)
w = w - 0.01 * average
print("w %.2f" % w)
