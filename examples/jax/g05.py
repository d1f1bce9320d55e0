import jax

# Each partial derivative of a product is the other factor.
def product(w, x):
    return w * x

w, x = 10.0, 50.0
dw, dx = jax.grad(product, argnums=(0, 1))(w, x)
print([(float(dw), w), (float(dx), x)])
