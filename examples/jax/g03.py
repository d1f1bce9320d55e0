import jax

# y = x^2, one hundred steps downhill from x = 3
def f(x):
    return x ** 2

@jax.jit
def update(x):
    y, slope = jax.value_and_grad(f)(x)
    return x - 0.01 * slope, y

x = 3.0
for step in range(100):
    x, y = update(x)
    print("step %d: x %f, y %f" % (step, x, y))
