import jax

# The same two names, with and without the path from a to b.
def y(a, b):
    return a + b

def b_of(a):
    return 2.0 * a

a = 0.0
b = b_of(a)
total = jax.grad(lambda a: y(a, b_of(a)))(a), jax.grad(y, argnums=1)(a, b)
print([float(grad) for grad in total])
partial = jax.grad(y, argnums=(0, 1))(a, b)
print([float(grad) for grad in partial])
