import jax

# A node sends back only when all that use it have reported.
def f(a, b):
    c = a + b
    d = a * b
    return (c + d) + c * d

y, (da, db) = jax.value_and_grad(f, argnums=(0, 1))(2.0, 3.0)
print(f"y {y}, dy/da {da}, dy/db {db}")
