import jax

# y = x^2 from x = 3: the momentum 0.9 carries x past the minimum and back.
def f(x):
    return x ** 2

@jax.jit
def update(x, v):
    v = 0.9 * v + jax.grad(f)(x)
    return x - 0.02 * v, v

x, v = 3.0, 0.0
for step in range(1, 31):
    x, v = update(x, v)
    if step % 5 == 0:
        print(f"step {step}: x {x:.4f}, v {v:.4f}")
