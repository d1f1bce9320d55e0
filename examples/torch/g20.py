import torch

# A node sends back only when all that use it have reported.
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = a + b
d = a * b
y = (c + d) + c * d
y.backward()
print(f"y {y.item()}, dy/da {a.grad.item()}, dy/db {b.grad.item()}")
