import torch

# Rosenbrock's valley, where optimizers race.
x = torch.tensor(-1.2, requires_grad=True)
y = torch.tensor(1.0, requires_grad=True)
f = (1 - x) ** 2 + 100 * (y - x ** 2) ** 2
f.backward()
print(f"f {f.item():.4f}, df/dx {x.grad.item():.4f}, df/dy {y.grad.item():.4f}")
