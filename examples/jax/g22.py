import jax

# Rosenbrock's valley, where optimizers race.
def f(x, y):
    return (1 - x) ** 2 + 100 * (y - x ** 2) ** 2

value, (dx, dy) = jax.value_and_grad(f, argnums=(0, 1))(-1.2, 1.0)
print(f"f {value:.4f}, df/dx {dx:.4f}, df/dy {dy:.4f}")
