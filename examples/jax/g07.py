import jax
import jax.numpy as jnp

# Clip the gradient to norm 5 between computing and applying it.
def f(w, x):
    return w * x

def clip_by_norm(g, limit):
    return g * jnp.minimum(1.0, limit / jnp.abs(g))

w, x = 10.0, 50.0
g = clip_by_norm(jax.grad(f)(w, x), 5.0)
print([(float(g), w)])
w = w - 0.1 * g
print([x, float(w), float(f(w, x))])
