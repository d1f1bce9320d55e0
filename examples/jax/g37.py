import jax

# loss = (w - 3)^2 / 2 from w = 0. JAX keeps no gradients: to add them up is a line of the program.
def loss(w):
    return (w - 3) ** 2 / 2

w, total = 0.0, 0.0
for turn in range(5):
    total = total + jax.grad(loss)(w)
    w = w - 0.1 * total
    print(f"turn {turn}: sum of gradients {total:.4f}, w {w:.4f}")
