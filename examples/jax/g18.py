import jax

# Three stages of l <- 4 l (1 - l): the jaxpr grows by the same few equations at each.
def f(x):
    q = 4 * x * (1 - x)
    r = 4 * q * (1 - q)
    s = 4 * r * (1 - r)
    return s

s, slope = jax.value_and_grad(f)(0.3)
print(f"s {s:.4f}, ds/dx {slope:.4f}")
