import jax
import jax.numpy as jnp

# A network of twenty layers, and one loss behind it.
features = jnp.array([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]])
targets = jnp.array([[1.0], [0.0]])
params = {
    "layers": [{"w": jnp.eye(4), "b": jnp.zeros(4)} for _ in range(20)],
    "output": jnp.ones((4, 1)),
}

def loss(params):
    h = features
    for layer in params["layers"]:
        h = jax.nn.relu(h @ layer["w"] + layer["b"])
    prediction = jax.nn.sigmoid(h @ params["output"])
    return jnp.mean((prediction - targets) ** 2)

for step in range(2):
    value, grads = jax.value_and_grad(loss)(params)
    params = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
    print("step %d: loss %.4f" % (step, value))
