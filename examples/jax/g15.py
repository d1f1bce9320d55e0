import jax
import jax.numpy as jnp

# Without jit a loop of Python is differentiated along the path that was taken.
def f(a):
    b = a * 2
    while jnp.linalg.norm(b) < 1000:
        b = b * 2
    return b if jnp.sum(b) > 0 else 100 * b

a = 0.5
c, slope = jax.value_and_grad(f)(a)
print(c, slope, slope == c / a)
