import jax

# y = x^2 from x = 3 at five learning rates: which of them come down?
def f(x):
    return x ** 2

slope = jax.jit(jax.grad(f))

for rate in (0.1, 0.5, 0.9, 1.0, 1.1):
    x = 3.0
    for step in range(100):
        x = x - rate * slope(x)
    print(f"rate {rate}: x {x:.3g} after 100 steps")
