import jax
import jax.numpy as jnp
import optax

# Exclusive or: a hidden layer of four units learns what a single straight line cannot.
inputs = jnp.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
targets = jnp.array([[0.0], [1.0], [1.0], [0.0]])
params = {
    "w1": jnp.array([[1.0, -1.0, 0.5, 0.3], [-1.0, 1.0, 0.4, 0.6]]),
    "b1": jnp.zeros(4),
    "w2": jnp.array([[1.0], [0.5], [-0.5], [0.25]]),
    "b2": jnp.zeros(1),
}

def predict(params):
    hidden = jnp.tanh(inputs @ params["w1"] + params["b1"])
    return jax.nn.sigmoid(hidden @ params["w2"] + params["b2"])

def loss(params):
    return jnp.mean((predict(params) - targets) ** 2)

optimizer = optax.adam(0.1)
state = optimizer.init(params)
for step in range(40):
    grads = jax.grad(loss)(params)
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
print("loss %.4f" % loss(params))
print(jnp.round(predict(params)).tolist())
