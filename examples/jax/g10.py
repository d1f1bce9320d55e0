import jax

# A rule of our own for x - y, judged by a difference quotient.
@jax.custom_vjp
def minus(x, y):
    return x - y

def forward(x, y):
    return minus(x, y), None

def backward(_, grad):
    return grad, -grad

minus.defvjp(forward, backward)

x, y, delta = 5.0, 3.0, 0.25
dx, dy = jax.grad(minus, argnums=(0, 1))(x, y)
across_x = (minus(x + delta, y) - minus(x - delta, y)) / (2 * delta)
across_y = (minus(x, y + delta) - minus(x, y - delta)) / (2 * delta)
for name, rule, difference in (("x", dx, across_x), ("y", dy, across_y)):
    print("%s: rule %g, difference %g" % (name, rule, difference))
