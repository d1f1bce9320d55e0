import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

# The derivative of sin at 3 by automatic differentiation, and how far differences are from it.
def errors(dtype, deltas):
    slope = jax.grad(jnp.sin)(jnp.array(3.0, dtype))
    print("%s: jax.grad says %.7f" % (slope.dtype, slope))
    for delta in deltas:
        here, right, left = [float(jnp.sin(jnp.array(3.0 + d, dtype))) for d in (0, delta, -delta)]
        forward, central = (right - here) / delta, (right - left) / (2 * delta)
        exact = -0.9899924966004454
        print("  delta %.0e  forward %.1e  central %.1e" % (delta, abs(forward - exact), abs(central - exact)))

errors(jnp.float64, [1e-1, 1e-3, 1e-5, 1e-7, 1e-9])
errors(jnp.float32, [1e-1, 1e-3, 1e-4, 1e-5, 1e-7])
