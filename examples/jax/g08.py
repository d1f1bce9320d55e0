import jax
import jax.numpy as jnp
import optax

# One gradient, (6, 8), clipped in three ways.
def loss(v):
    return jnp.sum(v ** 2)

v = jnp.array([3.0, 4.0])
gradient = jax.grad(loss)(v)
print("gradient", gradient)
print("by norm", gradient * jnp.minimum(1.0, 5.0 / jnp.linalg.norm(gradient)))
print("by value", jnp.clip(gradient, -5.0, 5.0))
clip = optax.clip_by_global_norm(5.0)
by_global_norm, _ = clip.update(gradient, clip.init(v))
print("by global norm", by_global_norm, "of norm", optax.global_norm(gradient))
