import torch

# Two paths lead from a to f: what comes back on them is added.
a = torch.tensor(-2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
f = (a * b) * (a + b)
f.backward()
print(f"f {f.item()}, df/da {a.grad.item()}, df/db {b.grad.item()}")
