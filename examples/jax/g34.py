import jax
import jax.numpy as jnp
import numpy as np

# Downhill on x^2 / 2 where each gradient is off by some noise.
noise = jnp.array(np.random.RandomState(0).normal(size=400))

def rate(step):
    return 0.5

def loss(x, e):
    return x * x / 2 + e * x

def update(x, given):
    step, e = given
    x = x - rate(step) * jax.grad(loss)(x, e)
    return x, x ** 2

x, squares = jax.lax.scan(update, 5.0, (jnp.arange(400), noise))
print("x^2: %.3f after 10 updates, %.5f on average over the last 100" % (squares[9], squares[300:].mean()))
