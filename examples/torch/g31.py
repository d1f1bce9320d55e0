import torch

# At a kink there is no slope, only a convention: PyTorch says 0 to both.
a = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
y = torch.relu(a) + torch.abs(b)
y.backward()
print(f"dy/da {a.grad.item()}, dy/db {b.grad.item()}")
