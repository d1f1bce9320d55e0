import jax

# The gradient of a function is a function, so it can be differentiated again.
def f(x):
    return x * x * x * x

first = jax.grad(f)
second = jax.grad(first)
third = jax.grad(second)
print([float(g(2.0)) for g in (f, first, second, third)])
