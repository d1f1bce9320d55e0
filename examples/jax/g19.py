import jax

# Two paths lead from a to f: what comes back on them is added.
def f(a, b):
    return (a * b) * (a + b)

value, (da, db) = jax.value_and_grad(f, argnums=(0, 1))(-2.0, 3.0)
print(f"f {value}, df/da {da}, df/db {db}")
