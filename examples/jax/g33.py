import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

# Doubled until it is long enough: the number of turns jumps where a passes 1000/2048.
def length(a):
    b = a * 2
    while jnp.abs(b) < 1000:
        b = b * 2
    return b

print("at 0.489", jax.grad(length)(0.489))
print("at 0.488", jax.grad(length)(0.488))

jump, delta = 1000 / 2048, 1e-3
difference = (length(jump + delta) - length(jump - delta)) / (2 * delta)
print("across the jump %.0f" % difference)
