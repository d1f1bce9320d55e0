import jax

# The residual 5 - 1*2 - 0 = 3 stands in every gradient.
def loss(w, b, y, x):
    return (y - w * x - b) ** 2

value, (dw, db, dy, dx) = jax.value_and_grad(loss, argnums=(0, 1, 2, 3))(1.0, 0.0, 5.0, 2.0)
print("loss", value)
print(f"by w {dw}, by b {db}, by y {dy}, by x {dx}")
