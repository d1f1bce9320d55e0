import torch

# Three stages of l <- 4 l (1 - l): the graph grows by the same few nodes at each.
x = torch.tensor(0.3, requires_grad=True)
q = 4 * x * (1 - x)
r = 4 * q * (1 - q)
s = 4 * r * (1 - r)
s.backward()
print(f"s {s.item():.4f}, ds/dx {x.grad.item():.4f}")
